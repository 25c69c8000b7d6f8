"""Fields of forms, letter heads and reports: "Surname: Haddad", "MRN: 00448213", "Employer: Arup".

The key says what the value is, so a value counts that no other rule would know; how much of the line
belongs to it depends on the type. A value ends with its line, at a gap of blanks or where the next key
begins. Keys that also introduce speech ("Patient: I feel dizzy") count only before something that looks
like a name.

Cost        a plain search for colons; work only where a known key stands before one
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import MONTHS, UPPER

_Read = Callable[[str, int, int], tuple[int, int] | None]


class _Value(NamedTuple):
    """Which part of the text from `start` to the end of its field is the value; None: there is none."""

    type: str
    read: _Read


_GAP = re.compile(r"[ \t]{3,}|\t|\s\|\s|\s?\n")
_WIDE = re.compile(r"[ ]{3,}|\t+")
_KEY_WORDS = re.compile(r"(?:[A-Za-z][\w’'()&/-]*\.?#?[ ]){0,4}[A-Za-z][\w’'()&/.-]*\s?#?$")
_LONGEST_KEY = 48
_LONGEST_VALUE = 200
_NOTHING = frozenset(
    "n/a na none nil unknown no yes not as see tbc tba tbd same refused withheld declined pending "
    "above below please if and or the".split()
)
_NAME_WORD = rf"(?:(?:[{UPPER}]\.)+|[{UPPER}](?:[\w’'‑-]*\w)?\.?)"
_PARTICLES = r"(?:van|von|der|den|de|di|da|del|du|la|le|bin|ibn|al|el|ten|ter|y|dos|das)"
_NAME = re.compile(
    rf"(?:[{UPPER}’'‑-]{{2,}}(?:[ ][{UPPER}’'‑-]{{2,}}){{0,2}},[ ](?={_NAME_WORD})|{_NAME_WORD},[ ]"
    rf"(?={_NAME_WORD}(?:[ ]|$)))?"
    rf"(?:{_PARTICLES}[ ])?{_NAME_WORD}(?:[ ](?:{_PARTICLES}[ ]){{0,2}}{_NAME_WORD}){{0,4}}"
    r"(?:,[ ](?:MD|DO|RN|NP|PhD|PA-C|PA|MSW|LCSW|Esq|Jr|Sr|II|III|MBBS|FRCP|MRCP|BSN|DDS)\b\.?)*"
)
_CODE_GROUP = re.compile(r"(?=[^\s,;]*\d)[A-Za-z0-9][\w./*-]*|[A-Z]{1,4}(?=[ ]\S*\d|[ ]?$|[,;)\n])|\d+")
_PHONE = re.compile(
    r"[+(]?\d[\d ()./–-]{2,24}\d(?:\s?(?:x|ext\.?|extension)\s?\d{1,5})?|\d{3,5}", re.IGNORECASE
)
_DATE_TOKEN = re.compile(r"[\w.’'/-]+,?")
_NUMBER = re.compile(r"\d{1,3}")
_AMOUNT = re.compile(r"(?:[A-Z]{1,3}|[$€£¥₹]|Rs\.?)?\s?\d[\d,.’' ]*(?:k|m)?\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;](?:\s|$)|\s[(–-]\s?|\s\(")
_MONTHS = frozenset(month[:3].lower() for month in MONTHS)
_DAYS = frozenset("mon tue wed thu fri sat sun".split())


def _name(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A full value that can only be a name: whatever it is made of, if it is short."""
    surface = text[start:end]
    match = _NAME.match(text, start, end)
    if match is None or match.end() < end:
        bare = surface.rstrip(" .")
        if bare.replace(" ", "").replace(".", "").replace("-", "").isalpha() and len(bare.split()) < 5:
            return start, start + len(bare)
    return match.span() if match else None


