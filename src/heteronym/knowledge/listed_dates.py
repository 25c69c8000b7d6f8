"""Finds dates that tell more than a year, by walking over words and numbers from each month or separator.

What counts is listed in docs/guarantees/safe-harbor.toml. The audit of Safe Harbor reads the same cases and
shares nothing with this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MONTHS = (
    "jan january januar janvier enero gennaio;feb february februar février febrero;mar march märz mars marzo;"
    "apr april avril abril aprile;may mai mayo maggio;jun june juni juin junio giugno;"
    "jul july juli juillet julio luglio;aug august août agosto;sep sept september septembre septiembre "
    "settembre;"
    "oct october oktober okt octobre octubre ottobre;nov november novembre noviembre;"
    "dec december dezember dez décembre diciembre dicembre"
)
_MONTH_OF = {word: n for n, words in enumerate(_MONTHS.split(";"), 1) for word in words.split()}
_WEEKDAYS = frozenset(
    "mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
)
_ONES = "first second third fourth fifth sixth seventh eighth ninth".split()
_ORDINAL_WORDS = {
    *_ONES,
    *"tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth".split(),
    *"nineteenth twentieth thirtieth".split(),
}
_SEASONS = frozenset("spring summer autumn fall winter".split())
_SUFFIXES = frozenset("st nd rd th".split())
# months that are ordinary words or names: alone they need a word before them that asks for a time
_DOUBTFUL = frozenset(
    "may mar march april june jun august jan dec mai mars juni juli apr aug sep sept oct nov".split()
)
_VERBS = frozenset({"may", "march", "mar", "mars"})  # in small letters, with nothing but a number behind them
_BEFORE_TIMES = frozenset(
    "in since until till last next this early late mid during of by before after from through on every past "
    "between around dated im seit bis".split()
)
_BEFORE_DAYS = frozenset(
    "on since until till dated date seen admitted discharged starting started before after dob onset died "
    "expired born visit visited am vom".split()
)
_HOLIDAYS = re.compile(
    r"\b(?:Christmas(?: Eve| Day)?|Xmas|Thanksgiving(?: Day)?|Halloween|Easter(?: Sunday| Monday)?"
    r"|Good Friday"
    r"|New Year['’]?s?(?: Eve| Day)|Valentine['’]?s Day|Memorial Day|Labor Day|Independence Day|Hanukkah"
    r"|Ash Wednesday|Boxing Day|Weihnachten|Ostern|Silvester)\b(?:,?\s+(?:of\s+)?(?P<year>(?:1[89]"
    r"|20)\d\d))?",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|.", re.DOTALL)
_SEPARATOR = r"\s?[-/._\u2010-\u2015\u2212]\s?"
_CLOCK = r"(?:[T\s,]{1,2}\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[ap]\.?m\b\.?)?(?:Z|\s?[+-]\d\d:?\d\d)?)?"
_THREE = re.compile(
    rf"(?<![\d.])(?<!\d[-/])(?<![vV])(\d{{1,4}})({_SEPARATOR}|\s)(\d{{1,2}})({_SEPARATOR}"
    rf"|\s)(\d{{4}}|\d{{1,2}})"
    rf"(?!\d)(?!{_SEPARATOR}\d(?!\d:)){_CLOCK}"
)
_TWO = re.compile(rf"(?<![\d./-])(\d{{1,4}})({_SEPARATOR})(\d{{4}}|\d{{1,2}})(?!\d|[-/.]\d)")
_PARTS_OF_YEARS = re.compile(
    r"(?<!\w)(?:(?:1[89]|20)\d\d[-/ ]?(?:Q[1-4]|[HW]\d{1,2}|KW ?\d{1,2})(?:-[1-7])?"
    r"|Q[1-4][-/ ,]*(?:of )?['’]?(?:(?:1[89]|20)\d\d|\d\d)"
    r"|[1-4]Q[-/ ]?(?:(?:1[89]|20)?\d\d)"
    r"|(?:first|second|third|fourth|1st|2nd|3rd|4th|last) (?:quarter|half|week)(?: of)?,? (?:1[89]|20)\d\d"
    r"|(?:week|wk|KW|CW)\.? ?\d{1,2}(?:,| of|/)? ?(?:1[89]|20)\d\d)(?!\w)",
    re.IGNORECASE,
)
_WHOLE_NUMBER = re.compile(r"(?<![\w.])\d{8}(?:\d{4}|\d{6})?(?![\w]|\.\d)")
_DAY_ALONE = re.compile(
    r"(?<=\bon the )(?:[12]?\d(?:st|nd|rd|th)|3[01](?:st|th))(?=\s*(?:[.,;:!?)]|$|\bof (?:this|that"
    r"|last|the) month))"
)
_YEAR = re.compile(r"(?<!\d)((?:1[89]|20)\d\d)(?!\d)")


class FineDate(NamedTuple):
    """A date that tells more than a year, and the year where there is no doubt about it."""

    start: int
    end: int
    year: int | None


def find_fine_dates(text: str, *, prose: bool = True) -> list[FineDate]:
    """Where dates finer than a year stand. Cells that are no prose hold codes: digits alone are "
    "fewer dates."""
    found = [*_with_month_names(text), *_numeric(text, prose)]
    for pattern in (_PARTS_OF_YEARS, _HOLIDAYS):
        found += [FineDate(m.start(), m.end(), _only_year(m[0])) for m in pattern.finditer(text)]
    if prose:
        found += [FineDate(m.start(), m.end(), None) for m in _DAY_ALONE.finditer(text)]
    return sorted(found)


