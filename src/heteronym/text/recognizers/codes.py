"""Numbers that stand for one case, record, document or thing: after a word that says so, or by their
shape ("12345/06"). Numbers of laws and articles are no codes of a person and are left to `laws`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import Rule, find, rule

_CODE = r"(?:[A-Z]{0,5}[-–/.:]?\d[\dA-Za-z]*(?:[-–/.:][\dA-Za-z]+)*|[A-Z]{1,4}(?:[-/][A-Z0-9]{1,8})+)"
_WHAT = (
    r"(?i:application|case|file|docket|record|chart|passport|licen[cs]e|permit"
    r"|certificate|registration|register|account|policy|"
    r"invoice|order|contract|reference|ref|tracking|ticket|booking|reservation"
    r"|serial|identity|identification|id|personal|"
    r"social\ssecurity|national\sinsurance|tax|vat|insurance|member|membership"
    r"|customer|client|patient|medical\srecord|mrn|"
    r"student|employee|staff|badge|plate|vehicle|chassis|vin|imei|device|plot"
    r"|parcel|block|land\sregister|title\sdeed|"
    r"house|flat|apartment|room|cell|sheet/plan|petition|complaint|claim|decision"
    r"|judgment|verdict|protocol|warrant|prisoner|inmate|fax)"
)
_WHAT_BEFORE = re.compile(rf"\b{_WHAT}\s?(?:\((?:no\.)?)?\s?$")
_LAW_BEFORE = re.compile(
    r"(?i:\b(?:law|laws|act|acts|articles?|sections?|rules?|protocols?|decrees?"
    r"|legislative\sdecree|directive|regulation|ordinance|"
    r"statute|convention|resolution|recommendation|code|paragraph|chapter|series\sa|reports)\s?\(?)$"
)


def _not_of_a_law(match: re.Match[str]) -> bool:
    return _LAW_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is None


def _of_something(match: re.Match[str]) -> bool:
    """The marker stands behind a word for something that is numbered."""
    return _WHAT_BEFORE.search(
        match.string, max(0, match.start() - 24), match.start()
    ) is not None and _not_of_a_law(match)


def _of_a_court(match: re.Match[str]) -> bool:
    """'SK 45/02' is a file; "BP 128/76", "Review 2/52" and "REPORT 2022/23" are not."""
    letters = match.group().split()[-2]
    return _not_of_a_law(match) and letters.lower() not in words("common_words") and letters not in _READINGS


def _is_a_score(surface: str) -> bool:
    """'61/100' says how much of a hundred."""
    part, _, whole = surface.partition("/")
    return whole == "100" and part.isdigit() and int(part) <= 100


def _of_a_flight(match: re.Match[str]) -> bool:
    text = match.string
    return (
        _FLYING.search(text, max(0, match.start() - 45), match.start()) is not None
        or _FLYING.match(text, match.end()) is not None
    )


_FLYING = re.compile(
    r"[^\w]{0,3}\b(?i:flights?|flt|fly|flying|flew|flown|air|airways|airlines?|airport|land|landing"
    r"|lands|landed|boarding|e-?ticket"
    r"|departs?|departing|depart|arriv(?:es|ing|ed|al)|terminal)\b"
)
_PRESSURE = re.compile(r"(?:\bBP|[Pp]ressure|\bb\.?p\.?)\W{0,3}(?:is |was |of |at )?$")
_READINGS = frozenset("BP HR RR PHQ GAD GCS MMSE NEWS EF VA".split())

_LIST = rf"{_CODE}(?:(?:,\s|\sand\s|,\sand\s|;\s|\s?&\s?)(?!\d{{1,2}}\s[A-Z]){_CODE}(?=[\s),.;]))*"

_MEASURE = re.compile(
    r"\d+[A-Z]{2,4}|(?:USD|EUR|GBP|CHF|AUD|CAD|NZD|SGD|HKD|INR|JPY|CNY|ZAR|FY|AY)\d+[A-Z]?|\d\d(?:JAN"
    r"|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d+"
)
# Standards, weaknesses and chips have numbers, too, and are nobody's.
_STANDARD = re.compile(
    "(?:ISO|IEC|EN|DIN|BS|ANSI|ASTM|IEEE|ITU|RFC|CVE|CWE|NIST|FIPS|COVID|SARS|USB|UTF|SHA|AES|RTX|GTX)-"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "number of a record or thing",
        rf"(?<!\w)(?:[Nn]os?\.?|NO\.?|[Nn]umbers?:?|[Nn]um\.?|n[°º]|№|#|:|\()\s?(?P<m>{_LIST})",
        "CODE",
        0.95,
        check=_of_something,
    ),
    rule(
        "after a number sign",
        rf"(?<!\w)(?i:nos?\.|n[°º]|№|#)\s?(?P<m>{_LIST})",
        "CODE",
        0.8,
        check=lambda match: len(match.group("m")) > 1 and _not_of_a_law(match),
    ),
    # 12345/06, 24/59W2, 119/6, 1998:43, A-12345/06, 2003/1234
    rule(
        "number with slash",
        r"(?<![\w/.,:§-])(?P<m>[A-Z]{0,3}-?\d{2,6}/\d{2,4}[A-Z]?\d?)(?![\w/%]|,\d|\.\d)",
        "CODE",
        0.75,
        check=lambda match: (
            _not_of_a_law(match)
            and not _is_a_score(match.group("m"))
            and not _PRESSURE.search(match.string, max(0, match.start() - 24), match.start())
        ),
    ),
    rule(
        "number with several slashes",
        r"(?<![\w/.,:§-])(?P<m>\d{1,4}(?:/\d{1,4}){2,4})(?![\w/])",
        "CODE",
        0.5,
    ),
    # II K 123/98, SK 45/02, 2 BvR 123/99: file numbers of courts
    rule(
        "file number of a court",
        r"(?<![\w.])(?P<m>(?:[IVX]{1,5}\s|\d{1,2}\s)?[A-Z][A-Za-z]{0,5}\s\d{1,5}/\d{2,4})"
        r"(?![\w/])",
        "CODE",
        0.85,
        check=_of_a_court,
    ),
    rule(
        "shape of a code",
        r"(?<![\w.-])(?P<m>[A-Z]{1,4}-\d{3,}(?:-\d+)*|\d{3,}-\d{2,}(?:-\d+)+|[A-Z]{2,3}\d{5,}[A-Z]?"
        r"|[A-Z]{1,2}\d{6,}[A-Z]?|\d{9,})(?![\w-])",
        "CODE",
        0.6,
        check=lambda match: _STANDARD.match(match.group()) is None,
    ),
    # NBO-LT-0093, LN-PL-2021-55810, GT-4410-887X
    rule(
        "capitals and digits in groups",
        r"(?<![\w./-])[A-Z]{1,6}\d{0,6}(?:-[A-Z0-9]{1,10}){2,6}(?![\w-]|/\w)",
        "CODE",
        0.8,
        check=lambda match: (
            sum(map(str.isdigit, match.group())) >= 3 and _STANDARD.match(match.group()) is None
        ),
    ),
    # SG/20/00019, 2021/HR/0045
    rule(
        "capitals and digits with slashes",
        r"(?<![\w./-])(?=[\d/]*[A-Z])[A-Z0-9]{1,8}(?:/[A-Z0-9]{1,10}){2,5}(?![\w/-])",
        "CODE",
        0.8,
        check=lambda match: sum(map(str.isdigit, match.group())) >= 3,
    ),
    # KX19 ABC, 7ABC123, 131-D-12345, B-MW 1234: plates that look like nothing else
    rule(
        "shape of a plate",
        r"(?<![\w./-])(?:[A-Z]{2}\d{2}\s[A-Z]{3}|\d[A-Z]{3}\d{3}|\d{2,3}-[A-Z]{1,2}-\d{1,6}"
        r"|[A-Z]{1,3}-[A-Z]{1,2}\s\d{2,4})(?![\w/-])",
        "CODE",
        0.75,
    ),
    # 5CG0381TQX
    rule(
        "capitals mixed with digits",
        r"(?<![\w./@#-])(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{7,24}(?![\w/@-]|\.\w)",
        "CODE",
        0.7,
        check=lambda match: (
            sum(map(str.isdigit, match.group())) >= 3
            and sum(map(str.isalpha, match.group())) >= 2
            and not _MEASURE.fullmatch(match.group())
        ),
    ),
    # c9f1-77ae-0b2d
    rule(
        "groups of hexadecimal digits",
        r"(?<![\w./-])[0-9a-f]{4,12}(?:-[0-9a-f]{4,12}){2,7}(?![\w-])",
        "CODE",
        0.85,
        check=lambda match: any(map(str.isdigit, match.group())) and any(map(str.isalpha, match.group())),
    ),
    # PNR X7TQ2L, booking 6YHQ3P
    rule(
        "locator of a booking",
        r"\b(?i:pnr|(?:record\s)?locator|booking|reservation|confirmation"
        r"|voucher)(?:\s(?i:ref(?:erence)?|code|no|number|id))?\.?(?:\sis)?[:#]?\s?"
        r"(?<![A-Za-z0-9])(?P<m>(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{5,8})(?!\w)",
        "CODE",
        0.88,
    ),
    # rego 1KQ 4ZT, LP BKZ-7719
    rule(
        "plate of a vehicle",
        r"\b(?:(?i:rego|plates?|reg|registration|vrm|vrn|index)|LP)(?:\s(?i:no|number"
        r"|mark))?\.?(?:\s(?:is|was))?[:#]?\s"
        r"(?P<m>(?=[A-Z]{0,3}[ -]?[A-Z]{0,3}\d)(?=[\d -]*[A-Z])[A-Z0-9]{1,4}[ -]?[A-Z0-9]{2,4}"
        r"(?:[ -]?[A-Z0-9]{1,3})?)(?!\w)",
        "CODE",
        0.86,
        check=lambda match: sum(map(str.isdigit, match.group("m"))) >= 2,
    ),
    # QQ 12 34 56 C; 1234567TW, 12345678Z, X1234567L, A123456(7); 123.456.789-09; 890101-1234
    rule(
        "number of a citizen",
        r"(?<![\w./-])(?:[A-Z]{2}[ ]?\d\d[ ]?\d\d[ ]?\d\d[ ]?[A-D]|\d{7}[A-W][A-IW]?|\d{8}[A-Z]"
        r"|[XYZSTFGM]\d{7}[A-Z]|[A-Z]{1,2}\d{6}\([\dA]\)|\d{3}\.\d{3}\.\d{3}-\d\d|\d{6}[-+]\d{4}"
        r"|\d{8}-\d{4}|\d{17}[Xx])"
        r"(?![\w/-]|\.\d)",
        "CODE",
        0.82,
    ),
    # 2345 6789 0123: Aadhaar; 046 454 286: SIN, TFN
    rule(
        "digits in equal groups",
        r"(?<![\w.,/+()-])(?<!\d[ ])(?:[2-9]\d{3}([ -])\d{4}\1\d{4}|\d{3}([ -])\d{3}\2\d{3}"
        r"|\d\d[ ]\d{3}[ ]\d{3}[ ]\d{3})(?![\w/-]|[ ]?\d|[.,]\d)",
        "CODE",
        0.6,
        check=lambda match: " " in match.group() and not match.group().endswith(" 000"),
    ),
    # XXX-XX-4410, ****4417
    rule(
        "number with its head hidden",
        r"(?<![\w*•])(?:(?:[Xx*•]{2,4}[ -]){1,3}|[Xx*•]{3,12})\d{2,5}(?![\w-])",
        "CODE",
        0.82,
    ),
    # MH 12 AB 1234, KBA 123X, ABC-123DE, AB 123 CD, M123 ABC
    rule(
        "plate in groups",
        r"(?<![\w./-])(?:[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}|K[A-Z]{2}[ ]?\d{3}[A-Z]"
        r"|[A-Z]{3}[ -]\d{3}[ -]?[A-Z]{2}|[A-Z]{2}[ ]\d{3}[ ][A-Z]{2}"
        r"|\d{1,3}-[A-Z]{2,3}-\d{1,3}|[A-Z]{2,3}[ ]?\d{2,3}(?:[ ][A-Z]{2,3})?[ ](?:GP|MP|NW|EC|WP|FS"
        r"|ZN))(?![\w/-])",
        "CODE",
        0.72,
    ),
    # flight HX 318, landing 5.20am on BA0117
    rule(
        "number of a flight",
        r"(?<![\w./-])(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])[ ]?\d{2,4}[A-Z]?(?![\w/-]|[.,:]\d)",
        "CODE",
        0.8,
        check=_of_a_flight,
    ),
    # URN: 13 / BD / 08822 / 20
    rule(
        "number in groups with wide slashes",
        r"(?<![\w/])(?P<m>[A-Z0-9]{1,6}(?:\s/\s[A-Z0-9]{1,8}){2,5})(?![\w/]|\s/)",
        "CODE",
        0.85,
        check=lambda match: sum(map(str.isdigit, match.group())) >= 4,
    ),
    rule(
        "exhibit",
        r"\b(?i:exhibits?)\s(?:(?i:no|number)\.?\s)?(?P<m>[A-Z]{1,4}[/-]\d{1,4}[A-Z]?"
        r"|[A-Z]{2,4}\d{1,3})(?!\w)",
        "CODE",
        0.85,
    ),
    # PC 4471 Threlfall
    rule(
        "number of an officer",
        r"(?<!\w)(?:PC|DC|PS|DS|WPC|PCSO|Sgt|Const(?:able)?|Ofc|Officer"
        r"|Garda)\.?\s(?P<m>[A-Z]{0,2}\d{3,5})(?=\s[A-Z][a-z’']|\sof\b|[,.)])",
        "CODE",
        0.85,
    ),
    # ambulance control, log 0442; log 118 of 5/1
    rule(
        "entry of a log",
        r"\b(?:(?i:log|incident|cad|storm))\s(?:(?i:no|number"
        r"|ref)\.?\s)?(?P<m>\d{2,6}\sof\s\d{1,2}/\d{1,2}(?:/\d{2,4})?|0\d{3,5})(?![\w/]|[.,]\d)",
        "CODE",
        0.85,
    ),
)


# Words that announce a number of somebody or something: after these three digits are enough.
_DOCUMENTS = frozenset(
    "bvn cnic uan crn mpan mprn philhealth sss gsis umid ssnit tckn svnr ahv insee rrn curp rut cuit ohip "
    "hosp mykad udid iccid vrm pcn awb "
    "mrn ssn vin imei badge passport licence license plate plates reg rego registration acct a/c docket "
    "serial abn acn tfn "
    "gmc nmc npi dea nhs chi phn upn uln utr nino pps ppsn pesel bsn cpf cnpj dni nie nif nric aadhaar "
    "ein itin "
    "accession specimen barcode icn cpr cnp egn oib jmbg personnummer emso curp rfc hic medicare "
    "medicaid dl dln "
    "prisoner inmate warrant pnr oln hin nhi urn emp collar imo mmsi uic ppn asn hkid nin".split()
)
# These are everyday words as well: after them the number must be longer, or a word like "number" between.
_THINGS = frozenset(
    "pan tin voter flight locker asset microchip meter exam enrolment roll matric seat cert lic "
    "account policy claim case file ref reference ticket invoice order booking id employee staff student "
    "customer "
    "client member membership notification sample visa permit certificate card ending pin sin ni routing "
    "swift "
    "application patient record chart complaint crime incident report tag meter confirmation tracking parcel "
    "reservation payroll contract insurance hospital candidate code".split()
)
_CUES = _DOCUMENTS | _THINGS
_NO_PREFIX = _CUES | {"ip"}
_FILLERS = frozenset("no nos number numbers num nr # id is was the of in to copy".split())
_NUMBERED = frozenset("no number num nr #".split())
_GROUPS = re.compile(
    r"(?:[A-Z]{1,6}[-/. ]?)?\d[\dA-Za-z]*(?:[-/.][\dA-Za-z]+)*(?:[ ](?:\d[\dA-Z]*(?![\w/.,:]*[a-z])"
    r"|[A-Z]{1,3}(?![\w.])))*"
)
_BETWEEN = re.compile(r"[^\w/#]+")


@recognizers.register("codes")
@dataclass(frozen=True)
class Codes:
    """Case, record, document and serial numbers by cue and shape."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="codes")
        for text, spans in zip(texts, result):
            if spans and (items := set(_ITEM.findall(text))):
                spans[:] = [span for span in spans if text[span.start : span.end] not in items]
            spans.extend(_announced(text))
        return result


