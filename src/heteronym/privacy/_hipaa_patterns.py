"""Patterns of the audit for what 45 CFR 164.514(b)(2)(i) lists; written from the rule, letter by letter.

Nothing here is shared with what recognizes and recodes. docs/guarantees/safe-harbor.toml has the cases that
both are tested against.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_I = re.IGNORECASE
_OLDEST = 89

# --- C: all elements of dates except the year -------------------------------------------------------

_FULL = (
    "January|February|March|April|May|June|July|August|September|October|November|December|Januar"
    "|Februar|März|Mai|Juni|"
    "Juli|Oktober|Dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre"
    "|décembre|enero|"
    "febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|Okt|Dez"
_MONTH = rf"(?:{_FULL}|{_SHORT})(?![^\W\d_])\.?"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?!\d)(?:st|nd|rd|th)?(?!\w)"
_DAY_IN_WORDS = (
    r"(?:(?:twenty|thirty)[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth"
    r"|eleventh|twelfth"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)\b"
)
_YEAR = r"(?:1[89]|20)\d\d(?!\d)"
_GAP = r"(?:[ ,.\-/\u2010-\u2015]{0,3}(?:of|the|de|del)?[ ,\-/]{0,2})"
_LINE = r"[-/._\u2010-\u2015\u2212]"

_DATES = [
    # 14 May, 14th of May, 14-May-04, 14MAY2004, Friday the fourteenth of May
    re.compile(rf"(?<![\d.])(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?{_GAP}(?<![^\W\d_]){_MONTH}", _I),
    re.compile(rf"\b{_DAY_IN_WORDS} (?:day )?(?:of )?{_MONTH}", _I),
    # May 2004, May, 2004, May '04, May of 2004, MAY2004, 2004 May
    re.compile(rf"(?<![^\W\d_]){_MONTH}{_GAP}(?:{_YEAR}|['’]\d\d(?!\d))", _I),
    re.compile(rf"(?<!\d)(?:1[89]|20)\d\d[ ,./-]{{0,2}}{_MONTH}(?= ?\d|\W|$)", _I),
    # May 14, May the 14th, May fourteenth
    re.compile(rf"(?<![^\W\d_])(?!(?-i:may|march|mars?)\b){_MONTH} ?(?:the )?(?:{_DAY}|{_DAY_IN_WORDS})", _I),
    re.compile(rf"\b(?:may|march) (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)\b|{_DAY_IN_WORDS}"
        rf"|\d{{1,2}},? {_YEAR})", _I),
    re.compile(rf"\b(?:on|since|until|till|by|from|before|after|of|in|dated) (?:may|march) {_DAY}", _I),
    # a month alone where nothing else can be meant
    re.compile(
        r"\b(?:January|February|July|September|October|November|December|JANUARY|FEBRUARY|SEPTEMBER"
        r"|OCTOBER|NOVEMBER"
        r"|DECEMBER)\b"
        r"|\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Ll]ast|[Nn]ext|[Dd]uring|[Ee]arly|[Ll]ate) "
        r"(?:March|April|May|June|August|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b"
    ),
    # spring of 2004, second quarter of 2004, Q2 2004, 2004-Q2, week 23 of 2004, 2004-W23
    re.compile(rf"\b(?:spring|summer|autumn|fall|winter),? (?:of )?(?:the year )?(?:{_YEAR}|['’]\d\d\b)", _I),
    re.compile(rf"\b(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (?:quarter|half"
        rf"|week) (?:of )?{_YEAR}", _I),
    re.compile(rf"(?<!\w)(?:Q[1-4]|[1-4]Q)[ ,/-]{{0,2}}(?:of )?(?:{_YEAR}|['’]?\d\d\b)"
        rf"|(?<!\d){_YEAR}[ /-]?(?:Q[1-4]|W\d\d?)\b", _I),
    re.compile(rf"\b(?:week|wk|CW|KW)\.? ?\d\d?(?: of |, ?| |/){_YEAR}", _I),
    # days that have a name
    re.compile(
        r"\b(?:Christmas|Thanksgiving|Halloween|Easter|Good Friday|New Year['’]?s (?:Eve|Day)"
        r"|Valentine['’]?s Day"
        r"|Memorial Day|Labor Day|Independence Day|Boxing Day)\b", _I,
    ),
    re.compile(r"\bon the (?:[12]?\d|3[01])(?:st|nd|rd|th)(?=[.,;:!?)]|\s*$)", _I),
    # a weekday with a day: Fri 14, Friday 5/14
    re.compile(r"\b(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?"
        r"|Sun)(?:day)?,? (?:the )?\d{1,2}(?:st|nd|rd|th|[/.]\d{1,2})(?!\d)", _I),
]  # fmt: skip
_THREE_NUMBERS = re.compile(
    rf"(?<![\d.])(?<!\d[-/])(?<!v)(\d{{1,4}}) ?{_LINE} ?(\d{{1,2}}) ?{_LINE} ?(\d{{1,4}})(?!\d)(?! "
    rf"?{_LINE} ?\d(?!\d:))"
    r"|(?<![\d.])(\d{1,2}) (\d{1,2}) ((?:1[89]|20)\d\d)(?!\d)|(?<![\d.])((?:1[89]"
    r"|20)\d\d) (\d{2}) (\d{2})(?![\d.])",
    _I,
)
_MONTH_AND_YEAR = re.compile(
    rf"(?<![\d./-])(?:0?[1-9]|1[0-2]) ?[-/\u2013] ?{_YEAR}(?![-/.]\d)|(?<![\d./-])(?:0[1-9]"
    rf"|1[0-2])\.{_YEAR}(?!\.\d)"
    r"|(?<![\d./-])(?:1[89]|20)\d\d ?[-/\u2013] ?(?:0?[1-9]|1[0-2])(?![\d]|[-/.]\d)"
    r"|(?<![\d./-])(?:1[89]|20)\d\d\.(?:0[1-9]|1[0-2])(?![\d]|\.\d)"
)
_DAY_AND_MONTH = re.compile(
    r"\b(?:on|since|until|till|dated?|seen|admitted|discharged|started|starting|before|after|dob"
    r"|onset|died|born|visit)"
    r"[ :]{1,2}(?:(?:0?[1-9]|1[0-2])[/.](?:0?[1-9]|[12]\d|3[01])|(?:1[3-9]|2\d|3[01])[/.](?:0?[1-9]"
    r"|1[0-2]))(?![\d/]|\.\d)",
    _I,
)
_DIGITS_OF_DAY = re.compile(
    r"(?<![\w.])(?:(?:1[89]|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:\d{4}|\d{6})?(?!\w|\.\d)"
)

# --- C: ages over 89, and what tells them -------------------------------------------------------------

_AGES = [
    re.compile(r"(?<![\d.,/$-])(\d{2,3})[ -]?(?:years?|yrs?|y)?[ -]?\.?(?:old|/?o\b|of age)", _I),
    re.compile(r"(?<![\d.,/$-])(\d{2,3})[ -]*(?:y/o|y\.o|yo|yom|yof|year-old)", _I),
    re.compile(r"(?<![\d.,/$-])(\d{2,3})(?: ?[MF]\b| (?:male|female)\b)"),
    re.compile(r"(?<![\d.,/$-])(\d{2,3}) (?:years|yrs)\b(?! ?(?:ago|later|of|experience))", _I),
    re.compile(r"\bage[ds]?(?: of| is|:|=)?[ :]{0,2}(\d{2,3})(?![\d.%])", _I),
    re.compile(r"\bturn(?:ed|ing) (\d{2,3})\b(?! ?%)", _I),
    re.compile(r"\b(\d{2,3})(?:st|nd|rd|th) birthday", _I),
    re.compile(r"\b(?:his|her|their|my|early|mid|late)[ -](?:early |mid-? ?|late )?(\d0)['’]?s\b", _I),
]  # fmt: skip
_AGES_IN_WORDS = re.compile(
    r"\b(?:ninety|(?:a|one) hundred)(?:[- ]\w+){0,3}?[- ](?:years?|yrs?)\b"
    r"|\b(?:aged?|turned|age of) (?:ninety|(?:a|one) hundred)\b|\b(?:his|her|their|my)(?: early| mid"
    r"| late|) nineties\b"
    r"|\b(?:ninet\w+|(?:one |a )?hundred(?:th| and \w+th))(?:[- ]\w+)? birthday"
    r"|\b(?:nonagenarian|centenarian|supercentenarian)s?\b",
    _I,
)
_BIRTH_YEAR = re.compile(
    r"\b(?:born|b\.|birth(?:year|date|day)?|d\.?o\.?b\.?|yob)\W{0,3}(?:(?:in|on|is|was|about|around"
    r"|the|year|of|date)\W){0,4}"
    rf"\W?({_YEAR})(?! or earlier)",
    _I,
)
_EARLY_YEAR = re.compile(
    rf"\b(?:in|since|from|until|till|during|around|year) ({_YEAR})(?!s\b|['’]s\b| or earlier|[.,/]\d|-\d| ?%"
    r"| ?(?:mg|ml|mcg|g|kg|l|kcal|cal|calories|cells?|units?|iu|steps|copies|patients|people|dollars"
    r"|hours?|am|pm)\b)",
    _I,
)
_ANY_YEAR = re.compile(rf"(?<![\w.,/$-]){_YEAR}(?![\w/%]|[.,-]\d)")

# --- B: geographic subdivisions smaller than a state ---------------------------------------------------

_STATE = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI"
    "|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_ZIPS = [
    re.compile(r"(?<![\w.-])\d{5}[-\u2010-\u2015]\d{4}(?!\d)"),
    re.compile(rf"\b(?:{_STATE})\.?,? +(\d{{5}})(?!\d)"),
    re.compile(r"\b(?:zip|postal|postcode)(?: ?code)?(?: is| was|:|=|)? ?(\d{3,5})(?!\d)", _I),
    re.compile(
        r"\b(?:liv(?:es?|ed|ing)|resid\w+|moved|home)(?: in| at| of| to) (\d{5})(?!\d|,\d|\.\d| ?%"
        r"| ?(?:mg|ml|cells?|units?|iu|steps|copies|patients|people|dollars)\b)",
        _I,
    ),
]
_OTHER_POSTCODES = re.compile(r"(?<!\w)(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)(?!\w)")
_PLACES = re.compile(
    r"(?<![\w.])\d{1,6} (?:[A-Z0-9][\w'’.-]* ){1,4}"
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Boulevard|Blvd|Court|Terrace|Highway|Hwy|Parkway)\b"
    r"|\bP\.? ?O\.? ?Box \d+|\b[A-Z][a-z'’.-]+ (?:County|Township)\b"
)

# --- A and D to R ------------------------------------------------------------------------------------

_SHAPES = {
    "PERSON": re.compile(
        r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\b\.? (?:[A-Z]\.? ){0,2}[A-Z][\w'’-]+"
        r"|\b[Pp]atient [Nn]ame(?: is|:) [A-Z][\w'’-]+"
    ),
    "MAIL": re.compile(r"[\w.+%-]+@[\w-]+\.[\w.-]*\w"),
    "URL": re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\w\S*|(?<![\w@.])(?:[a-z0-9-]+\.)+(?:com|org"
        r"|net|edu|gov)\b", _I),
    "CODE": re.compile(  # social security, vehicles
        r"(?<![\w-])\d{3} ?[-./_ \u2010-\u2015\u2212] ?\d{2} ?[-./_ \u2010-\u2015\u2212] ?\d{4}(?!\w|-\d)"
        r"|(?<!\w)(?=\w*\d\w*\d)(?=\w*[A-Z])[A-HJ-NPR-Z0-9]{17}(?!\w)"
    ),
    "PHONE": re.compile(
        r"(?<![\w-])(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3} ?[-./ ] ?)\d{3} ?[-. \u2010-\u2015] ?\d{4}(?![\d-])"
        r"|(?<![\w+])\+\d{1,3}(?:[ ./()-]{0,2}\d{2,5}){2,5}(?!\d)|(?<![\w./-])\d{3}-\d{4}(?![\w-]|\.\d)"
    ),
    "IP": re.compile(
        r"(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\d|\.\d)"
        r"|(?<![\w:])(?:[0-9a-f]{1,4}:){5,7}[0-9a-f]{1,4}(?![\w:])"
        r"|(?<![\w:-])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])",
        _I,
    ),
}  # fmt: skip
_NUMBERED = re.compile(
    r"\b(?:mrn|(?:medical )?record|chart|account|acct|policy|member|beneficiary|medicare|medicaid"
    r"|licen[cs]e|dea|npi|"
    r"passport|serial|device|vin|plate|case|claim|ssn|social security|s/n|patient id|id)"
    r"(?: (?:number|num|no|nr|id|plate|code))?\.?(?: is | was | ?[#:=] ?| )#? ?"
    r"((?=[A-Z0-9./-]*\d)[A-Z0-9]+(?:[-./][A-Z0-9]+)*)(?!\w)",
    _I,
)
_LONG_NUMBER = re.compile(r"(?<![\w.,])\d{7,}(?!\w|[.,]\d)")


def breaches_in_prose(text: str, until: int, sparse: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and type of what must not stand in a text."""
    yield from breaches_in_words(text, until, sparse)
    for found in _LONG_NUMBER.finditer(text):
        yield found.start(), found.end(), "CODE"


