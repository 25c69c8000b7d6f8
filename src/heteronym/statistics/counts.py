"""Statistics of sets of persons that grow and shrink: sizes, and histograms with compiled rules.

A privacy model says which statistic it needs; searches keep one per node or cluster. A histogram
counts how many persons hold each value of a domain; its rule is one of a few formulas that the
compiled searches know, so that models over sensitive values cost little more than group sizes.

Cost        O(members) to add or remove, O(values) to ask
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, Sets


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


class RuleKind(IntEnum):
    """What a histogram must satisfy; `p` are the rule's numbers, `r` its reference, n the persons."""

    DISTINCT = 0  # at least p[0] values are held
    ENTROPY = 1  # entropy of the shares of values is at least log(p[0])
    RECURSIVE = 2  # most frequent value < p[0] times the sum of those from the p[1]-th on
    SHARE = 3  # every value is held by at most r[value] of the n persons
    EQUAL = 4  # half the summed difference of shares to r is at most p[0]
    ORDERED = 5  # earth mover's distance of shares to r along the order of values is at most p[0]


@dataclass(frozen=True, repr=False, eq=False)
class Rule:
    kind: RuleKind
    numbers: tuple[float, ...] = ()
    reference: NDArray[np.float64] | None = None  # [values]


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
    """How many of the persons hold each value, under a rule."""

    def __init__(self, holdings: Holdings, rule: Rule, least: int = 1) -> None:
        self.holdings, self.rule, self.least = holdings, rule, least
        self.counts = np.zeros(max(holdings.values, 1), np.int64)
        self.persons = 0
        self.numbers = np.array([*rule.numbers, 0.0, 0.0][:2], np.float64)
        reference = rule.reference
        self.reference = np.zeros(len(self.counts)) if reference is None else reference.astype(np.float64)

    def add(self, members: NDArray[Any]) -> None:
        self._count(members, 1)

    def remove(self, members: NDArray[Any]) -> None:
        self._count(members, -1)

    def _count(self, members: NDArray[Any], sign: int) -> None:
        from heteronym.statistics import _kernels as kernels

        sets = self.holdings.of_person
        kernels.count_values(members, sets.ptr, sets.codes, self.counts, sign)
        self.persons += sign * len(members)

    def admits(self) -> bool:
        from heteronym.statistics import _kernels as kernels

        return self.persons >= self.least and bool(
            kernels.rule_holds(int(self.rule.kind), self.numbers, self.reference, self.counts, self.persons)
        )