# "25/031  Apologies" numbers an item of minutes, and so does "25/031" wherever it returns.
_ITEM = re.compile(r"(?m:^)(\d{1,4}/\d{1,4})(?:[ ]{2,}|\t)(?=[A-Z])")


def _announced(text: str) -> Iterator[Span]:
    """Numbers behind a word that says what they number: "badge 3319", "sort code 20-45-77"."""
    done = 0
    for digit in _DIGIT.finditer(text):
        place = digit.start()
        if place < done:
            continue
        # The letters in front belong to it: "RT553208", "GHX 4402"
        prefix = _PREFIX.search(text, max(0, place - 9), place)
        start = (
            place if prefix is None or prefix.group().strip(" -/.").lower() in _NO_PREFIX else prefix.start()
        )
        cue = _cue(text, start)
        if cue is None:
            continue
        match = _GROUPS.match(text, start)
        if match is None:
            continue
        surface = match.group()
        if sum(map(str.isdigit, surface)) >= cue and not _YEAR.fullmatch(surface):
            done = match.end()
            yield Span(start, done, "CODE", 0.85, "codes", "after a word for what is numbered")


_DIGIT = re.compile(r"[0-9]+")
_PREFIX = re.compile(r"(?<![\w.,/:§$€£+-])[A-Z]{1,6}[-/. ]?$")
_YEAR = re.compile(r"(?:1[89]|20)\d\d|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}[.-]\d{1,2}[.-](?:19|20)\d\d")


def _cue(text: str, start: int) -> int | None:
    """How many digits a number needs after the words before it; None: nothing announces it."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "$€£+/_.,-"):
        return None
    if text[max(0, start - 2) : start].rstrip()[-1:].isdigit():
        return None  # a column of numbers: no word announces this one
    window = _BETWEEN.sub(" ", text[max(0, start - 36) : start]).lower()
    before = window.split()
    numbered = False
    for word in reversed(before[-4:]):
        if word in _NUMBERED:
            numbered = True
        if word in _DOCUMENTS:
            return 2 if numbered else 3
        if word in _THINGS:
            return 2 if numbered else 4
        if word not in _FILLERS:
            return None
    return None
