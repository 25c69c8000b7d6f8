"""Sets of integers in CSR form: value sets, items, terms, members of groups and covers alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pairs = tuple[NDArray[np.int64], NDArray[np.int32]]  # owners and codes


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted distinct values; numpy's own `unique` hashes first, which takes far longer on millions."""
    ordered = np.sort(values)
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


@dataclass(frozen=True, repr=False, eq=False)
class Sets:
    """Sets of codes in CSR form, each ascending: set s is `codes[ptr[s]:ptr[s + 1]]`."""

    ptr: NDArray[np.int64]
    codes: NDArray[np.int32]

    @classmethod
    def of_pairs(cls, owner: NDArray[Any], code: NDArray[Any], *, owners: int, codes: int) -> Sets:
        """The distinct (owner, code) pairs as one set per owner."""
        pairs = distinct(owner.astype(np.int64) * codes + code)
        return cls(
            np.r_[0, np.cumsum(np.bincount(pairs // codes, minlength=owners))],
            (pairs % codes).astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def expand(self, chosen: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The codes of the chosen sets one after the other, each with the place of its set in `chosen`."""
        lengths = np.diff(self.ptr)[chosen]
        owner = np.repeat(np.arange(len(chosen)), lengths)
        first = np.repeat(self.ptr[chosen] - (np.cumsum(lengths) - lengths), lengths)
        return owner, self.codes[first + np.arange(len(owner))]

    def outer(self, missing: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Lowest and highest known code of each set (`missing` if it knows none), and which sets mix both."""
        low = self.codes[self.ptr[:-1]].astype(np.int64)
        high = self.codes[self.ptr[1:] - 1].astype(np.int64)
        mixed = (high >= missing) & (low < missing)
        high[mixed] = self.codes[self.ptr[1:][mixed] - 2]
        return low, high, mixed

    def widened(self, node: NDArray[np.int64]) -> Sets:
        """Each set with all codes that are in a node with one of its codes; `node` has a number per code."""
        of_node = Sets.of_pairs(node, np.arange(len(node)), owners=int(node.max()) + 1, codes=len(node))
        place, codes = of_node.expand(node[self.codes])
        return Sets.of_pairs(self.owners()[place], codes, owners=len(self), codes=len(node))

    def owners(self) -> NDArray[np.int64]:
        """The number of its set beside every code."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    def __getitem__(self, number: int) -> NDArray[np.int32]:
        return self.codes[self.ptr[number] : self.ptr[number + 1]]

    def __repr__(self) -> str:
        return f"Sets({len(self)} sets, {len(self.codes)} codes)"
