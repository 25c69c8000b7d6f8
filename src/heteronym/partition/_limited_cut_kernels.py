"""Cuts under limits on histograms: both halves of a cut must satisfy all of them.

A node's histogram is counted once; along a column, that of the left half grows from cut to cut and the right
half is the rest. The limits are asked only where the gain would be the best so far, so that they cost little.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._cluster_kernels import Node, NodeBoxes
    from heteronym.partition._column_cut_kernels import (
        PackedViews,
        WorkViews,
        forget_ranks,
        losses_of_cuts,
        node_loss,
        sort_head,
        split_by_rank,
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
    """`Tally` as kernels use it, and the best cut that was found last."""

    def __init__(self, tally):
        self.whole = tally.whole
        self.left = tally.left
        self.right = tally.right
        self.present = tally.present
        self.bucket = tally.bucket
        self.bucket_ptr = tally.bucket_ptr
        self.cut = 0  # number of ranks that go left
        self.some = False  # whether any cut would have gained by size alone


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


def best_limited_cut(limits, order, start, end, packed, holders, least, work, tally, stop):
    """Column of the best cut whose halves satisfy all limits; -1 if there is none. The rest is in `tally`."""
    left_loss, right_loss = work.left_loss, work.right_loss
    whole, left_counts, right_counts, present = tally.whole, tally.left, tally.right, tally.present
    n_present = count_node(order, start, end, holders, tally)
    best, column, cut, some = 0.0, -1, 0, False
    for a in range(packed.sets.shape[1]):
        if stop[0] != 0:
            continue
        count = losses_of_cuts(order, start, end, packed, a, work)
        total = work.persons
        most, hopeful = total * left_loss[count - 1] if count > 1 else 0.0, False
        left = 0
        for j in range(count - 1):
            left += work.weight_at[j]
            right = total - left
            if left >= least and right >= least:
                if most - left * left_loss[j] - right * right_loss[j + 1] > best:
                    hopeful = True
        if hopeful:
            some = True
            _into_buckets(order, start, end, packed.ranks[a], work.place, count, tally)
            left = 0
            for j in range(count - 1):
                left += work.weight_at[j]
                right = total - left
                for i in range(tally.bucket_ptr[j], tally.bucket_ptr[j + 1]):
                    count_record(tally.bucket[i], holders, left_counts)
                if left < least or right < least:
                    continue
                gain = most - left * left_loss[j] - right * right_loss[j + 1]
                if gain > best and all_hold(limits, left_counts, present, n_present, left):
                    for x in range(n_present):
                        right_counts[present[x]] = whole[present[x]] - left_counts[present[x]]
                    if all_hold(limits, right_counts, present, n_present, right):
                        best, column, cut = gain, a, j + 1
            for x in range(n_present):
                left_counts[present[x]] = 0
                right_counts[present[x]] = 0
        forget_ranks(work.touched, count, work.place)
    for x in range(n_present):
        whole[present[x]] = 0
    tally.cut, tally.some = cut, some
    return column


def grow_limited(limits, strict, packed, holders, least, small, large, work, tally, done, stop):
    """Groups of records by repeated best cuts whose halves satisfy all limits.

    A node of more than `large` persons is cut by the stricter limits while it can be, so that what is left to
    do below has room. Returns the permutation of records, where each group ends in it, and the numbers of the
    last nodes of at most `small` records and of at most `large` persons above each group (-1 if none), and
    per group the persons whom the limits alone kept from being divided further.
    """
    limit_views, strict_views = LimitViews(limits), LimitViews(strict)
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    holder_views, tally_views = HolderViews(holders), TallyViews(tally)
    n_records = len(packed.weight)
    order = np.arange(n_records)
    ends = np.empty(n_records, np.int64)
    roots = np.empty((n_records, 2), np.int64)
    stopped = np.empty(n_records, np.int64)
    stack = np.empty((n_records + 2, 4), np.int64)
    with cython.nogil:
        n = _grow(
            limit_views, strict_views, order, packed_views, holder_views, least, small, large, work_views,
            tally_views, ends, roots, stopped, stack, done, stop,
        )  # fmt: skip
    return np.asarray(order), np.asarray(ends)[:n], np.asarray(roots)[:n], np.asarray(stopped)[:n]


def _grow(
    limits, strict, order, packed, holders, least, small, large, work, tally, ends, roots, stopped, stack,
    done, stop,
):  # fmt: skip
    """Fills `ends`, `roots` and `stopped`; the number of groups. `stack` lists the nodes to do."""
    weight = packed.weight
    _push(stack, 0, 0, len(order), -1, -1)
    n_waiting, n_groups, n_roots = 1, 0, 0
    while n_waiting > 0 and stop[0] == 0:
        n_waiting -= 1
        start, end = stack[n_waiting, 0], stack[n_waiting, 1]
        above, far_above = stack[n_waiting, 2], stack[n_waiting, 3]
        persons = 0
        for i in range(start, end):
            persons += weight[order[i]]
        a = -1
        tally.some = False
        if far_above < 0 and persons <= large:
            far_above = n_roots
            n_roots += 1
        if persons >= 2 * least:
            if above < 0 and end - start <= small:
                above = n_roots
                n_roots += 1
            if persons > large:
                a = best_limited_cut(strict, order, start, end, packed, holders, least, work, tally, stop)
            if a < 0:
                a = best_limited_cut(limits, order, start, end, packed, holders, least, work, tally, stop)
        if a < 0:
            ends[n_groups] = end
            roots[n_groups, 0], roots[n_groups, 1] = above, far_above
            stopped[n_groups] = persons if tally.some and persons >= STOPPED * least else 0
            n_groups += 1
            done[0] += end - start
        else:
            middle = split_by_rank(order, start, end, packed, a, tally.cut, work)
            _push(stack, n_waiting, middle, end, above, far_above)
            _push(stack, n_waiting + 1, start, middle, above, far_above)
            n_waiting += 2
    return n_groups


def _push(stack, at, start, end, above, far_above):
    """A node that waits, into row `at`."""
    stack[at, 0] = start
    stack[at, 1] = end
    stack[at, 2] = above
    stack[at, 3] = far_above


def _show(order, start, end, holders, group, group_of):
    for i in range(start, end):
        first, last = holders.unit_ptr[order[i]], holders.unit_ptr[order[i] + 1]
        for slot in range(holders.slot_ptr[first], holders.slot_ptr[last]):
            group_of[slot] = group


def _run_end(roots, level, g):
    # The first group behind those that share a root with group g.
    last = g + 1
    while last < len(roots) and roots[g, level] >= 0 and roots[last, level] == roots[g, level]:
        last += 1
    return last


def _sum(array, first, last):
    total = 0
    for x in range(first, last):
        total += array[x]
    return total


def _sum_losses(losses, first, last):
    total = 0.0
    for x in range(first, last):
        total += losses[x]
    return total


def _weigh(order, ends, packed, work, persons, loss):
    # Persons and loss of every group.
    for g in range(len(ends)):
        start = ends[g - 1] if g > 0 else 0
        for i in range(start, ends[g]):
            persons[g] += packed.weight[order[i]]
        loss[g] = persons[g] * node_loss(order, start, ends[g], packed, work)


def finish_limited(limits, order, ends, roots, stopped, packed, holders, least, work, stop):
    """Group per slot, number and loss of groups: those of the cuts, or clusters where they lose less.

    A large node where the limits and not the sizes have stopped the cuts is clustered as a whole. Elsewhere
    clusters are tried in small nodes.
    """
    limit_views, holder_views = LimitViews(limits), HolderViews(holders)
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    node, boxes = Node(packed.sets.shape[1]), NodeBoxes(packed.sets.shape[1])
    slots = holder_views.slot_ptr[len(holder_views.slot_ptr) - 1]
    group_of = np.empty(slots, np.int32)
    persons = np.zeros(len(ends), np.int64)
    loss = np.zeros(len(ends))
    with cython.nogil:
        _weigh(order, ends, packed_views, work_views, persons, loss)
    n_groups, total = 0, 0.0
    g = 0
    while g < len(ends) and stop[0] == 0:
        last = _run_end(roots, 1, g)
        level = 1
        if roots[g, 1] < 0 or _sum(persons, g, last) > 2 * _sum(stopped, g, last):
            last = _run_end(roots, 0, g)
            level = 0
        start = ends[g - 1] if g > 0 else 0
        count, lost = last - g, _sum_losses(loss, g, last)
        for x in range(g, last):
            _show(order, ends[x - 1] if x > 0 else 0, ends[x], holder_views, n_groups + x - g, group_of)
        if count > 1 or (level == 1 and persons[g] >= 2 * least):
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
