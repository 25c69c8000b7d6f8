"""Kernels: functions on arrays that are compiled as soon as they have something to do.

Compilation takes seconds, and loading what was compiled before half a second; a few hundred rows take
less without. So a process runs its kernels as they are written, in Python, until one of them is called with
much, or all of them together took `PATIENCE` seconds: from then on all are compiled. What they return is the
same to the last bit (tests/properties/test_compiled.py).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

LARGE = (
    10_000  # numbers in the arrays of one call; in Python, a search over so many takes about half a second
)
PATIENCE = 2.0  # CPU seconds that kernels may take in Python, all calls of a process together


class _Here(threading.local):
    inside = False  # a kernel that runs in Python calls others: they run in Python, too


class _Tier:
    """How this process runs its kernels: in Python while patience is left, compiled ever after."""

    def __init__(self) -> None:
        self.patience = 0.0 if os.environ.get("HETERONYM_COMPILE") == "always" else PATIENCE


_here, _tier = _Here(), _Tier()


class Kernel:
    """A function that runs in Python or compiled, as the process does."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        if _here.inside:
            return self.function(*args)
        if _tier.patience > 0 and numbers_in(args) <= LARGE:
            return self._in_python(*args)
        _tier.patience = 0.0
        return self.entrance(*args)

    def _in_python(self, *args: Any) -> Any:
        import numpy as np

        begin, _here.inside = time.process_time(), True
        try:
            # hashes and random numbers run over on purpose; compiled, a division by zero is an error
            with np.errstate(over="ignore", divide="raise"):
                return self.function(*args)
        finally:
            _here.inside = False
            _tier.patience -= time.process_time() - begin

    @cached_property
    def entrance(self) -> Any:
        """Compiled, to be called from Python."""
        from heteronym.machine_code import Entrance

        def compile_for(args: tuple[Any, ...]) -> Any:
            from heteronym.compiling import compiled

            return compiled(self, args)

        return Entrance(self.function, compile_for)

    @cached_property
    def part(self) -> Any:
        """Compiled, to be called by other kernels."""
        from heteronym.compiling import part

        return part(self.function)


def kernel(function: Callable[..., Any]) -> Any:
    """Decorator of functions that numba can compile."""
    return Kernel(function)


def compile_always() -> None:
    """From now on kernels of this process are compiled, however little they have to do."""
    _tier.patience = 0.0


def numbers_in(args: tuple[Any, ...]) -> int:
    """How many numbers the arrays among the arguments hold, those in tuples included."""
    total = 0
    for arg in args:
        if isinstance(arg, tuple):
            total += numbers_in(arg)
        else:
            total += getattr(arg, "size", 1)
    return total


def is_small(numbers: int) -> bool:
    """Whether a search over so many numbers runs in Python."""
    return _tier.patience > 0 and numbers <= LARGE
