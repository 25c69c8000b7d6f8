"""Fields of forms, letter heads and reports: "Surname: Haddad", "MRN: 00448213", "HOSP NO   22-00913".

The key says what the value is, so a value counts that no other rule would know; how much of the line
belongs to it depends on the type. Between key and value stand a colon, an equals sign, a wide gap or the end
of a line; a question announces its answer ("Current address?"). A value ends with its line, at a gap of
blanks or where the next key begins. Keys that also introduce speech ("Patient: I feel dizzy") count only
before something that looks like a name.

Cost        plain searches for separators; work only where a known key stands before one
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
from heteronym.text.fields import ALONE, EVERYDAY, KEYS, folded, kind_of, numbered
from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("forms")

_Read = Callable[[str, int, int], tuple[int, int] | None]


class _Value(NamedTuple):
    """Which part of the text from `start` to the end of its field is the value; None: there is none."""

    type: str
    read: _Read


_GAP = re.compile(r"[ \t]{3,}|\t|\s\|\s|\s?\n")
_WIDE = re.compile(r"[ ]{2,}|\t+")
_KEY_WORDS = _LEXICON.compiled("KEY_WORDS")
_LONGEST_KEY = 48
_LONGEST_VALUE = 200
_NOTHING = _LEXICON.words("NOTHING")
_NAME = _LEXICON.compiled("NAME")
_CODE_GROUP = _LEXICON.compiled("CODE_GROUP")
_PHONE = _LEXICON.compiled("PHONE")
_DATE_TOKEN = re.compile(r"[\w.’'/-]+,?")
_NUMBER = re.compile(r"\d{1,3}")
_AMOUNT = _LEXICON.compiled("AMOUNT")
_SUM = _LEXICON.compiled("SUM")
_MARITAL = _LEXICON.compiled("MARITAL")
_INITIALS = re.compile(r"[A-Za-z]{2,4}(?:/[A-Za-z]{2,4})?(?=\s*$)|(?:[A-Z]\.){2,3}")
_FULL_PHONE = re.compile(r"[+(]?\d[\d ()./–-]{5,20}\d\b")
_SENTENCE_END = _LEXICON.compiled("SENTENCE_END")
_MONTHS = frozenset(month[:3].lower() for month in lexicon("common").words("MONTHS"))
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
    if parts[0] in _NO_NAME:
        return None
    known, common = _names(), words("common_words")
    stop = match.start()
    telling = 0
    for number, part in enumerate(parts):
        if part == "I" and _SPEECH.match(text, match.end()):
            parts = parts[:number]  # "May I take ...": nobody's initial
            break
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


_NO_NAME = _LEXICON.words("NO_NAME")
_SPEECH = re.compile(r"[ \t]+[a-z]")
_TITLES = frozenset("Mr Mrs Ms Miss Mx Dr Prof Sir Rev MR MRS MS MISS DR Ofc Det Sgt PC Cllr Fr Sr".split())


@cache
def _names() -> frozenset[str]:
    return first_names() | words("surnames")


def _by(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Who did something: a name, or the initials of a typist."""
    initials = _INITIALS.match(text[:end], start)
    return initials.span() if initials is not None else _likely_name(text, start, end)


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


def _age(text: str, start: int, end: int) -> tuple[int, int] | None:
    number = _NUMBER.search(text, start, min(end, start + 12))
    return None if number is None else number.span()


def _handle(text: str, start: int, end: int) -> tuple[int, int] | None:
    word = text[start:end].split()
    if len(word) != 1 or len(word[0]) < 3:
        return None
    return (start, end) if not word[0].isalpha() or word[0].lower() not in words("common_words") else None


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
_SAID = _LEXICON.compiled("SAID")


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
        if surface[0] in "?_*" or not any(map(str.isalpha, surface)):
            return None
        return start, start + len(surface)

    return read


def _address(text: str, start: int, end: int) -> tuple[int, int] | None:
    said = _SENTENCE_AFTER.search(text, start, end)
    surface = text[start : said.start() if said else end].rstrip(" .,;")
    if len(surface) > 140 or (not any(map(str.isdigit, surface)) and "," not in surface):
        return None
    stop = start + len(surface)
    # An address written over several lines goes on while each of them ends with a comma.
    while text[stop : stop + 1] == "," and (more := _CONTINUED.match(text, stop)) is not None:
        stop = more.end()
    return start, stop


_SENTENCE_AFTER = _LEXICON.compiled("SENTENCE_AFTER")


