"""Clusters of persons with the boxes around them: what k-member builds and the merges work on.

Reference   Poulis et al. 2013, section 5, algorithm CLUSTER
Cost        O(n^2 / k) box unions to build
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PromiseError, UsageError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._shapes import Shapes, layers_of, pack_shapes
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics

if TYPE_CHECKING:
    from heteronym.itemsets.blocks import Transactions


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
        person_set = view.columns[layer.column].person_set
        low[:, number] = codes[ptr[:-1]][person_set]
        high[:, number] = codes[ptr[1:] - 1][person_set]
        if layer.shape.kind == ShapeKind.SET:
            of_set = np.zeros((len(layer.sets), int(words[number + 1] - words[number])), np.uint64)
            np.bitwise_or.at(
                of_set, (layer.sets.owners(), codes // 64), np.uint64(1) << (codes % 64).astype(np.uint64)
            )
            bits[:, words[number] : words[number + 1]] = of_set[person_set]
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
        if not ModelStatistics(view, [model]).admits(everyone):
            name = getattr(model, "part_name", type(model).__name__)
            raise PromiseError(
                f"no grouping reaches '{name}': not even all {view.persons} persons together do"
            )
    return ModelStatistics(view, models).least


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
    run = current()
    persons: tuple[NDArray[Any], ...] = covers.persons
    looked_at = covers.shapes, covers.start, covers.end, *persons, rng.permutation(view.persons)
    cluster, count = run.call(kernels.nearest_clusters, *looked_at, k, greedy, run.stop)
    boxes, alive = kernels.boxes_of(cluster, count, *persons), np.ones(count + 1, np.bool_)
    for person in np.flatnonzero(cluster < 0):
        both = [np.vstack([of_all, mine[person]]) for of_all, mine in zip(boxes, persons, strict=True)]
        cluster[person] = np.argmin(kernels.union_losses(covers.shapes, count, alive, *both))
    cluster = join_equal(covers, cluster)
    return join_refused(view, covers, cluster, models)


class Clusters:
    """Living clusters with boxes, members and losses; `join` is the only change."""

    def __init__(self, covers: Covers, cluster: NDArray[np.int64], transactions: Transactions | None) -> None:
        self.shapes = covers.shapes
        count = int(cluster.max(initial=-1)) + 1
        self.persons = len(cluster)
        of_cluster = Partition(cluster.astype(np.int32)).members()
        self.members = {number: of_cluster[number] for number in range(count)}  # of living clusters
        self.low, self.high, self.bits = kernels.boxes_of(cluster, count, *covers.persons)
        self.size = np.bincount(cluster, minlength=count).astype(np.int64)
        self.loss = kernels.box_losses(self.shapes, self.low, self.high, self.bits)
        self.alive = np.ones(count, np.bool_)
        self.joins: list[tuple[int, int]] = []
        self._transactions = transactions
        self._items: tuple[Any, ...] | None = None  # known as soon as somebody asks for BTD

    def _compare_items(self, transactions: Transactions) -> tuple[Any, ...]:
        sets = transactions.elements.of_person
        keep = transactions.attacker[sets.codes]
        ptr = np.r_[0, np.cumsum(keep)][sets.ptr].astype(np.int64)
        codes = sets.codes[keep]
        self._length = np.diff(ptr)
        self._head, self._after = np.full(len(self.size), -1, np.int64), np.empty(self.persons, np.int64)
        for number in self.members:
            self._chain(number)
        spread = kernels.own_spreads(ptr, codes, self._head, self._after)
        return spread, ptr, codes, self._head, self._after

    def _chain(self, number: int) -> None:
        """Members one after the other, the longest records first: they are the farthest apart."""
        members = self.members[number]
        order = members[np.argsort(-self._length[members])]
        self._head[number] = order[0]
        self._after[order] = np.r_[order[1:], -1]

    def losses_with(self, seed: int) -> NDArray[np.float64]:
        """NCP of the seed joined with every other cluster."""
        losses: NDArray[np.float64] = kernels.union_losses(
            self.shapes, seed, self.alive, self.low, self.high, self.bits
        )
        return losses

    def spreads_with(self, seed: int) -> NDArray[np.float64]:
        """BTD of the seed joined with every other cluster."""
        assert self._transactions is not None
        if self._items is None:
            self._items = self._compare_items(self._transactions)
        spreads: NDArray[np.float64] = kernels.union_spreads(seed, self.alive, *self._items)
        return spreads

    def join(self, seed: int, other: int, *, loss: float, spread: float = 0.0) -> None:
        """Make two clusters one; what it loses then, and where items are compared, its BTD."""
        self.low[seed] = np.minimum(self.low[seed], self.low[other])
        self.high[seed] = np.maximum(self.high[seed], self.high[other])
        self.bits[seed] |= self.bits[other]
        self.size[seed] += self.size[other]
        self.loss[seed] = loss
        self.alive[other] = False
        self.members[seed] = np.r_[self.members[seed], self.members.pop(other)]
        self.joins.append((seed, other))
        if self._items is not None:
            self._chain(seed)
            self._items[0][seed] = spread


def state_after(start: NDArray[np.int64], joins: list[tuple[int, int]]) -> NDArray[np.int64]:
    """The clusters after the first joins."""
    root = np.arange(int(start.max(initial=-1)) + 1)
    for seed, other in reversed(joins):
        # later joins first: `seed` already stands for what it was merged into
        root[other] = root[seed]
    _, numbers = np.unique(root, return_inverse=True)
    return numbers.reshape(-1)[start].astype(np.int64)


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
        is_known = nodes[hi] - nodes[lo] < shapes.most[layer, level]
        low[several[is_known]] = shapes.starts[layer, level, lo[is_known]]
        high[several[is_known]] = shapes.ends[layer, level, hi[is_known]]


def join_refused(
    view: PersonView, covers: Covers, cluster: NDArray[np.int64], models: Sequence[PrivacyModel]
) -> NDArray[np.int64]:
    """Join every cluster that a model refuses to its nearest, until all are admitted."""
    statistics = ModelStatistics(view, models)
    if not statistics.asking:
        return cluster
    clusters, run = Clusters(covers, cluster, None), current()
    waiting = list(clusters.members)
    while waiting:
        run.poll()
        g = waiting.pop()
        mine = clusters.members.get(g)
        if mine is None or len(clusters.members) == 1 or statistics.admits(mine):
            continue
        losses = clusters.losses_with(g)
        near = int(np.argmin(losses))
        clusters.join(g, near, loss=float(losses[near]))
        waiting.append(g)
    return numbered(state_after(cluster, clusters.joins))


def numbered(cluster: NDArray[Any]) -> NDArray[np.int64]:
    """Cluster numbers 0..count-1 in order of their first person: they do not tell the search's path."""
    _, first, inverse = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return rank[inverse.reshape(-1)].astype(np.int64)
