"""Sets of integers in CSR form: value sets, items, terms, members of groups and covers alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model._set_kernels import find_places, ordered_pairs

Pairs = tuple[NDArray[np.int64], NDArray[np.int32]]  # owners and codes


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted distinct values; numpy's own `unique` hashes first, which takes far longer on millions."""
    ordered = np.sort(values)
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


_DENSE = 8
MANY = 1 << 20  # pairs from which on a kernel takes less than numpy
AT_ONCE = 1 << 18  # pairs that are worked on together: a few MB, which stay near the processor


def blocks(count: int) -> Iterator[slice]:
    """So many pairs, some at once: memory for what is made of all at once is mapped and cleared each time."""
    return (slice(begin, begin + AT_ONCE) for begin in range(0, count, AT_ONCE))


def counted(owner: NDArray[Any], code: NDArray[Any], *, owners: int, codes: int) -> tuple[Sets, NDArray[Any]]:
    """The distinct (owner, code) pairs as one set per owner, and how often each pair is there."""
    if len(code) >= MANY:
        ptr, distinct, times = ordered_pairs(_plain(owner, np.int64), _plain(code, np.int32), owners)
        return Sets(ptr, distinct), times
    pairs, times = np.unique(owner.astype(np.int64) * codes + code, return_counts=True)
    ptr = np.r_[0, np.cumsum(np.bincount(pairs // codes, minlength=owners))]
    return Sets(ptr, (pairs % codes).astype(np.int32)), times


def _plain(numbers: NDArray[Any], kind: Any) -> NDArray[Any]:
    """As kernels take them: of one type, one behind the other."""
    return np.ascontiguousarray(numbers, kind)


def places_in(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each wanted number stands among ordered ones; asked in order, which memory likes much better."""
    order = np.argsort(wanted)
    places = np.empty(len(wanted), np.int64)
    places[order] = np.searchsorted(ordered, wanted[order])
    return places


def one_number(columns: Iterable[tuple[NDArray[Any], int]], rows: int) -> NDArray[np.int64]:
    """A number per row, the same where all columns agree and only there; each has codes below its size."""
    key, span = np.zeros(rows, np.int64), 1
    for codes, size in columns:
        if span > (1 << 62) // max(size, 1):  # numbers stay small enough for a product
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        key = key * size + codes
        span *= size
    return key


@dataclass(frozen=True, repr=False, eq=False)
class Sets:
    """Sets of codes in CSR form, each ascending: set s is `codes[ptr[s]:ptr[s + 1]]`."""

    ptr: NDArray[np.int64]
    codes: NDArray[np.int32]

    @classmethod
    def of_pairs(cls, owner: NDArray[Any], code: NDArray[Any], *, owners: int, codes: int) -> Sets:
        """The distinct (owner, code) pairs as one set per owner."""
        dense = owners * codes <= _DENSE * len(code)
        if not dense and len(code) >= MANY:
            return counted(owner, code, owners=owners, codes=codes)[0]
        pairs = owner.astype(np.int64) * codes + code
        if dense:  # a flag for each that could be takes less than sorting
            there = np.zeros(owners * codes, np.bool_)
            there[pairs] = True
            pairs = np.flatnonzero(there)
        else:
            pairs = distinct(pairs)
        return cls(
            np.r_[0, np.cumsum(np.bincount(pairs // codes, minlength=owners))],
            (pairs % codes).astype(np.int32),
        )

    def __len__(self) -> int:
        return len(self.ptr) - 1

    def merged(self, other: Sets) -> tuple[Sets, NDArray[np.int64]]:
        """Sets of both, which share no code, and which of all codes, first of these, each of theirs is."""
        codes = np.concatenate([self.codes, other.codes])
        order = np.lexsort((codes, np.concatenate([self.owners(), other.owners()])))
        return Sets(self.ptr + other.ptr, codes[order]), order

    def expand(self, chosen: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The codes of the chosen sets one after the other, each with the place of its set in `chosen`."""
        lengths = np.diff(self.ptr)[chosen]
        ends = np.cumsum(lengths)
        owner = np.repeat(np.arange(len(chosen)), lengths)
        shift = self.ptr[chosen] - (ends - lengths)  # from places in the result to those in `codes`
        codes = np.empty(len(owner), self.codes.dtype)
        for some in blocks(len(owner)):
            place = shift[owner[some]]
            place += np.arange(some.start, some.start + len(place))
            codes[some] = self.codes[place]
        return owner, codes

    def places(self, owner: NDArray[Any], code: NDArray[Any]) -> NDArray[Any]:
        """Where each code of an owner stands beside `codes`; every one must be there."""
        if len(code) >= MANY and len(self.codes) < 1 << 31:
            place = np.empty(len(code), np.int32)
            find_places(_plain(owner, np.int64), _plain(code, np.int32), self.ptr, self.codes, place)
            return place
        span = int(max(self.codes.max(initial=0), code.max(initial=0))) + 1
        return places_in(self.owners() * span + self.codes, owner.astype(np.int64) * span + code)

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

    def distinct(self) -> tuple[Sets, NDArray[np.int32]]:
        """Each different set once, and which of them every set is."""
        lengths = np.diff(self.ptr)
        mix = np.random.default_rng(0).integers(1, 1 << 63, int(self.codes.max(initial=0)) + 1, np.uint64)
        sums = np.r_[np.uint64(0), np.cumsum(mix[self.codes])]
        digest = sums[self.ptr[1:]] - sums[self.ptr[:-1]]
        _, first, number = np.unique(digest, return_index=True, return_inverse=True)
        if (lengths[first][number] != lengths).any() or not self._equal_to(first[number]):
            # two different sets with one digest: practically never, and never silently
            return self, np.arange(len(self), dtype=np.int32)
        return Sets(np.r_[0, np.cumsum(lengths[first])], self.expand(first)[1]), number.astype(np.int32)

    def _equal_to(self, other: NDArray[np.int64]) -> bool:
        """Whether every set has the codes of another of the same length."""
        return bool((self.expand(other)[1] == self.codes).all())

    def owners(self) -> NDArray[np.int64]:
        """The number of its set beside every code."""
        return np.repeat(np.arange(len(self)), np.diff(self.ptr))

    def __getitem__(self, number: int) -> NDArray[np.int32]:
        return self.codes[self.ptr[number] : self.ptr[number + 1]]

    def __repr__(self) -> str:
        return f"Sets({len(self)} sets, {len(self.codes)} codes)"
