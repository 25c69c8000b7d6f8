"""Kernels over boxes: what a cluster covers on every column, and what that loses.

A box is the lowest and highest code per column and, for columns without order, the set of codes
as bits. Losses follow `LabelShape`. Item sets come as CSR with ascending codes.
"""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel
from heteronym.partition._shape_kernels import SET, range_loss

ZERO, ONE = np.int64(0), np.int64(1)  # written out in a call, they would be compiled as cases of their own


@kernel
def _ones(word):
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def empty_boxes(count, low, bits):
    """Boxes that cover nothing, in the form of others."""
    box_low = np.full((count, low.shape[1]), np.iinfo(np.int32).max, np.int32)
    return box_low, np.full(box_low.shape, -1, np.int32), np.zeros((count, bits.shape[1]), np.uint64)


@kernel
def widen(low, high, bits, i, low2, high2, bits2, j):
    """Box i of the first becomes the box around it and box j of the second boxes; whether it changed."""
    changed = False
    for c in range(low.shape[1]):
        changed |= low2[j, c] < low[i, c] or high2[j, c] > high[i, c]
        low[i, c] = min(low[i, c], low2[j, c])
        high[i, c] = max(high[i, c], high2[j, c])
    for w in range(bits.shape[1]):
        changed |= (bits2[j, w] & ~bits[i, w]) != 0
        bits[i, w] |= bits2[j, w]
    return changed


@kernel
def boxes_of(cluster, count, low, high, bits):
    """The boxes around clusters of persons."""
    box_low, box_high, box_bits = empty_boxes(count, low, bits)
    for p in range(len(cluster)):
        if cluster[p] >= 0:
            widen(box_low, box_high, box_bits, cluster[p], low, high, bits, p)
    return box_low, box_high, box_bits


@kernel
def union_loss(shapes, low, high, bits, i, low2, high2, bits2, j, first):
    """Weighted loss of the box around box i of the first and box j of the second boxes.

    Columns' weights add up to 1. Columns before `first` are left out.
    """
    total = 0.0
    for c in range(first, len(shapes.kind)):
        lo = min(low[i, c], low2[j, c])
        hi = max(high[i, c], high2[j, c])
        if lo == hi:
            continue
        if shapes.kind[c] == SET:
            count = 0
            for w in range(shapes.words[c], shapes.words[c + 1]):
                count += _ones(bits[i, w] | bits2[j, w])
            if count > 1:
                total += shapes.weight[c] * count / shapes.size[c]
        else:
            total += shapes.weight[c] * range_loss(shapes, c, lo, hi)
    return total


@kernel
def box_losses(shapes, low, high, bits):
    out = np.empty(len(low))
    for i in range(len(low)):
        out[i] = union_loss(shapes, low, high, bits, i, low, high, bits, i, ZERO)
    return out


@kernel
def union_losses(shapes, seed, alive, low, high, bits):
    """Loss of the box around `seed` and each other living box; infinite for itself and the dead."""
    out = np.full(len(low), np.inf)
    for i in range(len(low)):
        if alive[i] and i != seed:
            out[i] = union_loss(shapes, low, high, bits, seed, low, high, bits, i, ZERO)
    return out


