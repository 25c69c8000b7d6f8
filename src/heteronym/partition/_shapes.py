"""How the labels of all columns lose, packed into arrays for the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, ShapeKind


class Shapes(NamedTuple):
    """`LabelShape` of every column, padded to one size; weights add up to 1."""

    kind: NDArray[np.int64]
    values: NDArray[np.int64]  # values in the domain, missing left out
    size: NDArray[np.float64]  # different values in the data
    span: NDArray[np.float64]
    position: NDArray[np.float64]  # [columns, codes]
    starts: NDArray[np.int32]  # [columns, levels, codes]
    ends: NDArray[np.int32]
    levels: NDArray[np.int64]
    open_top: NDArray[np.bool_]
    by_weight: NDArray[np.bool_]  # names, cut by their frequency
    weight: NDArray[np.float64]
    words: NDArray[np.int64]  # [columns + 1] where the bits of a set begin


def pack_shapes(columns: Sequence[Column]) -> Shapes:
    shapes = [column.shape for column in columns]
    missing = [column.domain.missing_code for column in columns]
    levels = np.array([s.starts.shape[0] for s in shapes], np.int64)
    most = max(missing, default=0) + 1
    position = np.zeros((len(columns), most))
    starts = np.zeros((len(columns), int(levels.max(initial=1)), most), np.int32)
    ends = np.zeros_like(starts)
    for number, shape in enumerate(shapes):
        position[number, : len(shape.position)] = shape.position
        starts[number, : shape.starts.shape[0], : shape.starts.shape[1]] = shape.starts
        ends[number, : shape.ends.shape[0], : shape.ends.shape[1]] = shape.ends
    weight = np.array([c.weight for c in columns], np.float64)
    words = [
        (column.domain.missing_code + 64) // 64 if column.shape.kind is ShapeKind.SET else 0
        for column in columns
    ]
    return Shapes(
        kind=np.array([int(s.kind) for s in shapes], np.int64),
        values=np.array(missing, np.int64),
        size=np.array([max(c.domain.size, 1) for c in columns], np.float64),
        span=np.array([np.ptp(s.position) if len(s.position) else 0.0 for s in shapes], np.float64),
        position=position,
        starts=starts,
        ends=ends,
        levels=levels,
        open_top=np.array([s.open_top for s in shapes], np.bool_),
        by_weight=np.array([s.kind is ShapeKind.SET and not s.ordered for s in shapes], np.bool_),
        weight=weight / weight.sum() if len(weight) else weight,
        words=np.cumsum([0, *words]).astype(np.int64),
    )
