"""What released texts still tell: identifiers, recognized things, and values that a column hides.

Each text is laid over its original (`alignment`): what was kept is compared with what recognizers and
columns know of the original, what was put there is nobody's. Identifiers of columns are searched by the
auditor's sweep.

Cost        O(characters), and one alignment per changed text
Randomness  none
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from heteronym.judging.alignment import Alignment, align
from heteronym.judging.meanings import Ints
from heteronym.judging.rows import without_labels
from heteronym.run import current
from heteronym.verify.ordinary import small_words, words_among

_LETTERS = re.compile(r"[^\W\d_]+")
_COMMON = 0.05  # of the persons: what so many texts name is no person
_BY_SHAPE = re.compile(
    r"(?P<MAIL>[\w.+-]{2,}@[\w-]+\.[\w.-]*\w)|(?P<PHONE>(?<![\w.-])\+?\d(?:[\s()./-]{0,2}\d){8,14}(?![\w-]))"
    r"|(?P<ID>(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-]))|(?P<URL>\bhttps?://\S+|\bwww\.\S+)"
    r"|(?P<IP>(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]))|(?P<IBAN>\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,7}\b)"
)
_SHAPED = re.compile(r"@|\d[\s()./-]{0,2}\d[\s()./-]{0,2}\d[\s()./-]{0,2}\d|://|www\.|\d\.\d")


class Mention(NamedTuple):
    """What a recognizer found in a text of the data."""

    row: int
    column: str
    start: int
    end: int
    type: str
    term: str  # equal for equal things
    is_direct: bool


class Left(NamedTuple):
    """Something that stands in a released text."""

    row: int  # released
    column: str
    start: int
    end: int
    type: str


@dataclass(repr=False)
class TextPairs:
    """The texts of matched rows on both sides, laid over each other when somebody asks."""

    names: Sequence[str]
    released: Mapping[str, Sequence[str | None]]
    original: Mapping[str, Sequence[str | None]]
    source: Ints
    _laid: dict[tuple[int, str], Alignment] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"TextPairs({list(self.names)})"

    def both(self, row: int, name: str) -> tuple[str, str] | None:
        """Original and released text of a matched row; None where either is missing."""
        at = int(self.source[row])
        if at < 0:
            return None
        before, after = self.original[name][at], self.released[name][row]
        return (before, after) if before and after else None

    def laid(self, row: int, name: str) -> Alignment | None:
        """The released text over its original."""
        found = self._laid.get((row, name))
        if found is None:
            both = self.both(row, name)
            if both is None:
                return None
            found = self._laid[row, name] = align(*both)
        return found

    def all(self) -> Iterator[tuple[int, str, Alignment]]:
        """Every pair of texts of matched rows."""
        for name in self.names:
            for row in np.flatnonzero(self.source >= 0).tolist():
                if row % 1024 == 0:
                    current().poll()
                laid = self.laid(row, name)
                if laid is not None:
                    yield row, name, laid


_LABEL = re.compile(r"\[[^\[\]]{0,80}[\])\[]|\{[^{}]{0,80}\}|<[^<>]{0,80}>")


def is_in_label(text: str, start: int, end: int) -> bool:
    """Whether a place lies in brackets, as labels and placeholders do."""
    return any(match.start() <= start and end <= match.end() for match in _LABEL.finditer(text))


def standing(pairs: TextPairs, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, int, int, int]]:
    """Mentions that still stand in the released text of their row, with row and place there."""
    row_of: dict[int, int] = {int(o): r for r, o in enumerate(pairs.source.tolist()) if o >= 0}
    for number, mention in enumerate(mentions):
        if number % 1024 == 0:
            current().poll()
        row = row_of.get(mention.row)
        laid = None if row is None else pairs.laid(row, mention.column)
        if row is None or laid is None:
            continue
        place = laid.place_of(mention.start, mention.end)
        if place is None:
            place = _elsewhere(laid, mention)
        # a value among others in a label is the label's
        if place is not None and not is_in_label(laid.released, *place):
            yield mention, row, *place


def _elsewhere(laid: Alignment, mention: Mention) -> tuple[int, int] | None:
    """Where what a mention says stands in a text that was reworded."""
    surface = laid.original[mention.start : mention.end]
    if len(surface) < 4 or surface.isdigit():
        return None
    at = laid.released.find(surface)
    while at >= 0:
        end = at + len(surface)
        around = laid.released[max(at - 1, 0) : at] + laid.released[end : end + 1]
        inside = any(a <= at and end <= b and end - at < b - a for a, b in laid.put_in() if laid.share > 0.5)
        if not any(map(str.isalnum, around)) and not inside:
            return at, end
        at = laid.released.find(surface, at + 1)
    return None


_TOKEN = re.compile(r"\w+")
_MOST_TOKENS = 6


def spotted(pairs: TextPairs, mentions: Sequence[Mention]) -> Iterator[tuple[int, str]]:
    """Released rows that nobody could match, and the terms of the data that stand in their texts.

    Labels in brackets were put there and tell nothing of the kind.
    """
    terms: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for mention in mentions:
        text = pairs.original[mention.column][mention.row] or ""
        words = tuple(_TOKEN.findall(text[mention.start : mention.end].casefold()))
        if not mention.is_direct and 0 < len(words) <= _MOST_TOKENS:
            terms[words].add(mention.term)
    heads = {words[0] for words in terms}
    for row in np.flatnonzero(pairs.source < 0).tolist() if terms else ():
        if row % 1024 == 0:
            current().poll()
        found: set[str] = set()
        for name in pairs.names:
            shown = _TOKEN.findall((without_labels(pairs.released[name][row]) or "").casefold())
            for at, head in enumerate(shown):
                if head in heads:
                    for size in range(1, _MOST_TOKENS + 1):
                        found |= terms.get(tuple(shown[at : at + size]), set())
        yield from ((row, term) for term in sorted(found))


def identifiers_left(
    pairs: TextPairs,
    found: Sequence[tuple[Mention, int, int, int]],
    person: Ints,
) -> list[Left]:
    """Direct mentions that stand, unless they are ordinary words or what many texts name."""
    direct = [one for one in found if one[0].is_direct]
    holders: dict[str, set[int]] = defaultdict(set)
    for mention, *_ in direct:
        holders[mention.term].add(int(person[mention.row]))
    persons = len(np.unique(person))
    asked: set[str] = set()
    words: list[tuple[str, ...]] = []
    for mention, row, start, end in direct:
        shown = (pairs.released[mention.column][row] or "")[start:end]
        mine = tuple(word.lower() for word in _LETTERS.findall(shown))
        words.append(() if any(map(str.isdigit, shown)) or "@" in shown else mine)
        asked.update(mine)
    common = words_among(asked, dict(pairs.original), person) if asked else set()
    left = []
    for (mention, row, start, end), mine in zip(direct, words, strict=True):
        if mine and (common.issuperset(mine) or sum(map(len, mine)) < 3):
            continue
        if mine and len(holders[mention.term]) > max(20, _COMMON * persons):
            continue
        left.append(Left(row, mention.column, start, end, mention.type))
    return left


def shaped_identifiers(pairs: TextPairs) -> list[Left]:
    """Addresses of mail and pages, telephone and account numbers that stand as they stood in the data."""
    known: set[str] = set()
    for name in pairs.names:
        for text in pairs.original[name]:
            if text and _SHAPED.search(text):
                known.update(_bare(match.group()) for match in _BY_SHAPE.finditer(text))
    if not known:
        return []
    found = []
    for name in pairs.names:
        for row, text in enumerate(pairs.released[name]):
            if text and _SHAPED.search(text):
                found += [
                    Left(row, name, *match.span(), str(match.lastgroup))
                    for match in _BY_SHAPE.finditer(text)
                    if _bare(match.group()) in known
                ]
    return found


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


# --- values that a column hides ----------------------------------------------------------------------

_AGE_BEHIND = re.compile(r"(?:\s|-)*(?:years?|yrs?|yo\b|y/o|y\.o\.?|y\.?\s?o\.?\b|year-old|[fmFM]\b)", re.I)
_AGE_BEFORE = re.compile(
    r"(?:\bage[ds]?|\bturn(?:ed|s|ing)|\bage of|\bage:|\bage =|\baged?\s*(?:is|was|:|=))\W{0,3}\Z", re.I
)
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![\d])")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPELT = re.compile(
    rf"\b(?:(?P<t>{'|'.join(_TENS)})(?:[\s-](?P<u>{'|'.join(_UNITS[1:10])}))?|(?P<s>{'|'.join(_UNITS[10:])}))\b",
    re.I,
)


def numbers_told(text: str) -> Iterator[tuple[int, int, float]]:
    """Numbers of a text, in figures or in words."""
    for match in _NUMBER.finditer(text):
        plain = match.group()
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
            plain = plain.replace(",", "")
        try:
            yield *match.span(), float(plain.replace(",", "."))
        except ValueError:
            continue
    for match in _SPELT.finditer(text):
        tens = _TENS.index(match["t"].lower()) + 2 if match["t"] else 0
        units = match["u"] or match["s"]
        yield *match.span(), float(10 * tens + (_UNITS.index(units.lower()) if units else 0))


def is_said_of_age(text: str, start: int, end: int) -> bool:
    """Whether a number is somebody's age by the words around it."""
    return bool(_AGE_BEHIND.match(text, end) or _AGE_BEFORE.search(text, max(0, start - 24), start))