@kernel
def nearest_clusters(shapes, start, end, low, high, bits, order, k, greedy, stop):
    """CLUSTER: seeds in the given order, each with the k - 1 nearest free persons.

    The leading columns are spans; `start` and `end` are their outer positions times weight, so
    that most persons are ruled out without a look at the other columns.
    `greedy` grows around the box so far instead of around the seed (k times the cost).
    Returns the cluster per person and the number of clusters; leftovers are -1.
    """
    n = len(low)
    cluster = np.full(n, -1, np.int64)
    free = np.arange(n)
    place = np.arange(n)
    left = n
    count = 0
    at = 0
    heap_cost = np.empty(k)
    heap_who = np.empty(k, np.int64)
    spans = start.shape[1]
    weight = shapes.weight
    while left >= k and stop[0] == 0:
        while cluster[order[at]] >= 0:
            at += 1
        seed = order[at]
        cluster[seed] = count
        left -= 1
        last = free[left]
        free[place[seed]] = last
        place[last] = place[seed]
        box_start, box_end = start[seed].copy(), end[seed].copy()
        box_low, box_high, box_bits = empty_boxes(ONE, low, bits)
        widen(box_low, box_high, box_bits, ZERO, low, high, bits, seed)
        wanted = k - 1
        while wanted > 0:
            take = 1 if greedy else wanted
            held = 0
            for x in range(left):
                q = free[x]
                limit = heap_cost[0] if held == take else np.inf
                cost = 0.0
                for c in range(spans):
                    width = max(box_end[c], end[q, c]) - min(box_start[c], start[q, c])
                    cost += max(min(width, weight[c]), 0.0)
                if cost < limit and spans < low.shape[1]:
                    cost += union_loss(shapes, box_low, box_high, box_bits, ZERO, low, high, bits, q, spans)
                if cost >= limit:
                    continue
                # a max-heap of the nearest so far
                if held < take:
                    at_heap = held
                    held += 1
                    while at_heap > 0 and heap_cost[(at_heap - 1) // 2] < cost:
                        up = (at_heap - 1) // 2
                        heap_cost[at_heap] = heap_cost[up]
                        heap_who[at_heap] = heap_who[up]
                        at_heap = up
                else:
                    at_heap = 0
                    while 2 * at_heap + 1 < held:
                        child = 2 * at_heap + 1
                        if child + 1 < held and heap_cost[child + 1] > heap_cost[child]:
                            child += 1
                        if heap_cost[child] <= cost:
                            break
                        heap_cost[at_heap] = heap_cost[child]
                        heap_who[at_heap] = heap_who[child]
                        at_heap = child
                heap_cost[at_heap] = cost
                heap_who[at_heap] = q
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
                    widen(box_low, box_high, box_bits, ZERO, low, high, bits, q)
            wanted -= held
        count += 1
    return cluster, count


@kernel
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


@kernel
def _widest(ptr, codes, first, second, after, best):
    # No pair is farther apart than two records without common items: stop where that bound is met.
    a = first
    while a >= 0:
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


@kernel
def own_spreads(ptr, codes, head, after):
    """BTD of each cluster: the largest distance of two of its records."""
    out = np.zeros(len(head))
    for c in range(len(head)):
        out[c] = _widest(ptr, codes, head[c], head[c], after, 0.0)
    return out


@kernel
def union_spreads(seed, alive, spread, ptr, codes, head, after):
    """BTD of the seed joined with each other living cluster."""
    out = np.full(len(head), np.inf)
    for c in range(len(head)):
        if alive[c] and c != seed:
            out[c] = _widest(ptr, codes, head[seed], head[c], after, max(spread[seed], spread[c]))
    return out


@kernel
def cut_losses(shapes, low, high, bits, members):
    """Loss of the box around the first i members, for every i; `members` in cutting order."""
    out = np.zeros(len(members))
    box_low, box_high, box_bits = empty_boxes(ONE, low, bits)
    for i in range(len(members)):
        if widen(box_low, box_high, box_bits, ZERO, low, high, bits, members[i]):
            out[i] = union_loss(
                shapes, box_low, box_high, box_bits, ZERO, box_low, box_high, box_bits, ZERO, ZERO
            )
        elif i > 0:
            out[i] = out[i - 1]
    return out


@kernel
def losses_without(shapes, low, high, bits, kind, kinds):
    """Loss of the box around all but those of one kind, for every kind; last, that of all of them."""
    out = np.empty(kinds + 1)
    for left in range(kinds + 1):
        inside = np.where(kind == left, -1, 0)
        box_low, box_high, box_bits = boxes_of(inside, np.int64(1), low, high, bits)
        out[left] = box_losses(shapes, box_low, box_high, box_bits)[0]
    return out
