"""How far the distribution of each column moved, for a reader who takes all values of a label alike.

Reference   total variation; Rubner et al. 2000 (earth mover's distance)
Guarantee   0 means that counts of single values come out as they were, 1 that they could not be further off
Cost        O(persons + groups * values covered) per column
Randomness  none

Columns with an order are compared by earth mover's distance, as a share of the way from the lowest to
the highest value; columns of names by total variation. Every person weighs 1, whatever its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.recoding import Recoding
from heteronym.model.schema import Scale
from heteronym.registry import measures


@measures.register("drift")
@dataclass(frozen=True)
class DistributionDrift:
    """How far each column's distribution moved, from 0 (not at all) to 1 (as far as it could)."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        if not len(partition.group) or partition.count == 0:
            return {}
        return {column.name: _distance(column, partition) for column in view.columns}


def _distance(column: Column, partition: Partition) -> float:
    before, after = _before(column, partition), _after(column, partition)
    if column.domain.attribute.scale is Scale.NOMINAL:
        return float(np.abs(before - after).sum() / 2)
    # missing has no place in an order: the known values are compared
    known = [part[:-1] / part[:-1].sum() if part[:-1].sum() > 0 else part[:-1] for part in (before, after)]
    place = _places(column)
    if len(place) < 2 or place[0] == place[-1] or not all(part.sum() > 0 for part in known):
        return 0.0  # also of long numbers that differ beyond what floats tell
    apart = np.abs(np.cumsum(known[0] - known[1]))[:-1]
    return float(apart @ np.diff(place) / (place[-1] - place[0]))


def _places(column: Column) -> NDArray[np.float64]:
    """Where each value of an ordered column stands."""
    values = column.domain.values
    if column.domain.attribute.scale is Scale.DATE:
        return values.astype("datetime64[D]").astype(np.int64).astype(np.float64)
    if column.domain.attribute.scale is Scale.NUMERIC and column.domain.hierarchy is None:
        return values.astype(np.float64)
    return np.arange(len(values), dtype=np.float64)


def _before(column: Column, partition: Partition) -> NDArray[np.float64]:
    """Share of the persons by code, missing last; a person with several values counts in parts."""
    owner, codes = column.pairs()
    parts = 1.0 / np.bincount(owner, minlength=len(column.person_set))[owner]
    if partition.times is not None:
        parts = parts * partition.times[owner]
    counts = np.bincount(codes, weights=parts, minlength=column.domain.missing_code + 1)
    return np.asarray(counts / partition.persons, np.float64)


def _after(column: Column, partition: Partition) -> NDArray[np.float64]:
    """The same as a reader of the labels must guess it."""
    covers, sizes, missing = (
        partition.covers(column),
        partition.sizes().astype(np.float64),
        column.domain.missing_code,
    )
    total = sizes.sum()
    if column.shape.kind is ShapeKind.SET:
        each = sizes / np.maximum(np.diff(covers.ptr), 1)
        counts = np.bincount(covers.codes, weights=each[covers.owners()], minlength=missing + 1)
        return np.asarray(counts / total, np.float64)
    low, high, mixed = covers.outer(missing)
    known = high < missing
    if column.shape.kind is ShapeKind.RUN:
        start, end = column.shape.reach(low[known], high[known], missing)
        low[known], high[known] = start, end - 1
    if not column.shape.mixes:  # the label says nothing
        low[mixed], high[mixed] = 0, missing - 1
    each = sizes / (high - low + 1 + mixed)
    steps = np.bincount(low, weights=each, minlength=missing + 2)
    steps -= np.bincount(high + 1, weights=each, minlength=missing + 2)
    counts = np.cumsum(steps)[: missing + 1]
    counts[missing] += float(each @ mixed)
    return np.asarray(counts / total, np.float64)
