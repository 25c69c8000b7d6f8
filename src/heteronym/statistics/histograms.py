"""Statistics of sets of persons that grow and shrink: sizes, and histograms with compiled limits.

A privacy model says which statistic it needs; searches keep one per node or cluster. A histogram
counts how many persons hold each value of a domain; its limit is one of a few formulas that the
compiled searches know, so that models over sensitive values cost little more than group sizes.

Cost        O(members) to add or remove, O(values) to ask
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column
from heteronym.model.sets import Sets

if TYPE_CHECKING:
    from heteronym.statistics._limit_kernels import LimitViews, PackedLimits


class Size:
    """The number of persons."""

    def __init__(self, least: int) -> None:
        self.least, self.persons = least, 0

    def add(self, members: NDArray[Any]) -> None:
        self.persons += len(members)

    def remove(self, members: NDArray[Any]) -> None:
        self.persons -= len(members)

    def admits(self) -> bool:
        return self.persons >= self.least


class LimitKind(IntEnum):
    """What a histogram must satisfy; `p` are the limit's numbers, `r` its reference, n the persons."""

    DISTINCT = 0  # at least p[0] values are held
    ENTROPY = 1  # entropy of the shares of values is at least log(p[0])
    RECURSIVE = 2  # most frequent value < p[0] times the sum of those from the p[1]-th on
    SHARE = 3  # every value is held by at most r[value] of the n persons
    EQUAL = 4  # half the summed difference of shares to r is at most p[0]
    LINE = 5  # earth mover's distance of shares to r along the values, `gaps` apart, is at most p[0]
    TREE = 6  # the same in a tree: below each node, what can be evened out costs the node's height


@dataclass(frozen=True, repr=False, eq=False)
class Limit:
    kind: LimitKind
    numbers: tuple[float, ...] = ()
    reference: NDArray[np.float64] | None = None  # [values]
    gaps: NDArray[np.float64] | None = None  # LINE: [values - 1], of a line of length 1; None: equal ones
    # TREE: height of a node (the root has 1), and the runs of values below each of its children
    tree: tuple[tuple[float, tuple[tuple[int, int], ...]], ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class Holdings:
    """Which values of a domain each person holds; missing ones are no value."""

    of_person: Sets
    values: int

    @classmethod
    def of_column(cls, column: Column) -> Holdings:
        missing = column.domain.missing_code
        person, code = column.pairs()
        known = code < missing
        sets = Sets.of_pairs(person[known], code[known], owners=len(column.person_set), codes=max(missing, 1))
        return cls(sets, missing)


class Histogram:
    """How many of the persons hold each value, under a limit."""

    def __init__(self, holdings: Holdings, limit: Limit, least: int = 1) -> None:
        self.holdings, self.limit, self.least = holdings, limit, least
        self.counts = np.zeros(max(holdings.values, 1), np.int64)
        self.persons = 0

    @cached_property
    def _limits(self) -> LimitViews:
        from heteronym.statistics._limit_kernels import LimitViews

        return LimitViews(pack_limits([self])[0])

    def add(self, members: NDArray[Any]) -> None:
        self._count(members, 1)

    def remove(self, members: NDArray[Any]) -> None:
        self._count(members, -1)

    def _count(self, members: NDArray[Any], sign: int) -> None:
        from heteronym.statistics import _limit_kernels as kernels

        sets = self.holdings.of_person
        kernels.count_values(np.asarray(members, np.int64), sets.ptr, sets.codes, self.counts, sign)
        self.persons += sign * len(members)

    def admits(self) -> bool:
        from heteronym.statistics import _limit_kernels as kernels

        present = np.flatnonzero(self.counts)
        return self.persons >= self.least and bool(
            kernels.all_hold(self._limits, self.counts, present, len(present), self.persons)
        )


def pack_limits(histograms: Sequence[Histogram]) -> tuple[PackedLimits, list[tuple[int, Holdings]]]:
    """The limits of several histograms as arrays, and where the values of each holdings begin."""
    from heteronym.statistics._limit_kernels import PackedLimits

    places: list[tuple[int, Holdings]] = []
    first, end = [], 0
    for histogram in histograms:
        known = [place for place, holdings in places if holdings is histogram.holdings]
        first.append(known[0] if known else end)
        if not known:
            places.append((end, histogram.holdings))
            end += len(histogram.counts)
    sizes = [len(histogram.counts) for histogram in histograms]
    limits = [histogram.limit for histogram in histograms]
    nodes = [node for limit in limits for node in limit.tree]
    children = [child for _, below in nodes for child in below]
    return PackedLimits(
        kind=np.array([int(limit.kind) for limit in limits], np.int64),
        first=np.array(first, np.int64),
        last=np.array(first, np.int64) + np.array(sizes, np.int64),
        numbers=np.array([[*limit.numbers, 0.0, 0.0][:2] for limit in limits], np.float64).reshape(-1, 2),
        at=np.cumsum([0, *sizes])[:-1].astype(np.int64),
        reference=np.concatenate([np.zeros(0), *map(_reference, limits, sizes)]),
        gap=np.concatenate([np.zeros(0), *map(_gaps, limits, sizes)]),
        nodes=np.cumsum([0, *(len(limit.tree) for limit in limits)]).astype(np.int64),
        height=np.array([height for height, _ in nodes], np.float64),
        children=np.cumsum([0, *(len(below) for _, below in nodes)]).astype(np.int64),
        low=np.array([low for low, _ in children], np.int64),
        high=np.array([high for _, high in children], np.int64),
    ), places


def _reference(limit: Limit, values: int) -> NDArray[np.float64]:
    return np.zeros(values) if limit.reference is None else limit.reference.astype(np.float64)


def _gaps(limit: Limit, values: int) -> NDArray[np.float64]:
    gaps = np.full(max(values - 1, 0), 1.0 / max(values - 1, 1)) if limit.gaps is None else limit.gaps
    return np.asarray(np.r_[gaps, np.zeros(values - len(gaps))])
