"""Microaggregation by MDAV: groups of k around those who are farthest from the centre.

The person farthest from the centre of all, and the person farthest from that one, each take the k - 1 who are
nearest to them; then the same with the others. Numbers, dates and ordered categories are compared by their
squared distance over the domain, other columns by whether they are equal; the centre has means and modes.
With `release: {numeric: mean}` groups are released by their means.

Reference   Domingo-Ferrer and Torra 2005 (MDAV-generic); Domingo-Ferrer and Mateo-Sanz 2002
Guarantee   groups of k to 2k - 1 persons where sizes decide; what another model refuses is joined with the
            nearest until all models admit every group
Cost        O(n^2 / k) distances, compiled
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Models, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.schema import Scale
from heteronym.partition._clusters import covers_of, join_refused, least_size, numbered
from heteronym.registry import partitioners
from heteronym.run import current


@partitioners.register("mdav")
@dataclass(frozen=True)
class Mdav:
    """Microaggregation: groups of k persons near to each other, by distance from their centre."""

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        if not view.columns:
            raise PlanError("partition: 'mdav' compares persons by quasi columns, and there are none")
        group = _microaggregated(view, least_size(view, models))
        if any(not model.size_only for model in models):
            group = join_refused(view, covers_of(view), group.astype(np.int64), models).astype(np.int32)
        return Partition(group, {"clusters": int(group.max(initial=-1)) + 1})


def _microaggregated(view: PersonView, k: int) -> NDArray[np.int32]:
    from heteronym.partition import _mdav_kernels as kernels

    points, run = points_of(view), current()
    done = np.zeros(1, np.int64)
    codes = int(points.names.max(initial=-1)) + 1
    with run.watching(done, view.persons):
        group = run.call(kernels.microaggregate, *points, codes, k, done, run.stop)
    return numbered(group).astype(np.int32)


class Points(NamedTuple):
    """Persons as MDAV compares them; weights add up to 1."""

    numbers: NDArray[np.float64]  # [persons, columns], scaled to 0..1; NaN: missing
    names: NDArray[np.int32]  # [persons, columns]
    number_weight: NDArray[np.float64]
    name_weight: NDArray[np.float64]


def points_of(view: PersonView) -> Points:
    ordered = [column for column in view.columns if column.domain.attribute.scale is not Scale.NOMINAL]
    other = [column for column in view.columns if column.domain.attribute.scale is Scale.NOMINAL]
    total = sum(column.weight for column in view.columns)
    numbers = [_positions(column)[column.person_set] for column in ordered]
    names = [column.person_set for column in other]  # persons with equal values have equal sets
    return Points(
        np.stack(numbers, axis=1) if numbers else np.empty((view.persons, 0)),
        np.stack(names, axis=1) if names else np.empty((view.persons, 0), np.int32),
        np.array([column.weight / total for column in ordered], np.float64),
        np.array([column.weight / total for column in other], np.float64),
    )


def _positions(column: Column) -> NDArray[np.float64]:
    """Per value set the mean of its places in the domain, from 0 to 1; NaN if no value is known."""
    position = column.shape.position
    span = float(np.ptp(position)) if len(position) else 0.0
    scaled = np.r_[(position - position.min(initial=np.inf)) / (span or 1.0), np.nan]
    owner, codes = column.sets.expand(np.arange(len(column.sets)))
    known = codes < column.domain.missing_code
    count = np.bincount(owner[known], minlength=len(column.sets))
    summed = np.bincount(owner[known], weights=scaled[codes[known]], minlength=len(column.sets))
    return np.where(count > 0, summed / np.maximum(count, 1), np.nan)
