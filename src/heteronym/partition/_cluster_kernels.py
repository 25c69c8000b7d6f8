"""Clusters of a small node: how a search over columns ends.

What a cluster covers is kept up to date while records join it. Codes are renumbered within the node, so that
a cluster's marks fit the node, not the domain.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._column_cut_kernels import PackedViews, WorkViews, node_loss
    from heteronym.partition._shape_kernels import SET, range_loss

INFINITE = np.inf
NOTHING = 1 << 40  # above every code
NEAR, FAR = 0, 1  # columns of `roots`: the last small node above a group, the last large one


class Node:
    """Codes of a node's records by column, renumbered within the node; reused from node to node."""

    def __init__(self, columns):
        self.columns = columns
        self.ptr = np.zeros((columns, 1), np.int64)
        self.codes = np.zeros(1, np.int64)

    def make_room_for_records(self, records):
        self.ptr = np.zeros((self.columns, 2 * records + 1), np.int64)

    def make_room_for_codes(self, codes):
        self.codes = np.zeros(2 * codes, np.int64)


class NodeBoxes:
    """What clusters of a node cover: lowest and highest code, or which codes and how many.

    Reused from node to node: codes are below `most`, and those of cluster c on column b that it holds are
    marked in `holds` from (c * columns + b) * most on.
    """

    def __init__(self, columns):
        self.columns = columns
        self.most = 0
        self.holds = np.zeros(1, np.bool_)
        self.make_room_for_clusters(8)

    def make_room_for_clusters(self, rows):
        self.low = np.zeros((2 * rows, self.columns), np.int64)
        self.high = np.zeros((2 * rows, self.columns), np.int64)
        self.distinct = np.zeros((2 * rows, self.columns), np.int64)
        self.persons = np.zeros(2 * rows, np.int64)
        self.loss = np.zeros(2 * rows)

    def make_room_for_marks(self, marks):
        self.holds = np.zeros(2 * marks, np.bool_)


def localize(order, start, end, packed, work, node):
    """Renumbers the codes of SET columns within the node, so that marks fit the node; how many at most."""
    sets, ptr, codes = packed.sets, packed.ptr, packed.codes
    first, seen = work.first, work.seen
    n, n_columns = end - start, sets.shape[1]
    if n + 1 > node.ptr.shape[1]:
        with cython.gil:
            node.make_room_for_records(n)
    total = 0
    for b in range(n_columns):
        for i in range(n):
            s = sets[order[start + i], b]
            node.ptr[b, i] = total
            total += ptr[b, s + 1] - ptr[b, s] if packed.kind[b] == SET else 2
        node.ptr[b, n] = total
    if total > len(node.codes):
        with cython.gil:
            node.make_room_for_codes(total)
    most = 1
    for b in range(n_columns):
        n_seen = 0
        for i in range(n):
            s = sets[order[start + i], b]
            at = node.ptr[b, i]
            if packed.kind[b] == SET:
                for c in range(ptr[b, s], ptr[b, s + 1]):
                    value = codes[b, c]
                    if first[value] < 0:
                        first[value] = n_seen
                        seen[n_seen] = value
                        n_seen += 1
                    node.codes[at + c - ptr[b, s]] = first[value]
            else:
                node.codes[at] = codes[b, ptr[b, s]]
                node.codes[at + 1] = codes[b, ptr[b, s + 1] - 1]
        for v in range(n_seen):
            first[seen[v]] = -1
        most = max(most, n_seen)
    return most


def loss_with(i, c, node, shapes, boxes):
    """Loss of the labels of cluster c once record i joins it."""
    total = 0.0
    for b in range(boxes.columns):
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            count = boxes.distinct[c, b]
            marks = (c * boxes.columns + b) * boxes.most
            for v in range(at, stop):
                if not boxes.holds[marks + node.codes[v]]:
                    count += 1
            if count > 1:
                total += shapes.column_weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], node.codes[at])
            high = max(boxes.high[c, b], node.codes[at + 1])
            total += shapes.column_weight[b] * range_loss(shapes, b, low, high)
    return total


