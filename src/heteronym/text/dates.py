"""What days a phrase, a text or a cell tells: the forms of dates of `text.grammar`, read.

No guessing: "05/06/2004" has two readings and both are given; "four days ago" has none. Months and
years may stand alone, days may not.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from heteronym.text.grammar import PartialDate, grammar
from heteronym.text.lexicon import lexicon

_DIGIT = re.compile(r"\d")
_FIGURES = re.compile(r"\d+")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


class Reading(NamedTuple):
    """One way to read a date, and the place in the phrase that tells it."""

    date: PartialDate
    start: int
    end: int


@lru_cache(maxsize=65_536)
def read_phrase(phrase: str) -> tuple[Reading, ...]:
    """The readings of the one date in a phrase; none if it holds no date, or several."""
    found = list(grammar().read(phrase))
    if not found:
        return ()
    start, end = max(((one.start, one.end) for one in found), key=lambda place: place[1] - place[0])
    rest = phrase[:start] + " " + phrase[end:]
    # A second date or number in the phrase is told apart from this one, or not at all.
    if _DIGIT.search(rest) or any(one.start < start or one.end > end for one in found):
        return ()
    dates = dict.fromkeys(date for one in found if (one.start, one.end) == (start, end) for date in one.dates)
    return tuple(Reading(date, start, end) for date in dates)


def find_days(text: str, days: Collection[dt.date]) -> Iterator[Reading]:
    """Dates in a text that may tell one of these days: whole ones, and a month with a day or a year."""
    low = text.lower()
    # Most texts have neither the year nor the month of any of them: those are not read at all.
    if not any(f"{day.year % 100:02d}" in text or _MONTHS[day.month - 1] in low for day in days):
        return
    told = {int(figures[-2:]) for figures in _FIGURES.findall(text)}
    if not any(_may_be_told(day, told, low) for day in days):
        return
    for one in grammar().read(text):
        for date in one.dates:
            if sum(told is not None for told in date) > 1:
                yield Reading(date, one.start, one.end)


def _may_be_told(day: dt.date, told: Collection[int], low: str) -> bool:
    """Whether two of a day's numbers stand in a text in figures, or its month as a word."""
    if sum(number in told for number in (day.day, day.month, day.year % 100)) > 1:
        return True
    return _MONTHS[day.month - 1] in low and _month_word(day.month).search(low) is not None


@cache
def _month_word(month: int) -> re.Pattern[str]:
    names = (name.lower() for name in lexicon("common").listed("MONTHS"))
    mine = "|".join(sorted((name for name in names if name[:3] == _MONTHS[month - 1]), reverse=True))
    return re.compile(rf"(?<![^\W\d_])(?:{mine})(?![^\W\d_])")


def parse_cell(cell: object, format: str | None) -> tuple[dt.date, ...]:
    """What a cell of a date column may mean: by the column's format, else ISO, else all readings."""
    if isinstance(cell, dt.datetime):
        return (cell.date(),)
    if isinstance(cell, dt.date):
        return (cell,)
    text = str(cell).strip()
    try:
        if format is not None:
            return (dt.datetime.strptime(text, format).date(),)
        return (dt.datetime.fromisoformat(text).date(),)
    except ValueError:
        if format is not None:
            return ()
    told = (reading.date for reading in read_phrase(text))
    return tuple(dt.date(*date) for date in told if None not in date)  # type: ignore[arg-type]
