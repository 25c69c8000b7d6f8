"""Patterns of language packs, compiled once and kept (`kept.py`).

Python parses a pattern for as long as a letter takes to be read with it. What it makes of one is a list of
numbers, which `_sre` turns into a pattern at once. All patterns of a table are kept together as soon as the
table is read, so that what is kept depends on the plan's languages and not on texts. Patterns that a plan or
data brings are compiled as ever.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import hashlib
import marshal
import re
import sys
from array import array
from collections.abc import Iterable
from functools import cache

from heteronym import kept

_Made = tuple[int, bytes, int, dict[str, int]]  # flags, code, number of groups, their names
_known: dict[str, _Made] = {}


def make_known(expressions: Iterable[str]) -> None:
    """Patterns that belong to the package."""
    wanted = sorted({expression for expression in expressions if expression not in _known})
    described = repr((wanted, _sre.MAGIC, sys.implementation.cache_tag, sys.byteorder))
    name = f"patterns-{hashlib.sha256(described.encode()).hexdigest()[:24]}"
    found = _read(name)
    if found is None:
        found = [_made(expression) for expression in wanted]
        kept.keep(name, marshal.dumps(found))
    _known.update(zip(wanted, found, strict=True))


def _read(name: str) -> list[_Made] | None:
    try:
        found: list[_Made] = marshal.loads(kept.read(name) or b"")
    except (EOFError, ValueError, TypeError):
        return None  # not kept, or cut off
    return found


@cache
def compiled(expression: str) -> re.Pattern[str]:
    if expression not in _known:
        return re.compile(expression)
    flags, code, groups, names = _known[expression]
    by_number: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        by_number[number] = name
    made: re.Pattern[str] = _sre.compile(
        expression, flags, array("I", code).tolist(), groups, names, tuple(by_number)
    )
    return made


def _made(expression: str) -> _Made:
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(expression, 0)
    code = _compiler._code(parsed, 0)
    return (
        parsed.state.flags,
        array("I", code).tobytes(),
        parsed.state.groups - 1,
        dict(parsed.state.groupdict),
    )
