"""Clusters of persons with the boxes around them: what k-member builds and the merges work on.

Reference   Poulis et al. 2013, section 5, algorithm CLUSTER
Cost        O(n^2 / k) box unions to build
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PromiseError, UsageError
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView, ShapeKind


@dataclass(frozen=True, repr=False, eq=False)
class Boxes:
    """What persons or clusters cover: lowest and highest code per column, and codes as bits."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    bits: NDArray[np.uint64]


@dataclass(frozen=True, repr=False, eq=False)
class Covers:
    """The persons' boxes and how a box loses on the columns; weights add up to 1.

    Columns are ordered spans first; `start` and `end` are the outer positions on them, scaled so
    that a difference is a weighted loss. A missing value lies far outside, where losses are cut off.
    """

    shape: tuple[Any, ...]
    persons: Boxes
    start: NDArray[np.float64]
    end: NDArray[np.float64]


def covers_of(view: PersonView) -> Covers:
    columns = sorted(view.columns, key=lambda column: column.shape.kind != ShapeKind.SPAN)
    count = len(columns)
    words = np.zeros(count + 1, np.int64)
    for number, column in enumerate(columns):
        named = column.shape.kind == ShapeKind.SET
        words[number + 1] = words[number] + ((column.domain.missing_code + 64) // 64 if named else 0)
    low = np.zeros((view.persons, count), np.int32)
    high = np.zeros((view.persons, count), np.int32)
    bits = np.zeros((view.persons, int(words[-1])), np.uint64)
    for number, column in enumerate(columns):
        ptr, codes = column.sets.ptr, column.sets.codes
        low[:, number] = codes[ptr[:-1]][column.person_set]
        high[:, number] = codes[ptr[1:] - 1][column.person_set]
        if column.shape.kind == ShapeKind.SET:
            of_set = np.zeros((len(column.sets), int(words[number + 1] - words[number])), np.uint64)
            owner = np.repeat(np.arange(len(column.sets)), np.diff(ptr))
            np.bitwise_or.at(of_set, (owner, codes // 64), np.uint64(1) << (codes % 64).astype(np.uint64))
            bits[:, words[number] : words[number + 1]] = of_set[column.person_set]
    shape = _packed(columns, words)
    spans = sum(column.shape.kind == ShapeKind.SPAN for column in columns)
    start = np.empty((view.persons, spans))
    end = np.empty((view.persons, spans))
    for number, column in enumerate(columns[:spans]):
        missing = column.domain.missing_code
        scaled = np.full(missing + 1, 1e9)
        scaled[:missing] = column.shape.position[:missing] * (shape[9][number] / (shape[3][number] or 1.0))
        start[:, number] = scaled[low[:, number]]
        end[:, number] = scaled[high[:, number]]
    return Covers(shape, Boxes(low, high, bits), start, end)


def _packed(columns: Sequence[Column], words: NDArray[np.int64]) -> tuple[Any, ...]:
    shapes = [column.shape for column in columns]
    levels = np.array([s.starts.shape[0] for s in shapes], np.int64)
    most = max((c.domain.missing_code for c in columns), default=0) + 1
    position = np.zeros((len(columns), most))
    starts = np.zeros((len(columns), int(levels.max(initial=1)), most), np.int32)
    ends = np.zeros_like(starts)
    for number, shape in enumerate(shapes):
        position[number, : len(shape.position)] = shape.position
        starts[number, : shape.starts.shape[0], : shape.starts.shape[1]] = shape.starts
        ends[number, : shape.ends.shape[0], : shape.ends.shape[1]] = shape.ends
    weight = np.array([c.weight for c in columns], np.float64)
    return (
        np.array([int(s.kind) for s in shapes], np.int64),
        np.array([c.domain.missing_code for c in columns], np.int64),
        np.array([max(c.domain.size, 1) for c in columns], np.float64),
        np.array(
            [
                np.ptp(s.position[: c.domain.missing_code]) if c.domain.missing_code else 0.0
                for s, c in zip(shapes, columns, strict=True)
            ],
            np.float64,
        ),
        position,
        starts,
        ends,
        levels,
        np.array([s.open_top for s in shapes], np.bool_),
        weight / weight.sum() if len(weight) else weight,
        words,
    )


def least_size(view: PersonView, models: Sequence[PrivacyModel]) -> int:
    """The smallest cluster that can please all models; refuses what no grouping can."""
    if not models:
        raise UsageError("a partitioner needs at least one privacy model")
    least = max(model.least_persons for model in models)
    everyone = np.arange(view.persons, dtype=np.int32)
    for model in models:
        if view.persons < model.least_persons or not model.admits(view, everyone):
            name = getattr(model, "part_name", type(model).__name__)
            raise PromiseError(
                f"no grouping reaches '{name}': not even all {view.persons} persons together do"
            )
    return least


def k_member_clusters(
    view: PersonView,
    covers: Covers,
    models: Sequence[PrivacyModel],
    rng: np.random.Generator,
    *,
    greedy: bool,
) -> NDArray[np.int64]:
    """CLUSTER: the cluster of each person; all models admit every cluster."""
    from heteronym.partition import _box_kernels as kernels

    k = least_size(view, models)
    persons = covers.persons
    order = rng.permutation(view.persons)
    cluster, count = kernels.nearest_clusters(
        covers.shape, covers.start, covers.end, persons.low, persons.high, persons.bits, order, k, greedy
    )
    boxes = Boxes(*kernels.boxes_of(cluster, count, persons.low, persons.high, persons.bits))
    for person in np.flatnonzero(cluster < 0):
        cluster[person] = _nearest_box(covers, boxes, persons, int(person))
    cluster = join_equal(covers, cluster)
    return join_refused(view, covers, cluster, models)


def _nearest_box(covers: Covers, boxes: Boxes, other: Boxes, number: int) -> int:
    from heteronym.partition import _box_kernels as kernels

    low = np.vstack([boxes.low, other.low[number]])
    high = np.vstack([boxes.high, other.high[number]])
    bits = np.vstack([boxes.bits, other.bits[number]])
    alive = np.ones(len(low), np.bool_)
    return int(np.argmin(kernels.union_losses(covers.shape, len(low) - 1, alive, low, high, bits)))


def join_equal(covers: Covers, cluster: NDArray[np.int64]) -> NDArray[np.int64]:
    """Clusters with equal boxes become one: free for the columns, better for the items."""
    from heteronym.partition import _box_kernels as kernels

    persons = covers.persons
    count = int(cluster.max(initial=-1)) + 1
    low, high, bits = kernels.boxes_of(cluster, count, persons.low, persons.high, persons.bits)
    rows = np.ascontiguousarray(np.hstack([low.astype(np.int64), high.astype(np.int64), bits.view(np.int64)]))
    if rows.shape[1] == 0:
        return np.zeros_like(cluster)
    _, same = np.unique(rows, axis=0, return_inverse=True)
    return numbered(same.reshape(-1)[cluster])


def join_refused(
    view: PersonView, covers: Covers, cluster: NDArray[np.int64], models: Sequence[PrivacyModel]
) -> NDArray[np.int64]:
    """Join every cluster that a model refuses to its nearest, until all are admitted."""
    from heteronym.partition import _box_kernels as kernels

    asking = [model for model in models if not model.size_only]
    if not asking:
        return cluster
    persons = covers.persons
    cluster = cluster.copy()
    count = int(cluster.max(initial=-1)) + 1
    low, high, bits = kernels.boxes_of(cluster, count, persons.low, persons.high, persons.bits)
    alive = np.ones(count, np.bool_)
    of_cluster = Partition(cluster.astype(np.int32)).members()
    members = {g: of_cluster[g] for g in range(count)}
    waiting = list(range(count))
    while waiting:
        g = waiting.pop()
        if not alive[g] or alive.sum() == 1:
            continue
        if all(model.admits(view, members[g]) for model in asking):
            continue
        near = int(np.argmin(kernels.union_losses(covers.shape, g, alive, low, high, bits)))
        low[g], high[g] = np.minimum(low[g], low[near]), np.maximum(high[g], high[near])
        bits[g] |= bits[near]
        alive[near] = False
        cluster[members[near]] = g
        members[g] = np.r_[members[g], members[near]]
        waiting.append(g)
    return numbered(cluster)


def numbered(cluster: NDArray[Any]) -> NDArray[np.int64]:
    """Cluster numbers 0..count-1 in order of their first person."""
    _, first, inverse = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse.reshape(-1)].astype(np.int64)


def loss_of(covers: Covers, cluster: NDArray[np.int64]) -> float:
    """NCP of the table with these clusters."""
    from heteronym.partition import _box_kernels as kernels

    persons = covers.persons
    count = int(cluster.max(initial=-1)) + 1
    boxes = kernels.boxes_of(cluster, count, persons.low, persons.high, persons.bits)
    sizes = np.bincount(cluster, minlength=count)
    return float(sizes @ kernels.box_losses(covers.shape, *boxes) / max(len(cluster), 1))


def compile_kernels() -> None:
    """Have all kernels ready before the clock of the search runs."""
    from heteronym.itemsets.blocks import Transactions
    from heteronym.model.person_view import ElementDomain, Elements, Sets
    from heteronym.model.promise import ItemPromise
    from heteronym.partition._merge import Clusters

    ptr = np.arange(0, 9, 2, dtype=np.int64)
    sets = Sets(ptr, np.array([0, 1, 0, 2, 1, 2, 0, 3], np.int32))
    rows = np.arange(4, dtype=np.int32)
    elements = Elements(
        (ElementDomain("items", None),),
        np.zeros(4, np.int32),
        list("abcd"),
        np.zeros(4, np.bool_),
        sets,
        sets,
        rows,
    )
    view = PersonView((), elements, rows, 4)
    transactions = Transactions(view, ItemPromise(2, 2))
    transactions.blocked(np.arange(4, dtype=np.int32))
    covers = covers_of(view)
    clusters = Clusters(covers, np.array([0, 0, 1, 1]), transactions)
    clusters.spreads_with(0)
    clusters.join(0, 1, loss=float(clusters.losses_with(0)[1]))
