"""Days for the auditor, from the plan's format or from what all cells of a column look like.

A format is turned into a regular expression; a column without one is read by the order of its parts.
Which of day and month comes first is decided by the column as a whole, and refused if nothing decides it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import cache

from heteronym.errors import InputError, PlanError

MONTHS = ("january february march april may june july august september october november december").split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NAME = {name: number for number, name in enumerate(MONTHS, 1)}
_NAME |= {name[:3]: number for number, name in enumerate(MONTHS, 1)}

_YEAR_FIRST = re.compile(
    r"(?P<Y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?:[T ].*)?", re.ASCII | re.DOTALL
)
_DIGITS = re.compile(r"(?P<Y>\d{4})(?P<m>\d{2})(?P<d>\d{2})", re.ASCII)
_DOTTED = re.compile(r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<Y>\d{4})", re.ASCII)
_OPEN = re.compile(r"(?P<a>\d{1,2})([/-])(?P<b>\d{1,2})\2(?P<Y>\d{4})", re.ASCII)
_DAY_NAME = re.compile(r"(?P<d>\d{1,2})([ ,-])\s*(?P<B>[A-Za-z]+)\2\s*(?P<Y>\d{4})", re.ASCII)
_NAME_DAY = re.compile(r"(?P<B>[A-Za-z]+)\s+(?P<d>\d{1,2}),\s*(?P<Y>\d{4})", re.ASCII)
_PLAIN = (_YEAR_FIRST, _DIGITS, _DOTTED, _DAY_NAME, _NAME_DAY)

Reader = Callable[[str], date | None]


def day_reader(texts: Sequence[str], format: str | None) -> Reader:
    """Reads one cell of a column whose different cells are `texts`; None for what is no day."""
    if format is not None:
        readers = [_by_format(one) for one in format.split("|")]
        return lambda text: next((day for read in readers if (day := read(text)) is not None), None)
    day_first = _day_first([match for text in texts if (match := _OPEN.fullmatch(text))])

    def read(text: str) -> date | None:
        match = _OPEN.fullmatch(text)
        if match:
            first, second = int(match["a"]), int(match["b"])
            day, month = (first, second) if day_first else (second, first)
            return _made(int(match["Y"]), month, day)
        for shape in _PLAIN:
            match = shape.fullmatch(text)
            if match:
                return _from_match(match)
        return None

    return read


def _day_first(matches: Sequence[re.Match[str]]) -> bool:
    pairs = {(int(match["a"]), int(match["b"])) for match in matches}
    day_first = any(a > 12 for a, _ in pairs)
    month_first = any(b > 12 for _, b in pairs)
    if not day_first and not month_first and any(a != b for a, b in pairs):
        raise InputError("day and month could be swapped in every row; the plan must say a `format`")
    return not month_first


def _made(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _from_match(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = _NAME.get(parts["B"].lower(), 0) if parts.get("B") else int(parts["m"] or 0)
    return _made(int(parts["Y"]), month, int(parts["d"]))


# --- formats --------------------------------------------------------------------------------------

_CODES = {
    "Y": r"(?P<Y>[+-]?\d{1,4})",
    "y": r"(?P<y>\d{1,2})",
    "m": r"(?P<m>\d{1,2})",
    "d": r"(?P<d>\d{1,2})",
    "e": r"\s*(?P<d>\d{1,2})",
    "j": r"(?P<j>\d{1,3})",
    "B": r"(?P<B>[A-Za-z]+)",
    "b": r"(?P<B>[A-Za-z]+)",
    "h": r"(?P<B>[A-Za-z]+)",
    "A": "(?:" + "|".join(f"{name}|{name[:3]}" for name in _WEEKDAYS) + ")",
    "H": r"\d{1,2}",
    "I": r"\d{1,2}",
    "k": r"\s*\d{1,2}",
    "l": r"\s*\d{1,2}",
    "M": r"\d{1,2}",
    "S": r"\d{1,2}",
    "f": r"\d{1,9}",
    "p": r"(?:am|pm)",
    "P": r"(?:am|pm)",
    "z": r"(?:z|[+-]\d{2}:?\d{2})",
    "Z": r"[A-Za-z]+",
    "%": "%",
}
_CODES["a"] = _CODES["A"]
_TOGETHER = {"F": "%Y-%m-%d", "D": "%m/%d/%y", "T": "%H:%M:%S", "R": "%H:%M", "x": "%m/%d/%y"}
_CODE = re.compile(r"%[-_0]?(?:\.\d?)?([A-Za-z%])")


@cache
def _by_format(format: str) -> Reader:
    unfolded = re.sub(r"%([FDTRx])", lambda m: _TOGETHER[m[1]], format)
    pattern, at = "", 0
    for match in _CODE.finditer(unfolded):
        code = _CODES.get(match[1])
        if code is None:
            return _by_library(format)
        pattern += _literal(unfolded[at : match.start()]) + code
        at = match.end()
    try:
        shape = re.compile(pattern + _literal(unfolded[at:]), re.IGNORECASE | re.ASCII)
    except re.error:  # a part of the date twice
        return _by_library(format)

    def read(text: str) -> date | None:
        match = shape.fullmatch(text)
        return None if match is None else _from_parts(match.groupdict())

    return read


def _literal(text: str) -> str:
    return re.sub(r"(?:\\\s|\s)+", r"\\s*", re.escape(text))


def _from_parts(parts: dict[str, str | None]) -> date | None:
    if parts.get("Y"):
        year = int(parts["Y"] or 0)
    else:
        short = int(parts.get("y") or -1)
        if short < 0:
            return None
        year = short + (1900 if short >= 70 else 2000)  # as documented for the plan's formats
    if parts.get("j"):
        first = _made(year, 1, 1)
        day = None if first is None else date.fromordinal(first.toordinal() + int(parts["j"] or 1) - 1)
        return day if day is not None and day.year == year else None
    month = _NAME.get((parts.get("B") or "").lower(), 0) or int(parts.get("m") or 0)
    return _made(year, month, int(parts["d"] or 0) if "d" in parts else 1)  # a month is its first day


def _by_library(format: str) -> Reader:
    try:
        datetime.strptime("", format)
    except ValueError as error:
        if "bad directive" in str(error) or "stray" in str(error):
            raise PlanError(f"'{format}' is not a date format") from None

    def read(text: str) -> date | None:
        try:
            return datetime.strptime(text, format).date()
        except ValueError:
            return None

    return read
