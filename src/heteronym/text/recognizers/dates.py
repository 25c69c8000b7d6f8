"""Dates and periods: calendar dates in all common forms, years, decades, seasons, weekdays, holidays,
relative dates ("four days ago", "last Tuesday") and durations of a day or more.

Dates whose year is left out are read together with the one that has it ("30 May and 10 July 1997"),
and so is a period with its two ends, because none of the pieces tells a date alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import find

_LEXICON = lexicon("dates")


def _is_month(match: re.Match[str]) -> bool:
    """'May', 'March' and abbreviations alone are months only after a word that places them in time."""
    return (
        match.group() not in _WORDS_TOO
        or _MONTH_CUE.search(match.string, max(0, match.start() - 8), match.start()) is not None
    )


_MONTH_CUE = _LEXICON.compiled("MONTH_CUE")


def _after_a_day_word(match: re.Match[str]) -> bool:
    """'on 2/12' and 'until the 23rd' are days; 'about 2/3' and 'the second' are not."""
    return _DAY_CUE.search(match.string, max(0, match.start() - 12), match.start()) is not None


_DAY_CUE = _LEXICON.compiled("DAY_CUE")


_WORDS_TOO = frozenset(
    ("May March Jan Mar Jun Dec Apr Sep Oct Nov Feb Aug Jul Sept Jan. Mar. August April June").split()
)


def _not_a_number(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()].lower()
    return not before.endswith(
        ("no. ", "nos. ", "number ", "article ", "section ", "rule ", "room ", "§ ", "page ", "p. ")
    )


def _means_a_time(match: re.Match[str]) -> bool:
    """'a day' and 'a year' tell a rate ('twice a day') as often as a duration."""
    return match.group().lower() not in _RATES


_RATES = _LEXICON.words("RATES")

_ANSWER = _LEXICON.compiled("ANSWER")
_BIRTH = re.compile(r"\b(?:dob|d\.o\.b|birth|born|birthday)\b", re.IGNORECASE)


def _is_an_answer(match: re.Match[str]) -> bool:
    """Three numbers are a date where birth was asked for, and they begin the answer."""
    text, start = match.string, match.start()
    return (
        _ANSWER.search(text, max(0, start - 12), start) is not None
        and _BIRTH.search(text, max(0, start - 160), start) is not None
    )


_DAY_MONTHS = _LEXICON.compiled("DAY_MONTHS")
_DATES_WORDS = _LEXICON.compiled("DATES_WORDS")
_LETTER_OF = _LEXICON.compiled("LETTER_OF")
_TIME_AFTER = re.compile(r",?\s(?:at\s)?\d{1,2}:\d\d|,?\s\d{1,2}\s?[ap]m\b")


def _among_dates(match: re.Match[str]) -> bool:
    """'6/19' is a day behind a word for one, before a time, or where a day cannot be a part of a whole."""
    text, start, end = match.string, match.start(), match.end()
    first, second = map(int, match.group().split("/"))
    if _TIME_AFTER.match(text, end) or _LETTER_OF.search(text, max(0, start - 20), start):
        return True
    if _DATES_WORDS.search(text, max(0, start - 16), start) and (
        first > second or second > 12 or text[start - 2 : start - 1] != "f"
    ):
        return _has_other_date(text, start, end) or first > 12 or second > 12
    if not (text[start - 1 : start] in ("(", "\n", "") or text[max(0, start - 2) : start] == ", "):
        return False
    return _has_other_date(text, start, end)


def _has_other_date(text: str, start: int, end: int) -> bool:
    low, high = max(0, start - 300), end + 300
    return any(
        other.start() != start and _plausible(other.group())
        for other in islice(_DAY_MONTHS.finditer(text, low, high), 8)
    )


def _plausible(surface: str) -> bool:
    parts = [int(part) for part in surface.split("/")]
    return len(parts) == 3 or max(parts[:2]) > 12


_PLACE = _LEXICON.compiled("PLACE")


def _no_place(match: re.Match[str]) -> bool:
    """'flight is 10th Harmattan Air' tells a day; 'on the 3rd floor' and 'came 2nd' do not."""
    return _PLACE.match(match.string, match.end()) is None


_DATE_WORD = _LEXICON.compiled("DATE_WORD")
_GERMAN_DATE_WORD = re.compile(r"(?<!\w)(?:am|vom|bis|ab|zum|und)[ ]$")


def _after_a_word_for_dates(match: re.Match[str]) -> bool:
    """'cert of 12.02.' is a day; 'and 3.9.' is a version, unless the words are German."""
    text, start = match.string, match.start()
    if _GERMAN_DATE_WORD.search(text, max(0, start - 6), start):
        return True
    month = match.group().split(".")[1]
    return len(month) == 2 and _DATE_WORD.search(text, max(0, start - 12), start) is not None


_NOTE_CUE = _LEXICON.compiled("NOTE_CUE")
_NOTE_NEXT = _LEXICON.compiled("NOTE_NEXT")


def _duration_of_a_note(match: re.Match[str]) -> bool:
    """'review 2/52' is two weeks in a note about a patient; nothing else is a part of 52."""
    text, start, end = match.string, match.start(), match.end()
    if _NOTE_CUE.search(text, max(0, start - 14), start) is None and _NOTE_NEXT.match(text, end) is None:
        return False
    return is_clinical(text)


_RULES = _LEXICON.rules(
    checks={
        "after_a_day_word": _after_a_day_word,
        "is_month": _is_month,
        "not_a_number": _not_a_number,
        "means_a_time": _means_a_time,
        "is_an_answer": _is_an_answer,
        "among_dates": _among_dates,
        "no_place": _no_place,
        "after_a_word_for_dates": _after_a_word_for_dates,
        "duration_of_a_note": _duration_of_a_note,
        "duration_behind_x": lambda match: is_clinical(match.string),
    }
)


@recognizers.register("dates")
@dataclass(frozen=True)
class Dates:
    """Dates, periods and durations by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="dates")
