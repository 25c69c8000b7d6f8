"""Clusters under limits on histograms: every cluster draws its members evenly from all values.

A cut along a column parts people whose sensitive values go with that column, and limits such as t-closeness
soon forbid every cut. A cluster can take near persons value by value instead.

Reference   drawing from buckets of values as in Cao et al. 2011 (SABRE); the greedy growth is ours
Guarantee   every cluster has at least `least` persons and satisfies all limits
Cost        O(persons * units * columns) per node
Randomness  none
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._cluster_kernels import (
        empty,
        empty_boxes,
        far_from,
        join,
        localize,
        loss_with,
    )
    from heteronym.partition._shape_kernels import SET, range_loss
    from heteronym.statistics._limit_kernels import all_hold, summed_excess

INFINITE = np.inf
MISSED = 0.3  # of loss, for every person by whom a cluster misses the limits
SPENT = 0.3  # of loss, for a value of which twice the usual share is left in the pool
ASKED = 1 << 28  # persons times holdings times values of a node; beyond, clusters take too long


class HolderViews:
    """`Holders` as kernels read them."""

    def __init__(self, holders):
        self.unit_ptr = holders.unit_ptr
        self.weight = holders.weight
        self.holding = holders.holding
        self.slot_ptr = holders.slot_ptr
        self.ptr = holders.ptr
        self.codes = holders.codes


class Pool:
    """The units of a node, and what is left of them."""

    def __init__(self, records, units, holdings, values):
        self.unit = np.empty(units, np.int64)
        self.record = np.empty(units, np.int64)  # its number within the node
        self.free = np.empty(units, np.int64)  # persons in no cluster yet
        self.shown = np.empty(units, np.int64)  # persons whose group is told
        self.first = np.empty(records + 1, np.int64)  # the units of a record
        self.waiting = np.empty(records, np.int64)  # free persons
        self.label = np.empty(records, np.int64)  # below 0: somebody is free
        self.held = np.empty(min(units, holdings), np.int64)  # holdings that occur
        self.seen = np.zeros(holdings, np.bool_)
        self.values = np.zeros(values, np.int64)  # free persons who hold each value
        self.fair = np.zeros(values)  # share of persons who hold each value at the beginning
        self.price = np.zeros(holdings)  # per holding, what a person costs beyond loss
        self.n_held = 0


class Drawn:
    """Clusters: a chain of the persons taken from units, and a histogram of the one that is looked at."""

    def __init__(self, room, takings, values):
        self.persons = np.zeros(room, np.int64)
        self.loss = np.zeros(room)
        self.added = np.zeros(room)  # what somebody would add to the loss of a cluster
        self.head = np.full(room, -1, np.int64)  # the latest taking of a cluster, -1 for none
        self.after = np.empty(takings, np.int64)
        self.taken = np.empty(takings, np.int64)  # from which unit of the pool
        self.amount = np.empty(takings, np.int64)
        self.used = 0  # takings so far
        self.counts = np.zeros(values, np.int64)
        self.present = np.empty(values, np.int64)  # the codes that `counts` may hold


def _loss_below(i, c, node, shapes, boxes, cost, bound):
    # cost + loss of the labels of cluster c once record i joins it, or something not below the bound.
    # `loss_with` is kept apart: with this bound in it, the search without limits took 1.4 times as long.
    for b in range(boxes.columns):
        if cost >= bound:
            break
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            count = boxes.distinct[c, b]
            marks = (c * boxes.columns + b) * boxes.most
            for v in range(at, stop):
                if not boxes.holds[marks + node.codes[v]]:
                    count += 1
            if count > 1:
                cost += shapes.column_weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], node.codes[at])
            high = max(boxes.high[c, b], node.codes[at + 1])
            cost += shapes.column_weight[b] * range_loss(shapes, b, low, high)
    return cost


def _count(h, amount, holders, drawn, n_present):
    # Persons with holding h join a histogram; how many codes are listed then.
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        value = holders.codes[at]
        if drawn.counts[value] == 0:
            drawn.present[n_present] = value
            n_present += 1
        drawn.counts[value] += amount
    return n_present


def _uncount(h, amount, holders, drawn):
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        drawn.counts[holders.codes[at]] -= amount


def _forget(drawn, n_present):
    for x in range(n_present):
        drawn.counts[drawn.present[x]] = 0


def _count_cluster(c, drawn, pool, holders):
    n_present = 0
    take = drawn.head[c]
    while take >= 0:
        h = holders.holding[pool.unit[drawn.taken[take]]]
        n_present = _count(h, drawn.amount[take], holders, drawn, n_present)
        take = drawn.after[take]
    return n_present


def _units_of(order, start, end, holders):
    n_units = 0
    for i in range(start, end):
        n_units += holders.unit_ptr[order[i] + 1] - holders.unit_ptr[order[i]]
    return n_units


def _fill(pool, order, start, end, packed, holders):
    # The pool of a node; how many persons it has.
    people, n_held, x = 0, 0, 0
    for i in range(end - start):
        record = order[start + i]
        people += packed.weight[record]
        pool.first[i] = x
        pool.waiting[i] = packed.weight[record]
        for u in range(holders.unit_ptr[record], holders.unit_ptr[record + 1]):
            pool.unit[x], pool.record[x], pool.free[x] = u, i, holders.weight[u]
            h = holders.holding[u]
            for at in range(holders.ptr[h], holders.ptr[h + 1]):
                pool.values[holders.codes[at]] += holders.weight[u]
            if not pool.seen[h]:
                pool.seen[h] = True
                pool.held[n_held] = h
                n_held += 1
            x += 1
    pool.first[end - start] = x
    for value in range(len(pool.values)):
        pool.fair[value] = pool.values[value] / people
    pool.n_held = n_held
    return people


def _take(c, x, amount, drawn, pool, holders, node, shapes, boxes):
    take = drawn.used
    drawn.taken[take], drawn.amount[take] = x, amount
    drawn.after[take] = drawn.head[c]
    drawn.head[c] = take
    drawn.used = take + 1
    drawn.persons[c] += amount
    join(pool.record[x], c, node, shapes, boxes)
    pool.free[x] -= amount
    pool.waiting[pool.record[x]] -= amount
    h = holders.holding[pool.unit[x]]
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        pool.values[holders.codes[at]] -= amount


def _nearest(c, holders, pool, node, shapes, boxes):
    # The record whose cheapest person adds least, in loss and price; -1 if nobody is free.
    nearest, cheapest = -1, INFINITE
    for i in range(len(pool.waiting)):
        if pool.waiting[i] > 0:
            price = INFINITE
            for x in range(pool.first[i], pool.first[i + 1]):
                if pool.free[x] > 0:
                    price = min(price, pool.price[holders.holding[pool.unit[x]]])
            if price < cheapest:
                cost = _loss_below(i, c, node, shapes, boxes, price, cheapest)
                if cost < cheapest:
                    nearest, cheapest = i, cost
    return nearest


def _set_prices(limits, holders, drawn, n_present, persons, pool, left):
    # A person costs what the cluster misses the limits by with them, less what their values are in excess.
    for x in range(pool.n_held):
        h = pool.held[x]
        n_with = _count(h, 1, holders, drawn, n_present)
        price = MISSED * summed_excess(limits, drawn.counts, drawn.present, n_with, persons + 1)
        _uncount(h, 1, holders, drawn)
        n_values = holders.ptr[h + 1] - holders.ptr[h]
        for at in range(holders.ptr[h], holders.ptr[h + 1]):
            value = holders.codes[at]
            price -= SPENT * (pool.values[value] / (left * pool.fair[value]) - 1.0) / n_values
        pool.price[h] = price


def _take_from(limits, i, c, drawn, pool, holders, n_present, node, shapes, boxes):
    # All free persons of a record, if the limits are none the worse than with its cheapest person alone; else
    # that person. How many codes are listed then.
    persons, best = drawn.persons[c], -1
    for x in range(pool.first[i], pool.first[i + 1]):
        if pool.free[x] > 0 and (
            best < 0
            or pool.price[holders.holding[pool.unit[x]]] < pool.price[holders.holding[pool.unit[best]]]
        ):
            best = x
    h = holders.holding[pool.unit[best]]
    n_one = _count(h, 1, holders, drawn, n_present)
    one = summed_excess(limits, drawn.counts, drawn.present, n_one, persons + 1)
    if pool.waiting[i] > 1:
        n_all = _count(h, pool.free[best] - 1, holders, drawn, n_one)
        for x in range(pool.first[i], pool.first[i + 1]):
            if x != best and pool.free[x] > 0:
                n_all = _count(holders.holding[pool.unit[x]], pool.free[x], holders, drawn, n_all)
        many = persons + pool.waiting[i]
        if summed_excess(limits, drawn.counts, drawn.present, n_all, many) <= one:
            for x in range(pool.first[i], pool.first[i + 1]):
                if pool.free[x] > 0:
                    _take(c, x, pool.free[x], drawn, pool, holders, node, shapes, boxes)
            return n_all
        for x in range(pool.first[i], pool.first[i + 1]):
            _uncount(holders.holding[pool.unit[x]], pool.free[x] - (1 if x == best else 0), holders, drawn)
    _take(c, best, 1, drawn, pool, holders, node, shapes, boxes)
    return n_one


def _draw(limits, seed, c, least, left, drawn, pool, holders, node, shapes, boxes):
    # One cluster from its seed on; whether it came to satisfy the limits.
    n_present = 0
    i, closed = seed, False
    while i >= 0:
        n_present = _take_from(limits, i, c, drawn, pool, holders, n_present, node, shapes, boxes)
        persons = drawn.persons[c]
        closed = persons >= least and all_hold(limits, drawn.counts, drawn.present, n_present, persons)
        i = -1
        if not closed and persons < left:
            _set_prices(limits, holders, drawn, n_present, persons, pool, left - persons)
            i = _nearest(c, holders, pool, node, shapes, boxes)
    _forget(drawn, n_present)
    return closed


def _may_take(limits, c, x, drawn, pool, holders):
    n_present = _count_cluster(c, drawn, pool, holders)
    n_present = _count(holders.holding[pool.unit[x]], 1, holders, drawn, n_present)
    may = all_hold(limits, drawn.counts, drawn.present, n_present, drawn.persons[c] + 1)
    _forget(drawn, n_present)
    return may


def _join_hosts(limits, count, drawn, pool, holders, node, shapes, boxes):
    # Everybody left joins the cluster where that costs least, of those that may take them; who could not.
    unplaced = 0
    added, loss = drawn.added, drawn.loss
    for x in range(len(pool.free)):
        placed = True
        while pool.free[x] > 0 and placed:
            for c in range(count):
                now = loss_with(pool.record[x], c, node, shapes, boxes)
                added[c] = now * (drawn.persons[c] + 1) - loss[c] * drawn.persons[c]
            placed = False
            for _ in range(count):
                c = 0
                for d in range(count):
                    if added[d] < added[c]:
                        c = d
                if _may_take(limits, c, x, drawn, pool, holders):
                    _take(c, x, 1, drawn, pool, holders, node, shapes, boxes)
                    loss[c] = loss_with(pool.record[x], c, node, shapes, boxes)
                    placed = True
                    break
                added[c] = INFINITE
        unplaced += pool.free[x]
    return unplaced


def _union_loss(c, d, shapes, boxes):
    total = 0.0
    for b in range(boxes.columns):
        if shapes.kind[b] == SET:
            count = 0
            ours, theirs = (c * boxes.columns + b) * boxes.most, (d * boxes.columns + b) * boxes.most
            for v in range(boxes.most):
                if boxes.holds[ours + v] or boxes.holds[theirs + v]:
                    count += 1
            if count > 1:
                total += shapes.column_weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], boxes.low[d, b])
            high = max(boxes.high[c, b], boxes.high[d, b])
            total += shapes.column_weight[b] * range_loss(shapes, b, low, high)
    return total


def _swallow(c, d, drawn, boxes):
    # Cluster d becomes part of cluster c.
    for b in range(boxes.columns):
        boxes.low[c, b] = min(boxes.low[c, b], boxes.low[d, b])
        boxes.high[c, b] = max(boxes.high[c, b], boxes.high[d, b])
        boxes.distinct[c, b] = 0
        ours, theirs = (c * boxes.columns + b) * boxes.most, (d * boxes.columns + b) * boxes.most
        for v in range(boxes.most):
            boxes.holds[ours + v] |= boxes.holds[theirs + v]
            boxes.distinct[c, b] += boxes.holds[ours + v]
    take = drawn.head[d]
    while take >= 0:
        following = drawn.after[take]
        drawn.after[take] = drawn.head[c]
        drawn.head[c] = take
        take = following
    drawn.head[d] = -1
    drawn.persons[c] += drawn.persons[d]
    drawn.persons[d] = 0


def _settle_rest(limits, least, rest, drawn, pool, holders, node, shapes, boxes):
    # Those whom no cluster may take become cluster `rest`, which swallows its nearest until the limits hold.
    for x in range(len(pool.free)):
        if pool.free[x] > 0:
            _take(rest, x, pool.free[x], drawn, pool, holders, node, shapes, boxes)
    loss = drawn.loss
    while True:
        n_present = _count_cluster(rest, drawn, pool, holders)
        holds = all_hold(limits, drawn.counts, drawn.present, n_present, drawn.persons[rest])
        _forget(drawn, n_present)
        if holds and drawn.persons[rest] >= least:
            break
        nearest, cheapest = -1, INFINITE
        for c in range(rest):
            if drawn.persons[c] > 0:
                both = drawn.persons[c] + drawn.persons[rest]
                added = _union_loss(c, rest, shapes, boxes) * both - loss[c] * drawn.persons[c]
                if added < cheapest:
                    nearest, cheapest = c, added
        if nearest < 0:
            break
        _swallow(rest, nearest, drawn, boxes)
    loss[rest] = _union_loss(rest, rest, shapes, boxes)


def _show(count, drawn, pool, holders, first_group, group_of):
    # The groups of persons: slots of a unit go to clusters in the order in which they were taken.
    at = pool.shown
    for x in range(len(pool.unit)):
        at[x] = holders.slot_ptr[pool.unit[x]]
    number = first_group
    for c in range(count):
        take = drawn.head[c]
        while take >= 0:
            x = drawn.taken[take]
            for _ in range(drawn.amount[take]):
                group_of[at[x]] = number
                at[x] += 1
            take = drawn.after[take]
        number += 1 if drawn.persons[c] > 0 else 0
    return number - first_group


def _give_back(c, drawn, pool, holders, boxes):
    take = drawn.head[c]
    while take >= 0:
        x = drawn.taken[take]
        pool.free[x] += drawn.amount[take]
        pool.waiting[pool.record[x]] += drawn.amount[take]
        h = holders.holding[pool.unit[x]]
        for at in range(holders.ptr[h], holders.ptr[h + 1]):
            pool.values[holders.codes[at]] += drawn.amount[take]
        take = drawn.after[take]
    drawn.head[c] = -1
    drawn.persons[c] = 0
    empty(c, boxes)


def even_clusters(
    limits, order, start, end, packed, holders, least, work, bound, first_group, group_of, node, boxes, stop
):
    """Clusters of a node in place of its groups, if they lose less than `bound`; number (0: not).

    A seed far from the last one takes, person by person, who adds least loss and helps it to satisfy the
    limits, with values of which much is left in the node. Who remains joins the cheapest cluster that may
    take them. The node as a whole satisfies the limits, so that this comes to an end. The loss is left in
    `work`.
    """
    work.lost = bound
    n_values = 0
    for r in range(len(limits.kind)):
        n_values = max(n_values, limits.last[r])
    pool = Pool(end - start, _units_of(order, start, end, holders), len(holders.ptr) - 1, n_values)
    people = _fill(pool, order, start, end, packed, holders)
    if people * pool.n_held * n_values > ASKED:
        return 0
    drawn = Drawn(people // least + 1, 2 * people, n_values)  # some are taken twice
    with cython.nogil:
        count = _cluster_evenly(
            limits, order, start, end, packed, holders, least, work, people, pool, drawn, node, boxes, stop
        )
        if count == 0 or work.lost >= bound:
            work.lost = bound
            count = 0
        else:
            count = _show(count, drawn, pool, holders, first_group, group_of)
    return count


def _cluster_evenly(
    limits, order, start, end, packed, holders, least, work, people, pool, drawn, node, boxes, stop
):
    # How many clusters, 0 if there are none; their loss is left in `work`.
    room, loss = len(drawn.persons), drawn.loss
    empty_boxes(room + 1, localize(order, start, end, packed, work, node), boxes)
    count, left, last = 0, people, 0
    while left >= least and stop[0] == 0:
        for i in range(end - start):
            pool.label[i] = -pool.waiting[i]
        seed = far_from(last, pool.label, node, packed, boxes, room)
        last = seed
        if not _draw(limits, seed, count, least, left, drawn, pool, holders, node, packed, boxes):
            _give_back(count, drawn, pool, holders, boxes)
            break
        left -= drawn.persons[count]
        loss[count] = loss_with(last, count, node, packed, boxes)
        count += 1
    if count == 0 or stop[0] != 0:
        return 0
    if _join_hosts(limits, count, drawn, pool, holders, node, packed, boxes) > 0:
        _settle_rest(limits, least, count, drawn, pool, holders, node, packed, boxes)
        count += 1
    work.lost = 0.0
    for c in range(count):
        work.lost += loss[c] * drawn.persons[c]
    return count
