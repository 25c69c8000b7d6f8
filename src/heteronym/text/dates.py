"""Understands English dates in free form: what year, month and day a phrase tells, and where.

No guessing: "05/06/2004" has two readings and both are given; "four days ago" has none. Months and
years may stand alone, days may not.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("common")  # the words with which `recognizers` finds dates
_FIRST_LETTERS = [name[:3].lower() for name in _LEXICON.listed("MONTHS")]  # in full, then in short
_MONTHS = {name.lower(): _FIRST_LETTERS.index(name[:3].lower()) + 1 for name in _LEXICON.listed("MONTHS")}
_ORDINALS = _LEXICON.listed("ORDINALS")
_DAYS = {word: number for number, word in enumerate(_ORDINALS, start=1)} | {
    f"{tens}-{word}": base + number
    for tens, base, upto in (("twenty", 20, 9), ("thirty", 30, 1))
    for number, word in enumerate(_ORDINALS[:upto], start=1)
}
_DAYS["thirtieth"] = 30

_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b\.?"
_DAY_WORD = "|".join(sorted((word.replace("-", "[- ]") for word in _DAYS), key=len, reverse=True))
_DAY = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<dayword>{_DAY_WORD}))"
_YEAR = r"(?P<year>[12]\d{3}|['’]\d{2})(?!\d)"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[,.]?\s*)?(?:the\s+)?"
_GAP = r"[\s,.\-/]*"
_FORMS = tuple(
    re.compile(r"(?<!\w)(?<!\d[.,:/])" + form + r"(?!\w)(?![.,:/]\d)", re.IGNORECASE)
    for form in (
        r"(?P<year>[12]\d{3})(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?!\d)(?:T[\d:.]+Z?)?",
        r"(?P<first>\d{1,2})(?P<sep>[-/.])(?P<second>\d{1,2})(?P=sep)(?P<year>[12]\d{3}|\d{2})",
        rf"{_WEEKDAY}{_DAY}\s*(?:of\s+)?{_GAP}{_MONTH}{_GAP}(?:of\s+)?{_YEAR}",
        rf"{_WEEKDAY}{_MONTH}{_GAP}(?:the\s+)?{_DAY}\b{_GAP}{_YEAR}",
        rf"{_WEEKDAY}{_DAY}\s*(?:of\s+)?{_GAP}{_MONTH}",
        rf"{_WEEKDAY}{_MONTH}{_GAP}(?:the\s+)?{_DAY}",
        rf"{_MONTH}{_GAP}(?:of\s+)?{_YEAR}",
        r"(?P<year>[12]\d{3})[-/](?P<month>\d{1,2})",
        r"(?P<month>\d{1,2})[-/](?P<year>[12]\d{3})",
        r"(?P<year>[12]\d{3})(?P<month>[01]\d)(?P<day>[0-3]\d)",
        _MONTH,
        r"(?P<year>[12]\d{3})",
    )
)
_FULL_FORMS = _FORMS[:4]
_PARTIAL_FORMS = _FORMS[4:7]
_MAY_HOLD_A_FULL_DATE = re.compile(r"\d")


class PartialDate(NamedTuple):
    """A date as far as it is told; None where it is not."""

    year: int | None
    month: int | None
    day: int | None

    def contains(self, date: dt.date) -> bool:
        return (
            (self.year is None or self.year == date.year)
            and (self.month is None or self.month == date.month)
            and (self.day is None or self.day == date.day)
        )


class Reading(NamedTuple):
    """One way to read a date, and the place in the phrase that tells it."""

    date: PartialDate
    start: int
    end: int


@lru_cache(maxsize=65_536)
def read_phrase(phrase: str) -> tuple[Reading, ...]:
    """The readings of the one date in a phrase; none if it holds no date, or several."""
    for form in _FORMS:
        match = form.search(phrase)
        if match is None:
            continue
        readings = tuple(Reading(date, match.start(), match.end()) for date in _dates(match))
        rest = phrase[: match.start()] + " " + phrase[match.end() :]
        if readings:
            # A second date or number in the phrase is told apart from this one, or not at all.
            return () if re.search(r"\d", rest) or re.search(_MONTH, rest, re.IGNORECASE) else readings
    return ()


def find_full(text: str) -> Iterator[Reading]:
    """All dates with day, month and year in a text."""
    if not _MAY_HOLD_A_FULL_DATE.search(text):
        return
    for form in _FULL_FORMS:
        for match in form.finditer(text):
            for date in _dates(match):
                yield Reading(date, match.start(), match.end())


def find_days(text: str, days: Collection[dt.date]) -> Iterator[Reading]:
    """Dates in a text that may tell one of these days: whole ones, and a month with a day or a year."""
    if any(f"{day.year % 100:02d}" in text for day in days):
        yield from find_full(text)
    low = text.lower()
    if any(name[:3] in low for name in _MONTHS if _MONTHS[name] in {day.month for day in days}):
        for form in _PARTIAL_FORMS:
            for match in form.finditer(text):
                for date in _dates(match):
                    yield Reading(date, match.start(), match.end())


def parse_cell(cell: object, format: str | None) -> tuple[dt.date, ...]:
    """What a cell of a date column may mean: by the column's format, else ISO, else all readings."""
    if isinstance(cell, dt.datetime):
        return (cell.date(),)
    if isinstance(cell, dt.date):
        return (cell,)
    text = str(cell).strip()
    if format is not None:
        try:
            return (dt.datetime.strptime(text, format).date(),)
        except ValueError:
            return ()
    try:
        return (dt.datetime.fromisoformat(text).date(),)
    except ValueError:
        pass
    told = [(r.date.year, r.date.month, r.date.day) for r in read_phrase(text)]
    return tuple(day for one in told if (day := _day(*one)) is not None)


def _day(year: int | None, month: int | None, day: int | None) -> dt.date | None:
    """The day, if all of it is told and there is one: a code of eight digits may have a month 0."""
    try:
        return dt.date(year or 0, month or 0, day or 0)
    except ValueError:
        return None


def _dates(match: re.Match[str]) -> Iterator[PartialDate]:
    told = match.groupdict()
    year = _year(told.get("year"))
    if told.get("first"):
        first, second = int(told["first"]), int(told["second"])
        for numbers in dict.fromkeys(((first, second), (second, first))):
            if _exists(year, numbers[1], numbers[0]):
                yield PartialDate(year, numbers[1], numbers[0])
        return
    month: int | None = None
    if told.get("month"):
        word = told["month"].lower()
        month = int(word) if word.isdigit() else _MONTHS[word]
    day: int | None = None
    if told.get("dayword"):
        day = _DAYS[told["dayword"].lower().replace(" ", "-")]
    elif told.get("day"):
        day = int(told["day"])
    if _exists(year, month, day):
        yield PartialDate(year, month, day)


def _year(told: str | None) -> int | None:
    if told is None:
        return None
    digits = told.lstrip("'’")
    if len(digits) == 4:
        return int(digits)
    # Two digits: the century that lies nearer, as people write them.
    return int(digits) + (2000 if int(digits) < 40 else 1900)


def _exists(year: int | None, month: int | None, day: int | None) -> bool:
    try:
        dt.date(year or 2000, month or 1, day or 1)
    except ValueError:
        return False
    return True