def join(i, c, node, shapes, boxes):
    """Record i joins cluster c."""
    for b in range(boxes.columns):
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            marks = (c * boxes.columns + b) * boxes.most
            for v in range(at, stop):
                if not boxes.holds[marks + node.codes[v]]:
                    boxes.holds[marks + node.codes[v]] = True
                    boxes.distinct[c, b] += 1
        else:
            boxes.low[c, b] = min(boxes.low[c, b], node.codes[at])
            boxes.high[c, b] = max(boxes.high[c, b], node.codes[at + 1])


def empty(c, boxes):
    """Nobody is in cluster c."""
    for b in range(boxes.columns):
        boxes.low[c, b], boxes.high[c, b], boxes.distinct[c, b] = NOTHING, -1, 0
    for v in range(c * boxes.columns * boxes.most, (c + 1) * boxes.columns * boxes.most):
        boxes.holds[v] = False


def empty_boxes(rows, most, boxes):
    """So many clusters without anybody, over codes below `most`."""
    boxes.most = most
    if rows > len(boxes.persons):
        with cython.gil:
            boxes.make_room_for_clusters(rows)
    if rows * boxes.columns * most > len(boxes.holds):
        with cython.gil:
            boxes.make_room_for_marks(rows * boxes.columns * most)
    for c in range(rows):
        boxes.persons[c] = 0
        boxes.loss[c] = 0.0
        empty(c, boxes)


def far_from(last_seed, label, node, shapes, boxes, room):
    # The record with a label below 0 that is farthest from the last seed; row `room` of the boxes is free.
    empty(room, boxes)
    join(last_seed, room, node, shapes, boxes)
    seed, farthest = -1, -1.0
    for i in range(len(label)):
        if label[i] < 0:
            away = loss_with(i, room, node, shapes, boxes)
            if away > farthest:
                seed, farthest = i, away
    return seed


