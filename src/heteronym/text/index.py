"""A text split once: where its words, numbers, capitals and lines begin.

The rules of all recognizers look up their triggers here instead of reading the text anew. The last few
texts are remembered, because one recognizer after the other asks for the same ones; `forget` drops them.

Cost        O(length) for a text, once
Randomness  none
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, TypeVar

from heteronym.text.atoms import split_at_words
from heteronym.text.triggers import CAPITAL, CAPITAL_LETTERS, CAPITALS, DIGIT, LINE, NUMBER, folded

Fact = TypeVar("Fact")

_WORD = re.compile(r"([^\W\d_]+)")
_ASCII_WORD = re.compile(r"([a-z]+)")
_KINDS = {
    NUMBER: re.compile(r"\d+"),
    DIGIT: re.compile(r"\d"),
    CAPITAL: re.compile(f"[{CAPITAL_LETTERS}]+"),
    CAPITALS: re.compile(f"[{CAPITAL_LETTERS}]"),
    LINE: re.compile(r"(?m:^)"),
}
REMEMBERED = 64  # texts, and as many of which a part is read again (text.spelling)


class Index:
    """Places of a text, each kind in reading order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = folded(text)
        self._kinds: dict[str, list[int]] = {}
        self._facts: dict[Callable[[str], Any], Any] = {}

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """Where each word begins, in small letters."""
        parts = (_ASCII_WORD if self.text.isascii() else _WORD).split(self.folded)
        places: dict[str, list[int]] = defaultdict(list)
        # Splitting at words gives gap, word, gap, ...; so each gap ends where a word begins.
        for word, start in zip(parts[1::2], list(accumulate(map(len, parts)))[::2]):
            places[word].append(start)
        return places

    def strings(self, string: str) -> list[int]:
        """Where a string in small letters begins, whatever stands around it."""
        places = []
        place = self.folded.find(string)
        while place >= 0:
            places.append(place)
            place = self.folded.find(string, place + 1)
        return places

    def kind(self, kind: str) -> list[int]:
        """Where the triggers of a kind are."""
        if kind not in self._kinds:
            self._kinds[kind] = [match.start() for match in _KINDS[kind].finditer(self.text)]
        return self._kinds[kind]

    def cached(self, fact: Callable[[str], Fact]) -> Fact:
        """What is true of the whole text; found out once, however many places ask."""
        if fact not in self._facts:
            self._facts[fact] = fact(self.text)
        return self._facts[fact]  # type: ignore[no-any-return]


index_of = lru_cache(maxsize=2 * REMEMBERED)(Index)


def forget() -> None:
    """Keep no text longer than it is read."""
    index_of.cache_clear()
    split_at_words.cache_clear()
