"""Columns of a PersonView as flat arrays for the compiled kernels, equal persons collapsed.

Cost        O(n q log n) once per run; a million adults collapse to a third of their rows
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.sets import Sets, one_number
from heteronym.partition._shapes import Layer, Shapes, layers_of, pack_shapes


class Records(NamedTuple):
    """Persons with equal value sets as one, in the order of their sets: what a search over columns needs."""

    sets: NDArray[np.int32]  # [records, columns] number of the value set
    weight: NDArray[np.int64]  # [records] persons


class Layout(NamedTuple):
    """What all records of a search have in common, and every part of them."""

    ptr: NDArray[np.int64]  # [layers, sets + 1]
    codes: NDArray[np.int32]  # [layers, codes]; of ranges, first and last of each set are enough
    rank: NDArray[np.int32]  # [layers, sets] place of the value set in the layer's order
    column: NDArray[np.int64]  # [layers] whose layer it is
    shapes: Shapes


class Packed(NamedTuple):
    """Records beside their layout, layer by layer."""

    weight: NDArray[np.int64]  # [records] persons
    sets: NDArray[np.int32]  # [records, layers] value set
    ranks: NDArray[np.int32]  # [layers, records] place of the value set in the layer's order
    ptr: NDArray[np.int64]
    codes: NDArray[np.int32]
    shapes: Shapes
    different: int  # ranks that a layer has at most


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
    ranks = packed.different + 2
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


def collapse(view: PersonView) -> tuple[Records, NDArray[np.int64]]:
    """The records of a view, and which of them each person is."""
    if not view.columns:
        return _everyone(view), np.arange(view.persons)
    key = one_number(((column.person_set, len(column.sets)) for column in view.columns), view.persons)
    _, first, record_of, weight = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    if view.times is not None:
        weight = np.bincount(record_of, view.times, len(first))
    return Records(_sets_of(view, first), weight.astype(np.int64)), record_of


def add_records(parts: Sequence[Records]) -> Records:
    """The records of several parts as one: where parts have an equal one, their persons are added."""
    sets = np.concatenate([part.sets for part in parts])
    weight = np.concatenate([part.weight for part in parts])
    if not sets.shape[1]:
        return Records(sets, weight)
    key = one_number(((column, int(column.max(initial=0)) + 1) for column in sets.T), len(sets))
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    added = np.zeros(len(first), np.int64)
    np.add.at(added, number, weight)
    return Records(np.ascontiguousarray(sets[first]), added)


def layout_of(columns: Sequence[Column]) -> Layout:
    """Follows from the domains and value sets of the columns; nobody's own sets are looked at."""
    layers = layers_of(columns)
    looked_at = [_looked_at(layer) for layer in layers]
    return Layout(
        ptr=_padded([sets.ptr for sets in looked_at], np.int64),
        codes=_padded([sets.codes for sets in looked_at], np.int32),
        rank=_padded([_set_order(layer) for layer in layers], np.int32),
        column=np.array([layer.column for layer in layers], np.int64),
        shapes=pack_shapes(layers),
    )


def pack_records(layout: Layout, records: Records) -> Packed:
    ranks = np.empty((len(layout.column), len(records.weight)), np.int32)
    for layer, column in enumerate(layout.column):
        ranks[layer] = layout.rank[layer][records.sets[:, column]]
    return Packed(
        weight=records.weight,
        sets=np.ascontiguousarray(records.sets[:, layout.column]),
        ranks=ranks,
        ptr=layout.ptr,
        codes=layout.codes,
        shapes=layout.shapes,
        different=int(layout.rank.max(initial=0)) + 1,
    )


def pack_persons(view: PersonView) -> Packed:
    """Each person as a record."""
    return pack_records(layout_of(view.columns), _everyone(view))


def _everyone(view: PersonView) -> Records:
    return Records(_sets_of(view, slice(None)), np.ones(view.persons, np.int64))


def _sets_of(view: PersonView, persons: Any) -> NDArray[np.int32]:
    sets = [column.person_set[persons] for column in view.columns]
    return np.stack(sets, axis=1) if sets else np.empty((view.persons, 0), np.int32)


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
