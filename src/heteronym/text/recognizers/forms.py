"""Fields of forms, letter heads and reports: "Surname: Haddad", "MRN: 00448213", "HOSP NO   22-00913".

The key says what the value is, so a value counts that no other rule would know; how much of the line
belongs to it depends on the type. Between key and value stand a colon, an equals sign or, in columns, a wide
gap. A value ends with its line, at a gap of blanks or where the next key begins.
Keys that also introduce speech ("Patient: I feel dizzy") count only before something that looks like a name.

Cost        plain searches for separators; work only where a known key stands before one
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.text.fields import ALONE, KEYS, folded, kind_of, numbered
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers._values import READERS, TYPES, likely_name
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("forms")

_SEPARATOR = re.compile(r"[ \t]{0,24}:(?!//)|[ ]{1,24}=(?=[ ])|(?<=[\w.)])(?:[ ]{2,}|\t+)")
_GAP = re.compile(r"[ \t]{3,}|\t|\s\|\s|\s?\n")
_KEY_WORDS = _LEXICON.compiled("KEY_WORDS")
_KIN = _LEXICON.compiled("KIN")
_NEXT_NAME = _LEXICON.compiled("NEXT_NAME")
_LONGEST_KEY = 48
_LONGEST_VALUE = 200
_NOTHING = _LEXICON.words("NOTHING")
_ALSO_VALUES = _LEXICON.words("ALSO_VALUES")


class _Field(NamedTuple):
    start: int  # of the key
    value: int
    key: str
    kind: str


@reader("forms")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Values of form fields, typed by their keys."""
    fields = [
        _Field(found[0], between.end(), *found[1:])
        for between in _SEPARATOR.finditer(text)
        if (found := _key_before(text, between.start(), whole=between.group().isspace())) is not None
    ]
    for (_, value, key, kind), limit in zip(fields, [*(field.start for field in fields[1:]), len(text)]):
        if kind not in READERS or kind == "MAIL":  # mail has a form of its own
            continue
        start = value + len(text[value:limit]) - len(text[value:limit].lstrip(" \t\"'“"))
        if text[start : start + 1] == "\n":  # the value of an empty field stands on the next line
            start += 1
        gap = _GAP.search(text, start, limit)
        end = min(gap.start() if gap else limit, start + _LONGEST_VALUE)
        end = start + len(text[start:end].rstrip(" \t,;|\"'”"))
        if start < end and not _says_nothing(text[start:end]):
            # The name of a rule holds words of the table only, never of the text.
            yield from _read(text, start, end, key if key in KEYS else kind.lower(), kind)


def _says_nothing(value: str) -> bool:
    """Words for nothing, or the key of the next column: a line of keys is the head of a table."""
    if value.split(None, 1)[0].strip(".,;").lower() in _NOTHING:
        return True
    key = folded(value)
    is_word = len(key) > 2 and key.replace(" ", "").isalpha()
    return is_word and kind_of(key) is not None and key not in _ALSO_VALUES


def _read(text: str, start: int, end: int, key: str, kind: str) -> Iterator[Span]:
    type_name = TYPES.get(kind, kind)
    if type_name == "PERSON" and (kin := _KIN.match(text, start, end)) is not None:
        # "Next of kin: wife Maria": who they are, then their name
        yield Span(*kin.span("m"), "FAMILY", 0.9, "forms", f"field {key}")
        start, kind = kin.end(), "LIKELY"
    found = READERS[kind](text, start, end)
    while found is not None and found[0] < found[1]:
        yield Span(*found, type_name, 0.9, "forms", f"field {key}")
        # "Present: J Holm (Chair), N Chaudhry / A Tyson": more of the same
        more = _NEXT_NAME.match(text, found[1], end) if type_name == "PERSON" else None
        found = None if more is None else likely_name(text, more.end(), end)
        if found is not None and " " not in (surface := text[slice(*found)]) and not surface.istitle():
            break  # "Ana Roy, SpR"


def _key_before(text: str, end: int, *, whole: bool) -> tuple[int, str, str] | None:
    """Start, name and kind of the key that ends at a place; a whole one begins a line or a column."""
    low = max(0, end - _LONGEST_KEY, text.rfind("\n", 0, end) + 1)
    match = _KEY_WORDS.search(text, low, end)
    if match is None:
        return None
    parts = match.group().rstrip(" #").split(" ")
    place = match.start()
    for first, part in enumerate(parts):
        key = folded(" ".join(parts[first:]))
        if (kind := kind_of(key)) is not None:
            if first and (key in ALONE or _belongs_to_a_name(parts[:first], part)):
                return None  # "home conditions", "Kestrel Bank: your code is"
            if whole and not _begins_a_column(text, match.start()):
                return None
            return match.start() if whole else place, key, kind
        place += len(part) + 1
    key = folded(match.group())
    return (match.start(), key, "CODE") if numbered(key) else None


def _begins_a_column(text: str, place: int) -> bool:
    return text[max(0, place - 2) : place].strip(" ")[-1:] in ("", "\n", "\t", "|")


def _belongs_to_a_name(before: Sequence[str], word: str) -> bool:
    titled = word.istitle() and all(part.istitle() for part in before)
    return titled and any(part.lower() not in words("common_words") for part in before)
