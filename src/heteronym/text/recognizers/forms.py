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
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.fields import ALONE, EVERYDAY, KEYS, folded, kind_of, numbered
from heteronym.text.lexicon import is_clinical, lexicon
from heteronym.text.recognizers._values import READERS, TYPES, likely_name
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("forms")

_GAP = re.compile(r"[ \t]{3,}|\t|\s\|\s|\s?\n")
_WIDE = re.compile(r"[ ]{2,}|\t+")
_KEY_WORDS = _LEXICON.compiled("KEY_WORDS")
_LONGEST_KEY = 48
_LONGEST_VALUE = 200
_NOTHING = _LEXICON.words("NOTHING")
_FULL_PHONE = re.compile(r"[+(]?\d[\d ()./–-]{5,20}\d\b")

_SOURCE = "forms"
_CLINICAL = _LEXICON.words("CLINICAL")  # keys that announce something else in notes about patients
_NO_VALUE = frozenset({"NONE", "MAIL", "IP"})


class _Field(NamedTuple):
    start: int  # of the key
    value: int
    key: str
    kind: str


_SEPARATOR = re.compile(r"[:=?\t]|[ ]{2}|\n")


@reader("forms")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Values of form fields, typed by their keys."""
    fields = _fields(text) if _SEPARATOR.search(text) else ()
    for number, (_, value, key, kind_name) in enumerate(fields):
        if kind_name not in READERS or kind_name in _NO_VALUE or (key in _CLINICAL and is_clinical(text)):
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


_ALSO_VALUES = _LEXICON.words("ALSO_VALUES")


def _read(text: str, start: int, end: int, key: str, kind_name: str) -> Iterator[Span]:
    type_name = TYPES.get(kind_name, kind_name)
    named = type_name == "PERSON"
    if named and (kin := _KIN.match(text, start, end)) is not None:
        # "Next of kin: wife Maria": who they are, then their name
        yield Span(*kin.span("m"), "FAMILY", 0.9, _SOURCE, f"field {key}")
        start, kind_name = kin.end(), "LIKELY"
    elif named and (titles := _SEVERAL.match(text, start, end)) is not None:
        start = titles.end()
    if key == "name" and _names_a_task(text, start, end):
        return
    found = READERS[kind_name](text, start, end)
    if found is None and kind_name == "LIKELY" and (phone := _FULL_PHONE.match(text, start, end)):
        yield Span(*phone.span(), "PHONE", 0.85, _SOURCE, f"field {key}")
    while found is not None and found[0] < found[1]:
        yield Span(*found, type_name, 0.9, _SOURCE, f"field {key}")
        # "Present: J Holm (Chair), N Chaudhry / A Tyson": more of the same
        more = _NEXT_NAME.match(text, found[1], end) if named else None
        found = None if more is None else likely_name(text, more.end(), end)
        if found is not None and " " not in (surface := text[slice(*found)]) and not surface.istitle():
            break  # "Ana Roy, SpR"


def _names_a_task(text: str, start: int, end: int) -> bool:
    """ "- name: restart kiosk": settings, where names in small letters are those of things."""
    before, surface = text[max(0, start - 40) : start], text[start:end]
    listed = _SETTING.search(before) is not None
    return (
        listed
        and surface.islower()
        and not any(word.capitalize() in first_names() for word in surface.split())
    )


_SETTING = re.compile(r"(?:\n|\A)[ ]*-[ ]name:[ ]$|\{name:[ ]$|\n[ ]{2,}name:[ ]$")
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


_BELOW = frozenset(READERS) - _NO_VALUE - {"LIKELY", "HEALTH", "BY", "SUM", "IBAN"}


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
            if first and (key in ALONE or _belongs_to_a_name(parts[:first], part)):
                return None  # "home conditions", "Kestrel Bank: your code is"
            if key in EVERYDAY and not inside and not _begins_a_field(text, begin):
                return None
            return (begin if whole else place), key, kind
        place += len(part) + 1
    key = folded(match.group())
    if numbered(key) and (inside or _begins_a_field(text, begin)):
        return begin, key, "CODE"
    return None


def _belongs_to_a_name(before: Sequence[str], word: str) -> bool:
    titled = word.istitle() and all(part.istitle() for part in before)
    return titled and any(part.lower() not in words("common_words") for part in before)


def _begins_a_field(text: str, place: int) -> bool:
    before = text[max(0, place - 2) : place]
    if not before or before.endswith(("  ", "- ", "| ", "> ", ". ", "• ", ") ", "* ", "\n ")):
        return True
    return not (before[-1].isalnum() or before[-1] in " ,'’-/_")
