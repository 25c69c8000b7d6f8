"""PersonView: one record per person as integer codes; the only thing that searches look at.

A column holds, per person, the number of a *value set*: the distinct values over all rows of that
person. Most sets have one value. Items and terms are *elements*, in one CSR form with a domain per
element, by person and by row, so that models and recoders for sets serve both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute
from heteronym.model.terms import Term


def _no_numbers() -> NDArray[np.int32]:
    return np.empty(0, np.int32)


def _no_columns() -> NDArray[np.int16]:
    return np.empty(0, np.int16)


Pairs = tuple[NDArray[np.int64], NDArray[np.int32]]  # owners and codes


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorted distinct values; numpy's own `unique` hashes first, which takes far longer on millions."""
    ordered = np.sort(values)
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


def places_in(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each wanted number stands among ordered ones; asked in order, which memory likes much better."""
    order = np.argsort(wanted)
    found = np.empty(len(wanted), np.int64)
    found[order] = np.searchsorted(ordered, wanted[order])
    return found


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

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.size} values)"


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
    starts: NDArray[np.int32]  # [levels, codes]
    ends: NDArray[np.int32]
    ordered: bool = True  # SET: whether code order means anything to cuts
    nodes: NDArray[np.int32] | None = None  # [levels, codes] numbers of nodes; None: `starts` tell them apart
    most: tuple[int, ...] | None = None  # per level; None: one
    mixes: bool = True  # whether a label can tell values beside missing

    @property
    def is_calendar(self) -> bool:
        """Whether labels may be ranges of nodes."""
        return self.most is not None

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
            told = self.numbers[level, high] - self.numbers[level, low] < self.widest[level]
            start[told] = self.starts[level, low[told]]
            end[told] = self.ends[level, high[told]]
        alone = low == high
        start[alone], end[alone] = low[alone], low[alone] + 1
        return start, end


@dataclass(frozen=True, repr=False, eq=False)
class Column:
    """A quasi or sensitive attribute: which value set each person holds, which value each row."""

    domain: Domain
    shape: LabelShape
    sets: Sets
    person_set: NDArray[np.int32]
    row_codes: NDArray[np.int32] | None = None  # None where every person has one row

    @property
    def name(self) -> str:
        return self.domain.name

    @property
    def weight(self) -> float:
        return self.domain.attribute.weight

    @cached_property
    def counts_missing(self) -> bool:
        """Whether values are missing, and labels are ranges or nodes that may stand beside them."""
        told = self.shape.kind is not ShapeKind.SET and self.shape.mixes
        return told and bool((self.sets.codes == self.domain.missing_code).any())

    def codes_by_row(self, person_of_row: NDArray[np.int32]) -> NDArray[np.int32]:
        """The code of each row; the missing code where it has no value."""
        if self.row_codes is not None:
            return self.row_codes
        return self.sets.codes[self.sets.ptr[self.person_set[person_of_row]]]

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and code of every value that a person has."""
        if len(self.sets.codes) == len(self.sets):  # one value each
            return np.arange(len(self.person_set)), self.sets.codes[self.person_set]
        return self.sets.expand(self.person_set)

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.domain.size} values, {len(self.sets)} value sets)"


@dataclass(frozen=True)
class ElementDomain:
    """Where elements come from: an entity type, in whatever column it is found, an items or event column."""

    name: str
    is_terms: bool
    weight: float = 1.0
    is_event: bool = False


class Marker(NamedTuple):
    """What a mention shows that is no element: the placeholder of a direct type, or a column's label."""

    kind: Literal["direct", "link"]
    name: str  # of the type, or of the column


@dataclass(frozen=True, repr=False, eq=False)
class Cells:
    """A set-valued column by its distinct cells: row r shows the elements `of_cell[of_row[r]]`."""

    of_cell: Sets
    of_row: NDArray[np.int32]


