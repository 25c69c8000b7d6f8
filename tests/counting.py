"""Counts work instead of time: lines of Python that a call executes, the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import heteronym

PACKAGE = str(Path(heteronym.__file__).parent)


def lines_executed(call: Callable[[], Any]) -> int:
    """Lines of this package that are executed by the call, loops counted as often as they go round.

    What C code does inside one line (patterns, numpy, polars) is not seen.
    """
    count = 0

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return local

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(call: Callable[[int], Any], size: int, times: int = 4) -> float:
    """How many times more lines a call executes for `times` the size, beyond what it always does."""
    call(1)  # what is loaded or remembered once is not counted
    least, small, large = (lines_executed(lambda n=n: call(n)) for n in (1, size, times * size))
    return (large - least) / max(small - least, 1)
