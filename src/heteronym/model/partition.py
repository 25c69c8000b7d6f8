"""Partition: which group each person belongs to, and how the search got there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, PersonView
from heteronym.model.sets import Sets, counted, places_in

LEFT_OUT = -1


@dataclass(frozen=True, repr=False, eq=False)
class Held:
    """The elements that members of each group hold, and how many of them hold each."""

    of_group: Sets
    holders: NDArray[Any]  # beside the codes


@dataclass(frozen=True, repr=False, eq=False)
class Partition:
    """Group numbers 0..count-1, every one of them used; LEFT_OUT for persons who are not released."""

    group: NDArray[np.int32]  # [persons]
    splits: Mapping[str, int] = field(default_factory=dict)  # kind -> how often
    # columns that are recoded alike everywhere -> number of the node that each code (missing last) becomes
    nodes: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    # columns in which some withhold their cell -> [persons] who do: labels tell the others'
    withheld: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    times: NDArray[np.int64] | None = None  # [persons]: where equal persons stand once, how many they are
    _covers: dict[str, Sets] = field(default_factory=dict, init=False)  # asked for by recoding and measures

    @cached_property
    def count(self) -> int:
        return int(self.group.max(initial=-1)) + 1

    @cached_property
    def left_out(self) -> int:
        """How many persons are not released."""
        return int((self.group == LEFT_OUT).sum())

    @cached_property
    def persons(self) -> int:
        """How many there are, those left out included."""
        return len(self.group) if self.times is None else int(self.times.sum())

    def sizes(self) -> NDArray[np.int64]:
        sizes = np.bincount(self.group - LEFT_OUT, self.times, self.count + 1)
        return sizes[1:].astype(np.int64)

    def members(self) -> Sets:
        """Persons by group."""
        order = np.argsort(self.group, kind="stable").astype(np.int32)
        return Sets(np.r_[0, np.cumsum(self.sizes())], order[self.left_out :])

    def covers(self, column: Column) -> Sets:
        """The codes of a column that each group's label covers: of all members who do not withhold them."""
        if column.name not in self._covers:
            codes = self._codes(column, self.withheld.get(column.name))
            nodes = self.nodes.get(column.name)
            self._covers[column.name] = codes if nodes is None else codes.widened(nodes)
        return self._covers[column.name]

    def held_codes(self, column: Column) -> Sets:
        """The codes of a column that members of each group have, told or withheld."""
        return self._codes(column) if column.name in self.withheld else self.covers(column)

    def _codes(self, column: Column, without: NDArray[np.bool_] | None = None) -> Sets:
        owner, codes = column.pairs()
        group = self.group[owner]
        if self.left_out or without is not None:
            is_covered = group >= 0 if without is None else (group >= 0) & ~without[owner]
            group, codes = group[is_covered], codes[is_covered]
        return Sets.of_pairs(group, codes, owners=self.count, codes=column.domain.missing_code + 1)

    def withholding(self, withheld: Mapping[str, NDArray[np.bool_]]) -> Partition:
        """The same groups, with cells withheld; covers of other columns stay known."""
        made = replace(self, withheld=withheld)
        made._covers.update({name: one for name, one in self._covers.items() if name not in withheld})
        return made

    def of_reordered(self, order: NDArray[np.int64]) -> Partition:
        """The same groups of the persons before `PersonView.reordered` numbered them by this order."""
        group = np.empty_like(self.group)
        group[order] = self.group
        withheld = {name: np.empty_like(who) for name, who in self.withheld.items()}
        for name, who in self.withheld.items():
            withheld[name][order] = who
        made = replace(self, group=group, withheld=withheld)
        made._covers.update(self._covers)
        return made

    def withheld_by_group(self, name: str) -> NDArray[np.int64]:
        """How many members of each group withhold their cell of a column."""
        if name not in self.withheld:
            return np.zeros(self.count, np.int64)
        return np.bincount(self.group[self.withheld[name]], minlength=self.count)

    def held(self, view: PersonView, *, terms: bool = False, events: bool = False) -> Held:
        """Terms, items, or event values, by group."""
        elements = view.elements
        owner, codes = elements.terms() if terms else elements.events() if events else elements.items()
        group = self.group[owner]
        if self.left_out:
            group, codes = group[group >= 0], codes[group >= 0]
        return Held(*counted(group, codes, owners=self.count, codes=max(len(elements), 1)))

    def holders(self, view: PersonView, group: NDArray[Any], element: NDArray[Any]) -> NDArray[np.int64]:
        """How many members of each group hold the element that stands beside it."""
        span = max(len(view.elements), 1)
        held = view.elements.of_person
        mine = self.group[held.owners()].astype(np.int64)
        key = np.sort((mine * span + held.codes)[mine >= 0])
        wanted = group.astype(np.int64) * span + element
        return places_in(key, wanted + 1) - places_in(key, wanted)

    def __repr__(self) -> str:
        return f"Partition({len(self.group)} persons in {self.count} groups)"
