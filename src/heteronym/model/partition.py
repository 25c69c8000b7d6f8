"""Partition: which group each person belongs to, and how the search got there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, Sets


@dataclass(frozen=True, repr=False, eq=False)
class Partition:
    """Group numbers 0..count-1, every one of them used."""

    group: NDArray[np.int32]  # [persons]
    splits: Mapping[str, int] = field(default_factory=dict)  # kind -> how often
    _covers: dict[str, Sets] = field(default_factory=dict, init=False)  # asked for by recoding and measures

    @property
    def count(self) -> int:
        return int(self.group.max()) + 1 if len(self.group) else 0

    def sizes(self) -> NDArray[np.int64]:
        return np.bincount(self.group, minlength=self.count)

    def members(self) -> Sets:
        """Persons by group."""
        order = np.argsort(self.group, kind="stable").astype(np.int32)
        return Sets(np.r_[0, np.cumsum(self.sizes())], order)

    def covers(self, column: Column) -> Sets:
        """The codes of a column that each group covers: the union over its members."""
        if column.name not in self._covers:
            self._covers[column.name] = self._cover(column)
        return self._covers[column.name]

    def _cover(self, column: Column) -> Sets:
        lengths = np.diff(column.sets.ptr)[column.person_set]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        codes = column.sets.codes[np.repeat(column.sets.ptr[column.person_set], lengths) + within]
        return Sets.of_pairs(
            np.repeat(self.group, lengths), codes, owners=self.count, codes=column.domain.missing_code + 1
        )

    def __repr__(self) -> str:
        return f"Partition({len(self.group)} persons in {self.count} groups)"


@dataclass(frozen=True, repr=False, eq=False)
class ElementRecoding:
    """What the elements of each group are released as.

    Row g of `of_group` lists the elements seen in group g; `label` runs beside its codes and
    gives the number of the released label in `labels`, or -1 where the element is suppressed.
    """

    of_group: Sets
    label: NDArray[np.int32]
    labels: tuple[str, ...]

    def __repr__(self) -> str:
        return f"ElementRecoding({len(self.of_group)} groups, {len(self.labels)} labels)"
