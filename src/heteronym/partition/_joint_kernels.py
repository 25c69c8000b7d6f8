"""What groups keep of their members' elements: along a cut, and for two groups together.

An element stays in a group where at least `least` members hold it; what stays is the sum of its holders'
weights. Persons' elements come as CSR; counts per element are scratch arrays that are left clean.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._box_kernels import BoxViews, union_loss, widen
    from heteronym.partition._shape_kernels import ShapeViews

INFINITE = np.inf


def count_members(members, ptr, codes, weight, count, summed):
    """Holders and their weights per element."""
    for i in range(len(members)):
        p = members[i]
        for x in range(ptr[p], ptr[p + 1]):
            count[codes[x]] += 1
            summed[codes[x]] += weight[x]


def kept_of(members, ptr, codes, least, count, summed):
    """What the members keep together; `count` and `summed` are theirs."""
    total = 0.0
    for i in range(len(members)):
        p = members[i]
        for x in range(ptr[p], ptr[p + 1]):
            if count[codes[x]] >= least:
                # each element once: by its share per holder
                total += summed[codes[x]] / count[codes[x]]
    return total


def kept_along(order, upto, ptr, codes, weight, whole_count, whole_sum, kept, least, count, summed):
    """What both sides keep together after each of the first `upto` members went to the left side."""
    out = np.empty(upto)
    left, right = 0.0, kept
    for i in range(upto):
        p = order[i]
        for x in range(ptr[p], ptr[p + 1]):
            t = codes[x]
            w = weight[x]
            rest = whole_count[t] - count[t]
            if rest > least:
                right -= w
            elif rest == least:
                right -= whole_sum[t] - summed[t]
            count[t] += 1
            summed[t] += w
            if count[t] > least:
                left += w
            elif count[t] == least:
                left += summed[t]
        out[i] = left + right
    for i in range(upto):
        p = order[i]
        for x in range(ptr[p], ptr[p + 1]):
            count[codes[x]] = 0
            summed[codes[x]] = 0.0
    return np.asarray(out)


def group_counts(group, count, elements, ptr, codes, weight):
    """Holders and weights per group and element."""
    holders = np.zeros((count, elements), np.int32)
    summed = np.zeros((count, elements), np.float32)
    for p in range(len(group)):
        for x in range(ptr[p], ptr[p + 1]):
            holders[group[p], codes[x]] += 1
            summed[group[p], codes[x]] += weight[x]
    return np.asarray(holders), np.asarray(summed)


def _list_held(holders, g, held, many):
    """The elements that anybody in a group holds."""
    count = 0
    for t in range(holders.shape[1]):
        if holders[g, t] > 0:
            held[g, count] = t
            count += 1
    many[g] = count


def _gain(holders, summed, held, many, a, b, least):
    """What two groups keep more together than apart: elements that both hold, and one of them cannot keep."""
    if many[b] < many[a]:
        a, b = b, a
    total = 0.0
    for x in range(many[a]):
        t = held[a, x]
        one, two = holders[a, t], holders[b, t]
        if one + two >= least:
            if one < least:
                total += summed[a, t]
            if two < least:
                total += summed[b, t]
    return total


def merge_back(holders, summed, sizes, shapes, low, high, bits, loss, total, bound, least, stop):
    """Merge groups, best exchange of kept weight for column loss first, while the loss stays in the bound.

    `loss` is each group's loss per person, `total` the sum over persons; `bound` on that sum. Returns where
    each group went.
    """
    views, boxes = ShapeViews(shapes), BoxViews(low, high, bits)
    n = len(sizes)
    alive = np.ones(n, np.bool_)
    goes = np.arange(n)
    held = np.empty((n, holders.shape[1]), np.int32)
    many = np.zeros(n, np.int64)
    gain = np.zeros((n, n))
    cost = np.full((n, n), INFINITE)
    with cython.nogil:
        _merge(
            holders, summed, sizes, views, boxes, loss, total, bound, least, alive, goes, held,
            many, gain, cost, stop,
        )  # fmt: skip
    return np.asarray(goes)


def _merge(
    holders, summed, sizes, shapes, boxes, loss, total, bound, least, alive, goes, held, many, gain, cost,
    stop,
):  # fmt: skip
    """Fills `goes`."""
    n = len(sizes)
    for g in range(n):
        _list_held(holders, g, held, many)
    for a in range(n):
        if stop[0] != 0:
            break
        for b in range(a + 1, n):
            gain[a, b] = _gain(holders, summed, held, many, a, b, least)
            union = union_loss(shapes, boxes, a, boxes, b, 0)
            cost[a, b] = union * (sizes[a] + sizes[b]) - loss[a] * sizes[a] - loss[b] * sizes[b]
    while stop[0] == 0:
        best, first, second = 0.0, -1, -1
        for a in range(n):
            if not alive[a]:
                continue
            for b in range(a + 1, n):
                if alive[b] and total + cost[a, b] <= bound:
                    value = INFINITE if cost[a, b] <= 1e-9 else gain[a, b] / cost[a, b]
                    if value > best:
                        best, first, second = value, a, b
        if first < 0:
            break
        a, b = first, second
        total += cost[a, b]
        alive[b] = False
        for g in range(n):
            if goes[g] == b:
                goes[g] = a
        for x in range(holders.shape[1]):
            holders[a, x] += holders[b, x]
        for x in range(summed.shape[1]):
            summed[a, x] += summed[b, x]
        _list_held(holders, a, held, many)
        widen(boxes, a, boxes, b)
        sizes[a] += sizes[b]
        loss[a] = union_loss(shapes, boxes, a, boxes, a, 0)
        for g in range(n):
            if alive[g] and g != a:
                i, j = min(a, g), max(a, g)
                gain[i, j] = _gain(holders, summed, held, many, i, j, least)
                union = union_loss(shapes, boxes, i, boxes, j, 0)
                cost[i, j] = union * (sizes[i] + sizes[j]) - loss[i] * sizes[i] - loss[j] * sizes[j]
