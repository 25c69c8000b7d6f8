"""The periods around a date: its month, its quarter, its year, its decade, its century.

`periods_around` reads any phrase that names one year; `nested_periods` reads only what certainly means one
period, because its answers are published in the place of the phrase.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

_MONTHS = ("January February March April May June July August September October November December").split()
_NAMES = {name.lower(): i for i, name in enumerate(_MONTHS, 1)} | {
    n[:3].lower(): i for i, n in enumerate(_MONTHS, 1)
}
_YEAR = re.compile(r"(?<!\d)(1[0-9]\d\d|20\d\d)(?!\d)")
_WORDS = re.compile(r"[A-Za-z]+")
_ISO = re.compile(r"(?<!\d)(?:\d{4}[-/.](\d{1,2})[-/.]\d{1,2}|\d{1,2}[./](\d{1,2})[./]\d{4})(?!\d)")
DAYS_OF_MONTH, DAYS_OF_YEAR = 30, 365


def periods_around(term: str) -> list[tuple[str, int]]:
    """(name, days) of the periods that hold the date that a phrase tells, shortest first."""
    years = _YEAR.findall(term)
    if len(set(years)) != 1:
        return []
    year = years[0]
    months = {_NAMES[w.lower()] for w in _WORDS.findall(term) if w.lower() in _NAMES}
    written = _ISO.search(term)
    if written is not None:
        number = int(written[1] or written[2])
        months |= {number} if 1 <= number <= 12 else set()
    periods: list[tuple[str, int]] = []
    ordered = sorted(months)
    rest = _YEAR.sub(" ", term)
    if len(ordered) == 1 and re.search(r"\d", rest):
        periods.append((f"{_MONTHS[ordered[0] - 1]} {year}", DAYS_OF_MONTH))
    if rest.strip(" .,"):
        periods.append((year, DAYS_OF_YEAR))
    if len(ordered) == 1 and periods:
        periods.append((_MONTHS[ordered[0] - 1], 100 * DAYS_OF_MONTH))
    decade, century = int(year) // 10 * 10, int(year) // 100 + 1
    ordinal = {"1": "st", "2": "nd", "3": "rd"}.get(str(century)[-1], "th") if not 10 < century < 14 else "th"
    return [
        *periods,
        (f"the {decade}s", 10 * DAYS_OF_YEAR),
        (f"the {century}{ordinal} century", 100 * DAYS_OF_YEAR),
        ("date", 1000 * DAYS_OF_YEAR),
    ]


class Period(NamedTuple):
    """A stretch of time as it reads in a sentence, and how many days of a thousand years lie in it."""

    name: str
    days: int


_QUARTERS = ("first", "second", "third", "fourth")
ALL_DAYS = 1000 * DAYS_OF_YEAR
_DAY = re.compile(r"(?<![\d.,/-])(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d/.-]|,\d)")
_IN_FIGURES = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4})")
# what may stand in a date beside its figures and months and does not move it: "Friday, the 14th of May"
_BESIDE = frozenset(
    "the of on in a day year month monday tuesday wednesday thursday friday saturday sunday mon tue wed thu "
    "fri sat sun st nd rd th early late mid beginning middle end".split()
)
_PARTS = frozenset("early late mid beginning middle end".split())
_LEAP_YEAR = 2000


def nested_periods(term: str) -> list[Period]:
    """The period that a phrase means, then those around it, each inside the next; empty if it is none.

    "14 May 2004", "May 2004", "2004" and "14 May" are periods; "since 2004" or "5/6/2004", which may be
    June or May, tell less and answer with less.
    """
    year, month, day = _read(term)
    if month is not None and day is not None and not _exists(year, month, day):
        return []
    if year is None:
        if month is None:
            return []
        monthly = Period(_MONTHS[month - 1], 1000 * DAYS_OF_MONTH)
        return [Period(f"{day} {_MONTHS[month - 1]}", 1000), monthly] if day is not None else [monthly]
    found = [Period(str(year), DAYS_OF_YEAR), *_long_periods(year)]
    if month is not None:
        name = f"{_MONTHS[month - 1]} {year}"
        quarter = f"the {_QUARTERS[(month - 1) // 3]} quarter of {year}"
        found = [Period(name, DAYS_OF_MONTH), Period(quarter, 3 * DAYS_OF_MONTH + 1), *found]
        if day is not None:
            found = [Period(f"{day} {name}", 1), *found]
    return found


_PERIOD = re.compile(
    rf"(?:the \w+ quarter of )?\d{{4}}|(?:{'|'.join(_MONTHS)})(?: \d{{4}})?|the \d+s|the \d+\w\w century"
)


def is_period(label: str) -> bool:
    """Whether a label of `nested_periods` is longer than a day: things happen in it, not on it."""
    return _PERIOD.fullmatch(label) is not None


def days_stated(term: str) -> int:
    """How many days a phrase leaves open that `nested_periods` understands: more than its first label may."""
    periods = nested_periods(term)
    if not periods or _IN_FIGURES.fullmatch(term.strip()):
        return 1
    part = any(word.lower() in _PARTS for word in _WORDS.findall(term))
    return max(1, periods[0].days // 3) if part else periods[0].days


def _long_periods(year: int) -> list[Period]:
    century = (year - 1) // 100 + 1
    ordinal = {1: "st", 2: "nd", 3: "rd"}.get(century % 10, "th") if not 10 < century < 14 else "th"
    decade = Period(f"the {year // 10 * 10}s", 10 * DAYS_OF_YEAR)
    around = Period(f"the {century}{ordinal} century", 100 * DAYS_OF_YEAR)
    # the years 1900 and 2000 lie in the decade of their figures and in the century before it
    return [decade, around] if year % 100 else [around]


def _read(term: str) -> tuple[int | None, int | None, int | None]:
    """Year, month and day, as far as the phrase tells them without doubt; nothing if it tells more."""
    nothing = (None, None, None)
    figures = _IN_FIGURES.fullmatch(term.strip())
    if figures is not None:
        year, first, second = (
            int(n) for n in (figures[1] or figures[8], figures[3] or figures[5], figures[4] or figures[7])
        )
        if figures[1]:
            return year, first, second
        if figures[6] == ".":
            return year, second, first
        if first == second or first > 12:
            return year, second, first
        return (year, first, second) if second > 12 else (year, None, None)
    words = [word.lower() for word in _WORDS.findall(term)]
    months = {_NAMES[word] for word in words if word in _NAMES}
    years = _YEAR.findall(term)
    rest = _YEAR.sub(" ", term)
    if len(months) > 1 or len(years) > 1 or not all(w in _NAMES or w in _BESIDE for w in words):
        return nothing
    numbers = re.findall(r"\d+", rest)
    days = _DAY.findall(rest)
    if len(numbers) > 1 or len(numbers) != len(days) or (days and not months):
        return nothing
    return (
        int(years[0]) if years else None,
        next(iter(months), None),
        int(days[0]) if days else None,
    )


def _exists(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or _LEAP_YEAR, month, day)
    except ValueError:
        return False
    return True
