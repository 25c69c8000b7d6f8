"""Clusters of persons with the boxes around them: what k-member builds and the merges work on.

Reference   Poulis et al. 2013, section 5, algorithm CLUSTER
Cost        O(n^2 / k) box unions to build
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PromiseError, UsageError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.model.promise import ItemPromise
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._sample import sample_view
from heteronym.partition._shapes import Shapes, layers_of, pack_shapes
from heteronym.run import current
from heteronym.statistics.together import Together


class Boxes(NamedTuple):
    """What persons or clusters cover: lowest and highest code per column, and codes as bits."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    bits: NDArray[np.uint64]


@dataclass(frozen=True, repr=False, eq=False)
class Covers:
    """The persons' boxes and how a box loses on the columns; weights add up to 1.

    Layers are ordered spans first; `start` and `end` are the outer positions on them, scaled so
    that a difference is a weighted loss; whoever lacks a value starts behind and ends before everybody.
    """

    shapes: Shapes
    persons: Boxes
    start: NDArray[np.float64]
    end: NDArray[np.float64]


def covers_of(view: PersonView) -> Covers:
    layers = sorted(layers_of(view.columns), key=lambda layer: layer.shape.kind != ShapeKind.SPAN)
    count = len(layers)
    shapes = pack_shapes(layers)
    words = shapes.words
    low = np.zeros((view.persons, count), np.int32)
    high = np.zeros((view.persons, count), np.int32)
    bits = np.zeros((view.persons, int(words[-1])), np.uint64)
    for number, layer in enumerate(layers):
        ptr, codes = layer.sets.ptr, layer.sets.codes
        low[:, number] = codes[ptr[:-1]][layer.person_set]
        high[:, number] = codes[ptr[1:] - 1][layer.person_set]
        if layer.shape.kind == ShapeKind.SET:
            of_set = np.zeros((len(layer.sets), int(words[number + 1] - words[number])), np.uint64)
            np.bitwise_or.at(
                of_set, (layer.sets.owners(), codes // 64), np.uint64(1) << (codes % 64).astype(np.uint64)
            )
            bits[:, words[number] : words[number + 1]] = of_set[layer.person_set]
    spans = sum(layer.shape.kind == ShapeKind.SPAN for layer in layers)
    start = np.empty((view.persons, spans))
    end = np.empty((view.persons, spans))
    for number, layer in enumerate(layers[:spans]):
        scaled = np.empty(layer.values + 2)
        scale = shapes.weight[number] / (shapes.span[number] or 1.0)
        scaled[: layer.values] = layer.shape.position[: layer.values] * scale
        scaled[layer.values :] = 1e9, -1e9  # the code behind the last, and -1
        start[:, number] = scaled[low[:, number]]
        end[:, number] = scaled[high[:, number]]
    return Covers(shapes, Boxes(low, high, bits), start, end)


def least_size(view: PersonView, models: Sequence[PrivacyModel]) -> int:
    """The smallest cluster that can please all models; refuses what no grouping can."""
    if not models:
        raise UsageError("a partitioner needs at least one privacy model")
    everyone = np.arange(view.persons, dtype=np.int32)
    for model in models:
        if not Together(view, [model]).admits(everyone):
            name = getattr(model, "part_name", type(model).__name__)
            raise PromiseError(
                f"no grouping reaches '{name}': not even all {view.persons} persons together do"
            )
    return Together(view, models).least


def k_member_clusters(
    view: PersonView,
    covers: Covers,
    models: Sequence[PrivacyModel],
    rng: np.random.Generator,
    *,
    greedy: bool,
) -> NDArray[np.int64]:
    """CLUSTER: the cluster of each person; all models admit every cluster."""
    k = least_size(view, models)
    persons = covers.persons
    order = rng.permutation(view.persons)
    run = current()
    cluster, count = run.call(
        kernels.nearest_clusters,
        covers.shapes,
        covers.start,
        covers.end,
        *persons,
        order,
        k,
        greedy,
        run.stop,
    )
    boxes = Boxes(*kernels.boxes_of(cluster, count, *persons))
    for person in np.flatnonzero(cluster < 0):
        cluster[person] = _nearest_box(covers, boxes, persons, int(person))
    cluster = join_equal(covers, cluster)
    return join_refused(view, covers, cluster, models)


def _nearest_box(covers: Covers, boxes: Boxes, other: Boxes, number: int) -> int:
    low = np.vstack([boxes.low, other.low[number]])
    high = np.vstack([boxes.high, other.high[number]])
    bits = np.vstack([boxes.bits, other.bits[number]])
    alive = np.ones(len(low), np.bool_)
    return int(np.argmin(kernels.union_losses(covers.shapes, len(low) - 1, alive, low, high, bits)))


def join_equal(covers: Covers, cluster: NDArray[np.int64]) -> NDArray[np.int64]:
    """Clusters with equal labels become one: free for the columns, better for the items."""
    persons = covers.persons
    count = int(cluster.max(initial=-1)) + 1
    low, high, bits = kernels.boxes_of(cluster, count, *persons)
    for number in np.flatnonzero(covers.shapes.kind == ShapeKind.RUN).tolist():
        _publish(covers.shapes, number, low[:, number], high[:, number])
    rows = np.ascontiguousarray(np.hstack([low.astype(np.int64), high.astype(np.int64), bits.view(np.int64)]))
    if rows.shape[1] == 0:
        return np.zeros_like(cluster)
    _, same = np.unique(rows, axis=0, return_inverse=True)
    return numbered(same.reshape(-1)[cluster])


def _publish(shapes: Shapes, layer: int, low: NDArray[np.int32], high: NDArray[np.int32]) -> None:
    """Ends of the labels in the place of the ends of what they cover."""
    several = np.flatnonzero(low < high)
    lo, hi = low[several].copy(), high[several].copy()
    low[several], high[several] = 0, shapes.values[layer]
    for level in range(int(shapes.levels[layer]) - 1, 0, -1):
        nodes = shapes.nodes[layer, level]
        told = nodes[hi] - nodes[lo] < shapes.most[layer, level]
        low[several[told]] = shapes.starts[layer, level, lo[told]]
        high[several[told]] = shapes.ends[layer, level, hi[told]]


def join_refused(
    view: PersonView, covers: Covers, cluster: NDArray[np.int64], models: Sequence[PrivacyModel]
) -> NDArray[np.int64]:
    """Join every cluster that a model refuses to its nearest, until all are admitted."""
    together = Together(view, models)
    if not together.asking:
        return cluster
    persons = covers.persons
    cluster = cluster.copy()
    count = int(cluster.max(initial=-1)) + 1
    low, high, bits = kernels.boxes_of(cluster, count, *persons)
    alive = np.ones(count, np.bool_)
    of_cluster = Partition(cluster.astype(np.int32)).members()
    members = {g: of_cluster[g] for g in range(count)}
    waiting = list(range(count))
    run = current()
    while waiting:
        run.poll()
        g = waiting.pop()
        if not alive[g] or alive.sum() == 1 or together.admits(members[g]):
            continue
        near = int(np.argmin(kernels.union_losses(covers.shapes, g, alive, low, high, bits)))
        low[g], high[g] = np.minimum(low[g], low[near]), np.maximum(high[g], high[near])
        bits[g] |= bits[near]
        alive[near] = False
        cluster[members[near]] = g
        members[g] = np.r_[members[g], members[near]]
        waiting.append(g)
    return numbered(cluster)


def numbered(cluster: NDArray[Any]) -> NDArray[np.int64]:
    """Cluster numbers 0..count-1 in order of their first person: they do not tell the search's path."""
    _, first, inverse = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse.reshape(-1)].astype(np.int64)


def compile_kernels(*, merges: bool = True) -> None:
    """Have the kernels of items ready before the clock of the search runs, and those that merge clusters."""
    from heteronym.itemsets.blocks import Transactions
    from heteronym.partition._merge import Clusters

    view = sample_view()
    transactions = Transactions(view, ItemPromise(2, 2))
    transactions.blocked(np.arange(view.persons, dtype=np.int32))
    if merges:
        clusters = Clusters(covers_of(view), np.arange(view.persons) // 2, transactions)
        clusters.spreads_with(0)
        clusters.join(0, 1, loss=float(clusters.losses_with(0)[1]))
