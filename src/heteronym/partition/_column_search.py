"""The search over columns where only group sizes count: on records, or on parts of them with a common top.

A search on all records at once and one on parts find the same groups. The upper cuts need no records: what
decides on them are tables of every part, which are added up. Below, each leaf is finished from its records,
which stand in the order of their sets, by the same kernels.

    records, who = collapse(view)             persons with equal value sets as one
    layout = layout_of(view.columns)          follows from domains and value sets alone
    top = cut_top(layout, tables_of, ...)     tables_of(top): the sum of `tables(...)` over all parts
    finish(pack_records(layout, leaf), least) group per record of a leaf, in the order of `top.leaves`

Reference   LeFevre et al. 2006; ours: the cut by gain, the clusters, the tables
Guarantee   groups have enough persons, and are the same in whatever parts the records come
Cost        tables O(records q^2) and a level of cuts each; leaves as `ColumnCuts`
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.partition._cluster_kernels import finish_by_clusters
from heteronym.partition._column_cut_kernels import ColumnCuts
from heteronym.partition._lattice_nodes import has_hierarchies, lattice_nodes
from heteronym.partition._pack import Layout, Packed, Records, pack_records, work_for
from heteronym.partition._search_kernels import grow
from heteronym.partition._table_kernels import best_cuts_of_tables, tabulate
from heteronym.run import current

SMALL_NODE = 160  # records up to which clusters are tried; quadratic, so kept small
LEAF = 250_000  # records from which on a node is cut from tables


class Passes(NamedTuple):
    """What a search does beside cutting; studies switch it off."""

    clusters: bool = True  # small nodes end as clusters
    rounds: int = 3  # over the records of a node that may move between its clusters
    cells: bool = True  # cells of hierarchies come before cuts


class Finished(NamedTuple):
    """Groups of records."""

    group: NDArray[np.int32]  # [records]
    groups: int
    loss: float  # of their labels, times persons


def small_node(least: int) -> int:
    """Records of a node that clusters are tried in."""
    return max(SMALL_NODE, 4 * least)


def search_records(packed: Packed, least: int, passes: Passes | None = None) -> Finished:
    """The groups of all records; where columns have hierarchies, their cells may come before cuts."""
    passes = passes or Passes()
    results = [finish(packed, least, passes)]
    if passes.cells and has_hierarchies(packed):
        results.append(_grown(packed, least, passes, *lattice_nodes(packed, least)))
    return min(results, key=lambda one: one.loss)


def finish(packed: Packed, least: int, passes: Passes | None = None) -> Finished:
    """The groups of the records of one node by cuts and clusters."""
    n = len(packed.weight)
    return _grown(packed, least, passes or Passes(), np.arange(n), np.array([n]))


def _grown(
    packed: Packed, least: int, passes: Passes, order: NDArray[np.int64], nodes: NDArray[np.int64]
) -> Finished:
    """Cuts and clusters within the given nodes."""
    work, run, done = work_for(packed), current(), np.zeros(1, np.int64)
    small, roots = (
        small_node(least) if passes.clusters else 0,
        np.empty((len(order) + len(nodes), 2), np.int64),
    )
    cuts = ColumnCuts(packed, work, least, small, 0, roots)
    with run.watching(done, len(packed.weight)):
        order, _, ends = run.call(grow, cuts, order, nodes, done, run.stop)
    by_clusters = order, ends, roots[: len(ends)], packed, least, work, passes.rounds, run.stop
    return Finished(*run.call(finish_by_clusters, *by_clusters))


# --- the top from tables ---------------------------------------------------------------------------

Tables = NDArray[np.int64]  # rows of node, column, beside, at, persons, low, high; see `_table_kernels.py`
_NODE, _COLUMN, _BESIDE, _AT, _PERSONS, _LOW, _HIGH = range(7)


def no_tables() -> Tables:
    return np.empty((0, 7), np.int64)


def tables(packed: Packed, node: NDArray[np.int64]) -> Tables:
    """What cuts of nodes are chosen from, of some of their records; -1 for a record that is in none."""
    order = np.argsort(node, kind="stable")
    ordered = node[order]
    begin = int(np.searchsorted(ordered, 0))
    order, ordered = order[begin:], ordered[begin:]
    if not len(order):
        return no_tables()
    ends = np.flatnonzero(np.r_[ordered[1:] != ordered[:-1], True]) + 1
    rows: Tables = tabulate(order, ends, np.ascontiguousarray(ordered[ends - 1]), packed, work_for(packed))
    return add_tables([rows])


def add_tables(parts: Sequence[Tables]) -> Tables:
    """The tables of records that are in one part each, as those of all of them; rows ascend."""
    rows = np.concatenate([no_tables(), *parts])
    rows = rows[np.lexsort((rows[:, _AT], rows[:, _BESIDE], rows[:, _COLUMN], rows[:, _NODE]))]
    if not len(rows):
        return rows
    changes = (rows[1:, : _AT + 1] != rows[:-1, : _AT + 1]).any(axis=1)
    first = np.flatnonzero(np.r_[True, changes])
    added = rows[first]
    added[:, _PERSONS] = np.add.reduceat(rows[:, _PERSONS], first)
    added[:, _LOW] = np.minimum.reduceat(rows[:, _LOW], first)
    added[:, _HIGH] = np.maximum.reduceat(rows[:, _HIGH], first)
    return added


class _Cut(NamedTuple):
    layer: int
    left: NDArray[np.bool_]  # by rank on the layer
    node: int  # on the left of it; the one on the right is the next


@dataclass(frozen=True, repr=False, eq=False)
class Top:
    """The upper cuts of a search. Nodes are numbered as they come; those that are not cut are leaves."""

    layout: Layout
    least: int
    most: int  # records of a leaf, unless nothing cuts it
    cuts: tuple[_Cut | None, ...] = (None,)
    open: tuple[int, ...] = (0,)  # nodes that tables are wanted of

    def node_of(self, records: Records) -> NDArray[np.int64]:
        """The node that each record is in, from the cuts made so far."""
        node = np.zeros(len(records.weight), np.int64)
        layer = np.array([-1 if cut is None else cut.layer for cut in self.cuts])
        following = np.array([-1 if cut is None else cut.node for cut in self.cuts])
        masks = [np.empty(0, np.bool_) if cut is None else cut.left for cut in self.cuts]
        begins = np.cumsum([0, *map(len, masks)])
        is_left = np.concatenate(masks)
        below = np.flatnonzero(layer[node] >= 0)
        while len(below):
            at = node[below]
            sets = records.sets[below, self.layout.column[layer[at]]]
            left = is_left[begins[at] + self.layout.rank[layer[at], sets]]
            node[below] = following[at] + ~left
            below = below[layer[node[below]] >= 0]
        return node

    def wanted(self, records: Records) -> NDArray[np.int64]:
        """The node of each record if tables of it are wanted, else -1."""
        node = self.node_of(records)
        return np.where(np.isin(node, self.open), node, -1)

    def cut(self, summed: Tables) -> Top:
        """With the best cut of each open node, as its tables say."""
        cuts, waiting = list(self.cuts), []
        packed = pack_records(self.layout, no_records(self.layout))
        work = work_for(packed)
        for number in self.open:
            begin, end = np.searchsorted(summed[:, _NODE], [number, number + 1])
            rows = summed[begin:end]
            if not len(rows) or rows[0, _PERSONS] <= self.most:
                continue
            current().poll()
            gains, ranks = np.empty(len(self.layout.column)), np.empty(len(self.layout.column), np.int64)
            best_cuts_of_tables(rows, packed, self.least, work, gains, ranks)
            best = int(np.argmax(gains))  # the first of equals, as `ColumnCuts` does
            if gains[best] > 0.0:
                left, persons = self._left_of(rows, best, int(ranks[best]))
                cuts[number] = _Cut(best, left, len(cuts))
                # who are few are few records, too
                waiting += [len(cuts) + side for side, many in enumerate(persons) if many > self.most]
                cuts += [None, None]
        return Top(self.layout, self.least, self.most, tuple(cuts), tuple(waiting))

    def _left_of(self, rows: Tables, layer: int, count: int) -> tuple[NDArray[np.bool_], tuple[int, int]]:
        """Whether each rank is among the first `count` of a node, and the persons on both sides."""
        mine = rows[(rows[:, _COLUMN] == layer) & (rows[:, _BESIDE] == -1)]
        if self.layout.shapes.by_weight[layer]:
            mine = mine[np.argsort(-mine[:, _PERSONS], kind="stable")]
        left = np.zeros(int(self.layout.rank[layer].max(initial=0)) + 1, np.bool_)
        left[mine[:count, _AT]] = True
        return left, (int(mine[:count, _PERSONS].sum()), int(mine[count:, _PERSONS].sum()))

    @property
    def leaves(self) -> list[int]:
        """The nodes that are not cut, from left to right: in this order groups are numbered."""
        leaves, waiting = [], [0]
        while waiting:
            node = waiting.pop()
            cut = self.cuts[node]
            if cut is None:
                leaves.append(node)
            else:
                waiting += [cut.node + 1, cut.node]
        return leaves

    def __repr__(self) -> str:
        return f"Top({len(self.cuts) // 2} cuts, {len(self.open)} nodes open)"


def no_records(layout: Layout) -> Records:
    columns = int(layout.column.max(initial=-1)) + 1
    return Records(np.empty((0, columns), np.int32), np.empty(0, np.int64))


def cut_top(layout: Layout, tables_of: Callable[[Top], Tables], *, least: int, most: int = LEAF) -> Top:
    """The upper cuts, down to leaves of at most `most` records, which must be different ones.

    `tables_of` is asked once per level for the sum of `tables(part, top.wanted(part))` over all parts.
    """
    if most < small_node(least):
        raise ValueError(f"leaves need at least {small_node(least)} records, so that clusters are the same")
    top = Top(layout, least, most)
    while top.open:
        top = top.cut(tables_of(top))
    return top
