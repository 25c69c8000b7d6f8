"""What HIPAA Safe Harbor (45 CFR 164.514(b)(2)) says in figures and lists; data/hipaa.toml has them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from importlib.resources import files

from heteronym.knowledge.dates import nested_periods
from heteronym.knowledge.listed_dates import find_fine_dates
from heteronym.knowledge.listed_identifiers import find_listed

_KNOWLEDGE = files("heteronym.knowledge")
_FIGURES = tomllib.loads(_KNOWLEDGE.joinpath("data", "hipaa.toml").read_text(encoding="utf-8"))
_TYPES = tomllib.loads(_KNOWLEDGE.joinpath("entity_types.toml").read_text(encoding="utf-8"))

POOLED_AGE = 90  # ages over 89 are one category
SPARSE_AREAS: tuple[str, ...] = tuple(_FIGURES["sparse_areas"])
STATES_AND_COUNTRIES: frozenset[str] = frozenset(_FIGURES["wide_words"])  # words of column names
PARTS_OF_DATES: frozenset[str] = frozenset(_FIGURES["parts_of_dates"])
LISTED_COLUMNS: frozenset[str] = frozenset(_FIGURES["listed_columns"])  # last words of column names
LISTED_TYPES: frozenset[str] = frozenset(name for name, row in _TYPES.items() if row["hipaa"])
SUPPRESSED = "*"
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d+")
_NUMBER = re.compile(r"(?<![\d.,])\d+(?:\.\d+)?(?!\d|,\d)")
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_NO_AGE = 140
_ZIP = re.compile(r"(\d{3,5})(?:-\d{4})?|(\d{8,9})")


def zip_area(code: str, sparse: Collection[str] = SPARSE_AREAS) -> str | None:
    """The three digits of a ZIP code, 000 for those of few people; None for what is none.

    Spreadsheets lose leading zeros: 2139 is 02139.
    """
    found = _ZIP.fullmatch(code.strip())
    if found is None:
        return None
    area = (found[1].zfill(5) if found[1] else found[2].zfill(9))[:3]
    return "000" if area in sparse else area


def shown_as(type: str, text: str, *, until: int, sparse: Collection[str] = SPARSE_AREAS) -> str | None:
    """What a mention may be shown as: itself, something coarser, or nothing (None).

    Of dates the year stays, those up to `until` as one; of ages what is below 90; of ZIP codes the area.
    """
    if type not in LISTED_TYPES:  # "diabetes since 3/4/2004": a condition that tells a day
        return None if find_listed(text, until=until) else text
    rule = _RULES.get(type)
    return None if rule is None else rule(text, until, sparse)


def _year_of(text: str, until: int, sparse: Collection[str]) -> str | None:
    year = next((period.name for period in nested_periods(text) if period.name.isdecimal()), None)
    if year is None:
        whole = [date.year for date in find_fine_dates(text) if date[:2] == (0, len(text))]
        year = str(whole[0]) if whole and whole[0] is not None else None
    if year is None:
        return None
    return f"{until} or earlier" if int(year) <= until else text if text.strip() == year else year


def _age_of(text: str, until: int, sparse: Collection[str]) -> str | None:
    numbers = re.findall(r"\d+", text)
    if not numbers:
        old = any(word in text.lower() for word in _FIGURES["words_of_old_age"])
        return None if old else text
    if all(int(number) < POOLED_AGE for number in numbers):
        return text
    if len(numbers) > 1 or re.search(r"\d[^\W\d_]", text):  # "90s"
        return None
    return re.sub(r"\d+(-)?", lambda found: f"{POOLED_AGE}+{' ' if found[1] else ''}", text)


def _area_of(text: str, until: int, sparse: Collection[str]) -> str | None:
    return zip_area(text, sparse)


def cell_shown_as(cell: str, *, until: int, ages: bool = False, births: bool = False) -> str:
    """What a cell of a column may be shown as: itself, a year, `90+`, or `*`.

    With `ages`, numbers over 89 are ages; with `births`, years up to `until` are those of births.
    """
    bare = cell.strip()
    numbers = [float(number) for number in _NUMBER.findall(bare)] if ages else []
    if any(POOLED_AGE <= number < _NO_AGE for number in numbers) and bare != f"{POOLED_AGE}+":
        return f"{POOLED_AGE}+" if _NUMBER.fullmatch(bare) else SUPPRESSED
    if births and _YEAR.fullmatch(bare):
        return f"{until} or earlier" if int(bare) <= until else cell
    found = [] if _DECIMAL.fullmatch(bare) else find_listed(bare, until=until, prose=False)
    if births and any(int(year) <= until for year in _YEAR.findall(bare)) and not found:
        return SUPPRESSED
    if not found:
        return cell
    if all(one.type == "AGE" for one in found):
        return f"{POOLED_AGE}+"
    whole = next((one for one in found if (one.start, one.end) == (0, len(bare))), None)
    if whole is None or whole.year is None:
        return SUPPRESSED
    return f"{until} or earlier" if whole.year <= until else f"{whole.year}"


_RULES = {"DATE": _year_of, "AGE": _age_of, "POSTCODE": _area_of}