def cluster_node(order, start, end, packed, least, work, label, node, boxes):
    """Greedy clusters of at least `least` persons in a small node: label[i] per record; count.

    A seed far from the last one takes the record that adds least loss until it is large enough;
    what remains at the end joins where it costs least. The summed loss is left in `work`.
    O(records^2 columns).
    """
    weight = packed.weight
    n = end - start
    label = label[:n]
    most = localize(order, start, end, packed, work, node)
    remaining = 0
    for i in range(n):
        label[i] = -1
        remaining += weight[order[start + i]]
    room = max(1, min(n, remaining // least))
    # the row behind the last cluster holds the latest seed alone, to find the next one far from it
    empty_boxes(room + 1, most, boxes)
    persons, loss = boxes.persons, boxes.loss
    count = 0
    last_seed = 0
    while remaining >= least:
        seed = far_from(last_seed, label, node, packed, boxes, room)
        newest = seed
        while newest >= 0:
            label[newest] = count
            join(newest, count, node, packed, boxes)
            persons[count] += weight[order[start + newest]]
            newest = -1
            if persons[count] < least:
                smallest = INFINITE
                for i in range(n):
                    if label[i] < 0:
                        grown = loss_with(i, count, node, packed, boxes)
                        if grown < smallest:
                            newest, smallest = i, grown
        remaining -= persons[count]
        loss[count] = loss_with(seed, count, node, packed, boxes)
        last_seed = seed
        count += 1
    for i in range(n):
        if label[i] < 0:
            host, cheapest = 0, INFINITE
            mine = weight[order[start + i]]
            for c in range(count):
                added = loss_with(i, c, node, packed, boxes) * (persons[c] + mine) - loss[c] * persons[c]
                if added < cheapest:
                    host, cheapest = c, added
            label[i] = host
            join(i, host, node, packed, boxes)
            persons[host] += mine
            loss[host] = loss_with(i, host, node, packed, boxes)
    work.lost = 0.0
    for c in range(count):
        work.lost += loss[c] * persons[c]
    return count


def _box_of(c, leaving, label, row, node, shapes, boxes):
    # The box around cluster c without record `leaving`, in the given row; its loss.
    empty(row, boxes)
    loss = 0.0
    someone = -1
    for i in range(len(label)):
        if label[i] == c and i != leaving:
            join(i, row, node, shapes, boxes)
            someone = i
    if someone >= 0:
        loss = loss_with(someone, row, node, shapes, boxes)
    return loss


def move_between(order, start, end, packed, least, work, label, count, rounds, node, boxes):
    """Records move to the cluster where they cost less, if theirs stays large enough; the loss then."""
    weight = packed.weight
    label = label[: end - start]
    most = localize(order, start, end, packed, work, node)
    # the last row is for a cluster without the record that might leave it
    empty_boxes(count + 1, most, boxes)
    persons, loss = boxes.persons, boxes.loss
    for c in range(count):
        loss[c] = _box_of(c, -1, label, c, node, packed, boxes)
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
            without = _box_of(c, i, label, count, node, packed, boxes)
            saved = loss[c] * persons[c] - without * (persons[c] - mine) - 1e-12
            host = c
            for d in range(count):
                if d != c:
                    added = loss_with(i, d, node, packed, boxes) * (persons[d] + mine)
                    if added - loss[d] * persons[d] < saved:
                        host, saved = d, added - loss[d] * persons[d]
            if host != c:
                label[i] = host
                persons[c] -= mine
                persons[host] += mine
                loss[c] = _box_of(c, -1, label, c, node, packed, boxes)
                loss[host] = _box_of(host, -1, label, host, node, packed, boxes)
                moved = True
    total = 0.0
    for c in range(count):
        total += loss[c] * persons[c]
    return total


def run_end(roots, level, g):
    """The first group behind those that share a root with group g."""
    last = g + 1
    while last < len(roots) and roots[g, level] >= 0 and roots[last, level] == roots[g, level]:
        last += 1
    return last


def weigh_groups(order, ends, packed, work, persons, loss):
    """Adds up the persons of every group, and what its labels lose, times persons."""
    for g in range(len(ends)):
        start = ends[g - 1] if g > 0 else 0
        for i in range(start, ends[g]):
            persons[g] += packed.weight[order[i]]
        loss[g] = persons[g] * node_loss(order, start, ends[g], packed, work)


def summed_losses(loss, first, last):
    total = 0.0
    for g in range(first, last):
        total += loss[g]
    return total


def finish_by_clusters(order, ends, roots, packed, least, work, rounds, stop):
    """Groups per record: those of the cuts, or where a small node loses less by clusters, the clusters.

    Their number, and the loss of their labels, summed over persons.
    """
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    columns = packed.sets.shape[1]
    node, boxes = Node(columns), NodeBoxes(columns)
    group, label = np.empty(len(order), np.int32), np.empty(len(order), np.int64)
    persons, loss = np.zeros(len(ends), np.int64), np.zeros(len(ends))
    with cython.nogil:
        weigh_groups(order, ends, packed_views, work_views, persons, loss)
        count = _finish(
            order, ends, roots, packed_views, least, work_views, rounds, node, boxes, label, group, loss, stop
        )
    return np.asarray(group), count, work_views.lost


def _finish(order, ends, roots, packed, least, work, rounds, node, boxes, label, group, loss, stop):
    """Fills `group`; the number of groups. Their summed loss is left in `work`."""
    n_groups, total, g = 0, 0.0, 0
    while g < len(ends) and stop[0] == 0:
        last = run_end(roots, NEAR, g)
        start, end = ends[g - 1] if g > 0 else 0, ends[last - 1]
        count, lost = last - g, summed_losses(loss, g, last)
        for x in range(g, last):
            for i in range(ends[x - 1] if x > 0 else 0, ends[x]):
                group[order[i]] = n_groups + x - g
        if count > 1:
            n_clusters = cluster_node(order, start, end, packed, least, work, label, node, boxes)
            if work.lost < lost:
                count = n_clusters
            else:
                for i in range(start, end):
                    label[i - start] = group[order[i]] - n_groups
            lost = move_between(order, start, end, packed, least, work, label, count, rounds, node, boxes)
            for i in range(start, end):
                group[order[i]] = n_groups + label[i - start]
        n_groups += count
        total += lost
        g = last
    work.lost = total
    return n_groups
