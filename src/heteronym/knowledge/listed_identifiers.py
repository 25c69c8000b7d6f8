"""Finds what Safe Harbor lists beside dates, by its shape: ages over 89, numbers, addresses, postcodes.

What counts is listed in docs/guarantees/safe-harbor.toml. The audit of Safe Harbor reads the same cases and
shares nothing with this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from heteronym.knowledge.listed_dates import find_fine_dates

_OLD = r"(?:9\d|1[0-3]\d)"
_IN_WORDS = (
    r"(?:ninety(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:a |one )?hundred(?: and| -)?(?:[- ](?:one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty))?)"
)
_NO_FIGURE = r"(?<![\d.,/$€£-])"
_WHOSE = r"\b(?:his|her|their|my|your|our) (?:early |mid[- ]?|late )?"
# the part that must go is the first group, or all
_AGES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NO_FIGURE}({_OLD})[ -]*(?:years?|yrs?|jahre?|y)\.?[ -]*(?:old|of age|alt)\b",
        rf"{_NO_FIGURE}{_OLD}[ -]?(?:y\.? ?/? ?o\b\.?|yo[mf]?\b|jährig\w*)",
        rf"{_NO_FIGURE}({_OLD})(?:[ -]years?[ -]| (?:years|yrs)\b(?! ?(?:ago|later|of|experience)))",
        rf"{_NO_FIGURE}{_OLD}(?-i:[MF])\b|{_NO_FIGURE}({_OLD})(?: (?-i:[MF])\b| (?:male|female)\b)",
        rf"\bage[ds]?(?: of| is|:|=)?[ :]{{0,2}}({_OLD})(?![\d.%])",
        rf"\bturn(?:ed|ing) ({_OLD})\b(?! ?%)",
        rf"\b({_OLD}(?:st|nd|rd|th)) birthday",
        rf"{_WHOSE}(?:9|1[0-3])0['’]?s\b|\b(?:early|mid|late)[- ]?90['’]?s\b|{_WHOSE}nineties\b",
        rf"\b{_IN_WORDS}[- ]+(?:years?|yrs?)(?:[- ]+(?:old|of age))?\b",
        rf"\b(?:aged?|turned|age of) ({_IN_WORDS})\b",
        r"\b((?:ninetieth|ninety[- ]\w+|(?:one )?hundredth|hundred and \w+)) birthday",
        r"\b(?:nonagenarian|centenarian|supercentenarian)s?\b",
    )
]
_DASH = r"[-\u2010-\u2015\u2212]"
_MAIL = re.compile(
    r"[\w.+%'-]+ ?(?:@|\(at\)|\[at\]|＠) ?[\w-]+(?:(?:\.| ?\(dot\) ?| ?\[dot\] ?)[\w-]+)+", re.IGNORECASE
)
_URL = re.compile(
    r"\b(?:https?|ftp|hxxps?)://[^\s<>\"]+|\bwww\.[^\s<>\"]+"
    r"|(?<![\w@.])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|org|net|edu|gov|io|co|info|de|uk"
    r"|health)\b(?:/[^\s<>\"]*)?",
    re.IGNORECASE,
)
_IP = re.compile(
    r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d]|\.\d)"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?(?![\w:])"
    r"|(?<![\w:-])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])",
    re.IGNORECASE,
)
_PHONE = re.compile(
    rf"(?<![\w-])(?:\+?1[-. ]?)?(?:\(\d{{3}}\) ?|\d{{3}} ?[-./ ] ?)\d{{3}} ?(?:[-. ]"
    rf"|{_DASH}) ?\d{{4}}(?!\d|{_DASH}\d)"
    r"(?:,? ?(?:x|ext\.?|extension) ?\d{1,6})?"
    r"|(?<![\w+])\+\d{1,3}(?:[ ./()-]{0,2}\d{1,5}){2,6}(?!\d)"
    r"|(?:(?<=phone )|(?<=phone: )|(?<=fax )|(?<=fax: )|(?<=tel )|(?<=tel: )|(?<=tel. )|(?<=call )"
    r"|(?<=pager )"
    r"|(?<=cell )|(?<=cell: )|(?<=mobile )|(?<=mobile: )|(?<=Phone )|(?<=Phone: )|(?<=Fax )"
    r"|(?<=Fax: )|(?<=Tel: ))"
    r"\(?\d[\d ()./-]{5,16}\d(?!\d)"
    r"|(?<![\w./-])\d{3}-\d{4}(?![\w-]|\.\d)"
)
_SOCIAL = re.compile(
    rf"(?<![\w-])\d{{3}} ?(?:{_DASH}|[./_ ]) ?\d{{2}} ?(?:{_DASH}|[./_ ]) ?\d{{4}}(?!\w|{_DASH}\d)"
)
_LABELS = (
    r"(?:mrn|med(?:ical)? ?rec(?:ord)?|record|chart|patient|pt|hospital|account|acct|a/c|policy"
    r"|member|membership|"
    r"beneficiary|subscriber|group|insurance|plan|medicare|medicaid|hicn?|mbi|licen[cs]e|dl"
    r"|driver'?s? licen[cs]e|"
    r"certificate|dea|npi|passport|serial|device|implant|udi|imei|vin|plate|registration|reg|tag"
    r"|case|claim|ticket|"
    r"reference|ref|invoice|order|encounter|visit|accession|specimen|order|ssn|ss|social security"
    r"|fingerprint|"
    r"employee|student|badge|s/n|sn|id)"
)
_LABELLED = re.compile(
    rf"\b{_LABELS}(?: ?(?:plate|identification|identifier|number|num|no|nr|id|code|record|account"
    rf"|policy|card))*\.?"
    r"(?: ?[#:=]+ ?| (?:is|was|of) | )[#:]? ?"
    r"(?P<code>(?=[A-Z0-9./-]*\d)[A-Z0-9]+(?:[-./ ](?=[A-Z0-9]*\d)[A-Z0-9]+)*)(?!\w)",
    re.IGNORECASE,
)
_HASHED = re.compile(r"(?<!\w)#\s?(?P<code>\d{4,}(?:-\d+)*)\b")
_VIN = re.compile(
    r"(?<!\w)(?=[A-HJ-NPR-Z0-9]*\d[A-HJ-NPR-Z0-9]*\d)(?=[A-HJ-NPR-Z0-9]*[A-Z])[A-HJ-NPR-Z0-9]{17}(?!\w)"
)
_LONG_NUMBER = re.compile(r"(?<![\w.,])\d{7,}(?!\w|[.,]\d)")
_LONG_CODE = re.compile(
    r"(?<![\w-])(?=(?:[A-Z_-]*\d){6})(?=\d*[A-Z_-]*[A-Z])[A-Z0-9]+(?:[-_][A-Z0-9]+)*(?![\w])", re.IGNORECASE
)
_STATES = (
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ "
    "NM NY NC ND OH OK "
    "OR PA PR RI SC SD TN TX UT VT VA WA WV WI WY"
).replace(" ", "|")
_UNIT = (
    r"(?! ?(?:%|mg|ml|mcg|ug|g|kg|l|dl|cells?|units?|iu|u|steps|copies|patients|people|persons"
    r"|cases|doses|times|dollars|usd|k|per|/|beats|counts?|platelets|days?|years?|hours?"
    r"|minutes?)\b)(?!,\d|\.\d| ?%| ?/)"
)
_ZIP = re.compile(
    rf"(?<![\w.-])\d{{5}}{_DASH}\d{{4}}(?!\d)"
    rf"|\b(?:{_STATES})\.?,? +(?P<state>\d{{5}}(?:{_DASH}\d{{4}})?)(?!\d)"
    rf"|\b(?:zip|zip ?code|postal ?code|postcode|plz)(?: ?(?:code|is|was|area|of"
    rf"|[:=#]))* ?(?P<named>\d{{3,5}}(?:{_DASH}\d{{4}})?)(?!\d)"
    rf"|\b(?:lives? in|living in|lived in|resid\w+ (?:in|of|at)|from|near|moved to|area(?: of)?"
    rf"|home in|address|to)"
    rf" (?P<cued>\d{{5}}(?:{_DASH}\d{{4}})?)(?!\d){_UNIT}"
    rf"|, (?P<comma>\d{{5}})(?=\s*(?:$|[.;\n,)]))",
    re.IGNORECASE,
)
_FOREIGN_POSTCODE = re.compile(
    r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]?(?: \d[A-Z]{2}|\d[ABD-HJLNP-UW-Z]{2})(?!\w)"
    r"|(?<!\w)[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d(?!\w)"
)
_STREET_KIND = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Terrace|Ter"
    r"|Way|Highway|"
    r"Hwy|Parkway|Pkwy|Circle|Cir|Square|Sq|Trail|Trl|Route)"
)
_ADDRESS = re.compile(
    rf"(?<![\w.])\d{{1,6}}[A-Za-z]?,? (?:[NSEW]\.? |North |South |East "
    rf"|West )?(?:[A-Z0-9][\w'’.-]* ){{1,4}}{_STREET_KIND}\b\.?"
    r"(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Room|Rm|#)\.? ?#?\w+)?"
    r"|\bP\.? ?O\.? ?Box \d+"
    r"|(?<![\w.])[A-ZÄÖÜ][\wäöüß.-]*(?:straße|strasse|str\.|weg|gasse|allee|platz) \d{1,4}[a-z]?\b"
    r"|\b(?:[A-Z][\w'’.-]+ ){1,3}(?:County|Parish|Township|Borough)\b"
    r"|\b(?:City|County|Town|Village|Township) of (?:[A-Z][\w'’.-]+)(?: [A-Z][\w'’.-]+)*"
)
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sr|Rev)\b\.? (?P<name>(?:[A-Z]\.? ){0,2}[A-Z][\w'’-]+(?: "
    r"(?:[A-Z]\.|[A-Z][\w'’-]+)){0,2})"
    r"|\b(?:[Pp]atient|[Ff]ull|[Ff]irst|[Ll]ast) [Nn]ame(?: is"
    r"|:) ?(?P<named>[A-Z][\w'’-]+(?:,? [A-Z][\w'’.-]*){0,3})"
)
_BORN = re.compile(
    r"\b(?:born|b\.|birth ?(?:year|date|day)?|year of birth|date of birth|d\.?o\.?b\.?|yob|geboren|geb\.)"
    r"(?:[ :,=]|in|on|is|was|around|about|the|year|ca?\.|circa){0,6} ?(?P<year>(?:1[89]"
    r"|20)\d\d)(?!\d| or earlier)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:in|since|from|until|till|during|around|circa|about|year|of|before|after|by) (?:the year )?"
    r"(?P<year>1[89]\d\d|20\d\d)(?![\d.,]\d|\d|['’]?s\b| or earlier|-\d)"
    r"(?! ?(?:%|mg|ml|mcg|g|kg|l|kcal|cal|calories|cells?|units?|iu|steps|copies|patients|people"
    r"|dollars|hours?|am|pm)\b)",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?<![\w.,/$€£-])(?:1[89]|20)\d\d(?![\w/%]|[.,-]\d)")

_PLAIN_SHAPES = (
    ("MAIL", _MAIL),
    ("URL", _URL),
    ("IP", _IP),
    ("CODE", _SOCIAL),
    ("PHONE", _PHONE),
    ("CODE", _VIN),
)
_IN_PROSE = (("CODE", _LONG_NUMBER), ("CODE", _LONG_CODE))


class Listed(NamedTuple):
    """What Safe Harbor lists, in a text or a cell."""

    start: int
    end: int
    type: str
    year: int | None = None  # of a date that tells it without doubt


def find_listed(text: str, *, until: int, prose: bool = True) -> list[Listed]:
    """What the rule lists and what has a shape; years up to `until` tell an age over 89.

    Cells of columns are no prose: runs of digits are codes of things there, as often as of people.
    """
    found = [Listed(*one[:2], "DATE", one.year) for one in find_fine_dates(text, prose=prose)]
    for pattern in _AGES:
        for m in pattern.finditer(text):
            found.append(Listed(*m.span(1 if m.re.groups and m[1] else 0), "AGE"))
    for type_, pattern in (*_PLAIN_SHAPES, *(_IN_PROSE if prose else ())):
        found += [Listed(m.start(), m.end(), type_) for m in pattern.finditer(text)]
    labelled = [m for p in (_LABELLED, _HASHED) for m in p.finditer(text)]
    found += [Listed(*m.span("code"), "CODE") for m in labelled if _is_code(m["code"])]
    found += [Listed(m.start(), m.end(), "ADDRESS") for m in _ADDRESS.finditer(text)]
    found += _postcodes(text)
    for m in _TITLED.finditer(text):
        found.append(Listed(*m.span("name" if m["name"] else "named"), "PERSON"))
    found += _telling_years(text, until)
    return sorted(one for one in found if one.end > one.start)


def _is_code(text: str) -> bool:
    """Whether what follows "record" or "case" numbers one of many: neither "case 3" nor "record 2004"."""
    digits = sum(character.isdecimal() for character in text)
    mixed = len(text) >= 5 and any(character.isalpha() for character in text)
    return (digits >= 4 or mixed) and re.fullmatch(r"(?:1[89]|20)\d\d", text) is None


def _postcodes(text: str) -> Iterator[Listed]:
    for m in _ZIP.finditer(text):
        group = next((name for name in ("state", "named", "cued", "comma") if m[name]), 0)
        yield Listed(*m.span(group), "POSTCODE")
    for m in _FOREIGN_POSTCODE.finditer(text):
        yield Listed(m.start(), m.end(), "POSTCODE")


def _telling_years(text: str, until: int) -> Iterator[Listed]:
    """Years that tell an age over 89, by themselves or beside a year of the same text."""
    years = [int(m[0]) for m in _YEARS.finditer(text)]
    latest = max(years, default=0)
    for m in _BORN.finditer(text):
        year = int(m["year"])
        if year <= until or latest - year >= 90:
            yield Listed(*m.span("year"), "DATE", year if year <= until else None)
    for m in _PAST.finditer(text):
        if int(m["year"]) <= until:
            yield Listed(*m.span("year"), "DATE", int(m["year"]))
