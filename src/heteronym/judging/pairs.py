"""Pairs of released and original rows that could be the same, found through the most telling column.

A label's values are runs of the sorted ones, so that the rows behind it lie side by side in an index; the
column with the fewest rows behind its label is asked first, the others only about what is left.

Cost        O(pairs that the most telling column leaves), in numpy, a few million at once
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.judging.columns import Column
from heteronym.judging.meanings import Ints
from heteronym.run import current

_AT_ONCE = 2_000_000  # pairs


@dataclass(frozen=True, repr=False, eq=False)
class Index:
    """The rows of the data, by value of each column."""

    columns: Sequence[Column]
    rows: int  # of the data
    by_value: Sequence[Ints]  # per column: rows, sorted by value
    begins: Sequence[Ints]  # per column and value: where its rows begin
    behind: Sequence[Ints]  # per column and label: how many rows fit it

    @classmethod
    def of(cls, columns: Sequence[Column], rows: int) -> Index:
        by_value, begins, behind = [], [], []
        for column in columns:
            counts = np.bincount(column.value_of_row, minlength=column.meanings.values + 1)
            by_value.append(np.argsort(column.value_of_row, kind="stable"))
            begins.append(np.r_[0, np.cumsum(counts)])
            behind.append(column.meanings.held_by(counts))
        return cls(columns, rows, by_value, begins, behind)

    def __repr__(self) -> str:
        return f"Index({len(self.columns)} columns, {self.rows} rows)"

    def telling(self, patterns: NDArray[np.int64]) -> tuple[Ints, Ints]:
        """Of each combination of labels, the column that leaves the fewest rows, and how many it leaves."""
        if not self.columns:
            return np.full(len(patterns), -1), np.full(len(patterns), self.rows)
        left = np.stack([behind[patterns[:, c]] for c, behind in enumerate(self.behind)], 1)
        return left.argmin(1), left.min(1)

    def fitting(self, patterns: NDArray[np.int64], most: int) -> Iterator[tuple[Ints, Ints]]:
        """Combinations and rows that fit them; at most about `most` rows of each are looked at."""
        first, left = self.telling(patterns)
        size = np.minimum(left, most)
        parts = np.split(np.arange(len(patterns)), np.flatnonzero(np.diff(np.cumsum(size) // _AT_ONCE)) + 1)
        for part in parts:
            if len(part):
                current().poll()
                yield self._fitting(patterns[part], part, first[part], most)

    def _fitting(self, patterns: Ints, numbers: Ints, first: Ints, most: int) -> tuple[Ints, Ints]:
        owners, rows = [], []
        for c in range(-1, len(self.columns)):
            chosen = np.flatnonzero(first == c)
            if not len(chosen):
                continue
            if c < 0:
                owners.append(np.repeat(chosen, min(self.rows, most)))
                rows.append(np.tile(np.arange(min(self.rows, most)), len(chosen)))
                continue
            owner, row = self._behind(c, patterns[chosen, c], most)
            owners.append(chosen[owner])
            rows.append(row)
        owner, row = np.concatenate(owners), np.concatenate(rows)
        for c, column in enumerate(self.columns):
            keep = column.meanings.fit(patterns[owner, c], column.value_of_row[row])
            owner, row = owner[keep], row[keep]
        return numbers[owner], row

    def _behind(self, c: int, labels: Ints, most: int) -> tuple[Ints, Ints]:
        """Places in `labels`, and the rows behind the label at each."""
        begins, meanings = self.begins[c], self.columns[c].meanings
        starts, sizes, owners = [begins[meanings.low[labels]]], [], [np.arange(len(labels))]
        sizes.append(begins[np.maximum(meanings.high, meanings.low)[labels]] - starts[0])
        for place, label in enumerate(labels.tolist()):
            if label in meanings.more or meanings.missing[label]:
                runs = [*meanings.more.get(label, ())]
                if meanings.missing[label]:
                    runs.append((meanings.values, meanings.values + 1))
                starts.append(np.array([begins[a] for a, _ in runs], np.int64))
                sizes.append(np.array([begins[b] - begins[a] for a, b in runs], np.int64))
                owners.append(np.full(len(runs), place))
        start, size, owner = (np.concatenate(some) for some in (starts, sizes, owners))
        size = np.minimum(size, most)
        which = np.repeat(np.arange(len(size)), size)
        offset = np.arange(len(which)) - np.repeat(np.cumsum(size) - size, size)
        return owner[which], self.by_value[c][start[which] + offset]


def patterns_of(columns: Sequence[Column], rows: int) -> tuple[NDArray[np.int64], Ints]:
    """The different combinations of labels, and which each released row shows."""
    if not columns:
        return np.zeros((min(rows, 1), 0), np.int64), np.zeros(rows, np.int64)
    code = np.zeros(rows, np.int64)
    for column in columns:
        _, code = np.unique(code * len(column.labels) + column.label_of_row, return_inverse=True)
    _, first, of_row = np.unique(code, return_index=True, return_inverse=True)
    return np.stack([column.label_of_row[first] for column in columns], 1), of_row