@dataclass(frozen=True, repr=False, eq=False)
class Elements:
    """Items, terms and event values: element e is `names[e]` in `domains[domain[e]]`.

    Elements are numbered by domain, then by name (by leaf order where an items column has a
    hierarchy), so that a domain is a run of numbers. A term that several columns hold is one element.
    """

    domains: tuple[ElementDomain, ...]
    domain: NDArray[np.int32]  # [elements]
    names: Sequence[str]  # terms or items as they are shown; personal data
    sensitive: NDArray[np.bool_]  # [elements]
    of_person: Sets  # sets[person] -> elements
    cells: Mapping[str, Cells] = field(default_factory=dict)  # items and terms columns
    of_mention: NDArray[np.int32] = field(default_factory=_no_numbers)  # -1: no element
    mention_row: NDArray[np.int32] = field(default_factory=_no_numbers)
    mention_column: NDArray[np.int16] = field(default_factory=_no_columns)  # a number in `text_columns`
    mention_spelling: NDArray[np.int32] = field(default_factory=_no_numbers)  # equal if spelt alike
    text_columns: tuple[str, ...] = ()
    column_weights: Mapping[str, float] = field(default_factory=dict)  # of text and terms columns
    mention_marker: NDArray[np.int32] = field(default_factory=_no_numbers)  # no element: what it is; or -1
    markers: tuple[Marker, ...] = ()
    mention_sentence: NDArray[np.int32] = field(default_factory=_no_numbers)  # numbered over all texts
    hierarchies: tuple[Hierarchy | None, ...] = ()  # per domain; leaves cover the domain's elements
    senses: Mapping[int, tuple[str, str]] = field(default_factory=dict)  # element -> sense, context
    told_as: Mapping[int, str] = field(default_factory=dict)  # item -> type of its mentions
    twin_of: Mapping[int, int] = field(default_factory=dict)  # term -> item that it names, whoever has it

    def __len__(self) -> int:
        return len(self.domain)

    @cached_property
    def is_term(self) -> NDArray[np.bool_]:
        """[elements]"""
        return np.array([domain.is_terms for domain in self.domains], np.bool_)[self.domain]

    def domain_sizes(self) -> NDArray[np.int64]:
        """Elements of every domain that are not sensitive; with a hierarchy, its leaves."""
        sizes = np.bincount(self.domain[~self.sensitive], minlength=len(self.domains)).astype(np.int64)
        for number, hierarchy in enumerate(self.hierarchies):
            if hierarchy is not None:
                secret = int((self.sensitive & (self.domain == number)).sum())
                sizes[number] = max(int(sizes[number]), len(hierarchy.leaves) - secret)
        return sizes

    @property
    def has_terms(self) -> bool:
        return any(domain.is_terms for domain in self.domains)

    @property
    def has_items(self) -> bool:
        return any(not domain.is_terms and not domain.is_event for domain in self.domains)

    @property
    def has_events(self) -> bool:
        return any(domain.is_event for domain in self.domains)

    @cached_property
    def is_event(self) -> NDArray[np.bool_]:
        """[elements]"""
        return np.array([domain.is_event for domain in self.domains], np.bool_)[self.domain]

    def terms(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every term that a person holds."""
        return self._held(self.is_term)

    def items(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every item that a person holds."""
        return self._held(~self.is_term & ~self.is_event)

    def events(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every event value that a person holds."""
        return self._held(self.is_event)

    def _held(self, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        owner = np.repeat(np.arange(len(self.of_person)), np.diff(self.of_person.ptr))
        if chosen.all():
            return owner, self.of_person.codes
        mine = chosen[self.of_person.codes]
        return owner[mine], self.of_person.codes[mine]

    def by_column(
        self, person_of_row: NDArray[np.int32]
    ) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int32]]]:
        """For each column that shows elements, person and element of every pair, each once."""
        span = max(len(self), 1)
        found: dict[str, Pairs] = {}
        if len(self.cells) == 1 and not self.text_columns:  # all that persons hold is there
            [name] = self.cells
            return {name: (self.of_person.owners(), self.of_person.codes)}
        for name, cells in self.cells.items():
            count = max(len(cells.of_cell), 1)
            # a cell that a person has on many rows is looked at once
            held = distinct(person_of_row.astype(np.int64) * count + cells.of_row)
            owner, code = cells.of_cell.expand(held % count)
            pairs = distinct((held // count)[owner] * span + code)
            found[name] = (pairs // span, (pairs % span).astype(np.int32))
        for number, name in enumerate(self.text_columns):
            shown = (self.mention_column == number) & (self.of_mention >= 0)
            person = person_of_row[self.mention_row[shown]].astype(np.int64)
            pairs = distinct(person * span + self.of_mention[shown])
            found[name] = (pairs // span, (pairs % span).astype(np.int32))
        return found

    def of_row(self) -> Sets:
        """The elements that show in each row, in its sets and its texts."""
        rows = [self.mention_row[self.of_mention >= 0].astype(np.int64)]
        codes = [self.of_mention[self.of_mention >= 0]]
        count = int(self.mention_row.max(initial=-1)) + 1
        for cells in self.cells.values():
            owner, code = cells.of_cell.expand(cells.of_row)
            rows.append(owner)
            codes.append(code)
            count = max(count, len(cells.of_row))
        return Sets.of_pairs(
            np.concatenate(rows), np.concatenate(codes), owners=count, codes=max(len(self), 1)
        )

    def term(self, element: int) -> Term:
        domain = self.domains[self.domain[element]]
        return Term(domain.name, self.names[element], *self.senses.get(element, ()))

    def __repr__(self) -> str:
        return f"Elements({len(self)} in {len(self.domains)} domains)"


@dataclass(frozen=True, repr=False, eq=False)
class Told:
    """Terms that tell values of a column, ascending, and what: numbers, days since 1970, or codes."""

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
    told: Mapping[str, Told] = field(default_factory=dict)  # quasi columns with entities
    # terms equal to an identifier, and whose
    identifying: tuple[NDArray[np.int64], NDArray[np.int64]] = field(default_factory=_nobody)
    household: NDArray[np.int64] | None = None  # [persons], numbered from 0
    weight: NDArray[np.float64] | None = None  # [persons]: people of the population a person stands for

    @property
    def rows(self) -> int:
        return len(self.person_of_row)

    def by_columns(self, persons: NDArray[np.int64]) -> PersonView:
        """Some persons (ascending) by their columns alone; domains stay those of all."""
        place = np.full(self.persons, -1, np.int32)
        place[persons] = np.arange(len(persons), dtype=np.int32)
        rows = place[self.person_of_row] >= 0

        def those(column: Column) -> Column:
            by_row = None if column.row_codes is None else column.row_codes[rows]
            return replace(column, person_set=column.person_set[persons], row_codes=by_row)

        nothing = np.empty(0, np.int32)
        nobody = Elements(
            (), nothing, (), np.empty(0, np.bool_), Sets(np.zeros(len(persons) + 1, np.int64), nothing)
        )
        return PersonView(
            tuple(map(those, self.columns)),
            nobody,
            place[self.person_of_row[rows]],
            len(persons),
            tuple(map(those, self.sensitive)),
            household=None if self.household is None else self.household[persons],
            weight=None if self.weight is None else self.weight[persons],
        )

    def terms_by_column(self) -> dict[str, Pairs]:
        """Per text and terms column: person and element of every term that a person has there."""
        found = {}
        for name, (person, code) in self.elements.by_column(self.person_of_row).items():
            term = self.elements.is_term[code]
            if term.any() or name in self.elements.text_columns:
                found[name] = (person[term], code[term])
        return found

    def event_elements(self, column: Column) -> NDArray[np.int64]:
        """The elements of an event column, in the order of its values that occur, a missing one last."""
        [number] = [n for n, d in enumerate(self.elements.domains) if d.is_event and d.name == column.name]
        return np.flatnonzero(self.elements.domain == number)

    def sensitive_column(self, name: str) -> Column | None:
        return next((column for column in self.sensitive if column.name == name), None)

    def __repr__(self) -> str:
        return f"PersonView({self.persons} persons, {self.rows} rows, {list(self.columns)}, {self.elements})"
