"""How the labels of all columns lose, packed into arrays for the compiled kernels.

A column whose labels are ranges or nodes, and in which values are missing, is searched as two layers: the
known values, of which somebody who lacks them has none, and whether a value is missing. Their losses add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, LabelShape, ShapeKind
from heteronym.model.sets import Sets


class Layer(NamedTuple):
    """A column as the kernels see it. Of a range, only the first and the last code of a set are looked at."""

    shape: LabelShape
    values: int  # in the domain, missing left out
    size: int  # different values in the data
    weight: float
    sets: Sets
    column: int  # whose layer it is


class Shapes(NamedTuple):
    """`LabelShape` of every layer, padded to one size; weights of columns add up to 1."""

    kind: NDArray[np.int64]
    values: NDArray[np.int64]  # values in the domain, missing left out
    size: NDArray[np.float64]  # different values in the data
    span: NDArray[np.float64]
    position: NDArray[np.float64]  # [layers, codes]
    starts: NDArray[np.int32]  # [layers, levels, codes]
    ends: NDArray[np.int32]
    nodes: NDArray[np.int32]
    most: NDArray[np.int64]  # [layers, levels] neighbours that one label may name
    levels: NDArray[np.int64]
    by_weight: NDArray[np.bool_]  # names, cut by their frequency
    weight: NDArray[np.float64]
    words: NDArray[np.int64]  # [layers + 1] where the bits of a set begin


def layers_of(columns: Sequence[Column]) -> list[Layer]:
    """One layer per column, in their order, then those that tell who lacks a value."""
    total = sum(column.weight for column in columns)
    first, second = [], []
    for number, column in enumerate(columns):
        missing, size = column.domain.missing_code, max(column.domain.size, 1)
        weight, sets = column.weight / total, column.sets
        if column.counts_missing:
            second.append(_lacking(sets, missing, weight / size, number))
            sets, weight = _known_ends(sets, missing), weight * (1.0 - 1.0 / size)
        first.append(Layer(column.shape, missing, size, weight, sets, number))
    return [*first, *second]


def _known_ends(sets: Sets, missing: int) -> Sets:
    """Lowest and highest known code of each set; where none is known a pair that widens no range."""
    low, high, _ = sets.outer(missing)
    ends = np.stack([low, np.where(low < missing, high, -1)], axis=1)
    return Sets(np.arange(len(sets) + 1, dtype=np.int64) * 2, ends.reshape(-1).astype(np.int32))


def _lacking(sets: Sets, missing: int, weight: float, column: int) -> Layer:
    """Code 0 for a known value, 1 for a missing one; who has both has both."""
    lacks = (sets.codes == missing).astype(np.int32)
    is_missing = Sets.of_pairs(sets.owners(), lacks, owners=len(sets), codes=2)
    return Layer(LabelShape(ShapeKind.SET, np.arange(2.0)), 1, 2, weight, is_missing, column)


def pack_shapes(layers: Sequence[Layer]) -> Shapes:
    shapes = [layer.shape for layer in layers]
    values = [layer.values for layer in layers]
    levels = np.array([s.starts.shape[0] for s in shapes], np.int64)
    deepest, most_codes = int(levels.max(initial=1)), max(values, default=0) + 1
    position = np.zeros((len(layers), most_codes))
    starts = np.zeros((len(layers), deepest, most_codes), np.int32)
    ends, nodes = np.zeros_like(starts), np.zeros_like(starts)
    most = np.ones((len(layers), deepest), np.int64)
    for number, shape in enumerate(shapes):
        position[number, : len(shape.position)] = shape.position
        for array, rows in ((starts, shape.starts), (ends, shape.ends), (nodes, shape.numbers)):
            array[number, : rows.shape[0], : rows.shape[1]] = rows
        most[number, : len(shape.starts)] = shape.widest
    words = [(layer.values + 64) // 64 if layer.shape.kind is ShapeKind.SET else 0 for layer in layers]
    return Shapes(
        kind=np.array([int(s.kind) for s in shapes], np.int64),
        values=np.array(values, np.int64),
        size=np.array([layer.size for layer in layers], np.float64),
        span=np.array([np.ptp(s.position) if len(s.position) else 0.0 for s in shapes], np.float64),
        position=position,
        starts=starts,
        ends=ends,
        nodes=nodes,
        most=most,
        levels=levels,
        by_weight=np.array([s.kind is ShapeKind.SET and not s.ordered for s in shapes], np.bool_),
        weight=np.array([layer.weight for layer in layers], np.float64),
        words=np.cumsum([0, *words]).astype(np.int64),
    )
