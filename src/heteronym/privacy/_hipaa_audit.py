"""Reads a written release for what HIPAA Safe Harbor forbids; written from the rule alone.

Shares nothing with what recodes: types, patterns (`_hipaa_patterns`) and limits are said again here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from heteronym.model.release import Released
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.privacy._hipaa_patterns import breaches_in_prose, breaches_in_words

# types of mentions that the letters A to R cover
LISTED = frozenset(
    "PERSON NORP FAC ORG GPE LOC DATE MAIL URL PHONE IP CARD IBAN CODE SECRET USERNAME ADDRESS POSTCODE AGE "
    "ORIGIN".split()
)
_OLDEST, _NO_AGE = 89, 140
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NUMBER = re.compile(r"(?<![\d.,])\d+(?:\.\d+)?\+?(?![\d,]\d)")
_ONE_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_NUMERIC_LABEL = re.compile(
    rf"\{{?,?(?:{_ONE_NUMBER}|\[{_ONE_NUMBER}-{_ONE_NUMBER}\]|{_ONE_NUMBER}(?:\+| or less)"
    rf"|{_ONE_NUMBER}(?:,{_ONE_NUMBER})+)\}}?"
)
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)\.\d+")
# letters A, B, D to M and O, and the codes of places, where a column is named for them
_LISTED_COLUMNS = frozenset(
    "surname lastname firstname forename city town county street address latitude lat longitude lng lon "
    "phone telephone mobile fax email ssn mrn".split()
)
_WHAT = {
    "DATE": "dates finer than a year",
    "YEAR": "years that tell an age over 89",
    "AGE": "ages over 89",
    "POSTCODE": "ZIP codes beyond three digits or of sparse areas",
    "ADDRESS": "streets, counties and other places smaller than a state",
    "PERSON": "names with a title",
    "MAIL": "mail addresses",
    "URL": "web addresses",
    "CODE": "social security and other numbers of persons, accounts and devices",
    "PHONE": "telephone numbers",
    "IP": "IP addresses",
}


class SafeHarborSettings(NamedTuple):
    """The figures that a plan may set."""

    until: int  # years up to this one tell an age over 89
    sparse: frozenset[str]


def breaches_in_text(text: str, rule: SafeHarborSettings) -> Iterator[tuple[int, int, str]]:
    """Start, end and type of what must not stand in a text."""
    for start, end, type_ in breaches_in_prose(text, rule.until, rule.sparse):
        yield start, end, "DATE" if type_ == "YEAR" else type_


def breaches_of(released: Released, rule: SafeHarborSettings) -> Counter[tuple[str, str]]:
    """How many cells, entries or mentions of each column break which part of the rule."""
    broken: Counter[tuple[str, str]] = Counter()
    for name, cells in released.cells.items():
        attribute = released.attributes.get(name)
        role = None if attribute is None else attribute.role
        if role in (Role.ITEMS, Role.TERMS):
            continue  # entry by entry, below
        for cell, rows in cells.items():
            found = {_WHAT[type_] for type_ in _types_in(cell, attribute, rule)}
            if role is not Role.TEXT:
                found |= {*_broken_labels(name, cell, attribute, rule)}
            broken.update(dict.fromkeys(((what, name) for what in found), rows))
    times = np.bincount(released.shown.codes, minlength=len(released.labels))
    for (name, kind, entry), often in zip(released.labels, times.tolist(), strict=True):
        if kind in ("item", "term") and name in released.cells and often:
            text = entry.partition(":")[2] if kind == "term" else entry
            types = {type_ for _, _, type_ in breaches_in_words(text, rule.until, rule.sparse)}
            broken.update(dict.fromkeys(((_WHAT[type_], name) for type_ in types), often))
    for (name, type_, surface), times_standing in released.standing.items():
        if type_ in LISTED and not _may_stand(type_, surface, rule):
            broken[f"mentions of type {type_}", name] += times_standing
    return broken


def _types_in(cell: str, attribute: Attribute | None, rule: SafeHarborSettings) -> set[str]:
    """The types of what stands in a cell by its shape."""
    if attribute is not None and attribute.role is Role.TEXT:
        return {type_ for _, _, type_ in breaches_in_prose(cell, rule.until, rule.sparse)}
    numeric = attribute is not None and attribute.scale is Scale.NUMERIC
    if (numeric and _NUMERIC_LABEL.fullmatch(cell)) or _DECIMAL.fullmatch(cell):
        return set()
    return {type_ for _, _, type_ in breaches_in_words(cell, rule.until, rule.sparse)}


def _broken_labels(
    name: str, cell: str, attribute: Attribute | None, rule: SafeHarborSettings
) -> Iterator[str]:
    """What a cell tells by the column that it stands in."""
    types = set() if attribute is None else {*attribute.entities}
    recoder = None if attribute is None else attribute.recoder
    dated = attribute is not None and attribute.scale is Scale.DATE
    words = [word.lower() for word in _WORDS.findall(name)]
    said, has_value = {*words}, cell not in ("", "*")
    renamed = attribute is not None and attribute.role is Role.IDENTIFIER  # surrogates
    if words and words[-1] in _LISTED_COLUMNS and has_value and not renamed:
        yield "columns named for what the rule lists"
    if not dated and ("AGE" in types or recoder == "top" or said & {"age", "ages"}):
        old = (n for n in _NUMBER.findall(cell) if _OLDEST < float(n.rstrip("+")) < _NO_AGE)
        if any(n != f"{_OLDEST + 1}+" for n in old):
            yield _WHAT["AGE"]
    if "POSTCODE" in types or recoder == "zip3" or said & {"zip", "zipcode", "postcode", "postal"}:
        areas = [] if cell == "*" else [a for a in re.split(r"[{},]", cell) if a.strip("*")]
        if any(re.fullmatch(r"\d{3}", area) is None or area in rule.sparse for area in areas):
            yield _WHAT["POSTCODE"]
    if said & {"month", "day", "weekday", "week", "quarter"} and has_value:
        yield _WHAT["DATE"]
    if dated or said & {"birth", "born", "yob", "dob"}:
        years = [int(year) for year in re.findall(r"(?<!\d)\d{4}(?!\d)", cell)]
        open_ = cell.removeprefix("{,").removesuffix("}").endswith(("or earlier", "or less"))
        if any(year < rule.until or (year == rule.until and not open_) for year in years):
            yield _WHAT["YEAR"]


def _may_stand(type_: str, surface: str, rule: SafeHarborSettings) -> bool:
    """Whether a mention that stands as it stood tells no more than the rule allows."""
    if type_ == "DATE":
        return re.fullmatch(r"\d{4}", surface.strip()) is not None and int(surface) > rule.until
    if type_ == "AGE":
        old = re.search(r"ninet|hundred|centenarian|nonagenarian|century", surface, re.IGNORECASE)
        return old is None and all(int(n) <= _OLDEST for n in re.findall(r"\d+", surface))
    if type_ == "POSTCODE":
        return re.fullmatch(r"\d{3}", surface.strip()) is not None and surface.strip() not in rule.sparse
    return False
