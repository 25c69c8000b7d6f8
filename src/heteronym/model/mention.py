"""Mentions: where in which text something sensitive stands, what it is, and which column it repeats.

Kept as columns of integers, because a corpus has millions of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.terms import Term


class Span(NamedTuple):
    """What a recognizer reports for one text; offsets count characters, half-open."""

    start: int
    end: int
    type: str
    score: float
    source: str  # the recognizer
    rule: str = ""  # what in the recognizer found it, by its stable name


class Status(IntEnum):
    """What a reviewer said of a mention."""

    FOUND = 0  # nobody has looked at it
    CONFIRMED = 1
    REJECTED = 2  # no mention; it stays in the text unless the same term is a mention elsewhere
    ADDED = 3
    MASKED = 4  # always shown as its type, as all mentions of its term


_BY_SIZE: Mapping[type[np.generic], tuple[str, ...]] = {
    np.int32: ("row", "start", "end", "term", "spelling"),
    np.int16: ("column", "type", "source", "rule", "link"),
    np.int8: ("status",),
    np.float32: ("score",),
}
NUMBERS = {name: kind for kind, names in _BY_SIZE.items() for name in names}  # what is kept of each mention


@dataclass(frozen=True, repr=False, eq=False)
class Mentions:
    """All mentions of a dataset, sorted by row, column and start; spans do not overlap.

    `term` is the number of the mention's term in `terms`, -1 as long as persons were not read.
    `link` is the number in `links` of the attribute whose value the mention repeats, or -1.
    Mentions with equal `spelling` numbers are spelt alike.
    """

    columns: tuple[str, ...]  # text attributes
    types: tuple[str, ...]
    sources: tuple[str, ...]
    rules: tuple[str, ...]
    links: tuple[str, ...]  # attributes that mentions are linked to
    terms: Sequence[Term]  # personal data
    row: NDArray[np.int32]
    column: NDArray[np.int16]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    type: NDArray[np.int16]
    score: NDArray[np.float32]
    source: NDArray[np.int16]
    rule: NDArray[np.int16]
    status: NDArray[np.int8]
    link: NDArray[np.int16]
    term: NDArray[np.int32]
    spelling: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.row)

    def spans(self, which: NDArray[np.int64] | slice) -> list[Span]:
        start, end, score = (numbers[which].tolist() for numbers in (self.start, self.end, self.score))
        named = ((self.types, self.type), (self.sources, self.source), (self.rules, self.rule))
        types, sources, rules = (map(names.__getitem__, of[which].tolist()) for names, of in named)
        return list(map(Span, start, end, types, score, sources, rules))

    def of_text(self, row: int, column: int) -> NDArray[np.int64]:
        """Numbers of the mentions of one text."""
        first, last = np.searchsorted(self.row, [row, row + 1])
        return np.asarray(first + np.flatnonzero(self.column[first:last] == column), np.int64)

    def only(self, types: Sequence[bool]) -> Mentions:
        """Those of some types."""
        stays = np.array([*types, False], np.bool_)[self.type]
        return replace(self, **{name: getattr(self, name)[stays] for name in NUMBERS})

    def with_more(self, more: Mapping[str, Any]) -> tuple[Mentions, NDArray[np.int64]]:
        """These and more of the same columns; and which of both, one after the other, each of them is."""
        count = len(more["row"])
        both = {
            name: np.r_[getattr(self, name), np.broadcast_to(more[name], count).astype(kind)]
            for name, kind in NUMBERS.items()
        }
        order = np.lexsort((both["start"], both["column"], both["row"]))
        return replace(self, **{name: numbers[order] for name, numbers in both.items()}), order

    def __repr__(self) -> str:
        return f"Mentions({len(self)} in columns {list(self.columns)}, types {list(self.types)})"


class Read(NamedTuple):
    """A mention after its person was read: what it says, how, and which column it repeats."""

    span: Span
    term: Term
    spelling: str
    link: str | None = None
    status: Status = Status.FOUND
