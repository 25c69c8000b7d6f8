"""Sentences: which stretch of its text goes with a mention if it must go without a trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, repr=False, eq=False)
class Sentences:
    """The sentences that hold mentions, numbered over all texts; offsets in their texts, half-open."""

    of_mention: NDArray[np.int32]
    row: NDArray[np.int32]
    column: NDArray[np.int16]
    start: NDArray[np.int32]
    end: NDArray[np.int32]  # the white space behind included
    gap: NDArray[np.int32]  # where the white space before it begins
    last_word: NDArray[np.int32]  # where the words of its text end, if it is the last sentence; else -1

    def __repr__(self) -> str:
        return f"Sentences({len(self.start)} of {len(self.of_mention)} mentions)"

    def stretches(self, gone: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Start and end of what goes with these sentences, which are in order of their numbers.

        A sentence takes the white space behind it along; where the end of a text goes, the space before it
        goes instead, and the text ends as it did: "Late. From Oslo.\\n" without Oslo is "Late.\\n".
        """
        start, end = self.start[gone].copy(), self.end[gone].copy()
        row, column = self.row[gone], self.column[gone]
        same = (row[1:] == row[:-1]) & (column[1:] == column[:-1]) & (start[1:] == end[:-1])
        first = np.flatnonzero(np.r_[True, ~same][: len(gone)])
        final = np.flatnonzero(np.r_[~same, True][: len(gone)])
        closing = (self.last_word[gone[final]] >= 0) & (self.gap[gone[first]] > 0)
        first, final = first[closing], final[closing]
        start[first] = self.gap[gone[first]]
        end[final] = self.last_word[gone[final]]
        return start, end
