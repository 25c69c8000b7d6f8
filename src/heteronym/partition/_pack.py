"""Columns of a PersonView as flat arrays for the compiled kernels, equal persons collapsed.

Cost        O(n q log n) once per run; a million adults collapse to a third of their rows
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, PersonView, ShapeKind


@dataclass(frozen=True, repr=False, eq=False)
class Packed:
    """Records are distinct rows of value sets; `record_of` leads from persons to them."""

    weight: NDArray[np.int64]  # [records] persons
    sets: NDArray[np.int32]  # [records, columns] value set
    ranks: NDArray[np.int32]  # [columns, records] place of the value set in the column's order
    ptr: NDArray[np.int64]  # [columns, sets + 1]
    codes: NDArray[np.int32]  # [columns, codes]
    shape: tuple[Any, ...]  # kind, values, size, span, position, starts, ends, levels, open_top, by_weight
    column_weight: NDArray[np.float64]
    record_of: NDArray[np.int64]  # [persons]

    def work(self) -> tuple[NDArray[Any], ...]:
        """Scratch arrays of the kernels: reused by every node."""
        ranks = int(self.ranks.max(initial=0)) + 2
        codes = int(self.codes.max(initial=0)) + 2
        return (
            np.full(ranks, -1, np.int64),
            *(np.zeros(ranks, np.int64) for _ in range(4)),
            np.zeros(ranks),
            np.zeros(ranks),
            np.full(codes, -1, np.int64),
            np.full(codes, -1, np.int64),
            np.zeros(codes, np.int64),
        )


def pack(view: PersonView, *, collapse: bool) -> Packed:
    columns = view.columns
    by_person = np.empty((view.persons, len(columns)), np.int32)
    for number, column in enumerate(columns):
        by_person[:, number] = column.person_set
    if collapse and columns:
        records, record_of, weight = _distinct_rows(by_person, [len(c.sets) for c in columns])
    else:
        records, record_of = by_person, np.arange(view.persons)
        weight = np.ones(view.persons, np.int64)
    ranks = np.empty((len(columns), len(records)), np.int32)
    for number, column in enumerate(columns):
        ranks[number] = _set_order(column)[records[:, number]]
    return Packed(
        weight=weight.astype(np.int64),
        sets=np.ascontiguousarray(records),
        ranks=ranks,
        ptr=_padded([c.sets.ptr for c in columns], np.int64),
        codes=_padded([c.sets.codes for c in columns], np.int32),
        shape=_packed_shape(columns),
        column_weight=np.array([c.weight for c in columns], np.float64),
        record_of=record_of,
    )


def _distinct_rows(
    rows: NDArray[np.int32], sizes: list[int]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
    key = np.zeros(len(rows), np.int64)
    span = 1
    for number, size in enumerate(sizes):
        if span > (1 << 62) // max(size, 1):
            _, key = np.unique(key, return_inverse=True)
            span = int(key.max(initial=0)) + 1
        key = key * size + rows[:, number]
        span *= size
    _, first, inverse, counts = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    return rows[first], inverse, counts


def _set_order(column: Column) -> NDArray[np.int64]:
    """Rank of each value set on its column: by the mean of its values, missing last."""
    missing = column.domain.missing_code
    codes, ptr = column.sets.codes, column.sets.ptr
    if column.shape.kind == ShapeKind.SPAN:
        position = np.append(column.shape.position[:missing], 0.0)
    else:
        position = np.arange(missing + 1, dtype=np.float64)
    present = codes != missing
    total = np.add.reduceat(np.where(present, position[codes], 0.0), ptr[:-1])
    count = np.add.reduceat(present.astype(np.int64), ptr[:-1])
    mean = np.where(count > 0, total / np.maximum(count, 1), np.inf)
    if column.shape.kind == ShapeKind.SET and len(codes) > len(column.sets):
        # different sets of names with one mean have nothing in common: keep them apart
        return np.argsort(np.argsort(mean, kind="stable"), kind="stable")
    return np.unique(mean, return_inverse=True)[1]


def _padded(rows: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    out = np.zeros((len(rows), max((len(r) for r in rows), default=0)), dtype)
    for number, row in enumerate(rows):
        out[number, : len(row)] = row
    return out


def _packed_shape(columns: tuple[Column, ...]) -> tuple[Any, ...]:
    shapes = [c.shape for c in columns]
    levels = np.array([s.starts.shape[0] for s in shapes], np.int64)
    depth = int(levels.max(initial=1))
    most = max((c.domain.missing_code for c in columns), default=0) + 1
    position = np.zeros((len(columns), most))
    starts = np.zeros((len(columns), depth, most), np.int32)
    ends = np.zeros((len(columns), depth, most), np.int32)
    for number, shape in enumerate(shapes):
        position[number, : len(shape.position)] = shape.position
        starts[number, : shape.starts.shape[0], : shape.starts.shape[1]] = shape.starts
        ends[number, : shape.ends.shape[0], : shape.ends.shape[1]] = shape.ends
    return (
        np.array([int(s.kind) for s in shapes], np.int64),
        np.array([c.domain.missing_code for c in columns], np.int64),
        np.array([max(c.domain.size, 1) for c in columns], np.float64),
        np.array([np.ptp(s.position) if len(s.position) else 0.0 for s in shapes], np.float64),
        position,
        starts,
        ends,
        levels,
        np.array([s.open_top for s in shapes], np.bool_),
        np.array([s.kind == ShapeKind.SET and not s.ordered for s in shapes], np.bool_),
    )
