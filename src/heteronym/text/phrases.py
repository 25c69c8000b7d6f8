"""Finds many phrases at once in a text: whole words, hashed, in one pass over the tokens.

Cost        building O(words of the phrases); finding O(tokens), whatever the number of phrases
Randomness  none

Case, white space and hyphens between words are flexible. A phrase of function words only is
compared with its capitals (see model.function_words). Scripts written without spaces count each
character as a word. Digits that continue a longer number ("36" in "36.5") are no whole word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from heteronym.model.function_words import FUNCTION_WORDS
from heteronym.model.terms import UNIFIED
from heteronym.text.atoms import RUN, UNSPACED, split_at_words

Payload = TypeVar("Payload")
_Form = tuple[tuple[str, ...], tuple[str, ...], str | None]

_SPLIT = re.compile(rf"([{UNSPACED}]|(?:[^\W{UNSPACED}]|[\u0300-\u036f])+)")
_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")
_LOOSE_GAP = re.compile(r"[\s\-]+")
_LONGEST_GAP = 24
_JOINS_NUMBERS = frozenset(".,:/")


def fold(token: str) -> str:
    """What is hashed of a token."""
    if token.isascii():
        return token.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", token).casefold())


def plural_forms(token: str) -> Iterator[str]:
    """Plurals of a folded word; several where English is undecided."""
    if len(token) < 3 or not token.isalpha():
        return
    yield token + "s"
    if token.endswith(("s", "x", "z", "ch", "sh", "o")):
        yield token + "es"
    if token.endswith("y"):
        yield token[:-1] + "ies"


def singular_forms(token: str) -> Iterator[str]:
    """Singulars of a folded word that looks like a plural."""
    if len(token) < 5 or not token.isalpha() or token.endswith(("ss", "us", "is")):
        return
    if token.endswith("ies"):
        yield token[:-3] + "y"
    if token.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        yield token[:-2]
    if token.endswith("s"):
        yield token[:-1]


class _Phrase(NamedTuple):
    tokens: tuple[str, ...]
    gaps: tuple[str, ...]
    exact: str | None  # the spelling that alone counts
    payload: object


class Phrases(Generic[Payload]):
    """Phrases with a payload each; the first payload of a phrase stays."""

    def __init__(self) -> None:
        self._lengths: dict[str, list[int]] = {}  # first token -> numbers of tokens, longest first
        self._entries: dict[tuple[str, ...], list[_Phrase]] = {}
        self._given: set[tuple[tuple[str, ...], bool]] = set()

    def __len__(self) -> int:
        return sum(map(len, self._entries.values()))

    def add(self, phrase: str, payload: Payload, *, plural: bool = False, singular: bool = False) -> None:
        """Take a phrase in; `plural` and `singular` add these forms of its last word."""
        forms = _forms(phrase, plural, singular)
        self._given.update((tokens, singular) for tokens, _, _ in forms[:1])
        for tokens, gaps, exact in forms:
            entries = self._entries.setdefault(tokens, [])
            if any(entry.gaps == gaps and entry.exact == exact for entry in entries):
                continue
            entries.append(_Phrase(tokens, gaps, exact, payload))
            lengths = self._lengths.setdefault(tokens[0], [])
            if len(tokens) not in lengths:
                lengths.append(len(tokens))
                lengths.sort(reverse=True)

    def given(self, phrase: str, *, singular: bool) -> bool:
        """Whether a phrase of these words was added as such, not as the plural of another."""
        return (tuple(_taken_apart(phrase)[0]), singular) in self._given

    def find(self, text: str, *, overlapping: bool = False) -> list[tuple[int, int, Payload]]:
        """Occurrences from left to right, the longest at each place; overlapping ones if asked for."""
        if not self._lengths:
            return []
        # Splitting at tokens gives gap, token, gap, ...; nothing but hits is touched one by one.
        if text.isascii():
            parts, ends = split_at_words(text)  # token i lies from ends[2 i] to ends[2 i + 1]
            keys = parts[1::2]
        else:
            parts = _SPLIT.split(text)
            ends = list(accumulate(map(len, parts)))
            keys = [fold(token) for token in parts[1::2]]
        found: list[tuple[int, int, Payload]] = []
        free = 0
        for position in [i for i, key in enumerate(keys) if key in self._lengths]:
            if position < free and not overlapping:
                continue
            entry = self._longest_at(position, text, keys, parts, ends)
            if entry is not None:
                free = position + len(entry.tokens)
                start, end = ends[2 * position], ends[2 * free - 1]
                found.append((start, end, entry.payload))  # type: ignore[arg-type]
        return found

    def _longest_at(
        self, position: int, text: str, keys: Sequence[str], parts: Sequence[str], ends: Sequence[int]
    ) -> _Phrase | None:
        for length in self._lengths[keys[position]]:
            for entry in self._entries.get(tuple(keys[position : position + length]), ()):
                if self._stands_at(entry, position, text, parts, ends):
                    return entry
        return None

    @staticmethod
    def _stands_at(
        entry: _Phrase, position: int, text: str, parts: Sequence[str], ends: Sequence[int]
    ) -> bool:
        for i, gap in enumerate(entry.gaps, start=position + 1):
            between = parts[2 * i]
            if between != gap and not _gaps_agree(between, gap):
                return False
        start, end = ends[2 * position], ends[2 * (position + len(entry.tokens)) - 1]
        if continues_number(text, start, end):
            return False
        return entry.exact is None or _squeezed(text[start:end]) == entry.exact


def _taken_apart(phrase: str) -> tuple[list[str], list[str]]:
    """The folded words of a phrase and what stands between them."""
    if phrase.isascii() and phrase.isalnum():
        return [phrase.lower()], []
    parts = (RUN if phrase.isascii() else _SPLIT).split(phrase)
    return [fold(token) for token in parts[1::2]], parts[2:-1:2]


@lru_cache(maxsize=65_536)
def _forms(phrase: str, plural: bool, singular: bool) -> tuple[_Form, ...]:
    """Words, gaps and exact spelling of a phrase, then of its other numbers; many persons share some."""
    tokens, gaps = _taken_apart(phrase)
    if not tokens:
        return ()
    exact = _squeezed(phrase) if all(map(_is_function_word, tokens)) else None
    makers = [plural_forms] * plural + [singular_forms] * singular if exact is None else []
    others = [(*tokens[:-1], form) for make in makers for form in make(tokens[-1])]
    return ((tuple(tokens), tuple(gaps), exact), *((other, tuple(gaps), None) for other in others))


def _is_function_word(token: str) -> bool:
    return token in FUNCTION_WORDS or (len(token) == 1 and token.isascii() and token.isalpha())


def _squeezed(text: str) -> str:
    return " ".join(text.translate(UNIFIED).split())


def _gaps_agree(found: str, wanted: str) -> bool:
    if len(found) > _LONGEST_GAP:
        return False
    if wanted == "":
        return found.isspace()
    if _LOOSE_GAP.fullmatch(wanted):
        return _LOOSE_GAP.fullmatch(found.translate(UNIFIED)) is not None
    return "".join(found.translate(UNIFIED).split()) == "".join(wanted.translate(UNIFIED).split())


def continues_word(text: str, place: int) -> bool:
    """Whether the characters before and at a place belong to one word or number."""
    before, at = text[place - 1], text[place]
    if _is_of_words(before) and _is_of_words(at):
        return not (_UNSPACED_CHARACTER.match(before) or _UNSPACED_CHARACTER.match(at))
    if at in _JOINS_NUMBERS:
        return before.isdigit() and place + 1 < len(text) and text[place + 1].isdigit()
    return before in _JOINS_NUMBERS and at.isdigit() and place > 1 and text[place - 2].isdigit()


def _is_of_words(character: str) -> bool:
    return character.isalnum() or character == "_" or "\u0300" <= character <= "\u036f"


def continues_number(text: str, start: int, end: int) -> bool:
    """Whether digits at the borders of a place belong to a longer number."""
    before = (
        start > 1
        and text[start].isdigit()
        and text[start - 1] in _JOINS_NUMBERS
        and text[start - 2].isdigit()
    )
    after = (
        end + 1 < len(text)
        and text[end - 1].isdigit()
        and text[end] in _JOINS_NUMBERS
        and text[end + 1].isdigit()
    )
    return before or after
