"""Reads a written release for what HIPAA Safe Harbor forbids; written from the rule alone.

Shares nothing with what recodes: types, patterns and limits are said again here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from heteronym.model.release import Released
from heteronym.model.schema import Attribute, Role, Scale

# types of mentions that the letters A to R cover
LISTED = frozenset(
    "PERSON NORP FAC ORG GPE LOC DATE MAIL URL PHONE IP CARD IBAN CODE SECRET USERNAME ADDRESS POSTCODE AGE "
    "ORIGIN".split()
)
_OLDEST = 89

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
)
_MONTHS = f"(?:{_MONTH}|{_MONTH.upper()})".replace(r"\B", r"\b")
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_FINE_DATE = re.compile(
    rf"""(?<!\d)(?:1[89]|20)\d\d-(?:0[1-9]|1[0-2])(?:-{_DAY})?(?!\d)      # 2004-05, 2004-05-06
    |(?<!\d)(?:1[89]|20)\d\d[/.]\d\d?[/.]\d\d?(?!\d)                      # 2004/5/6
    |(?<!\d)(?:1[89]|20)\d\d-Q[1-4]                                       # 2004-Q2
    |(?<![\d./-]){_DAY}(?P<mark>[/.-]){_DAY}(?P=mark)(?:\d{{4}}|\d\d)(?![\d./-]*\d)  # 5/6/2004, 05.06.04
    |\b{_MONTHS}[ ]{_DAY}(?:st|nd|rd|th)?(?!\d)                           # May 6
    |(?<!\d){_DAY}(?:st|nd|rd|th)?[ ](?:of[ ])?{_MONTHS}                  # 6 May
    |\b{_MONTHS},?[ ](?:of[ ])?(?:1[89]|20)\d\d(?!\d)                     # May 2004""",
    re.VERBOSE,
)
_AGE = re.compile(
    r"(?<![\d.])(\d{2,3})(?=[ -]*(?:years?|yrs?|y)[ -]*(?:old|/?o\b|of age))"
    r"|\b[Aa]ge[ds]?(?: of|:)? (\d{2,3})(?![\d.])"
)
_ZIP = re.compile(r"(?<!\d)\d{5}-\d{4}(?!\d)|(?:\b[Zz][Ii][Pp](?: [Cc]ode)?:? |\b[A-Z]{2} )(\d{5})(?!\d)")
_SHAPES = {
    "MAIL": re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w"),
    "URL": re.compile(r"\bhttps?://\S+|\bwww\.\S+"),
    "CODE": re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])"),  # social security
    "PHONE": re.compile(r"(?<![\d-])(?:\+?1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?![\d-])"),
    "IP": re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])"),
}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?\+?")
_WHAT = {
    "DATE": "dates finer than a year",
    "AGE": "ages over 89",
    "POSTCODE": "ZIP codes beyond three digits or of sparse areas",
    "MAIL": "mail addresses",
    "URL": "web addresses",
    "CODE": "social security numbers",
    "PHONE": "telephone numbers",
    "IP": "IP addresses",
}


class Rule(NamedTuple):
    """The figures that a plan may set."""

    until: int  # years up to this one tell an age over 89
    sparse: frozenset[str]


def breaches_in_text(text: str, rule: Rule) -> Iterator[tuple[int, int, str]]:
    """Start, end and type of what must not stand in a text."""
    for found in _FINE_DATE.finditer(text):
        yield found.start(), found.end(), "DATE"
    for found in _AGE.finditer(text):
        group = 1 if found[1] else 2
        if int(found[group]) > _OLDEST and text[found.end(group) : found.end(group) + 1] != "+":
            yield found.start(group), found.end(group), "AGE"
    for found in _ZIP.finditer(text):
        group = 1 if found[1] else 0
        yield found.start(group), found.end(group), "POSTCODE"
    for type_, shape in _SHAPES.items():
        for found in shape.finditer(text):
            yield found.start(), found.end(), type_


def breaches_of(released: Released, rule: Rule) -> Counter[tuple[str, str]]:
    """How many cells, or mentions, of each column break which part of the rule."""
    broken: Counter[tuple[str, str]] = Counter()
    for name, cells in released.cells.items():
        attribute = released.attributes.get(name)
        for cell, rows in cells.items():
            for type_ in {type_ for _, _, type_ in breaches_in_text(cell, rule)}:
                broken[_WHAT[type_], name] += rows
            for what in _broken_labels(name, cell, attribute, rule):
                broken[what, name] += rows
    for (name, type_, surface), times in released.standing.items():
        if type_ in LISTED and not _may_stand(type_, surface, rule):
            broken[f"mentions of type {type_}", name] += times
    return broken


def _broken_labels(name: str, cell: str, attribute: Attribute | None, rule: Rule) -> Iterator[str]:
    """What a cell tells by the column that it stands in."""
    if attribute is not None and attribute.role in (Role.TEXT, Role.ITEMS, Role.TERMS):
        return
    types = set() if attribute is None else {*attribute.entities}
    recoder = None if attribute is None else attribute.recoder
    words = {word.lower() for word in _WORDS.findall(name)}
    old = (n for n in _NUMBER.findall(cell) if float(n.rstrip("+")) > _OLDEST and n != f"{_OLDEST + 1}+")
    if ("AGE" in types or recoder == "top" or words & {"age", "ages"}) and any(old):
        yield _WHAT["AGE"]
    if "POSTCODE" in types or recoder == "zip3" or words & {"zip", "zipcode", "postcode", "postal"}:
        areas = [] if cell == "*" else [a for a in re.split(r"[{},]", cell) if a.strip("*")]
        if any(re.fullmatch(r"\d{3}", area) is None or area in rule.sparse for area in areas):
            yield _WHAT["POSTCODE"]
    if words & {"month", "day", "weekday", "week", "quarter"} and cell not in ("", "*"):
        yield _WHAT["DATE"]
    dated = attribute is not None and attribute.scale is Scale.DATE
    if dated or words & {"birth", "born", "yob", "dob"}:
        years = [int(year) for year in re.findall(r"(?<!\d)\d{4}(?!\d)", cell)]
        open_ = cell.removeprefix("{,").removesuffix("}").endswith(("or earlier", "or less"))
        if any(year < rule.until or (year == rule.until and not open_) for year in years):
            yield "years that tell an age over 89"


def _may_stand(type_: str, surface: str, rule: Rule) -> bool:
    """Whether a mention that stands as it stood tells no more than the rule allows."""
    if type_ == "DATE":
        return re.fullmatch(r"\d{4}", surface.strip()) is not None and int(surface) > rule.until
    if type_ == "AGE":
        old = re.search(r"ninet|hundred|centenarian|nonagenarian|century", surface, re.IGNORECASE)
        return old is None and all(int(n) <= _OLDEST for n in re.findall(r"\d+", surface))
    if type_ == "POSTCODE":
        return re.fullmatch(r"\d{3}", surface.strip()) is not None and surface.strip() not in rule.sparse
    return False
