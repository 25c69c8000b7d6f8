"""Compiled clusters of a small node: how a search over columns ends.

What a cluster covers is kept up to date while records join it. Codes are renumbered within the node, so that
a cluster's marks fit the node, not the domain.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heteronym.compiled import kernel
from heteronym.partition._kernels import node_loss
from heteronym.partition._shape_kernels import SET, range_loss


class Node(NamedTuple):
    """Codes of a node's records by column, renumbered within the node."""

    ptr: Any
    codes: Any


class NodeBoxes(NamedTuple):
    """What clusters of a node cover: lowest and highest code, or which codes and how many."""

    low: Any
    high: Any
    holds: Any
    distinct: Any


@kernel
def localize(order, start, end, packed, work):
    # Codes of SET columns renumbered within the node, so that a cluster's marks fit the node, not the domain.
    sets, ptr, codes, shapes = packed.sets, packed.ptr, packed.codes, packed.shapes
    first, seen = work.first, work.seen
    n, n_columns = end - start, sets.shape[1]
    local_ptr = np.zeros((n_columns, n + 1), np.int64)
    total = 0
    for b in range(n_columns):
        for i in range(n):
            s = sets[order[start + i], b]
            local_ptr[b, i] = total
            total += ptr[b, s + 1] - ptr[b, s] if shapes.kind[b] == SET else 2
        local_ptr[b, n] = total
    local = np.empty(total, np.int64)
    most = 1
    for b in range(n_columns):
        n_seen = 0
        for i in range(n):
            s = sets[order[start + i], b]
            at = local_ptr[b, i]
            if shapes.kind[b] == SET:
                for c in range(ptr[b, s], ptr[b, s + 1]):
                    value = codes[b, c]
                    if first[value] < 0:
                        first[value] = n_seen
                        seen[n_seen] = value
                        n_seen += 1
                    local[at + c - ptr[b, s]] = first[value]
            else:
                local[at] = codes[b, ptr[b, s]]
                local[at + 1] = codes[b, ptr[b, s + 1] - 1]
        for v in range(n_seen):
            first[seen[v]] = -1
        most = max(most, n_seen)
    return Node(local_ptr, local), most


@kernel
def loss_with(i, c, node, shapes, boxes):
    # Loss of the labels of cluster c once record i joins it.
    total = 0.0
    for b in range(boxes.low.shape[1]):
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            count = boxes.distinct[c, b]
            for v in range(at, stop):
                if not boxes.holds[c, b, node.codes[v]]:
                    count += 1
            if count > 1:
                total += shapes.weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], node.codes[at])
            high = max(boxes.high[c, b], node.codes[at + 1])
            total += shapes.weight[b] * range_loss(shapes, b, low, high)
    return total


@kernel
def join(i, c, node, shapes, boxes):
    for b in range(boxes.low.shape[1]):
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            for v in range(at, stop):
                if not boxes.holds[c, b, node.codes[v]]:
                    boxes.holds[c, b, node.codes[v]] = True
                    boxes.distinct[c, b] += 1
        else:
            boxes.low[c, b] = min(boxes.low[c, b], node.codes[at])
            boxes.high[c, b] = max(boxes.high[c, b], node.codes[at + 1])


@kernel
def empty(c, boxes):
    for b in range(boxes.low.shape[1]):
        boxes.low[c, b], boxes.high[c, b], boxes.distinct[c, b] = 1 << 40, -1, 0
        for v in range(boxes.holds.shape[2]):
            boxes.holds[c, b, v] = False


@kernel
def empty_boxes(rows, n_columns, most):
    boxes = NodeBoxes(
        np.zeros((rows, n_columns), np.int64),
        np.zeros((rows, n_columns), np.int64),
        np.zeros((rows, n_columns, most), np.bool_),
        np.zeros((rows, n_columns), np.int64),
    )
    for c in range(rows):
        empty(c, boxes)
    return boxes


@kernel
def far_from(last_seed, label, node, shapes, boxes, room):
    # The record with a label below 0 that is farthest from the last seed; row `room` of the boxes is free.
    empty(room, boxes)
    join(last_seed, room, node, shapes, boxes)
    seed, farthest = np.int64(-1), -1.0
    for i in range(len(label)):
        if label[i] < 0:
            away = loss_with(i, room, node, shapes, boxes)
            if away > farthest:
                seed, farthest = np.int64(i), away
    return seed