def _likely_name(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A name where speech might follow as well."""
    match = _NAME.match(text, start, end)
    if match is None:
        return None
    parts = [part.strip(",.") for part in match.group().split()]
    known, common = _names(), words("common_words")
    stop = match.start()
    telling = 0
    for part in parts:
        bare = part.capitalize() if part.isupper() else part
        if bare in known or bare.lower() not in common or len(part) == 1 or part in _TITLES:
            telling += part not in _TITLES and (len(part) > 1 or len(parts) > 1)
            stop = text.index(part, stop) + len(part)
        elif telling and text[start:end].rstrip(". ") == match.group().rstrip(". "):
            stop = text.index(part, stop) + len(part)  # "Jo Bright": the line is all name
        else:
            break
    if text[stop : stop + 1] == "." and text[stop - 2 : stop - 1] in (" ", "."):
        stop += 1  # the point of an initial
    alone = len(parts) == 1 and parts[0].lower() in common
    return None if alone or not telling else (match.start(), stop)


_TITLES = frozenset("Mr Mrs Ms Miss Mx Dr Prof Sir Rev MR MRS MS MISS DR Ofc Det Sgt PC Cllr Fr Sr".split())


@cache
def _names() -> frozenset[str]:
    return first_names() | words("surnames")


def _code(text: str, start: int, end: int) -> tuple[int, int] | None:
    stop, place, digits = start, start, False
    for _ in range(6):
        group = _CODE_GROUP.match(text, place, end)
        if group is None:
            break
        digits = digits or any(map(str.isdigit, group.group()))
        stop = group.end()
        if stop >= end or text[stop] != " ":
            break
        place = stop + 1
    return (start, stop) if digits else None


def _secret(text: str, start: int, end: int) -> tuple[int, int] | None:
    word = text[start:end].split()
    return (start, start + len(word[0])) if len(word) == 1 else None


def _matched(pattern: re.Pattern[str]) -> _Read:
    def read(text: str, start: int, end: int) -> tuple[int, int] | None:
        match = pattern.match(text, start, end)
        return None if match is None else match.span()

    return read


def _date(text: str, start: int, end: int) -> tuple[int, int] | None:
    stop = None
    place = start
    while (token := _DATE_TOKEN.match(text, place, end)) is not None:
        word = token.group().rstrip(",.")
        folded = word.lower()[:3]
        if text[token.end() : token.end() + 1] == ":":
            break  # the time of day has a rule of its own
        if any(map(str.isdigit, word)):
            stop = token.start() + len(word)
        elif folded not in _MONTHS and folded not in _DAYS and word not in ("of", "the"):
            break
        place = token.end() + 1
    return None if stop is None else (start, stop)


_SMALL_AFTER_COMMA = re.compile(r",\s(?=[a-z])(?!and\b|of\b)")
_SAID = re.compile(
    r"(?:(?:I|[Hh]e|[Ss]he|[Tt]hey|[Ww]e)\s)?(?:have|has|had|suffer(?:s|ed)?(?:\sfrom)?)\s(?:an?\s|the\s)?(?=\w)"
)


def _condition(text: str, start: int, end: int) -> tuple[int, int] | None:
    """What is wrong, without the words that say who has it."""
    found = _phrase(longest=120)(text, start, end)
    if found is None or (said := _SAID.match(text, *found)) is None:
        return found
    return said.end(), found[1]


def _phrase(*, longest: int = 60, at_comma: bool = False, capital: bool = False) -> _Read:
    """A value in words, up to the end of its sentence; a long one is a sentence of its own and none."""

    def read(text: str, start: int, end: int) -> tuple[int, int] | None:
        stop = _SENTENCE_END.search(text, start, end)
        end = stop.start() if stop else end
        if capital and (comma := _SMALL_AFTER_COMMA.search(text, start, end)) is not None:
            end = comma.start()
        if at_comma and (comma_at := text.find(",", start, end)) >= 0:
            end = comma_at
        surface = text[start:end].rstrip(" .,")
        if len(surface) < 2 or len(surface) > longest or (capital and not surface[0].isupper()):
            return None
        return start, start + len(surface)

    return read


def _address(text: str, start: int, end: int) -> tuple[int, int] | None:
    surface = text[start:end].rstrip(" .,;")
    if len(surface) > 140 or (not any(map(str.isdigit, surface)) and "," not in surface):
        return None
    stop = start + len(surface)
    # An address written over several lines goes on while each of them ends with a comma.
    while text[stop : stop + 1] == "," and (more := _CONTINUED.match(text, stop)) is not None:
        stop = more.end()
    return start, stop


_CONTINUED = re.compile(r",[ ]?\n[ \t]*[^\n:]{2,50}(?<![\s.,;])")

_FREE = _phrase()
_READERS: dict[str, _Value] = {
    "NAME": _Value("PERSON", _name),
    "LIKELY": _Value("PERSON", _likely_name),
    "CODE": _Value("CODE", _code),
    "SECRET": _Value("CODE", _secret),
    "PHONE": _Value("PHONE", _matched(_PHONE)),
    "DATE": _Value("DATE", _date),
    "AGE": _Value("AGE", _matched(_NUMBER)),
    "MONEY": _Value("MONEY", _matched(_AMOUNT)),
    "QUANTITY": _Value("QUANTITY", _matched(re.compile(r"\d[\d.,'’\"]*(?:\s?[a-z]{1,3}\b)?"))),
    "ADDRESS": _Value("ADDRESS", _address),
    "POSTCODE": _Value("POSTCODE", _code),
    "ORG": _Value("ORG", _phrase(capital=True)),
    "GPE": _Value("GPE", _phrase(capital=True, longest=50)),
    "PRODUCT": _Value("PRODUCT", _phrase(longest=50, at_comma=True)),
    "JOB": _Value("JOB", _phrase(at_comma=True)),
    "NORP": _Value("NORP", _FREE),
    "ORIGIN": _Value("ORIGIN", _FREE),
    "RELIGION": _Value("RELIGION", _FREE),
    "LANGUAGE": _Value("LANGUAGE", _FREE),
    "MARITAL": _Value("MARITAL", _phrase(at_comma=True, longest=30)),
    "FAMILY": _Value("FAMILY", _phrase(longest=30)),
    "EDUCATION": _Value("EDUCATION", _phrase()),
    "HEALTH": _Value("HEALTH", _condition),
}

# Keys by what they announce, in small letters; a longer key ends with one of them ("patient's full name").
_KEYS: dict[str, str] = {
    key: kind
    for kind, keys in {
        "NAME": "name|names"
        "|full name|first name|first names|forename|forenames|given name|given names|surname"
        "|last name|family name|middle name|maiden name|preferred name|known as|aka|alias|account holder"
        "|card holder|cardholder|next of kin|nok|name of patient|name of child|name of applicant",
        "LIKELY": "patient|pt|client|customer|employee|student|pupil|child|victim|suspect|witness|defendant"
        "|officer|supervisor|manager|worker|caseworker|gp|pcp|physician|attending|consultant|surgeon|provider"
        "|therapist|counsellor|counselor|nurse|rn|tutor|teacher|handler|agent|author|reviewed by|prepared by"
        "|written by|completed by|dictated by|verified by|reported by|signed by|signed|taken by|seen by"
        "|approved by|requested by|referred by|interviewed by|assessor|interviewer|interviewee|present"
        "|attendees|copy to|cc|bcc|to|from|re|injured person|tenant|landlord|third party|driver|passenger"
        "|owner|complainant|respondent|appellant|applicant|claimant|insured|policyholder|policy holder"
        "|referee|contact|guarantor|beneficiary|guardian|parent|carer|mother|father|spouse|husband|wife"
        "|emergency contact|contact person|reporter|resident|member|subject|doctor|dr|assigned to|attn"
        "|attention|candidate|trainee|mentor|principal|headteacher|solicitor|representative|interpreter",
        "CODE": "mrn"
        "|nhs no|nhs number|nhs|hospital no|hospital number|hosp no|unit number|chi|phn|ssn|sin|tfn|abn"
        "|nino|ni no|ni number|national insurance|national insurance number|national insurance no"
        "|social security|social security number|social security no|id|id no|id number|case id|client id"
        "|patient id|employee id|employee no|employee number|staff no|staff number|staff id|student id"
        "|student no|student number|customer id|customer no|customer number|member id|member no"
        "|membership no|membership number|account|account no|account number|acct|acct no|a/c|a/c no"
        "|sort code|routing number|routing no|policy|policy no|policy number|claim|claim no|claim number"
        "|claim ref|case|case no|case number|case ref|file|file no|file number|ref|ref no|our ref|your ref"
        "|reference|reference no|reference number|application ref|application no|application number|report no"
        "|report number|incident no|incident number|crime ref|crime reference|crime no|crime reference number"
        "|ticket|ticket no|order|order no|order number|invoice|invoice no|invoice number|booking ref"
        "|booking reference|passport|passport no|passport number|visa no|visa number|licence no"
        "|licence number|license no|license number|license|driving licence no|driving licence number"
        "|driver's license|dl|dl no|dln|badge|badge no|badge number|serial|serial no|serial number|imei|vin"
        "|registration|registration no|registration number|vehicle registration|vehicle reg|reg|reg no|plate"
        "|plate no|license plate|licence plate|number plate|accession|accession no|accession number|specimen"
        "|specimen no|lab no|sample no|upn|uln|ucas|candidate no|candidate number|exam number|gmc|gmc no"
        "|gmc number|nmc|nmc pin|npi|dea|medicare|medicare no|medicare number|medicaid id|insurance no"
        "|insurance number|insurance id|group no|subscriber id|tax id|tax no|tax number|utr|vat no|ein|itin"
        "|pps|ppsn|pps no|pps number|pesel|bsn|cpf|cnpj|dni|nie|nif|nric|fin|aadhaar|aadhar|pan|emirates id"
        "|prisoner no|prison no|inmate no|inmate number|booking no|booking number|docket|docket no|permit no"
        "|device id|iccid|tracking no|tracking number|room|bed|warrant no|payroll no|payroll number|badge id"
        "|home office reference|port ref|certificate no|certificate number|card no|card number|ip"
        "|swift|bic|iban|contract no|contract number|unique reference|episode no|encounter|encounter no"
        "|visit no|csn|pnc|pnc id|croc|cro|custody no|occurrence no|confirmation number|transaction id",
        "SECRET": "password|passcode|pin|passwd|pwd",
        "PHONE": "tel|tel no|telephone|telephone no|telephone number|phone|phone no|phone number|ph|mobile"
        "|mobile no|mobile number|mob|cell|cell phone|fax|fax no|fax number|home phone|work phone"
        "|landline|t|m|f"
        "|p|contact no|contact number|whatsapp|pager|bleep|ext|extension|direct dial|direct|desk|office "
        "phone",
        "DATE": "dob|d.o.b|d.o.b.|date of birth|birth date|birthdate|born|birthday|date of death|dod|admitted"
        "|discharged|admission date|discharge date|date of admission|date of discharge|date|seen|collected"
        "|received|start date|end date|date of incident|date of loss|date of injury|doi|hire date"
        "|date of hire|expiry|expiry date|date signed|date of marriage|lmp|edd|date seen|date of visit",
        "AGE": "age|age/sex|sex/age|aged|age/gender",
        "MONEY": "salary|annual salary|income|annual income|weekly income|monthly income|wage|wages|rent"
        "|monthly rent|balance|gross pay|net pay|amount claimed|household income|pension",
        "QUANTITY": "height|weight|hgt|wgt|ht|wt|bmi",
        "ADDRESS": "address|addr|home address|current address|previous address|postal address|mailing address"
        "|residence|street address|street|billing address|delivery address|shipping address"
        "|permanent address|correspondence address|work address|address line 1|address line 2",
        "POSTCODE": "postcode|post code|postal code|zip|zip code|zipcode|plz",
        "ORG": "employer|current employer|previous employer|company|company name|organisation|organization"
        "|workplace|place of work|school|current school|previous school|school attended|college|university"
        "|insurer|insurance company|insurance provider|insurance|bank|bank name|name of bank|gp practice"
        "|practice"
        "|surgery|gp surgery|pharmacy|hospital|clinic|agency|firm|church|club|business name|nursery"
        "|referring hospital|institution",
        "GPE": "place of birth|birthplace|birth place|pob|town|city|town/city|city/town|county|country"
        "|country of birth|country of origin|home town|hometown|village|city/state|location|place of "
        "residence",
        "PRODUCT": "vehicle|car|make|make/model|make and model|model|device",
        "JOB": "occupation|current occupation|profession|job|job title|position|post held|post|rank"
        "|employment status|job role|current role|position applied for|title of post|designation|grade/post",
        "NORP": "nationality|citizenship|citizen of|tribe",
        "ORIGIN": "ethnicity|ethnic origin|ethnic group|race|race/ethnicity|ethnic background",
        "RELIGION": "religion|faith|denomination|religious affiliation",
        "LANGUAGE": "language|first language|preferred language|mother tongue|native language|languages"
        "|languages spoken|home language|language spoken at home",
        "MARITAL": "marital status|civil status|relationship status|family status",
        "FAMILY": "relationship|relation|relationship to patient|relationship to child|children|dependants"
        "|dependents|siblings|number of children|no of children|relationship to applicant",
        "EDUCATION": "qualification|qualifications|degree|highest qualification|education|level of education",
        "HEALTH": "diagnosis|diagnoses|dx|primary diagnosis|secondary diagnosis|admitting diagnosis"
        "|discharge diagnosis|final diagnosis|medical conditions|medical condition|conditions"
        "|past medical history|medical history|pmh|pmhx|comorbidities|disability|disabilities"
        "|sexual orientation|cause of death|mental health|health conditions|health problems|illness"
        "|long-term conditions|nature of injury|injury|injuries",
    }.items()
    for key in keys.split("|")
}
# Longer keys that end like one of the above and announce something else, which has a form of its own.
_OTHERS = frozenset(
    (
        "email address|e-mail address|mail address|ip address|mac address|web address|subject|website address"
        "|file name|user name|domain name|drug name|product name|test name|brand name"
    ).split("|")
)
# Keys of everyday language: they count at the beginning of a line or after a gap only.
_ONLY_AS_FIELDS = frozenset(
    "t m f p to from re present date seen room bed make model case file order post id name names born "
    "age fin "
    "account claim policy reg contact member subject children conditions school company location street "
    "education language languages injury injuries illness position hospital church club business chi pan "
    "ip direct desk received admitted bank agency firm mother father husband wife parent child".split()
)
_ALONE = frozenset({"conditions", "present", "direct", "desk"})
_SOURCE = "forms"


class _Field(NamedTuple):
    start: int  # of the key
    value: int
    key: str


@recognizers.register("forms")
@dataclass(frozen=True)
class Forms:
    """Values of form fields, typed by their keys."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [list(_spans(text)) if ":" in text or "   " in text or "\t" in text else [] for text in texts]


def _spans(text: str) -> Iterator[Span]:
    fields = _fields(text)
    for number, (_, value, key) in enumerate(fields):
        start = value
        while start < len(text) and text[start] in " \t":
            start += 1
        if text[start : start + 1] == "\n":  # the value of an empty field stands on the next line
            start += 1
            if number + 1 < len(fields) and fields[number + 1].start <= start:
                continue
        gap = _GAP.search(text, start, start + _LONGEST_VALUE)
        end = gap.start() if gap else min(len(text), start + _LONGEST_VALUE)
        if number + 1 < len(fields):
            end = min(end, fields[number + 1].start)
        while end > start and text[end - 1] in " \t,;|":
            end -= 1
        if start >= end or text[start:end].split(None, 1)[0].strip(".,;").lower() in _NOTHING:
            continue
        kind = _READERS[_KEYS[key]]
        found = kind.read(text, start, end)
        if found is not None and found[0] < found[1]:
            yield Span(*found, kind.type, 0.9, _SOURCE, f"field {key}")


def _fields(text: str) -> list[_Field]:
    """Where known keys stand, each with the place behind its colon."""
    fields: list[_Field] = []
    colon = text.find(":")
    while colon >= 0:
        # Behind a field on the same line even an everyday word is a key.
        inside = (
            bool(fields) and colon - fields[-1].value < 120 and "\n" not in text[fields[-1].value : colon]
        )
        key = _key_before(text, colon, inside=inside)
        if key is not None:
            fields.append(_Field(key[0], colon + 1, key[1]))
        colon = text.find(":", colon + 1)
    if "   " in text or "\t" in text:
        fields += _columns(text, {field.start for field in fields})
        fields.sort()
    return fields


def _columns(text: str, known: set[int]) -> Iterator[_Field]:
    """Keys at the beginning of a line with a wide gap in place of the colon."""
    for gap in _WIDE.finditer(text):
        key = _key_before(text, gap.start(), inside=False)
        if key is not None and key[0] not in known and _begins_a_line(text, key[0]):
            yield _Field(key[0], gap.end(), key[1])


def _begins_a_line(text: str, place: int) -> bool:
    return place == 0 or text[place - 1] == "\n"


def _key_before(text: str, colon: int, *, inside: bool) -> tuple[int, str] | None:
    if text[colon + 1 : colon + 3] == "//" or not colon:
        return None
    low = max(0, colon - _LONGEST_KEY)
    low = max(low, text.rfind("\n", low, colon) + 1)
    match = _KEY_WORDS.search(text, low, colon)
    if match is None:
        return None
    begin = match.start()
    parts = match.group().rstrip(" #").split(" ")
    for first in range(len(parts)):
        key = _folded(" ".join(parts[first:]))
        if key in _OTHERS:
            return None
        if key in _KEYS:
            if first and key in _ALONE:
                return None  # "home conditions"
            place = begin + sum(len(part) + 1 for part in parts[:first])
            if key in _ONLY_AS_FIELDS and not inside and not _begins_a_field(text, begin):
                return None
            return place, key
    return None


def _folded(key: str) -> str:
    bare = key.lower().replace("(s)", "").replace("’", "'").rstrip(".#")
    return bare.replace("no.", "no").replace("num.", "no").replace(" #", " no").strip("() ")


def _begins_a_field(text: str, place: int) -> bool:
    before = text[max(0, place - 2) : place]
    if not before or before.endswith(("  ", "- ", "| ", "> ", ". ", "• ", "\n ")):
        return True
    return not (before[-1].isalnum() or before[-1] in " ,'’-/_")
