"""k-anonymity over the quasi columns and the terms of a person.

Reference   Sweeney 2002; Singhofer et al. 2021, section 3.2
Guarantee   persons with equal released columns and equal visible terms are at least k
Cost        size of a group O(1); audit O(n log n) sorting of released records
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.contracts import Kind
from heteronym.model.partition import Held, Partition
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.registry import privacy_models
from heteronym.statistics.counts import Size


@privacy_models.register("k-anonymity")
@dataclass(frozen=True)
class KAnonymity:
    """Every person shares all released columns and terms with at least k - 1 others."""

    k: int = field(metadata={"help": "smallest group of persons", "min": 2})

    size_only: ClassVar[bool] = True
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "terms"})

    @property
    def least_persons(self) -> int:
        return self.k

    def start(self, view: PersonView) -> Size:
        return Size(self.k)

    def may_show(self, view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
        """A term that every member holds, spelt alike and in the same columns: less would tell who."""
        everyone: NDArray[np.bool_] = held.holders == partition.sizes()[held.of_group.owners()]
        told_apart = _spelt_differently(view, partition, held) | _in_other_columns(view, partition, held)
        return everyone & ~told_apart

    def audit(self, released: Released) -> ModelVerdict:
        """Count persons per equal record in what was written, whatever the search believed."""
        records = _records(released)
        sizes = list(records.values())
        smallest = min(sizes, default=0)
        short = sum(1 for size in sizes if size < self.k)
        detail = (
            "" if short == 0 else f"{short} of {len(sizes)} groups have fewer than {self.k} {released.unit}"
        )
        return ModelVerdict("k-anonymity", {"k": self.k}, short == 0 and smallest >= self.k, smallest, detail)


def _spelt_differently(view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
    """Per element of a group, whether its texts spell it in several ways."""
    elements = view.elements
    group = partition.group[view.person_of_row[elements.mention_row]].astype(np.int64)
    shown = np.flatnonzero((elements.of_mention >= 0) & (group >= 0))
    count = max(len(elements), 1)
    spelt = pl.DataFrame(
        {
            "pair": group[shown] * count + elements.of_mention[shown],
            "spelling": elements.mention_spelling[shown],
        }
    )
    several = spelt.group_by("pair").agg(pl.col("spelling").n_unique()).filter(pl.col("spelling") > 1)
    return np.isin(held.of_group.owners() * count + held.of_group.codes, several["pair"].to_numpy())


def _in_other_columns(view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
    """Per element of a group, whether some column shows it for some members and not for others."""
    count = max(len(view.elements), 1)
    key = held.of_group.owners() * count + held.of_group.codes
    torn = np.zeros(len(key), np.bool_)
    size = partition.sizes()[held.of_group.owners()]
    for person, element in view.elements.by_column(view.person_of_row):
        group = partition.group[person].astype(np.int64)
        asked = (group >= 0) & view.elements.is_term[element]
        place = np.searchsorted(key, group[asked] * count + element[asked])
        holders = np.bincount(place, minlength=len(key))
        torn |= (holders > 0) & (holders < size)
    return torn


def _records(released: Released) -> Mapping[Any, int]:
    """How many persons show each record: the groups their rows are in and the terms they show."""
    pairs = np.unique(np.stack([released.person_of_row, released.group_of_row], axis=1), axis=0)
    terms = {number for number, (_, kind, _) in enumerate(released.labels) if kind == "term"}
    if not terms and len(np.unique(pairs[:, 0])) == len(pairs):
        return dict(enumerate(np.unique(pairs[:, 1], return_counts=True)[1].tolist()))
    shown: dict[int, tuple[set[int], set[int]]] = {}
    for person, group in pairs.tolist():
        shown.setdefault(person, (set(), set()))[0].add(group)
    ptr, codes = released.shown.ptr.tolist(), released.shown.codes.tolist()
    for row, person in enumerate(released.person_of_row.tolist()):
        shown[person][1].update(terms.intersection(codes[ptr[row] : ptr[row + 1]]))
    return Counter((frozenset(groups), frozenset(labels)) for groups, labels in shown.values())
