"""Items, terms and event values as integers: what a person holds, a cell shows, a mention is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.sets import Pairs, Sets, distinct
from heteronym.model.terms import Term


def _no_numbers() -> NDArray[np.int32]:
    return np.empty(0, np.int32)


def _in_order(numbers: NDArray[np.int32], order: NDArray[np.int64]) -> NDArray[np.int32]:
    """Numbers of mentions in another order; there may be none."""
    return numbers[order] if len(numbers) else numbers


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

    def held(self, person_of_row: NDArray[np.int32]) -> Pairs:
        """Person and element of every cell that a person has; one on many rows is looked at once."""
        count = max(len(self.of_cell), 1)
        held = distinct(person_of_row.astype(np.int64) * count + self.of_row)
        owner, code = self.of_cell.expand(held % count)
        return (held // count)[owner], code


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
    mention_column: NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    mention_spelling: NDArray[np.int32] = field(default_factory=_no_numbers)  # equal if spelt alike
    text_columns: tuple[str, ...] = ()  # which `mention_column` numbers
    column_weights: Mapping[str, float] = field(default_factory=dict)  # of text and terms columns
    mention_marker: NDArray[np.int32] = field(default_factory=_no_numbers)  # no element: what it is; or -1
    markers: tuple[Marker, ...] = ()
    mention_sentence: NDArray[np.int32] = field(default_factory=_no_numbers)  # numbered over all texts
    hierarchies: tuple[Hierarchy | None, ...] = ()  # per domain; leaves cover the domain's elements
    senses: Mapping[int, tuple[str, str]] = field(default_factory=dict)  # element -> sense, context
    masked: NDArray[np.int32] = field(default_factory=_no_numbers)  # terms to show nowhere
    type_of_item_in_texts: Mapping[int, str] = field(default_factory=dict)  # item -> type of its mentions
    item_named_by: Mapping[int, int] = field(
        default_factory=dict
    )  # term -> item that it names, whoever has it

    @classmethod
    def none(cls, persons: int) -> Elements:
        """Nobody holds any."""
        nothing = Sets(np.zeros(persons + 1, np.int64), np.empty(0, np.int32))
        return cls((), np.empty(0, np.int32), (), np.empty(0, np.bool_), nothing)

    def __len__(self) -> int:
        return len(self.domain)

    @cached_property
    def is_term(self) -> NDArray[np.bool_]:
        """[elements]"""
        return np.array([domain.is_terms for domain in self.domains], np.bool_)[self.domain]

    @cached_property
    def is_masked(self) -> NDArray[np.bool_]:
        """[elements]"""
        masked = np.zeros(len(self), np.bool_)
        masked[self.masked] = True
        return masked

    def rows_reordered(self, order: NDArray[np.int64]) -> tuple[Elements, NDArray[np.int64]]:
        """The same with row `order[n]` as row n; and the old number of each sentence."""
        cells = {name: replace(one, of_row=one.of_row[order]) for name, one in self.cells.items()}
        row = np.argsort(order)[self.mention_row].astype(np.int32)
        at = np.argsort(row, kind="stable")
        if not len(self.mention_sentence):  # no model asks for them
            sentence, old = self.mention_sentence, np.empty(0, np.int64)
        else:
            known, first, place = np.unique(self.mention_sentence[at], return_index=True, return_inverse=True)
            by_place = np.argsort(first)
            sentence = np.argsort(by_place)[place].astype(np.int32)
            old = known[by_place].astype(np.int64)
        made = replace(
            self,
            cells=cells,
            mention_row=row[at],
            of_mention=self.of_mention[at],
            mention_column=self.mention_column[at],
            mention_spelling=_in_order(self.mention_spelling, at),
            mention_marker=_in_order(self.mention_marker, at),
            mention_sentence=sentence,
        )
        return made, old

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

    @cached_property
    def is_item(self) -> NDArray[np.bool_]:
        """[elements]"""
        return ~self.is_term & ~self.is_event

    def terms(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every term that a person holds."""
        return self._held(self.is_term)

    def items(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every item that a person holds."""
        return self._held(self.is_item)

    def events(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Person and element of every event value that a person holds."""
        return self._held(self.is_event)

    def _held(self, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        if not chosen.any():
            return np.empty(0, np.int64), np.empty(0, np.int32)
        owner = self.of_person.owners()
        if chosen.all():
            return owner, self.of_person.codes
        mine = chosen[self.of_person.codes]
        return owner[mine], self.of_person.codes[mine]

    def by_column(self, person_of_row: NDArray[np.int32]) -> dict[str, Pairs]:
        """For each column that shows elements, person and element of every pair, each once."""
        span = max(len(self), 1)
        if len(self.cells) == 1 and not self.text_columns:  # all that persons hold is there
            [name] = self.cells
            return {name: (self.of_person.owners(), self.of_person.codes)}
        held = {name: cells.held(person_of_row) for name, cells in self.cells.items()}
        for number, name in enumerate(self.text_columns):
            shown = (self.mention_column == number) & (self.of_mention >= 0)
            held[name] = person_of_row[self.mention_row[shown]].astype(np.int64), self.of_mention[shown]
        pairs_of: dict[str, Pairs] = {}
        for name, (person, code) in held.items():
            pairs = distinct(person * span + code)
            pairs_of[name] = (pairs // span, (pairs % span).astype(np.int32))
        return pairs_of

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