def breaches_in_words(text: str, until: int, sparse: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    """The same in a cell of a column, where long numbers may be codes of things."""
    yield from _fine_dates(text)
    yield from _old_ages(text, until)
    yield from _small_places(text, sparse)
    for type_, shape in _SHAPES.items():
        for found in shape.finditer(text):
            yield found.start(), found.end(), type_
    for found in _NUMBERED.finditer(text):
        digits, mixed = (
            len(re.findall(r"\d", found[1])),
            re.search(r"[A-Za-z]", found[1]) and len(found[1]) >= 5,
        )
        if (digits >= 4 or mixed) and re.fullmatch(_YEAR, found[1]) is None:
            yield found.start(1), found.end(1), "CODE"


def _fine_dates(text: str) -> Iterator[tuple[int, int, str]]:
    for pattern in (*_DATES, _MONTH_AND_YEAR, _DAY_AND_MONTH, _DIGITS_OF_DAY):
        for found in pattern.finditer(text):
            yield found.start(), found.end(), "DATE"
    for found in _THREE_NUMBERS.finditer(text):
        numbers = [number for number in found.groups() if number is not None]
        if _is_day(numbers):
            yield found.start(), found.end(), "DATE"


def _is_day(numbers: list[str]) -> bool:
    """Whether three numbers are a day in any common order: day, month, year; month, day, year; year first."""
    long = [number for number in numbers if len(number) > 2]
    if len(long) > 1 or (long and (re.fullmatch(_YEAR, long[0]) is None or numbers[1] == long[0])):
        return False
    orders = [numbers[1:]] if long and numbers[0] == long[0] else [numbers[:2]]
    if not long:
        orders = [
            pair for pair, year in ((numbers[:2], numbers[2]), (numbers[1:], numbers[0])) if len(year) == 2
        ]
    return any(
        (1 <= int(a) <= 12 and 1 <= int(b) <= 31) or (1 <= int(b) <= 12 and 1 <= int(a) <= 31)
        for a, b in orders
    )


def _old_ages(text: str, until: int) -> Iterator[tuple[int, int, str]]:
    for pattern in _AGES:
        for found in pattern.finditer(text):
            open_ended = text[found.end(1) : found.end(1) + 1] == "+"
            if _OLDEST < int(found[1]) < 140 and not open_ended:
                yield found.start(1), found.end(1), "AGE"
    for found in _AGES_IN_WORDS.finditer(text):
        yield found.start(), found.end(), "AGE"
    years = [int(found[0]) for found in _ANY_YEAR.finditer(text)]
    for found in _BIRTH_YEAR.finditer(text):
        year = int(found[1])
        if year <= until or max(years, default=year) - year > _OLDEST:
            yield found.start(1), found.end(1), "YEAR"
    for found in _EARLY_YEAR.finditer(text):
        if int(found[1]) <= until:
            yield found.start(1), found.end(1), "YEAR"


def _small_places(text: str, sparse: frozenset[str]) -> Iterator[tuple[int, int, str]]:
    for pattern in _ZIPS:
        for found in pattern.finditer(text):
            group = 1 if found.re.groups and found[1] else 0
            if len(found[group]) > 3 or found[group] in sparse:
                yield found.start(group), found.end(group), "POSTCODE"
    for found in _OTHER_POSTCODES.finditer(text):
        yield found.start(), found.end(), "POSTCODE"
    for found in _PLACES.finditer(text):
        yield found.start(), found.end(), "ADDRESS"