@lru_cache(maxsize=256)
def _named(name: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in re.findall(r"[A-Za-z]+", name) if len(word) > 2] or [re.escape(name)]
    return re.compile(rf"\b(?:{'|'.join(words)})\b\W{{0,3}}(?:(?:is|was|of|at|=|:)\W{{0,3}}){{0,2}}\Z", re.I)


def is_said_of_column(text: str, start: int, name: str) -> bool:
    """Whether a number stands behind the name of a column."""
    return _named(name).search(text, max(0, start - 40), start) is not None


def has_word(text: str, value: str) -> tuple[int, int] | None:
    """Where a name stands in a text with the capitals that it has, as a word that means it."""
    if value.isdigit():
        found = re.search(rf"(?<![^\W_])(?<!\d[-.,/]){value}(?![^\W_]|[-.,/]\d)", text)
        return found.span() if found else None
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        around = text[max(at - 1, 0) : at] + text[end : end + 1]
        begins = re.search(r"(?:\A|[.!?:\n])[\s\"'(]*\Z", text[max(0, at - 4) : at]) is not None
        if not any(c.isalnum() or c in "_-" for c in around) and (
            " " in value or not begins or any(map(str.isdigit, value))
        ):
            return at, end
        at = text.find(value, at + 1)
    return None


def forms_of_name(value: str, common: Collection[str], *, in_texts: bool) -> list[str]:
    """A name as it is, and in capitals.

    In small letters only if its column is one whose values stand in texts (`entities`) and no word of it is
    one of everyday: "my education" tells no column of topics.
    """
    words = [word.lower() for word in _LETTERS.findall(value)]
    forms = [value, value.upper()] if len(value) > 4 else [value]
    everyday = any(word in common or word in small_words() for word in words)
    if in_texts and words and len(value) > 4 and not everyday:
        forms.append(value.lower())
    return list(dict.fromkeys(forms))


def is_telling(value: str, common: Collection[str]) -> bool:
    """Whether a name is one wherever it stands: with a capital or a digit, and no word of everyday."""
    if len(value) < 4 and not (len(value) == 3 and value.isupper()):
        return False
    words = [word.lower() for word in _LETTERS.findall(value)]
    if any(map(str.isdigit, value)):
        return len(value) >= 4
    return any(map(str.isupper, value)) and not all(word in common or word in small_words() for word in words)
