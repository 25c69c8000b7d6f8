"""Which few columns already single persons out, and which persons stick out most.

Reference   Elliot, Manning and Ford 2002 (special uniques); Manning, Haglin and Keane 2008 (SUDA2): a
            person's score sums, over its smallest unique combinations, what such a size is worth
Guarantee   exact counts of persons who are unique on every combination of up to `largest` columns
Cost        O(combinations * persons): one number per person and combination, counted by hashing
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

MOST_COMBINATIONS = 20_000


@dataclass(frozen=True)
class UniqueCombinations:
    """Persons who are unique on combinations of columns.

    `unique[combination]` counts all, `minimal[combination]` those for whom no part of it is enough.
    `score` is SUDA's, per person; `drivers` the share of minimal combinations of persons that a column is in.
    """

    columns: tuple[str, ...]
    largest: int
    unique: dict[tuple[str, ...], int]
    minimal: dict[tuple[str, ...], int]
    drivers: dict[str, float]
    score: NDArray[np.float64]
    smallest: NDArray[np.int64]  # per person the size of its smallest unique combination, 0 if there is none

    @property
    def special(self) -> int:
        """Persons who are singled out by fewer columns than there are."""
        return int(((self.smallest > 0) & (self.smallest < len(self.columns))).sum())

    def worst(self, count: int = 5) -> list[tuple[tuple[str, ...], int]]:
        """The combinations that single out most persons without any part of them doing so."""
        return sorted(self.minimal.items(), key=lambda pair: (-pair[1], len(pair[0]), pair[0]))[:count]

    def to_dict(self, count: int = 5) -> dict[str, Any]:
        return {
            "largest": self.largest,
            "special": self.special,
            "singled_out": int((self.smallest > 0).sum()),
            "combinations": [{"columns": list(c), "persons": n} for c, n in self.worst(count) if n],
            "drivers": {name: round(share, 4) for name, share in self.drivers.items()},
        }

    def __repr__(self) -> str:
        return f"UniqueCombinations({len(self.columns)} columns, up to {self.largest} at a time)"


def unique_combinations(
    names: Sequence[str], codes: Sequence[NDArray[Any]], *, largest: int = 4
) -> UniqueCombinations:
    """`codes` number the values of each column, per person."""
    count = len(codes[0]) if codes else 0
    largest = _affordable(len(names), largest)
    dense = [_dense(code) for code in codes]
    # bit c of a combination stands for column c
    alone: dict[int, NDArray[np.bool_]] = {}
    unique: dict[tuple[str, ...], int] = {}
    minimal: dict[tuple[str, ...], int] = {}
    score = np.zeros(count)
    smallest = np.zeros(count, np.int64)
    by_column = np.zeros(len(names))
    for size in range(1, largest + 1):
        worth = _worth(size, largest, len(names))
        for chosen in combinations(range(len(names)), size):
            mask = sum(1 << c for c in chosen)
            below = np.zeros(count, np.bool_)
            for c in chosen:
                below |= alone.get(mask ^ (1 << c), False)
            is_unique = below | _is_unique([dense[c] for c in chosen])
            if size < largest:
                alone[mask] = is_unique
            new = is_unique & ~below
            label = tuple(names[c] for c in chosen)
            unique[label], minimal[label] = int(is_unique.sum()), int(new.sum())
            if minimal[label]:
                score[new] += worth
                smallest[new & (smallest == 0)] = size
                by_column[list(chosen)] += minimal[label]
    total = sum(minimal.values())
    drivers = {name: float(by_column[c] / total) if total else 0.0 for c, name in enumerate(names)}
    ordered = dict(sorted(drivers.items(), key=lambda pair: -pair[1]))
    return UniqueCombinations(tuple(names), largest, unique, minimal, ordered, score, smallest)


def _worth(size: int, largest: int, columns: int) -> float:
    """SUDA: the product of (columns - i) for i from the combination's size to the largest that is tried."""
    return float(prod(columns - i for i in range(size, largest + 1) if columns - i > 0))


def _affordable(columns: int, largest: int) -> int:
    largest = min(largest, columns)
    while largest > 1 and sum(comb(columns, size) for size in range(1, largest + 1)) > MOST_COMBINATIONS:
        largest -= 1
    return largest


def _dense(code: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    values, number = np.unique(code, return_inverse=True)
    return number.astype(np.int64), len(values)


def _is_unique(columns: Sequence[tuple[NDArray[np.int64], int]]) -> NDArray[np.bool_]:
    """Whether nobody else has the same numbers in these columns."""
    key, room = columns[0]
    for number, size in columns[1:]:
        if room * size >= 1 << 62:
            key, room = _dense(key)
        key, room = key * size + number, room * size
    if room <= 4 * len(key) + 1024:
        return np.asarray(np.bincount(key, minlength=1)[key] == 1)
    return pl.Series(key).is_unique().to_numpy()
