"""PersonView: one record per person as integer codes; the only thing that searches look at.

A column holds, per person, the number of a *value set*: the distinct values over all rows of that
person. Most sets have one value. Items and terms are *elements*, in one CSR form with a domain per
element, by person and by row, so that models and recoders for sets serve both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.elements import Elements
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute
from heteronym.model.sets import Pairs, Sets


@dataclass(frozen=True, repr=False, eq=False)
class Domain:
    """The values of an attribute in code order. The code after the last means missing.

    With a hierarchy, `values` are all its leaves; otherwise the distinct values of the data.
    """

    name: str
    attribute: Attribute
    values: NDArray[Any]  # numbers, days (datetime64[D]) or texts (object)
    size: int  # number of different values in the data, a missing one included
    hierarchy: Hierarchy | None = None

    @property
    def missing_code(self) -> int:
        return len(self.values)

    def texts(self) -> list[str]:
        """Each value as it is released when it stands alone; numbers without exponent or trailing zeros."""
        if np.issubdtype(self.values.dtype, np.floating):
            return [np.format_float_positional(value, trim="-") for value in self.values]
        return [str(value) for value in self.values]

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.size} values)"


def _no_runs() -> NDArray[np.int32]:
    return np.zeros((1, 0), np.int32)


class ShapeKind(IntEnum):
    SPAN = 0  # loss = distance between the outer values / distance over the domain
    RUN = 1  # loss = leaves below the node, or the nodes, that the label names / all leaves
    SET = 2  # loss = 0 for one value, else distinct values / domain size


@dataclass(frozen=True, repr=False, eq=False)
class LabelShape:
    """How the loss of a published label follows from the codes it covers.

    SPAN uses `position` per code; RUN uses the leaf run of each code's ancestor per level, lowest
    level first. A label of a level names one node, or where `most` says so, a range of at most so many
    neighbours (months, years), counted by `nodes`. Missing is one of the values of a domain: beside others
    it costs 1 / domain size, which labels of known values never lose; where `mixes` is false, everything.
    """

    kind: ShapeKind
    position: NDArray[np.float64]  # [codes]
    starts: NDArray[np.int32] = field(default_factory=_no_runs)  # [levels, codes]
    ends: NDArray[np.int32] = field(default_factory=_no_runs)
    ordered: bool = True  # SET: whether code order means anything to cuts
    nodes: NDArray[np.int32] | None = None  # [levels, codes] numbers of nodes; None: `starts` tell them apart
    most: tuple[int, ...] | None = None  # per level; None: one
    mixes: bool = True  # whether a label can tell values beside missing

    @property
    def numbers(self) -> NDArray[np.int32]:
        return self.starts if self.nodes is None else self.nodes

    @property
    def widest(self) -> NDArray[np.int64]:
        """How many nodes of each level a label may name."""
        return np.ones(len(self.starts), np.int64) if self.most is None else np.array(self.most, np.int64)

    def reach(
        self, low: NDArray[Any], high: NDArray[Any], values: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """RUN: first code and one past the last of the label that covers low..high, none of them missing."""
        start, end = np.zeros(len(low), np.int64), np.full(len(low), values, np.int64)
        for level in range(self.starts.shape[0] - 1, 0, -1):
            narrow = self.numbers[level, high] - self.numbers[level, low] < self.widest[level]
            start[narrow] = self.starts[level, low[narrow]]
            end[narrow] = self.ends[level, high[narrow]]
        alone = low == high
        start[alone], end[alone] = low[alone], low[alone] + 1
        return start, end


@dataclass(frozen=True, repr=False, eq=False)
class Column:
    """A quasi, sensitive or event attribute: which value set each person holds."""

    domain: Domain
    shape: LabelShape
    sets: Sets
    person_set: NDArray[np.int32]

    @property
    def name(self) -> str:
        return self.domain.name

    @property
    def weight(self) -> float:
        return self.domain.attribute.weight

    @cached_property
    def counts_missing(self) -> bool:
        """Whether values are missing, and labels are ranges or nodes that may stand beside them."""
        has_order = self.shape.kind is not ShapeKind.SET and self.shape.mixes
        return has_order and bool((self.sets.codes == self.domain.missing_code).any())

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and code of every value that a person has."""
        if len(self.sets.codes) == len(self.sets):  # one value each
            return np.arange(len(self.person_set)), self.sets.codes[self.person_set]
        return self.sets.expand(self.person_set)

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.domain.size} values, {len(self.sets)} value sets)"


