"""Kernels over boxes: what a cluster covers on every column, and what that loses.

A box is the lowest and highest code per column and, for columns without order, the set of codes
as bits. Losses follow `LabelShape`. Item sets come as CSR with ascending codes.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._shape_kernels import SET, ShapeViews, range_loss

INFINITE = np.inf
_LARGEST = (1 << 31) - 1
_PAIRS, _FOURS, _BYTES, _SUM = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x7F


class BoxViews:
    """Boxes as kernels use them."""

    def __init__(self, low, high, bits):
        self.low = low
        self.high = high
        self.bits = bits


def _ones(word):
    """How many bits are set: summed by pairs, by fours, by bytes, over all bytes."""
    word = word - ((word >> 1) & _PAIRS)
    word = (word & _FOURS) + ((word >> 2) & _FOURS)
    word = (word + (word >> 4)) & _BYTES
    word = word + (word >> 8)
    word = word + (word >> 16)
    word = word + (word >> 32)
    return word & _SUM


def empty_boxes(count, columns, words):
    """Boxes that cover nothing."""
    low = np.full((count, columns), np.iinfo(np.int32).max, np.int32)
    return low, np.full((count, columns), -1, np.int32), np.zeros((count, words), np.uint64)


def make_empty(boxes, i):
    """Box i covers nothing."""
    for c in range(boxes.low.shape[1]):
        boxes.low[i, c] = _LARGEST
        boxes.high[i, c] = -1
    for w in range(boxes.bits.shape[1]):
        boxes.bits[i, w] = 0


def widen(boxes, i, others, j):
    """Box i becomes the box around it and box j of the others; whether it changed."""
    changed = False
    for c in range(boxes.low.shape[1]):
        if others.low[j, c] < boxes.low[i, c]:
            boxes.low[i, c] = others.low[j, c]
            changed = True
        if others.high[j, c] > boxes.high[i, c]:
            boxes.high[i, c] = others.high[j, c]
            changed = True
    for w in range(boxes.bits.shape[1]):
        if others.bits[j, w] & ~boxes.bits[i, w]:
            boxes.bits[i, w] |= others.bits[j, w]
            changed = True
    return changed


def boxes_of(cluster, count, low, high, bits):
    """The boxes around clusters of persons."""
    made = empty_boxes(count, low.shape[1], bits.shape[1])
    _widen_all(cluster, BoxViews(*made), BoxViews(low, high, bits))
    return made


def _widen_all(cluster, boxes, persons):
    for p in range(len(cluster)):
        if cluster[p] >= 0:
            widen(boxes, cluster[p], persons, p)


def union_loss(shapes, boxes, i, others, j, first):
    """Weighted loss of the box around box i and box j of the others.

    Columns' weights add up to 1. Columns before `first` are left out.
    """
    total = 0.0
    for c in range(first, len(shapes.kind)):
        lo = min(boxes.low[i, c], others.low[j, c])
        hi = max(boxes.high[i, c], others.high[j, c])
        if lo == hi:
            continue
        if shapes.kind[c] == SET:
            count = 0
            for w in range(shapes.words[c], shapes.words[c + 1]):
                count += _ones(boxes.bits[i, w] | others.bits[j, w])
            if count > 1:
                total += shapes.column_weight[c] * count / shapes.size[c]
        else:
            total += shapes.column_weight[c] * range_loss(shapes, c, lo, hi)
    return total


def box_losses(shapes, low, high, bits):
    """Loss of every box."""
    views, boxes = ShapeViews(shapes), BoxViews(low, high, bits)
    out = np.empty(len(low))
    _fill_losses(views, boxes, out)
    return out


def _fill_losses(shapes, boxes, out):
    for i in range(len(out)):
        out[i] = union_loss(shapes, boxes, i, boxes, i, 0)


def union_losses(shapes, seed, alive, low, high, bits):
    """Loss of the box around `seed` and each other living box; infinite for itself and the dead."""
    views, boxes = ShapeViews(shapes), BoxViews(low, high, bits)
    out = np.full(len(low), np.inf)
    _fill_union_losses(views, boxes, seed, alive, out)
    return out


def _fill_union_losses(shapes, boxes, seed, alive, out):
    for i in range(len(out)):
        if alive[i] and i != seed:
            out[i] = union_loss(shapes, boxes, seed, boxes, i, 0)


def nearest_clusters(shapes, start, end, low, high, bits, order, k, greedy, stop):
    """CLUSTER: seeds in the given order, each with the k - 1 nearest free persons.

    The leading columns are spans; `start` and `end` are their outer positions times weight, so
    that most persons are ruled out without a look at the other columns.
    `greedy` grows around the box so far instead of around the seed (k times the cost).
    Returns the cluster per person and the number of clusters; leftovers are -1.
    """
    views, persons = ShapeViews(shapes), BoxViews(low, high, bits)
    seed_box = BoxViews(*empty_boxes(1, low.shape[1], bits.shape[1]))
    n = len(low)
    cluster = np.full(n, -1, np.int64)
    free, place = np.arange(n), np.arange(n)
    heap_cost, heap_who = np.empty(k), np.empty(k, np.int64)
    box_start, box_end = np.empty(start.shape[1]), np.empty(start.shape[1])
    with cython.nogil:
        count = _cluster_nearest(
            views, start, end, persons, order, k, greedy, cluster, free, place, heap_cost, heap_who,
            box_start, box_end, seed_box, stop,
        )  # fmt: skip
    return np.asarray(cluster), count


def _cluster_nearest(
    shapes, start, end, persons, order, k, greedy, cluster, free, place, heap_cost, heap_who, box_start,
    box_end, box, stop,
):  # fmt: skip
    """Fills `cluster`; how many there are."""
    left, count, at = len(cluster), 0, 0
    spans = start.shape[1]
    while left >= k and stop[0] == 0:
        while cluster[order[at]] >= 0:
            at += 1
        seed = order[at]
        cluster[seed] = count
        left -= 1
        last = free[left]
        free[place[seed]] = last
        place[last] = place[seed]
        for c in range(spans):
            box_start[c], box_end[c] = start[seed, c], end[seed, c]
        make_empty(box, 0)
        widen(box, 0, persons, seed)
        wanted = k - 1
        while wanted > 0:
            held = _find_nearest(
                shapes, start, end, persons, 1 if greedy else wanted, left, free, heap_cost, heap_who,
                box_start, box_end, box,
            )  # fmt: skip
            for x in range(held):
                q = heap_who[x]
                cluster[q] = count
                left -= 1
                last = free[left]
                free[place[q]] = last
                place[last] = place[q]
                if greedy:
                    for c in range(spans):
                        box_start[c] = min(box_start[c], start[q, c])
                        box_end[c] = max(box_end[c], end[q, c])
                    widen(box, 0, persons, q)
            wanted -= held
        count += 1
    return count


def _find_nearest(
    shapes, start, end, persons, take, left, free, heap_cost, heap_who, box_start, box_end, box
):
    """The `take` free persons nearest to the box, into a heap with the farthest of them first; how many."""
    spans, held, columns = start.shape[1], 0, len(shapes.kind)
    weight = shapes.column_weight
    for x in range(left):
        q = free[x]
        limit = heap_cost[0] if held == take else INFINITE
        cost = 0.0
        for c in range(spans):
            width = max(box_end[c], end[q, c]) - min(box_start[c], start[q, c])
            cost += max(min(width, weight[c]), 0.0)
        if cost < limit and spans < columns:
            cost += union_loss(shapes, box, 0, persons, q, spans)
        if cost >= limit:
            continue
        if held < take:
            at = held
            held += 1
            while at > 0 and heap_cost[(at - 1) // 2] < cost:
                up = (at - 1) // 2
                heap_cost[at] = heap_cost[up]
                heap_who[at] = heap_who[up]
                at = up
        else:
            at = 0
            while 2 * at + 1 < held:
                child = 2 * at + 1
                if child + 1 < held and heap_cost[child + 1] > heap_cost[child]:
                    child += 1
                if heap_cost[child] <= cost:
                    break
                heap_cost[at] = heap_cost[child]
                heap_who[at] = heap_who[child]
                at = child
        heap_cost[at] = cost
        heap_who[at] = q
    return held


def item_distance(ptr, codes, a, b):
    """BTD of two records: (items of one only + 1) / (common items + 1)."""
    i, j = ptr[a], ptr[b]
    common = 0
    while i < ptr[a + 1] and j < ptr[b + 1]:
        if codes[i] == codes[j]:
            common += 1
            i += 1
            j += 1
        elif codes[i] < codes[j]:
            i += 1
        else:
            j += 1
    both = ptr[a + 1] - ptr[a] + ptr[b + 1] - ptr[b]
    return (both - 2 * common + 1) / (common + 1)


def _widest(ptr, codes, first, second, after, best):
    # No pair is farther apart than two records without common items: stop where that bound is met.
    a = first
    while a >= 0 and second >= 0:
        length = ptr[a + 1] - ptr[a]
        if length + ptr[second + 1] - ptr[second] + 1 <= best:
            break
        b = second
        while b >= 0:
            if length + ptr[b + 1] - ptr[b] + 1 <= best:
                break
            if a != b:
                distance = item_distance(ptr, codes, a, b)
                if distance > best:
                    best = distance
            b = after[b]
        a = after[a]
    return best


def own_spreads(ptr, codes, head, after):
    """BTD of each cluster: the largest distance of two of its records."""
    out = np.zeros(len(head))
    for c in range(len(head)):
        out[c] = _widest(ptr, codes, head[c], head[c], after, 0.0)
    return np.asarray(out)


def union_spreads(seed, alive, spread, ptr, codes, head, after):
    """BTD of the seed joined with each other living cluster."""
    out = np.full(len(head), INFINITE)
    for c in range(len(head)):
        if alive[c] and c != seed:
            out[c] = _widest(ptr, codes, head[seed], head[c], after, max(spread[seed], spread[c]))
    return np.asarray(out)


def cut_losses(shapes, low, high, bits, members):
    """Loss of the box around the first i members, for every i; `members` in cutting order."""
    views, boxes = ShapeViews(shapes), BoxViews(low, high, bits)
    around = BoxViews(*empty_boxes(1, low.shape[1], bits.shape[1]))
    out = np.zeros(len(members))
    _fill_cut_losses(views, boxes, around, members, out)
    return out


def _fill_cut_losses(shapes, boxes, around, members, out):
    for i in range(len(members)):
        if widen(around, 0, boxes, members[i]):
            out[i] = union_loss(shapes, around, 0, around, 0, 0)
        elif i > 0:
            out[i] = out[i - 1]


def losses_without(shapes, low, high, bits, kind, kinds):
    """Loss of the box around all but those of one kind, for every kind; last, that of all of them."""
    views, boxes = ShapeViews(shapes), BoxViews(low, high, bits)
    around = BoxViews(*empty_boxes(1, low.shape[1], bits.shape[1]))
    out = np.empty(kinds + 1)
    _fill_losses_without(views, boxes, around, kind, out)
    return out


def _fill_losses_without(shapes, boxes, around, kind, out):
    for left in range(len(out)):
        make_empty(around, 0)
        for p in range(len(kind)):
            if kind[p] != left:
                widen(around, 0, boxes, p)
        out[left] = union_loss(shapes, around, 0, around, 0, 0)
