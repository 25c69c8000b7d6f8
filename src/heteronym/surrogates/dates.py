"""Dates moved by a number of whole weeks, in the writing they had.

Whole weeks keep weekdays true, also those that a text names beside a date or alone. The number is such that
every day, month and year that is told becomes another one; phrases that tell none ("four days ago") stay
true and stay as they are. Seasons move along. A holiday has no name on another day: beside a moved date it
would tell by how much, so a phrase that names one cannot be moved.

Reference   shifting as in the surrogates of Uzuner, Luo and Szolovits 2007 (i2b2), by weeks
Guarantee   equal key and subject give one distance, so the time between two dates is kept
Cost        O(characters)
Randomness  none beside the key
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache

from heteronym.knowledge.wordlists import lines
from heteronym.surrogates.draws import Draws

_FULL = ("January February March April May June July August September October November December").split()
_NUMBERS = {name.lower(): n for n, name in enumerate(_FULL, 1)} | {
    name[:3].lower(): n for n, name in enumerate(_FULL, 1)
} | {"sept": 9}  # fmt: skip
_MONTH = r"(?P<month>" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b(?P<point>\.?)"
_TH = r"(?:st|nd|rd|th)\b"
_YEAR = r"(?P<year>1[0-9]\d{2}|2[01]\d{2})(?!\d)"
_SHORT = r"(?P<year>1[0-9]\d{2}|2[01]\d{2}|\d{2})(?!\d)"
_SAME = r"(?P<sep>\s?[-/.]\s?)"
_RANGE = rf"(?:(?P<day>\d{{1,2}})(?P<th>{_TH})?(?P<to>\s*(?:-|–|—|to|and|or|/)\s*))?"
_FORMS = tuple(
    re.compile(rf"(?<![\w])(?<!\d[.,:/-]){form}(?!\w)", re.IGNORECASE)
    for form in (
        rf"{_YEAR}{_SAME}(?P<number>[01]?\d)(?P=sep)(?P<last>[0-3]?\d)(?!\d)",
        r"(?P<year>1[89]\d{2}|20\d{2})(?P<number>[01]\d)(?P<last>[0-3]\d)(?=T\d|Z|\b)",
        rf"(?P<one>[0-3]?\d){_SAME}(?P<two>[0-3]?\d)(?P=sep){_SHORT}",
        rf"{_RANGE}(?P<last>\d{{1,2}})(?P<lastth>{_TH})?[\s-]*(?:of\s+)?{_MONTH}(?:[\s,-]*(?:of\s+)?(?:{_YEAR}|['’](?P<shortyear>\d\d)(?!\d)))?",
        rf"{_MONTH}\s*{_RANGE}(?:the\s+)?(?P<last>\d{{1,2}})(?P<lastth>{_TH})?(?![\d:])(?:[\s,]+{_YEAR})?",
        rf"{_MONTH}[\s,-]*(?:of\s+)?{_YEAR}",
        rf"{_YEAR}[-/](?P<number>0?[1-9]|1[0-2])(?![\d-])",
        _MONTH,
    )
)  # fmt: skip
_FORMS += tuple(
    # also behind the dash of 2003-2004
    re.compile(rf"(?<![\w.,:/]){form}(?!\w)")
    for form in (rf"(?P<number>0?[1-9]|1[0-2])[-/]{_YEAR}", _YEAR)
)
_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}  # by their middle month
_SEASON_WORD = r"(?P<season>winter|spring|summer|autumn|fall)"
_BEFORE_SEASON = (
    r"(?:in|during|since|until|till|by|over|through|throughout|last|this|next|that|early|late|mid|following|previous|"
    r"past|coming)[\s-]+(?:the\s+)?(?:(?:early|late|mid|following|previous|past|coming)[\s-]+)?"
)
_IN_SEASON = re.compile(
    rf"(?<![\w-])(?:{_BEFORE_SEASON})?{_SEASON_WORD}(?:(?:\s+of)?[\s,]+|/)"
    r"(?P<year>1[89]\d{2}|20\d{2}|['’]\d\d)(?!\d)"
    rf"|(?<![\w-]){_BEFORE_SEASON}{_SEASON_WORD.replace('season', 'alone')}(?![\w-])"
    r"|(?<![\w-])(?P<sure>summer|autumn|winter)(?=time\b|[\s.,;:!?)]|$)",
    re.IGNORECASE,
)
_OTHER_WORDS = frozenset({"epiphany", "advent", "Winter", "Summer", "Autumn"})  # a word, or somebody's name
_DECADE = re.compile(r"\d{2,3}0['’]?s\b|century", re.IGNORECASE)
_NUMBERED = re.compile(r"\d\d\d|\d\s*[./-]\s*\d|\d+s\b")
_AMBIGUOUS = re.compile(r"(?<![\d./-])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(?:\d{4}|\d{2})(?![\d./-])")
_CLOCK = re.compile(
    r"(?<![\d:.])(?P<hour>[01]?\d|2[0-4])(?:(?P<sep>[:.h])(?P<minute>[0-5]\d)(?P<second>:[0-5]\d)?)?"
    r"(?P<half>\s?[ap]\.?m\b\.?|\s?o['’]clock)?(?![\d:])",
    re.IGNORECASE,
)
MOST_WEEKS = 156
_LEAST_DAYS = 190  # a year that stands alone is taken at its middle and must become another
_LEAST_IN_A_YEAR, _MOST_IN_A_YEAR = 45, 320  # so must a month


def weeks_for(subject: str, key: bytes, *, most: int = MOST_WEEKS) -> int:
    """By how many weeks the dates of a subject (a person, a folder, all documents) move."""
    fitting = [
        weeks
        for weeks in range(1, most + 1)
        if weeks * 7 >= _LEAST_DAYS and _LEAST_IN_A_YEAR <= weeks * 7 % 365 <= _MOST_IN_A_YEAR
    ]
    draws = Draws(key, "date", subject)
    return draws.choice(fitting) * draws.choice((-1, 1))


def minutes_for(subject: str, key: bytes) -> int:
    """By how much the clock times of a subject move; below twelve hours, so that they never come back."""
    return 5 * (7 + Draws(key, "time", subject).below(120))


def day_comes_first(texts: list[str]) -> bool | None:
    """Whether 05/06/2004 is in June, as the other dates of the texts decide it; None if none does."""
    first = second = 0
    for text in texts:
        for match in _AMBIGUOUS.finditer(text):
            one, two = int(match[1]), int(match[3])
            first += one > 12 >= two
            second += two > 12 >= one
    return None if first == second else first > second


def shifted_date(phrase: str, weeks: int, *, day_first: bool | None = None) -> str | None:
    """The phrase with every date in it moved; itself if it tells none; None if one cannot be moved."""
    if _DECADE.search(phrase) or names_holiday(phrase):
        return None
    if _IN_SEASON.search(phrase):
        return _IN_SEASON.sub(lambda match: _moved_season(match, weeks), phrase)
    result, place = "", 0
    while place < len(phrase):
        matches = [(m.start(), n, m) for n, form in enumerate(_FORMS) if (m := form.search(phrase, place))]
        if not matches:
            break
        _, _, match = min(matches)
        moved = _moved(match, weeks, day_first)
        if moved is None:
            return None
        result += phrase[place : match.start()] + moved
        place = match.end()
    result += phrase[place:]
    # Numbers that look like a date, and were not understood as one.
    return None if result == phrase and _NUMBERED.search(phrase) else result


def names_holiday(phrase: str) -> bool:
    return _holidays().search(phrase) is not None


@cache
def _holidays() -> re.Pattern[str]:
    names = sorted(lines("holidays.txt"), key=len, reverse=True)
    forms = (re.escape(name).replace("'", "['’]?").replace("\\ ", r"[\s-]+") for name in names)
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def calendar_words(text: str) -> list[tuple[int, int]]:
    """Where a text names a holiday or a season: words that tell a day or a part of the year by themselves."""
    matches = [*_holidays().finditer(text), *_IN_SEASON.finditer(text)]
    places = [match.span() for match in matches if match.group() not in _OTHER_WORDS]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _moved_season(match: re.Match[str], weeks: int) -> str:
    """The season that its middle falls into when it is moved, with its year."""
    name = next(key for key in ("season", "alone", "sure") if match[key])
    written = match["year"] or "2001"
    year = int(written) if len(written) == 4 else int(written[1:]) + (2000 if int(written[1:]) < 40 else 1900)
    moved = dt.date(year, _SEASONS[match[name].lower()], 15) + dt.timedelta(weeks=weeks)
    season = ("winter", "spring", "summer", "autumn")[(moved.month % 12) // 3]
    if season == "autumn" and match[name].lower() == "fall":
        season = "fall"
    new = {name: season.title() if match[name].istitle() else _like(season, match[name])}
    if match["year"]:
        new["year"] = (
            written[: -2 if len(written) == 3 else 0] + f"{moved.year:04d}"[-2 if len(written) == 3 else 0 :]
        )
    return _replaced(match, new)


def _moved(match: re.Match[str], weeks: int, day_first: bool | None) -> str | None:
    parts = {name: text for name, text in match.groupdict().items() if text is not None}
    if "one" in parts:
        parts |= _ordered(parts, day_first)
    year = _year(parts)
    month = int(parts["number"]) if "number" in parts else _NUMBERS.get(parts.get("month", "").lower(), 7)
    day = int(parts["last"]) if "last" in parts else (15 if "month" in parts or "number" in parts else 2)
    try:
        date = dt.date(year, month, day) + dt.timedelta(weeks=weeks)
        first = None
        if "day" in parts:
            before = month if int(parts["day"]) <= day else month - 1 or 12
            first = dt.date(year - (before > month), before, int(parts["day"])) + dt.timedelta(weeks=weeks)
    except (ValueError, OverflowError):
        return None
    return _replaced(match, _written(parts, date, first))


def _ordered(parts: dict[str, str], day_first: bool | None) -> dict[str, str]:
    """Which of two numbers is the day: the one that can be no month, else as the texts do it."""
    one, two = parts["one"], parts["two"]
    if int(one) > 12 or int(two) > 12:
        day_first = int(one) > 12
    elif day_first is None:
        day_first = "/" not in parts["sep"]
    return (
        {"last": one, "number": two, "order": "d"}
        if day_first
        else {"last": two, "number": one, "order": "m"}
    )


def _year(parts: dict[str, str]) -> int:
    text = parts.get("year") or parts.get("shortyear")
    if text is None:
        return 2000 if parts.get("last") == "29" else 2001
    number = int(text)
    return number if len(text) == 4 else number + (2000 if number < 40 else 1900)


def _written(parts: dict[str, str], date: dt.date, first: dt.date | None) -> dict[str, str]:
    """What stands for each part of the date, in its writing."""
    new = {}
    day_name, month_name = "last", "number"
    if "order" in parts:
        day_name, month_name = ("one", "two") if parts["order"] == "d" else ("two", "one")
    if "last" in parts:
        new[day_name] = str(date.day).zfill(len(parts["last"]) if parts["last"].startswith("0") else 1)
        if len(parts["last"]) == 2 and "month" not in parts:
            new[day_name] = str(date.day).zfill(2)
    if "number" in parts:
        padded = parts["number"].startswith("0") or (len(parts["number"]) == 2 and "month" not in parts)
        new[month_name] = str(date.month).zfill(2 if padded else 1)
    if "month" in parts:
        new["month"] = _month(parts["month"], date.month)
    for name in ("year", "shortyear"):
        if name in parts:
            new[name] = f"{date.year:04d}"[-len(parts[name]) :]
    if "lastth" in parts:
        new["lastth"] = _like(_ordinal(date.day), parts["lastth"])
    if first is not None:
        new["day"] = str(first.day)
        if "th" in parts:
            new["th"] = _like(_ordinal(first.day), parts["th"])
        if first.month != date.month:
            # "30 March - 2 April": a stretch that now crosses a month names both.
            new["to"] = f" {_month(parts['month'], first.month)}{parts['to']}"
    return new


def _month(written: str, number: int) -> str:
    name = _FULL[number - 1]
    short = len(written) <= 4 and written.lower() not in ("may", "june", "july")
    return _like(name[:3] if short else name, written)


def _ordinal(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _like(word: str, written: str) -> str:
    if written.isupper():
        return word.upper()
    return word.lower() if written.islower() else word


def _replaced(match: re.Match[str], new: dict[str, str]) -> str:
    text, base = match.group(), match.start()
    for name in sorted(new, key=match.start, reverse=True):
        start, end = match.start(name) - base, match.end(name) - base
        text = text[:start] + new[name] + text[end:]
    return text


def shifted_time(phrase: str, minutes: int) -> str:
    """The phrase with every time of the clock moved; durations and words stay."""

    def move(match: re.Match[str]) -> str:
        if match["minute"] is None and match["half"] is None:
            return match.group()
        hour, half = int(match["hour"]), (match["half"] or "").strip().lower()
        if half.startswith(("a", "p")):
            hour = hour % 12 + (12 if half.startswith("p") else 0)
        now = (hour * 60 + int(match["minute"] or 0) + minutes) % (24 * 60)
        text = match.group()
        shown = (now // 60) % 12 or 12 if half else now // 60
        places = len(match["hour"]) if match["hour"].startswith("0") else (2 if match["second"] else 1)
        written = str(shown).zfill(places)
        if match["minute"] is not None:
            written += match["sep"] + f"{now % 60:02d}" + (match["second"] or "")
        tail = text[match.end("half") - match.start() - len(match["half"]) :] if match["half"] else ""
        if half.startswith(("a", "p")):
            letter = "p" if now >= 12 * 60 else "a"
            tail = re.sub(r"[apAP]", letter.upper() if "P" in tail or "A" in tail else letter, tail, count=1)
        return written + tail

    return _CLOCK.sub(move, phrase)
