"""PersonView: one record per person as integer codes; the only thing that searches look at.

A column holds, per person, the number of a *value set*: the distinct values over all rows of that
person. Most sets have one value. Items and terms are *elements*, in one CSR form with a domain per
element, by person and by row, so that models and recoders for sets serve both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute


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
    has_missing: bool
    hierarchy: Hierarchy | None = None

    @property
    def missing_code(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"Domain({self.name!r}, {self.size} values)"


class ShapeKind(IntEnum):
    SPAN = 0  # loss = distance between the outer values / distance over the domain
    RUN = 1  # loss = leaves below the lowest node that covers the outer codes / all leaves
    SET = 2  # loss = 0 for one value, else distinct values / domain size


@dataclass(frozen=True, repr=False, eq=False)
class LabelShape:
    """How the loss of a published label follows from the codes it covers.

    SPAN uses `position` per code; RUN uses the leaf run of each code's ancestor per level, lowest
    level first, and where `open_top` holds, a label above the last level covers a range of its
    nodes (years) instead of everything. A label that mixes missing with other values loses 1,
    except in a SET, where missing is a value like any other.
    """

    kind: ShapeKind
    position: NDArray[np.float64]  # [codes]
    starts: NDArray[np.int32]  # [levels, codes]
    ends: NDArray[np.int32]
    open_top: bool = False
    ordered: bool = True  # SET: whether code order means anything to cuts


@dataclass(frozen=True, repr=False, eq=False)
class Column:
    """A quasi attribute: which value set each person holds."""

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

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.domain.size} values, {len(self.sets)} value sets)"


@dataclass(frozen=True)
class ElementDomain:
    """Where elements come from: an items column, or one entity type of a text or terms column."""

    attribute: str
    type: str | None  # entity type; None for items
    weight: float = 1.0

    @property
    def is_terms(self) -> bool:
        return self.type is not None


@dataclass(frozen=True, repr=False, eq=False)
class Elements:
    """Items and terms: element e is `names[e]` in `domains[domain[e]]`.

    Elements are numbered by domain, then by name (by leaf order where an items column has a
    hierarchy), so that a domain is a run of numbers.
    """

    domains: tuple[ElementDomain, ...]
    domain: NDArray[np.int32]  # [elements]
    names: Sequence[str]  # normalized terms or items; personal data
    sensitive: NDArray[np.bool_]  # [elements]
    of_person: Sets  # sets[person] -> elements
    of_cell: Sets  # sets[cell] -> elements; equal cells of set-valued columns are one
    cell_of_row: NDArray[np.int32]  # [rows] which elements show in that row: of_cell[cell_of_row[row]]
    hierarchies: tuple[Hierarchy | None, ...] = ()  # per domain; leaves cover the domain's elements

    def __len__(self) -> int:
        return len(self.domain)

    def __repr__(self) -> str:
        return f"Elements({len(self)} in {len(self.domains)} domains)"


@dataclass(frozen=True, repr=False, eq=False)
class PersonView:
    """Persons as integers. Holds personal data in its domains and element names."""

    columns: tuple[Column, ...]
    elements: Elements
    person_of_row: NDArray[np.int32]
    persons: int

    @property
    def rows(self) -> int:
        return len(self.person_of_row)

    def __repr__(self) -> str:
        return f"PersonView({self.persons} persons, {self.rows} rows, {list(self.columns)}, {self.elements})"
