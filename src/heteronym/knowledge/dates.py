"""The periods around a date: its month, its year, its decade, its century."""

from __future__ import annotations

import re

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
    told = sorted(months)
    rest = _YEAR.sub(" ", term)
    if len(told) == 1 and re.search(r"\d", rest):
        periods.append((f"{_MONTHS[told[0] - 1]} {year}", DAYS_OF_MONTH))
    if rest.strip(" .,"):
        periods.append((year, DAYS_OF_YEAR))
    if len(told) == 1 and periods:
        periods.append((_MONTHS[told[0] - 1], 100 * DAYS_OF_MONTH))
    decade, century = int(year) // 10 * 10, int(year) // 100 + 1
    ordinal = {"1": "st", "2": "nd", "3": "rd"}.get(str(century)[-1], "th") if not 10 < century < 14 else "th"
    return [
        *periods,
        (f"the {decade}s", 10 * DAYS_OF_YEAR),
        (f"the {century}{ordinal} century", 100 * DAYS_OF_YEAR),
        ("date", 1000 * DAYS_OF_YEAR),
    ]
