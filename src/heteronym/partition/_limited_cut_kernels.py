"""Cuts under limits on histograms: both halves of a cut must satisfy all of them.

A node's histogram is counted once; along a column, that of the left half grows from cut to cut and the right
half is the rest. The limits are asked only where the gain would be the best so far, so that they cost little.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._cluster_kernels import (
        FAR,
        NEAR,
        Node,
        NodeBoxes,
        run_end,
        summed_losses,
        weigh_groups,
    )
    from heteronym.partition._column_cut_kernels import (
        ColumnCuts,
        PackedViews,
        WorkViews,
        forget_ranks,
        losses_of_cuts,
        sort_head,
    )
    from heteronym.partition._even_cluster_kernels import HolderViews, even_clusters
    from heteronym.statistics._limit_kernels import LimitViews, all_hold

STOPPED = 3  # times the smallest size: a group this large could have been divided


class Holders(NamedTuple):
    """Who holds which values. Persons of a record who hold the same values are a unit.

    Persons are numbered by unit (`slots`), so that a unit can be shared out between groups.
    """

    unit_ptr: Any  # [records + 1]
    weight: Any  # [units] persons
    holding: Any  # [units] which set of values they hold
    slot_ptr: Any  # [units + 1]
    ptr: Any  # [holdings + 1] the values of a holding
    codes: Any


class Tally(NamedTuple):
    """Scratch histograms: of a node, of its left and of its right half; left empty."""

    whole: Any
    left: Any
    right: Any
    present: Any  # codes that the node holds
    bucket: Any  # records of a node by their place on a column
    bucket_ptr: Any


class TallyViews:
    """`Tally` as kernels use it."""

    def __init__(self, tally):
        self.whole = tally.whole
        self.left = tally.left
        self.right = tally.right
        self.present = tally.present
        self.bucket = tally.bucket
        self.bucket_ptr = tally.bucket_ptr


def count_record(record, holders, counts):
    for u in range(holders.unit_ptr[record], holders.unit_ptr[record + 1]):
        h, w = holders.holding[u], holders.weight[u]
        for at in range(holders.ptr[h], holders.ptr[h + 1]):
            counts[holders.codes[at]] += w


def count_node(order, start, end, holders, tally):
    """Histogram of a node in `tally.whole`; how many codes are present, which are listed in order."""
    whole, present = tally.whole, tally.present
    n_present = 0
    for i in range(start, end):
        for u in range(holders.unit_ptr[order[i]], holders.unit_ptr[order[i] + 1]):
            h, w = holders.holding[u], holders.weight[u]
            for at in range(holders.ptr[h], holders.ptr[h + 1]):
                value = holders.codes[at]
                if whole[value] == 0:
                    present[n_present] = value
                    n_present += 1
                whole[value] += w
    sort_head(present, n_present)
    return n_present


def _into_buckets(order, start, end, rank_of, place, count, tally):
    bucket, ptr = tally.bucket, tally.bucket_ptr
    for j in range(count + 1):
        ptr[j] = 0
    for i in range(start, end):
        ptr[place[rank_of[order[i]]] + 1] += 1
    for j in range(count):
        ptr[j + 1] += ptr[j]
    for i in range(start, end):
        j = place[rank_of[order[i]]]
        bucket[ptr[j]] = order[i]
        ptr[j] += 1
    for j in range(count, 0, -1):  # each place now begins where the next one did
        ptr[j] = ptr[j - 1]
    ptr[0] = 0


class LimitedCuts(ColumnCuts):
    """The cut with the largest gain whose halves satisfy all limits.

    A node of more than `large` persons is cut by the stricter limits while it can be, so that what is left
    to do below has room. `stopped` tells of each group the persons whom the limits alone kept from being
    divided.
    """

    def __init__(self, limits, strict, packed, holders, least, small, large, work, tally, roots, stopped):
        ColumnCuts.__init__(self, packed, work, least, small, large, roots)
        self.limits, self.strict = LimitViews(limits), LimitViews(strict)
        self.holders, self.tally = HolderViews(holders), TallyViews(tally)
        self.stopped = stopped
        self.some = False  # whether any cut of the node would have gained by size alone

    def choose(self, nodes, stop):
        a = -1
        if self.persons > self.large:
            a = self.choose_under(self.strict, nodes, stop)
        if a < 0:
            a = self.choose_under(self.limits, nodes, stop)
        return a

    def choose_under(self, limits, nodes, stop):
        order, place = nodes.order, self.work.place
        n_present = count_node(order, nodes.start, nodes.end, self.holders, self.tally)
        best, column = 0.0, -1
        self.some = False
        for a in range(self.packed.sets.shape[1]):
            if stop[0] != 0:
                continue
            count = losses_of_cuts(order, nodes.start, nodes.end, self.packed, a, self.work)
            if self.may_gain(count, best):
                self.some = True
                _into_buckets(order, nodes.start, nodes.end, self.packed.ranks[a], place, count, self.tally)
                gain = self.best_of_column(limits, count, n_present, best)
                if gain > best:
                    best, column = gain, a
            forget_ranks(self.work.touched, count, place)
        for x in range(n_present):
            self.tally.whole[self.tally.present[x]] = 0
        return column

    def may_gain(self, count, best):
        """Whether some cut of a column would be better by size alone."""
        left_loss, right_loss = self.work.left_loss, self.work.right_loss
        total, left = self.work.persons, 0
        whole = total * left_loss[count - 1] if count > 1 else 0.0
        for j in range(count - 1):
            left += self.work.weight_at[j]
            right = total - left
            if left >= self.least and right >= self.least:
                if whole - left * left_loss[j] - right * right_loss[j + 1] > best:
                    return True
        return False

    def best_of_column(self, limits, count, n_present, best):
        """The largest gain above the best so far that the limits allow; its place is kept in `cut`."""
        left_loss, right_loss = self.work.left_loss, self.work.right_loss
        bucket, ptr = self.tally.bucket, self.tally.bucket_ptr
        whole, left_counts, right_counts = self.tally.whole, self.tally.left, self.tally.right
        present = self.tally.present
        total, left = self.work.persons, 0
        most = total * left_loss[count - 1]
        for j in range(count - 1):
            left += self.work.weight_at[j]
            right = total - left
            for i in range(ptr[j], ptr[j + 1]):
                count_record(bucket[i], self.holders, left_counts)
            if left < self.least or right < self.least:
                continue
            gain = most - left * left_loss[j] - right * right_loss[j + 1]
            if gain > best and all_hold(limits, left_counts, present, n_present, left):
                for x in range(n_present):
                    right_counts[present[x]] = whole[present[x]] - left_counts[present[x]]
                if all_hold(limits, right_counts, present, n_present, right):
                    best, self.cut = gain, j + 1
        for x in range(n_present):
            left_counts[present[x]] = 0
            right_counts[present[x]] = 0
        return best

    def close(self, nodes):
        ColumnCuts.close(self, nodes)
        is_large = self.persons >= STOPPED * self.least
        self.stopped[nodes.n_groups] = self.persons if self.some and is_large else 0
        return 0


def _show(order, start, end, holders, group, group_of):
    for i in range(start, end):
        first, last = holders.unit_ptr[order[i]], holders.unit_ptr[order[i] + 1]
        for slot in range(holders.slot_ptr[first], holders.slot_ptr[last]):
            group_of[slot] = group


def finish_limited(limits, order, ends, roots, stopped, packed, holders, least, work, stop):
    """Group per slot, number and loss of groups: those of the cuts, or clusters where they lose less.

    A large node where the limits and not the sizes have stopped the cuts is clustered as a whole. Elsewhere
    clusters are tried in small nodes.
    """
    limit_views, holder_views = LimitViews(limits), HolderViews(holders)
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    node, boxes = Node(packed.sets.shape[1]), NodeBoxes(packed.sets.shape[1])
    group_of = np.empty(holder_views.slot_ptr[len(holder_views.slot_ptr) - 1], np.int32)
    persons, loss = np.zeros(len(ends), np.int64), np.zeros(len(ends))
    with cython.nogil:
        weigh_groups(order, ends, packed_views, work_views, persons, loss)
    n_groups, total = 0, 0.0
    g = 0
    while g < len(ends) and stop[0] == 0:
        last = run_end(roots, FAR, g)
        is_large = roots[g, FAR] >= 0 and _persons(persons, g, last) <= 2 * _persons(stopped, g, last)
        if not is_large:
            last = run_end(roots, NEAR, g)
        start = ends[g - 1] if g > 0 else 0
        count, lost = last - g, summed_losses(loss, g, last)
        for x in range(g, last):
            _show(order, ends[x - 1] if x > 0 else 0, ends[x], holder_views, n_groups + x - g, group_of)
        if count > 1 or (is_large and persons[g] >= 2 * least):
            n_clusters = even_clusters(
                limit_views, order, start, ends[last - 1], packed_views, holder_views, least, work_views,
                lost, n_groups, group_of, node, boxes, stop,
            )  # fmt: skip
            lost = work_views.lost
            count = n_clusters if n_clusters > 0 else count
        total += lost
        n_groups += count
        g = last
    return np.asarray(group_of), n_groups, total


def _persons(array, first, last):
    total = 0
    for x in range(first, last):
        total += array[x]
    return total
