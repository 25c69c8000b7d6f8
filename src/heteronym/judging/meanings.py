"""Which of a column's original values each released label may mean, as runs of the sorted values.

Numbers, days and prefixes are runs of what is sorted; sets of names are several. Most labels have one run,
so that a hundred thousand pairs of a label and a value are compared by a few numpy calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Run = tuple[int, int]  # half-open, places among the sorted values
Ints = NDArray[np.int64]


@dataclass(frozen=True, repr=False, eq=False)
class Meanings:
    """What labels mean: value `v` fits label `l` if it lies in one of the label's runs.

    Place `values` stands for a missing value.
    """

    values: int
    low: Ints  # of a label's first run
    high: Ints
    missing: NDArray[np.bool_]  # whether a missing value fits
    is_read: NDArray[np.bool_]  # False: nobody can read the label, so that it may mean anything
    more: Mapping[int, tuple[Run, ...]]  # further runs, by label

    def __repr__(self) -> str:
        return f"Meanings({len(self.low)} labels, {self.values} values)"

    def fit(self, labels: Ints, values: Ints) -> NDArray[np.bool_]:
        """Whether the values fit the labels, pair by pair."""
        found = (self.low[labels] <= values) & (values < self.high[labels])
        found |= (values == self.values) & self.missing[labels]
        if self.more:
            for place in np.flatnonzero(np.isin(labels, self._several) & ~found).tolist():
                found[place] = any(a <= values[place] < b for a, b in self.more[int(labels[place])])
        return found

    @property
    def _several(self) -> Ints:
        return np.fromiter(self.more, np.int64, len(self.more))

    def runs(self, label: int) -> list[Run]:
        """All runs of a label, the missing value's among them."""
        found = [(int(self.low[label]), int(self.high[label])), *self.more.get(label, ())]
        if self.missing[label]:
            found.append((self.values, self.values + 1))
        return [run for run in found if run[0] < run[1]]

    @property
    def sizes(self) -> Ints:
        """How many values each label may mean."""
        found: Ints = np.maximum(self.high - self.low, 0)
        for label, runs in self.more.items():
            found[label] += sum(b - a for a, b in runs)
        return found

    def held_by(self, counts: Ints) -> Ints:
        """How many rows have a value that fits each label; `counts` are rows by value, missing last."""
        before = np.r_[0, np.cumsum(counts)]
        found = before[np.maximum(self.high, self.low)] - before[self.low]
        found = found + np.where(self.missing, counts[-1], 0)
        for label, runs in self.more.items():
            found[label] += sum(int(before[b] - before[a]) for a, b in runs)
        return np.asarray(found, np.int64)

    def with_observed(self, labels: Iterable[int], seen: Mapping[int, set[int]]) -> Meanings:
        """The same with labels that nobody could read meaning the values that rows were seen to have."""
        low, high = self.low.copy(), self.high.copy()
        missing, is_read, more = self.missing.copy(), self.is_read.copy(), dict(self.more)
        for label in labels:
            found = sorted(seen.get(label, ()))
            if not found:
                continue
            runs = runs_of([place for place in found if place < self.values])
            low[label], high[label] = runs[0] if runs else (0, 0)
            more.pop(label, None)
            if runs[1:]:
                more[label] = tuple(runs[1:])
            missing[label], is_read[label] = self.values in found, True
        return Meanings(self.values, low, high, missing, is_read, more)


def runs_of(places: Sequence[int]) -> list[Run]:
    """Ascending places as runs."""
    found: list[Run] = []
    for place in places:
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def meanings_of(values: int, read: Sequence[tuple[list[Run], bool] | None]) -> Meanings:
    """From the runs of each label and whether a missing value fits; None for a label nobody can read."""
    count = len(read)
    low, high = np.zeros(count, np.int64), np.zeros(count, np.int64)
    missing, is_read = np.zeros(count, np.bool_), np.ones(count, np.bool_)
    more: dict[int, tuple[Run, ...]] = {}
    for label, one in enumerate(read):
        if one is None:
            high[label], missing[label], is_read[label] = values, True, False
            continue
        runs, missing[label] = one
        if runs:
            low[label], high[label] = runs[0]
        if runs[1:]:
            more[label] = tuple(runs[1:])
    return Meanings(values, low, high, missing, is_read, more)
