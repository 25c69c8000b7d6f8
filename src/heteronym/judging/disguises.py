"""Words of a row's own identifiers that somebody turned about, or left among other signs.

Only the identifiers of the matched original are tried, so that a word of another person is no leak here.

Cost        O(characters) of texts and identifiers
Randomness  none
"""

from __future__ import annotations

import codecs
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from heteronym.judging.columns import Column
from heteronym.judging.meanings import Ints
from heteronym.judging.texts import TextPairs
from heteronym.model.schema import Role
from heteronym.run import current

_WORD = re.compile(r"[^\W_]+")
_LEAST = 5  # letters or digits of a word that means its bearer
_MANY = 0.05  # of the rows: a word that so many have means nobody

_NUMBER = re.compile(r"\d(?:[\s()./-]{0,2}\d){7,}")
_LEAST_FIGURES = 8
OTHER_PREFIX = "behind another prefix"

Known = Mapping[str, Sequence[str | None]]


def own_words_in_texts(pairs: TextPairs, known: Known) -> dict[tuple[str, str], list[int]]:
    """Released rows by column of the text and by how words of their identifiers were turned about."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    own = _OwnWords(known)
    for name in pairs.names:
        for row in np.flatnonzero(pairs.source >= 0).tolist():
            if row % 1024 == 0:
                current().poll()
            both = pairs.both(row, name)
            if both is None:
                continue
            if own.has_number(int(pairs.source[row]), _numbers(both[1]) - _numbers(both[0])):
                found[name, OTHER_PREFIX].append(row)
            new = set(_WORD.findall(both[1].casefold())) - set(_WORD.findall(both[0].casefold()))
            new = {word for word in new if len(word) >= _LEAST}
            for how in (
                {how for word, how in own.turned(int(pairs.source[row])) if word in new} if new else ()
            ):
                found[name, how].append(row)
    return dict(found)


def own_words_in_cells(columns: Sequence[Column], source: Ints, known: Known) -> dict[str, list[int]]:
    """Released rows by column, where a cell that means no value has a word of the row's identifiers."""
    found: dict[str, list[int]] = defaultdict(list)
    own = _OwnWords(known)
    for column in columns:
        if column.attribute.role is Role.IDENTIFIER:
            continue
        values = {word for text in column.source.texts for word in _WORD.findall(text.casefold())}
        strange = [set(_WORD.findall((label or "").casefold())) - values for label in column.labels]
        has_strange = np.array([any(len(word) >= _LEAST for word in words) for words in strange], np.bool_)
        for row in np.flatnonzero(has_strange[column.label_of_row] & (source >= 0)).tolist():
            if not strange[column.label_of_row[row]].isdisjoint(own.of(int(source[row]))):
                found[column.name].append(row)
    return dict(found)


class _OwnWords:
    """The words of each row's identifiers that few other rows have."""

    def __init__(self, known: Known) -> None:
        self._known = list(known.values())
        rows = list(zip(*self._known, strict=True))
        times = Counter(word for cells in rows for word in {w for text in cells for w in _words(text)})
        self._many = {word for word, count in times.items() if count > max(20, _MANY * len(rows))}

    def __repr__(self) -> str:
        return f"_OwnWords({len(self._known)} columns)"

    def of(self, row: int) -> set[str]:
        """Of one row of the data."""
        return {word for cells in self._known for word in _words(cells[row])} - self._many

    def has_number(self, row: int, numbers: Collection[str]) -> bool:
        """Whether one of these numbers ends with one of the row's, but for noughts before it."""
        if not numbers:
            return False
        own = [re.sub(r"\D", "", cells[row] or "").lstrip("0") for cells in self._known]
        return any(number.endswith(one) for one in own if len(one) >= _LEAST_FIGURES for number in numbers)

    def turned(self, row: int) -> Iterator[tuple[str, str]]:
        """The same written backwards or with letters moved by thirteen, and which of these it is."""
        for word in self.of(row):
            if word != word[::-1]:
                yield word[::-1], "written backwards"
            if word.isascii() and word.isalpha():
                yield codecs.encode(word, "rot13"), "in rot13"


def _numbers(text: str) -> set[str]:
    return {re.sub(r"\D", "", number) for number in _NUMBER.findall(text)}


def _words(text: str | None) -> list[str]:
    return [word for word in _WORD.findall((text or "").casefold()) if len(word) >= _LEAST]
