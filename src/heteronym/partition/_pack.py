"""Columns of a PersonView as flat arrays for the compiled kernels, equal persons collapsed.

Cost        O(n q log n) once per run; a million adults collapse to a third of their rows
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.model.sets import Sets, one_number
from heteronym.partition._shapes import Layer, Shapes, layers_of, pack_shapes


class Packed(NamedTuple):
    """Records are distinct rows of value sets, each standing for `weight` persons."""

    weight: NDArray[np.int64]  # [records] persons
    sets: NDArray[np.int32]  # [records, columns] value set
    ranks: NDArray[np.int32]  # [columns, records] place of the value set in the column's order
    ptr: NDArray[np.int64]  # [columns, sets + 1]
    codes: NDArray[np.int32]  # [columns, codes]; of ranges, first and last of each set are enough
    shapes: Shapes


class Work(NamedTuple):
    """Scratch arrays of the kernels: reused by every node, left as they were found."""

    place: NDArray[np.int64]
    touched: NDArray[np.int64]
    weight_at: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    left_loss: NDArray[np.float64]
    right_loss: NDArray[np.float64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    seen: NDArray[np.int64]
    left: NDArray[np.bool_]  # [records], as the next two
    rest: NDArray[np.int64]
    copied: NDArray[np.int64]


def work_for(packed: Packed) -> Work:
    ranks = int(packed.ranks.max(initial=0)) + 2
    codes = int(packed.codes.max(initial=0)) + 2
    return Work(
        place=np.full(ranks, -1, np.int64),
        touched=np.zeros(ranks, np.int64),
        weight_at=np.zeros(ranks, np.int64),
        low=np.zeros(ranks, np.int64),
        high=np.zeros(ranks, np.int64),
        left_loss=np.zeros(ranks),
        right_loss=np.zeros(ranks),
        first=np.full(codes, -1, np.int64),
        last=np.full(codes, -1, np.int64),
        seen=np.zeros(codes, np.int64),
        left=np.zeros(len(packed.weight), np.bool_),
        rest=np.zeros(len(packed.weight), np.int64),
        copied=np.zeros(len(packed.weight), np.int64),
    )


def pack(view: PersonView, *, collapse: bool) -> tuple[Packed, NDArray[np.int64]]:
    """The records, and which of them each person is."""
    layers = layers_of(view.columns)
    by_person = np.empty((view.persons, len(layers)), np.int32)
    for number, layer in enumerate(layers):
        by_person[:, number] = layer.person_set
    if collapse and layers:
        key = one_number(((layer.person_set, len(layer.sets)) for layer in layers), view.persons)
        _, first, record_of, weight = np.unique(
            key, return_index=True, return_inverse=True, return_counts=True
        )
        records = by_person[first]
    else:
        records, record_of = by_person, np.arange(view.persons)
        weight = np.ones(view.persons, np.int64)
    ranks = np.empty((len(layers), len(records)), np.int32)
    for number, layer in enumerate(layers):
        ranks[number] = _set_order(layer)[records[:, number]]
    looked_at = [_looked_at(layer) for layer in layers]
    packed = Packed(
        weight=weight.astype(np.int64),
        sets=np.ascontiguousarray(records),
        ranks=ranks,
        ptr=_padded([sets.ptr for sets in looked_at], np.int64),
        codes=_padded([sets.codes for sets in looked_at], np.int32),
        shapes=pack_shapes(layers),
    )
    return packed, record_of


def _looked_at(layer: Layer) -> Sets:
    """The value sets with the codes that kernels read: of a range the first and the last, side by side."""
    ptr, codes = layer.sets.ptr, layer.sets.codes
    if layer.shape.kind == ShapeKind.SET or len(codes) <= 2 * len(layer.sets):
        return layer.sets
    ends = np.stack([codes[ptr[:-1]], codes[ptr[1:] - 1]], axis=1)
    return Sets(np.arange(len(layer.sets) + 1, dtype=np.int64) * 2, ends.reshape(-1))


def _set_order(layer: Layer) -> NDArray[np.int64]:
    """Rank of each value set on its layer: by the mean of its values, missing last."""
    missing = layer.values
    codes, ptr = layer.sets.codes, layer.sets.ptr
    if layer.shape.kind == ShapeKind.SPAN:
        position = np.append(layer.shape.position[:missing], 0.0)
    else:
        position = np.arange(missing + 1, dtype=np.float64)
    present = (codes != missing) & (codes >= 0)
    total = np.add.reduceat(np.where(present, position[codes], 0.0), ptr[:-1])
    count = np.add.reduceat(present.astype(np.int64), ptr[:-1])
    mean = np.where(count > 0, total / np.maximum(count, 1), np.inf)
    if layer.shape.kind == ShapeKind.SET and len(codes) > len(layer.sets):
        # different sets of names with one mean have nothing in common: keep them apart
        return np.argsort(np.argsort(mean, kind="stable"), kind="stable")
    return np.unique(mean, return_inverse=True)[1]


def _padded(rows: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    out = np.zeros((len(rows), max((len(r) for r in rows), default=0)), dtype)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out
