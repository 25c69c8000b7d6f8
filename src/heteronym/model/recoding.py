"""Recoding: what every column and every element of each group is released as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.elements import Elements
from heteronym.model.sets import Sets


class Fate(IntEnum):
    """What becomes of an element of a group, wherever its members show it."""

    KEPT = 0  # shown as it is
    GENERALIZED = 1  # shown as a label that stands for several
    TYPED = 2  # a placeholder that tells the type: [GPE]; in a set it is left out
    UNTYPED = 3  # a placeholder that does not: [...]; in a set it is left out
    DROPPED = 4  # gone without a trace: in a text, with its sentence


class Naming(IntEnum):
    """What the identifiers of a group are shown as, where a plan asks for surrogates."""

    RENAMED = 0  # each person's surrogate, which tells the same of all
    NUMBERED = 1  # each person's number, which tells nothing: [PERSON 17]
    TYPED = 2  # the placeholder of the type


class Label(NamedTuple):
    """A released text, and how many values or items it may mean."""

    text: str
    stands_for: int = 1


def placeholder(type: str = "...") -> str:
    """What a suppressed mention is replaced by."""
    return f"[{type}]"


@dataclass(frozen=True, repr=False, eq=False)
class ElementLabels:
    """Row g of `of_group` lists the elements seen in group g; `fate` and `label` run beside its codes.

    `label` is a number in `labels` where the element is generalized, -1 elsewhere. `gone` lists per group the
    markers (`Elements.markers`) whose sentences go, `untyped` those of which an untyped placeholder stands.
    Whatever the map of the group says, single `sentences` and single `entries` of sets may go.
    """

    of_group: Sets
    fate: NDArray[np.uint8]
    label: NDArray[np.int32]
    labels: Sequence[Label]
    gone: Sets | None = None
    untyped: Sets | None = None
    sentences: frozenset[int] = frozenset()  # numbers as in `Elements.mention_sentence`
    entries: Sets | None = None  # per row of the data, elements

    @classmethod
    def none(cls, groups: int) -> ElementLabels:
        nothing = np.empty(0, np.int32)
        return cls(Sets(np.zeros(groups + 1, np.int64), nothing), nothing.astype(np.uint8), nothing, ())

    def of_reordered(self, rows: NDArray[np.int64], sentence: NDArray[np.int64]) -> ElementLabels:
        """The same for rows and sentences before `PersonView.rows_reordered` numbered them by these."""
        entries, gone = self.entries, self.sentences
        if entries is not None:
            owner, codes = rows[entries.owners()], int(entries.codes.max(initial=-1)) + 1
            entries = Sets.of_pairs(owner, entries.codes, owners=len(entries), codes=codes)
        gone = frozenset(sentence[sorted(gone)].tolist()) if gone else gone
        return replace(self, sentences=gone, entries=entries)

    def join(self, other: ElementLabels) -> ElementLabels:
        """Both, where no element of a group is in both."""
        if not len(other.fate):
            return self
        if not len(self.fate):
            return other
        of_group, order = self.of_group.merged(other.of_group)
        shifted = np.where(other.label < 0, -1, other.label + len(self.labels)).astype(np.int32)
        return ElementLabels(
            of_group,
            np.concatenate([self.fate, other.fate])[order],
            np.concatenate([self.label, shifted])[order],
            (*self.labels, *other.labels),
        )

    def fate_and_label(
        self, group: NDArray[Any], element: NDArray[Any]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """Fate and label of each element in its group; TYPED where one of both is none (-1)."""
        asked = (group >= 0) & (element >= 0)
        if asked.all():
            place = self.of_group.places(group, element)
            return self.fate[place], self.label[place]
        fate, label = np.full(len(group), Fate.TYPED, np.uint8), np.full(len(group), -1, np.int32)
        fate[asked], label[asked] = self.fate_and_label(group[asked], element[asked])
        return fate, label

    def dropped(self, elements: Elements, group: NDArray[Any]) -> NDArray[np.bool_]:
        """The mentions that go with their sentences; `group` is that of each mention."""
        goes: NDArray[np.bool_] = self.fate_and_label(group, elements.of_mention)[0] == Fate.DROPPED
        goes |= _marked(self.gone, elements, group)
        if self.sentences:
            goes |= np.isin(elements.mention_sentence, [*self.sentences])
        return goes

    def entry_goes(self, row: NDArray[Any], element: NDArray[Any], elements: Elements) -> NDArray[np.bool_]:
        """Whether what the sets of a row say of an element is taken out of them."""
        if self.entries is None:
            return np.zeros(len(row), np.bool_)
        span = len(elements)
        goes: NDArray[np.bool_] = np.isin(
            row.astype(np.int64) * span + element, self.entries.owners() * span + self.entries.codes
        )
        return goes

    def nowhere_shown(
        self, person: NDArray[Any], item: NDArray[Any], elements: Elements, person_of_row: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        """The pairs of a person and an item that are taken out of all sets of that person."""
        if self.entries is None:
            return np.zeros(len(person), np.bool_)
        span = len(elements)
        seen = [np.empty(0, np.int64)]
        for cells in elements.cells.values():
            row, element = cells.of_cell.expand(cells.of_row)
            stays = ~self.entry_goes(row, element, elements)
            seen.append(person_of_row[row[stays]].astype(np.int64) * span + element[stays])
        nowhere: NDArray[np.bool_] = ~np.isin(person.astype(np.int64) * span + item, np.concatenate(seen))
        return nowhere

    def hides_type(self, elements: Elements, group: NDArray[Any]) -> NDArray[np.bool_]:
        """The mentions that are no elements and of which an untyped placeholder stands."""
        return _marked(self.untyped, elements, group)

    def __repr__(self) -> str:
        return f"ElementLabels({len(self.of_group)} groups, {len(self.labels)} labels)"


def _marked(listed: Sets | None, elements: Elements, group: NDArray[Any]) -> NDArray[np.bool_]:
    """The mentions whose markers are listed for their groups."""
    if listed is None:
        return np.zeros(len(group), np.bool_)
    span = len(elements.markers)
    asked = (elements.mention_marker >= 0) & (group >= 0)
    here: NDArray[np.bool_] = np.isin(
        group.astype(np.int64) * span + elements.mention_marker, listed.owners() * span + listed.codes
    )
    return asked & here


@dataclass(frozen=True, repr=False, eq=False)
class Recoding:
    """One label per column and one fate per element, for each group of a partition."""

    columns: Mapping[str, Sequence[str | None]]  # attribute -> label per group; None stays missing
    elements: ElementLabels
    # columns that are released in numbers: released column -> number per group
    numbers: Mapping[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    # identifier columns that are released as surrogates -> how each group is named
    names: Mapping[str, Sequence[Naming]] = field(default_factory=dict)
    # the same columns -> what the surrogates of each group tell, which may tell apart groups of equal labels
    told: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Recoding(columns {list(self.columns)}, {self.elements})"


@dataclass(frozen=True, repr=False, eq=False)
class Renamed:
    """What the rows of the data show of identifiers. Holds personal data."""

    cells: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # column -> by row of the data
    mentions: dict[int, str] = field(default_factory=dict)  # mention -> what stands in its place
    persons: bool = False  # whether persons are numbered, P1, P2, ... by what they show

    def __repr__(self) -> str:
        return f"Renamed(columns {list(self.cells)}, {len(self.mentions)} mentions)"