def _only_year(phrase: str) -> int | None:
    years = {int(year) for year in _YEAR.findall(phrase)}
    return years.pop() if len(years) == 1 else None


# --- months by name -------------------------------------------------------------------------------


class _Token(NamedTuple):
    text: str
    start: int
    end: int


def _with_month_names(text: str) -> Iterator[FineDate]:
    tokens = [_Token(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]
    for place, token in enumerate(tokens):
        word = token.text.lower()
        if word in _SEASONS or word in _MONTH_OF:
            date = _around(tokens, place, season=word in _SEASONS)
            if date is not None:
                yield FineDate(*date, _only_year(text[date[0] : date[1]]))


def _around(tokens: list[_Token], place: int, *, season: bool) -> tuple[int, int] | None:
    """Start and end of the date around a month's name; None: the word is none, or it tells no date."""
    word = tokens[place].text
    year = _year_after(tokens, place)
    if season:
        return None if year is None else (tokens[place].start, tokens[year].end)
    first, left_day = _before(tokens, place)
    last, right_day = _days_after(tokens, place)
    year = _year_after(tokens, last)
    last = last if year is None else year
    start, end = tokens[first].start, tokens[last].end
    before = _word_before(tokens, first)
    sure = left_day or year is not None or first < place
    if not sure and right_day and (word not in _VERBS or before in _BEFORE_TIMES):
        sure = True
    if not sure and right_day:
        sure = not tokens[last].text.isdecimal()  # "may 14th"
    if not sure and not right_day and word[:1].isupper():  # a month alone
        full = word.lower() not in _DOUBTFUL
        sure = (full and len(word) > 3) or before in _BEFORE_TIMES or (start == 0 and end == tokens[-1].end)
    return (start, end) if sure else None


def _step(tokens: list[_Token], place: int, way: int) -> int:
    """The next token that is no connector of dates; connectors are few and short."""
    for number in range(1, 9):
        here = place + way * number
        if not 0 <= here < len(tokens):
            return -1
        text = tokens[here].text
        if text.lower() in ("of", "the", "de", "del") or (text.isspace() and text.count("\n") < 2):
            continue
        if text not in ",.-/'’_()\u2010\u2011\u2012\u2013\u2014\u2212":
            return here
    return -1


def _before(tokens: list[_Token], place: int) -> tuple[int, bool]:
    """The first token of the date, and whether a day stands before the month."""
    here = _step(tokens, place, -1)
    first, has_day = place, False
    if here >= 0 and tokens[here].text.lower() in _SUFFIXES and here and _is_day(tokens[here - 1].text):
        here -= 1
    while here >= 0 and (_is_day(tokens[here].text) or _is_ordinal(tokens, here)):
        first, has_day = here, True
        here = _step(tokens, here, -1)
        if here >= 0 and tokens[here].text.lower() in _SUFFIXES and here:
            here -= 1
    if here >= 0 and tokens[here].text.isdecimal() and _is_year(tokens[here].text) and not has_day:
        return here, False
    if has_day and here >= 0 and tokens[here].text.lower() in _WEEKDAYS:
        first = here
    return first, has_day


def _days_after(tokens: list[_Token], place: int) -> tuple[int, bool]:
    """The last token of the days that follow a month."""
    last, has_day = place, False
    here = _step(tokens, place, 1)
    while here >= 0 and (_is_day(tokens[here].text) or _is_ordinal(tokens, here)):
        if tokens[here - 1].text in "'’" and _is_two_digits(tokens[here].text):
            break  # a year: May '04
        last, has_day = here, True
        if last + 1 < len(tokens) and tokens[last + 1].text.lower() in _SUFFIXES:
            last += 1
        here = _step(tokens, last, 1)
    return last, has_day


def _year_after(tokens: list[_Token], place: int) -> int | None:
    here = _step(tokens, place, 1)
    if here < 0 or not tokens[here].text.isdecimal():
        return None
    text, before = tokens[here].text, tokens[here - 1].text
    if _is_year(text) or (_is_two_digits(text) and before in "'’-/"):
        return here
    return None


def _word_before(tokens: list[_Token], place: int) -> str:
    here = place - 1
    while here >= 0 and not tokens[here].text.isalnum():
        here -= 1
    return tokens[here].text.lower() if here >= 0 else ""


def _is_day(text: str) -> bool:
    return text.isdecimal() and len(text) <= 2 and 1 <= int(text) <= 31


def _is_ordinal(tokens: list[_Token], place: int) -> bool:
    return tokens[place].text.lower() in _ORDINAL_WORDS or tokens[place].text.lower() in ("twenty", "thirty")


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and 1800 <= int(text) <= 2099


def _is_two_digits(text: str) -> bool:
    return len(text) == 2 and text.isdecimal()


# --- numbers --------------------------------------------------------------------------------------


def _numeric(text: str, prose: bool) -> Iterator[FineDate]:
    for m in _THREE.finditer(text):
        spaced = m[2].isspace() or m[4].isspace()
        year = _year_of_three(m[1], m[3], m[5], spaced=spaced)
        if year is not None:
            yield FineDate(m.start(), m.end(), year or None)
    for m in _TWO.finditer(text):
        if _is_month_and_year(m[1], m[2].strip(), m[3]):
            yield FineDate(m.start(), m.end(), _only_year(m[0]))
        elif m[2].strip() in "/." and _asks_for_day(text, m.start()) and _fits_day_and_month(m[1], m[3]):
            yield FineDate(m.start(), m.end(), None)
    for m in _WHOLE_NUMBER.finditer(text):
        year = _year_of_digits(m[0], prose)
        if year is not None:
            yield FineDate(m.start(), m.end(), year)


def _year_of_three(a: str, b: str, c: str, *, spaced: bool) -> int | None:
    """The year of three numbers that are a date; 0 if it is not certain, None if they are none."""
    if len(a) == 4:
        fits = len(c) <= 2 and (_fits_day_and_month(b, c)) and _is_year(a)
        return int(a) if fits else None
    if len(a) > 2 or (spaced and len(c) != 4):
        return None
    if _is_year(c):
        return int(c) if _fits_day_and_month(a, b) else None
    if len(c) == 4:
        return None
    fits = (len(c) == 2 and _fits_day_and_month(a, b)) or (len(a) == 2 and _fits_day_and_month(b, c))
    return 0 if fits else None


def _fits_day_and_month(a: str, b: str) -> bool:
    if len(a) > 2 or len(b) > 2:
        return False
    low, high = sorted((int(a), int(b)))
    return 1 <= low <= 12 and 1 <= high <= 31


def _is_month_and_year(a: str, separator: str, b: str) -> bool:
    if _is_year(b) and len(a) <= 2:
        return 1 <= int(a) <= 12 and (separator != "." or len(a) == 2)
    return _is_year(a) and len(b) <= 2 and 1 <= int(b) <= 12 and (separator != "." or len(b) == 2)


def _asks_for_day(text: str, start: int) -> bool:
    before = re.findall(r"[^\W\d_]+", text[max(start - 20, 0) : start])
    close = re.search(r"[^\W\d_]+\W{0,3}$", text[max(start - 20, 0) : start]) is not None
    if not before or not close:
        return False
    word = before[-1].lower()
    return word in _BEFORE_DAYS or word in _WEEKDAYS


def _year_of_digits(digits: str, prose: bool) -> int | None:
    if _is_year(digits[:4]) and _fits_in_order(digits[4:6], digits[6:8]):
        return int(digits[:4])
    if prose and len(digits) == 8 and _is_year(digits[4:]) and _fits_day_and_month(digits[:2], digits[2:4]):
        return int(digits[4:])
    return None


def _fits_in_order(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31