@dataclass(frozen=True, repr=False, eq=False)
class StatedValues:
    """Terms that state values of a column, ascending, and their range: numbers, days since 1970, or codes."""

    element: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def _nobody() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.empty(0, np.int64), np.empty(0, np.int64)


@dataclass(frozen=True, repr=False, eq=False)
class PersonView:
    """Persons as integers. Holds personal data in its domains and element names."""

    columns: tuple[Column, ...]
    elements: Elements
    person_of_row: NDArray[np.int32]
    persons: int
    sensitive: tuple[Column, ...] = ()
    events: tuple[Column, ...] = ()  # the domains of event columns; their values are elements
    stated_values: Mapping[str, StatedValues] = field(default_factory=dict)  # by quasi column with entities
    # terms equal to an identifier, and whose
    identifying: tuple[NDArray[np.int64], NDArray[np.int64]] = field(default_factory=_nobody)
    # terms that state a value of an event, which value, and the persons who have both
    events_stated_in_texts: tuple[NDArray[np.int64], ...] = field(
        default_factory=lambda: _nobody() + _nobody()[:1]
    )
    household: NDArray[np.int64] | None = None  # [persons], numbered from 0
    weight: NDArray[np.float64] | None = None  # [persons]: people of the population a person stands for
    times: NDArray[np.int64] | None = None  # [persons]: where equal persons stand once, how many they are

    @property
    def rows(self) -> int:
        return len(self.person_of_row)

    def terms_by_column(self) -> dict[str, Pairs]:
        """Per text and terms column: person and element of every term that a person has there."""
        terms = {}
        for name, (person, code) in self.elements.by_column(self.person_of_row).items():
            term = self.elements.is_term[code]
            if term.any() or name in self.elements.text_columns:
                terms[name] = (person, code) if term.all() else (person[term], code[term])
        return terms

    def reordered(self, order: NDArray[np.int64]) -> PersonView:
        """The same persons numbered otherwise: person `order[n]` becomes person n."""
        number = np.empty(self.persons, np.int64)
        number[order] = np.arange(self.persons)

        def moved(columns: tuple[Column, ...]) -> tuple[Column, ...]:
            return tuple(replace(column, person_set=column.person_set[order]) for column in columns)

        held = self.elements.of_person
        lengths = np.diff(held.ptr)[order]
        of_person = Sets(np.r_[0, np.cumsum(lengths)], held.expand(order)[1])
        identifier, whose = self.identifying
        *term_and_event, who = self.events_stated_in_texts
        household = self.household
        if household is not None:  # numbered by their first members, not by their keys
            _, first, house = np.unique(household[order], return_index=True, return_inverse=True)
            household = np.argsort(np.argsort(first))[house]
        return replace(
            self,
            columns=moved(self.columns),
            sensitive=moved(self.sensitive),
            events=moved(self.events),
            elements=replace(self.elements, of_person=of_person),
            person_of_row=number[self.person_of_row].astype(self.person_of_row.dtype),
            identifying=(identifier, number[whose]),
            events_stated_in_texts=(*term_and_event, number[who]),
            household=household,
            weight=None if self.weight is None else self.weight[order],
            times=None if self.times is None else self.times[order],
        )

    def rows_reordered(self, order: NDArray[np.int64]) -> tuple[PersonView, NDArray[np.int64]]:
        """The same with row `order[n]` as row n; and the old number of each sentence."""
        elements, sentence = self.elements.rows_reordered(order)
        return replace(self, elements=elements, person_of_row=self.person_of_row[order]), sentence

    def event_elements(self, column: Column) -> NDArray[np.int64]:
        """The elements of an event column, in the order of its values that occur, a missing one last."""
        [number] = [n for n, d in enumerate(self.elements.domains) if d.is_event and d.name == column.name]
        return np.flatnonzero(self.elements.domain == number)

    def __repr__(self) -> str:
        return f"PersonView({self.persons} persons, {self.rows} rows, {list(self.columns)}, {self.elements})"