def _building(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The name or number of a ward or house; "OPD" and "ICU" are everybody's."""
    found = _phrase(longest=40, at_comma=True)(text, start, end)
    if found is None or (found[1] - found[0] < 5 and text[found[0] : found[1]].isupper()):
        return None
    return found if text[start].isupper() or text[start].isdigit() else None


_CONTINUED = re.compile(r",[ ]?\n[ \t]*[^\n:]{2,50}(?<![\s.,;])")

_FREE = _phrase()
_READERS: dict[str, _Value] = {
    "NAME": _Value("PERSON", _name),
    "LIKELY": _Value("PERSON", _likely_name),
    "CODE": _Value("CODE", _code),
    "SECRET": _Value("SECRET", _secret),
    "PHONE": _Value("PHONE", _matched(_PHONE)),
    "DATE": _Value("DATE", _date),
    "BY": _Value("PERSON", _by),
    "AGE": _Value("AGE", _age),
    "MONEY": _Value("MONEY", _matched(_AMOUNT)),
    "SUM": _Value("MONEY", _matched(_SUM)),
    "STATUS": _Value("MARITAL", _matched(_MARITAL)),
    "USERNAME": _Value("USERNAME", _handle),
    "FAC": _Value("FAC", _building),
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

_SOURCE = "forms"


class _Field(NamedTuple):
    start: int  # of the key
    value: int
    key: str
    kind: str


@recognizers.register("forms")
@dataclass(frozen=True)
class Forms:
    """Values of form fields, typed by their keys."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [list(_spans(text)) if _SEPARATOR.search(text) else [] for text in texts]


_SEPARATOR = re.compile(r"[:=?\t]|[ ]{2}|\n")


def _spans(text: str) -> Iterator[Span]:
    fields = _fields(text)
    for number, (_, value, key, kind_name) in enumerate(fields):
        if kind_name not in _READERS:
            continue
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
        if text[start : start + 1] in _QUOTES:
            start += 1
            closing = text.find(_QUOTES[text[start - 1]], start, end)
            end = closing if closing >= 0 else end
        while end > start and text[end - 1] in " \t,;|":
            end -= 1
        if start >= end or _says_nothing(text[start:end]):
            continue
        # The name of a rule holds words of the table only, never of the text.
        yield from _read(text, start, end, key if key in KEYS else kind_name.lower(), kind_name)


_QUOTES = {'"': '"', "'": "'", "“": "”"}


def _says_nothing(value: str) -> bool:
    """Words for nothing, or the key of the next column: a line of keys is the head of a table."""
    if value.split(None, 1)[0].strip(".,;").lower() in _NOTHING:
        return True
    key = folded(value)
    return (
        len(key) > 2
        and key.replace(" ", "").isalpha()
        and kind_of(key) is not None
        and key not in _ALSO_VALUES
    )


_ALSO_VALUES = _LEXICON.words("ALSO_VALUES") | {
    "social worker",
    "team leader",
    "team lead",
    "health visitor",
    "foster carer",
}


def _read(text: str, start: int, end: int, key: str, kind_name: str) -> Iterator[Span]:
    kind = _READERS[kind_name]
    if kind.type == "PERSON" and (kin := _KIN.match(text, start, end)) is not None:
        # "Next of kin: wife Maria": who they are, then their name
        yield Span(*kin.span("m"), "FAMILY", 0.9, _SOURCE, f"field {key}")
        start, kind, kind_name = kin.end(), _READERS["LIKELY"], "LIKELY"
    elif kind.type == "PERSON" and (titles := _SEVERAL.match(text, start, end)) is not None:
        start = titles.end()
    found = kind.read(text, start, end)
    if found is None and kind_name == "LIKELY" and (phone := _FULL_PHONE.match(text, start, end)):
        yield Span(*phone.span(), "PHONE", 0.85, _SOURCE, f"field {key}")
    while found is not None and found[0] < found[1]:
        yield Span(*found, kind.type, 0.9, _SOURCE, f"field {key}")
        # "Present: J Holm (Chair), N Chaudhry / A Tyson": more of the same
        more = _NEXT_NAME.match(text, found[1], end) if kind.type == "PERSON" else None
        found = None if more is None else _likely_name(text, more.end(), end)
        if found is not None and " " not in (surface := text[slice(*found)]) and not surface.istitle():
            break  # "Ana Roy, SpR"


_KIN = _LEXICON.compiled("KIN")
_SEVERAL = re.compile(r"(?:Cllrs|Messrs|Drs|Profs|Councillors)\.?\s")
_NEXT_NAME = _LEXICON.compiled("NEXT_NAME")


def _fields(text: str) -> list[_Field]:
    """Where known keys stand, each with the place behind its separator."""
    fields: list[_Field] = []
    for separator in _BETWEEN.finditer(text):
        place = separator.start()
        # Behind a field on the same line even an everyday word is a key.
        inside = (
            bool(fields) and place - fields[-1].value < 120 and "\n" not in text[fields[-1].value : place]
        )
        key = _key_before(text, place, inside=inside)
        if key is not None:
            fields.append(_Field(key[0], separator.end(), key[1], key[2]))
    known = {field.start for field in fields}
    if "  " in text or "\t" in text:
        fields += _columns(text, known)
    if "?" in text:
        fields += _questions(text)
    for dash in _DASH.finditer(text):
        key = _key_before(text, dash.end("key"), inside=False, whole=True)
        if key is not None and key[0] == dash.start("key") and key[0] not in known:
            fields.append(_Field(key[0], dash.end(), key[1], key[2]))
    fields += _lines(text, known)
    fields.sort()
    return fields


_DASH = _LEXICON.compiled("DASH")
_BETWEEN = re.compile(r"[ \t]{0,24}:(?!//)|[ ]{1,24}=(?=[ ])")


def _columns(text: str, known: set[int]) -> Iterator[_Field]:
    """Keys at the beginning of a line or behind a gap with a wide gap in place of the colon."""
    for gap in _WIDE.finditer(text):
        if text[gap.end() : gap.end() + 1] in ":=\n":
            continue
        key = _key_before(text, gap.start(), inside=False, whole=True)
        if key is not None and key[0] not in known and _begins_a_column(text, key[0]):
            yield _Field(key[0], gap.end(), key[1], key[2])


def _begins_a_column(text: str, place: int) -> bool:
    before = text[max(0, place - 2) : place]
    return not before.strip(" ") or before[-1] in "\n\t" or before == "| "


_QUESTION = _LEXICON.compiled("QUESTION")


def _questions(text: str) -> Iterator[_Field]:
    """ "Q31 Current address?" announces what the next words say."""
    mark = text.find("?")
    while mark >= 0:
        low = max(0, mark - 70)
        low = max(low, text.rfind("\n", low, mark), text.rfind("?", low, mark) + 1)
        while (match := _QUESTION.search(text, low, mark + 60)) is not None and match.start("key") < mark:
            key = folded(match.group("key"))
            kind = kind_of(key)
            if kind in _ANSWERED and mark < match.end():
                yield _Field(match.start("key"), match.end(), key, str(kind))
                break
            low = max(match.start() + 1, match.start("key"))
        mark = text.find("?", mark + 1)


_ANSWERED = _LEXICON.words("ANSWERED")


def _lines(text: str, known: set[int]) -> list[_Field]:
    """Keys that fill a line, each above its value; one alone is a heading."""
    found: list[_Field] = []
    start = 0
    while (end := text.find("\n", start)) >= 0:
        if 2 < end - start < 40 and text[start].isalpha() and start not in known:
            key = folded(text[start:end])
            kind = kind_of(key)
            below = text.find("\n", end + 1)
            width = (below if below >= 0 else len(text)) - end - 1
            if kind in _BELOW and 0 < width < 80:
                found.append(_Field(start, end, key, str(kind)))
        start = end + 1
    return found if len(found) > 2 else []


_BELOW = frozenset(_READERS) - {"LIKELY", "HEALTH", "BY", "SUM"}


def _key_before(text: str, end: int, *, inside: bool, whole: bool = False) -> tuple[int, str, str] | None:
    """Start, name and kind of the key that ends at a place; a whole one has no other words before it."""
    if not end:
        return None
    low = max(0, end - _LONGEST_KEY)
    low = max(low, text.rfind("\n", low, end) + 1)
    if whole:
        gap = text.rfind("  ", low, end)
        low = max(low, gap + 2 if gap >= 0 else 0, text.rfind("\t", low, end) + 1)
    match = _KEY_WORDS.search(text, low, end)
    if match is None:
        return None
    begin = match.start()
    parts = match.group().rstrip(" #").split(" ")
    place = begin
    for first, part in enumerate(parts):
        key = folded(" ".join(parts[first:]))
        kind = kind_of(key)
        if kind in _NO_VALUE and not (whole or inside):
            return None
        if kind is not None:
            if first and key in ALONE:
                return None  # "home conditions"
            if key in EVERYDAY and not inside and not _begins_a_field(text, begin):
                return None
            return (begin if whole else place), key, kind
        place += len(part) + 1
    key = folded(match.group())
    if numbered(key) and (inside or _begins_a_field(text, begin)):
        return begin, key, "CODE"
    return None


_NO_VALUE = frozenset({"NONE", "MAIL", "IP"})


def _begins_a_field(text: str, place: int) -> bool:
    before = text[max(0, place - 2) : place]
    if not before or before.endswith(("  ", "- ", "| ", "> ", ". ", "• ", ") ", "* ", "\n ")):
        return True
    return not (before[-1].isalnum() or before[-1] in " ,'’-/_")
