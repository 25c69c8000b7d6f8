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

from heteronym.text.atoms import lowered
from heteronym.text.grammar import PartialDate, grammar
from heteronym.text.lexicon import lexicon
from heteronym.text.stretches import joined

_DIGIT = re.compile(r"\d")
_FIGURE = re.compile(r"\d+")
_FIGURES = re.compile(r"\d+(?:\W{1,6}\d+)+")  # a month in figures stands beside a day or a year
_WIDE = re.compile(r"\s{3}")
_REACH = 80  # characters from a month to the ends of the longest date that has it, and what is around
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


class DateInText(NamedTuple):
    """One way to read a date, and the place in the phrase that tells it."""

    date: PartialDate
    start: int
    end: int


@lru_cache(maxsize=65_536)
def read_phrase(phrase: str) -> tuple[DateInText, ...]:
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
    return tuple(DateInText(date, start, end) for date in dates)


def find_days(text: str, days: Collection[dt.date]) -> Iterator[DateInText]:
    """Dates in a text that may tell one of these days: whole ones, and a month with a day or a year."""
    low = lowered(text)
    # Most texts have neither the year nor the month of any of them: those are not read at all.
    if not any(f"{day.year % 100:02d}" in text or _MONTHS[day.month - 1] in low for day in days):
        return
    for begin, end in _around_months(text, low, {day.month for day in days}):
        for one in grammar().read(text[begin:end], least=2):
            for date in one.dates:
                if sum(part is not None for part in date) > 1:
                    yield DateInText(date, begin + one.start, begin + one.end)


def _around_months(text: str, low: str, months: Collection[int]) -> list[tuple[int, int]]:
    """The parts of a text where a date can stand that tells one of these months, in figures or as a word."""
    places = [
        one.start()
        for run in _FIGURES.finditer(text)
        for one in _FIGURE.finditer(text, *run.span())
        if len(one[0]) < 3 and int(one[0]) in months
    ]
    for month in months:
        if _MONTHS[month - 1] in low:
            places += [one.start() for one in _month_word(month).finditer(low)]
    if places and not text.isprintable() and _WIDE.search(text):
        return [(0, len(text))]  # a date may go on in the next line, behind any number of blanks
    begins = (text.rfind(" ", 0, max(place - _REACH, 0)) + 1 for place in places)
    ends = (text.find(" ", place + _REACH) for place in places)
    parts = ((begin, len(text) if end < 0 else end) for begin, end in zip(begins, ends))
    return joined(parts, touching=True)


@cache
def _month_word(month: int) -> re.Pattern[str]:
    names = (name.lower() for name in lexicon("common").listed("MONTHS"))
    mine = "|".join(sorted((name for name in names if name[:3] == _MONTHS[month - 1]), reverse=True))
    return re.compile(rf"(?<![^\W\d_])(?:{mine})(?![^\W\d_])")


def _strptime(text: str, format: str) -> dt.date | None:
    try:
        return dt.datetime.strptime(text, format).date()
    except ValueError:
        return None


def parse_cell(cell: object, format: str | None) -> tuple[dt.date, ...]:
    """What a cell of a date column may mean: by the column's format, else ISO, else all readings."""
    if isinstance(cell, dt.datetime):
        return (cell.date(),)
    if isinstance(cell, dt.date):
        return (cell,)
    text = str(cell).strip()
    if format is not None:
        found = (_strptime(text, one) for one in format.split("|"))
        return tuple(day for day in found if day is not None)[:1]
    try:
        return (dt.datetime.fromisoformat(text).date(),)
    except ValueError:
        pass
    dates = (reading.date for reading in read_phrase(text))
    return tuple(dt.date(*date) for date in dates if None not in date)  # type: ignore[arg-type]