@kernel
def cluster_node(order, start, end, packed, least, work, label):
    """Greedy clusters of at least `least` persons in a small node: label[i] per record, count, summed loss.

    A seed far from the last one takes the record that adds least loss until it is large enough;
    what remains at the end joins where it costs least. O(records^2 columns).
    """
    weight, shapes = packed.weight, packed.shapes
    n = end - start
    label = label[:n]
    node, most = localize(order, start, end, packed, work)
    remaining = 0
    for i in range(n):
        label[i] = -1
        remaining += weight[order[start + i]]
    room = max(1, min(n, remaining // least))
    # the row behind the last cluster holds the latest seed alone, to find the next one far from it
    boxes = empty_boxes(room + 1, packed.sets.shape[1], most)
    persons = np.zeros(room, np.int64)
    loss = np.zeros(room)
    count = np.int64(0)
    last_seed = np.int64(0)
    while remaining >= least:
        seed = far_from(last_seed, label, node, shapes, boxes, room)
        newest = seed
        while newest >= 0:
            label[newest] = count
            join(newest, count, node, shapes, boxes)
            persons[count] += weight[order[start + newest]]
            newest = np.int64(-1)
            if persons[count] < least:
                smallest = np.inf
                for i in range(n):
                    if label[i] < 0:
                        grown = loss_with(i, count, node, shapes, boxes)
                        if grown < smallest:
                            newest, smallest = np.int64(i), grown
        remaining -= persons[count]
        loss[count] = loss_with(seed, count, node, shapes, boxes)
        last_seed = seed
        count += 1
    for i in range(n):
        if label[i] < 0:
            host, cheapest = np.int64(0), np.inf
            mine = weight[order[start + i]]
            for c in range(count):
                added = loss_with(i, c, node, shapes, boxes) * (persons[c] + mine) - loss[c] * persons[c]
                if added < cheapest:
                    host, cheapest = np.int64(c), added
            label[i] = host
            join(np.int64(i), host, node, shapes, boxes)
            persons[host] += mine
            loss[host] = loss_with(np.int64(i), host, node, shapes, boxes)
    total = 0.0
    for c in range(count):
        total += loss[c] * persons[c]
    return count, total


@kernel
def _box_of(c, leaving, label, row, node, shapes, boxes):
    # The box around cluster c without record `leaving`, in the given row; its loss.
    empty(row, boxes)
    loss = 0.0
    someone = np.int64(-1)
    for i in range(len(label)):
        if label[i] == c and i != leaving:
            join(np.int64(i), row, node, shapes, boxes)
            someone = np.int64(i)
    if someone >= 0:
        loss = loss_with(someone, row, node, shapes, boxes)
    return loss


@kernel
def move_between(order, start, end, packed, least, work, label, count, rounds):
    """Records move to the cluster where they cost less, if theirs stays large enough; the loss then."""
    weight, shapes = packed.weight, packed.shapes
    label = label[: end - start]
    node, most = localize(order, start, end, packed, work)
    # the last row is for a cluster without the record that might leave it
    boxes = empty_boxes(count + 1, packed.sets.shape[1], most)
    persons = np.zeros(count, np.int64)
    loss = np.zeros(count)
    for c in range(count):
        loss[c] = _box_of(np.int64(c), np.int64(-1), label, np.int64(c), node, shapes, boxes)
    for i in range(len(label)):
        persons[label[i]] += weight[order[start + i]]
    moved = True
    for _ in range(rounds):
        if not moved:
            break
        moved = False
        for i in range(len(label)):
            c, mine = label[i], weight[order[start + i]]
            if persons[c] - mine < least or loss[c] == 0.0:
                continue
            without = _box_of(c, np.int64(i), label, np.int64(count), node, shapes, boxes)
            saved = loss[c] * persons[c] - without * (persons[c] - mine) - 1e-12
            host = c
            for d in range(count):
                if d != c:
                    added = loss_with(np.int64(i), np.int64(d), node, shapes, boxes) * (persons[d] + mine)
                    if added - loss[d] * persons[d] < saved:
                        host, saved = np.int64(d), added - loss[d] * persons[d]
            if host != c:
                label[i] = host
                persons[c] -= mine
                persons[host] += mine
                loss[c] = _box_of(c, np.int64(-1), label, c, node, shapes, boxes)
                loss[host] = _box_of(host, np.int64(-1), label, host, node, shapes, boxes)
                moved = True
    total = 0.0
    for c in range(count):
        total += loss[c] * persons[c]
    return total


@kernel
def finish_by_clusters(order, ends, root, packed, least, work, rounds, stop):
    """Groups per record: those of the cuts, or where a small node loses less by clusters, the clusters.

    Their number, and the loss of their labels, summed over persons.
    """
    weight = packed.weight
    group = np.empty(len(order), np.int32)
    label = np.empty(len(order), np.int64)
    n_groups, total = 0, 0.0
    g, start = 0, np.int64(0)
    while g < len(ends) and stop[0] == 0:
        first, node_start = g, start
        lost = 0.0
        while g < len(ends) and (g == first or (root[g] == root[first] and root[first] >= 0)):
            persons = 0
            for i in range(start, ends[g]):
                persons += weight[order[i]]
                group[order[i]] = n_groups + g - first
            lost += persons * node_loss(order, start, ends[g], packed, work)
            start = ends[g]
            g += 1
        count = g - first
        if count > 1:
            n_clusters, by_clusters = cluster_node(order, node_start, start, packed, least, work, label)
            if by_clusters < lost:
                count = n_clusters
            else:
                for i in range(node_start, start):
                    label[i - node_start] = group[order[i]] - n_groups
            lost = move_between(order, node_start, start, packed, least, work, label, np.int64(count), rounds)
            for i in range(node_start, start):
                group[order[i]] = n_groups + label[i - node_start]
        n_groups += count
        total += lost
    return group, n_groups, total
