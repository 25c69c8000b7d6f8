"""Eight made-up persons with every kind of column, a few terms and items, and models, to run kernels on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.elements import ElementDomain, Elements
from heteronym.model.person_view import Column, Domain, LabelShape, PersonView, ShapeKind
from heteronym.model.schema import Attribute, Role
from heteronym.model.sets import Sets
from heteronym.statistics.counts import Histogram, Holdings, Rule, RuleKind, Size


@dataclass(frozen=True)
class OfTwo:
    """Groups of two persons are large enough."""

    size_only = True
    protects = frozenset({"columns"})
    least_persons = 2

    def start(self, view: PersonView) -> Size:
        return Size(2)


def sample_view() -> PersonView:
    codes = np.arange(4, dtype=np.int32)
    runs = np.zeros((2, 4), np.int32)
    runs[0] = codes
    columns = tuple(
        Column(
            Domain(kind.name, Attribute(role=Role.QUASI), codes.astype(object), 4),
            LabelShape(kind, codes.astype(np.float64), runs, runs + 1),
            Sets(np.arange(5), codes),
            np.arange(8, dtype=np.int32) % 4,
        )
        for kind in ShapeKind
    )
    # More items than are solved exactly: few groups have so few, and the first one compiles what it needs.
    person = np.arange(8)[:, None]
    held = np.hstack([person % 2 + [0, 1], np.sort((person + np.arange(5)) % 10) + 3]).astype(np.int32)
    is_item = np.arange(13) > 2
    elements = Elements(
        domains=(ElementDomain("WORD", is_terms=True), ElementDomain("items", is_terms=False)),
        domain=is_item.astype(np.int32),
        names=list("abcdefghijklm"),
        sensitive=np.zeros(13, np.bool_),
        of_person=Sets(np.arange(0, held.size + 1, 7), held.reshape(-1)),
    )
    return PersonView(columns, elements, np.arange(8, dtype=np.int32), 8)


class TwoValues:
    """A model about the first column of a sample, to run the kernels of rules."""

    size_only = False
    least_persons = 2

    def start(self, view: PersonView) -> Histogram:
        return Histogram(Holdings.of_column(view.columns[0]), Rule(RuleKind.DISTINCT, (2.0,)))
