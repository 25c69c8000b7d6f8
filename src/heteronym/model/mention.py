"""Mentions: where in which text something sensitive stands, what it is, and which column it repeats.

Kept as columns of integers, because a corpus has millions of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Span(NamedTuple):
    """What a recognizer reports for one text; offsets count characters, half-open."""

    start: int
    end: int
    type: str
    score: float
    source: str  # the recognizer
    rule: str = ""  # what in the recognizer found it, by its stable name


@dataclass(frozen=True, repr=False, eq=False)
class Mentions:
    """All mentions of a dataset, sorted by row, column and start; spans do not overlap.

    `term` is the number of the mention's normalized text in `terms`. `link` is the number in
    `links` of the attribute whose value the mention repeats, or -1.
    """

    columns: tuple[str, ...]  # text attributes
    types: tuple[str, ...]
    sources: tuple[str, ...]
    links: tuple[str, ...]  # attributes that mentions are linked to
    terms: Sequence[str]  # normalized texts; personal data
    row: NDArray[np.int32]
    column: NDArray[np.int16]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    type: NDArray[np.int16]
    term: NDArray[np.int32]
    score: NDArray[np.float32]
    source: NDArray[np.int16]
    link: NDArray[np.int16]
    spelling: NDArray[np.int32] | None = None  # a number per spelling, where a term has several
    rules: tuple[str, ...] = ()  # names of rules, if they are known
    rule: NDArray[np.int16] | None = None

    def __len__(self) -> int:
        return len(self.row)

    def __repr__(self) -> str:
        return f"Mentions({len(self)} in columns {list(self.columns)}, types {list(self.types)})"
