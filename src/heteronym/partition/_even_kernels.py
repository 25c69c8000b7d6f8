"""Compiled clusters under rules on histograms: every cluster draws its members evenly from all values.

A cut along a column parts people whose sensitive values go with that column, and rules such as t-closeness
soon forbid every cut. A cluster can take near persons value by value instead.

Reference   drawing from buckets of values as in Cao et al. 2011 (SABRE); the greedy growth is ours
Guarantee   every cluster has at least `least` persons and satisfies all rules
Cost        O(persons * units * columns) per node
Randomness  none
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heteronym.compiled import kernel
from heteronym.partition._cluster_kernels import empty, empty_boxes, far_from, join, localize, loss_with
from heteronym.partition._shape_kernels import SET, range_loss
from heteronym.statistics._kernels import all_hold, summed_excess

MISSED = 0.3  # of loss, for every person by whom a cluster misses the rules
SPENT = 0.3  # of loss, for a value of which twice the usual share is left in the pool
ASKED = 1 << 28  # persons times holdings times values of a node; beyond, clusters take too long
ONE, NONE = np.int64(1), np.int64(0)  # bare literals would compile the callees twice


class Pool(NamedTuple):
    """The units of a node, and what is left of them."""

    unit: Any
    record: Any  # its number within the node
    free: Any  # persons in no cluster yet
    first: Any  # [records + 1] the units of a record
    waiting: Any  # [records] free persons
    held: Any  # holdings that occur
    values: Any  # free persons who hold each value
    fair: Any  # share of persons who hold each value at the beginning
    price: Any  # per holding, what a person costs beyond loss


class Drawn(NamedTuple):
    """Clusters: what they cover, and a chain of the persons taken from units."""

    boxes: Any
    persons: Any
    head: Any  # the latest taking of a cluster, -1 for none
    after: Any
    taken: Any  # from which unit of the pool
    amount: Any
    used: Any  # [1] takings so far


class Counted(NamedTuple):
    """A histogram of one cluster, with the codes it may hold."""

    counts: Any
    present: Any


@kernel
def _loss_below(i, c, node, shapes, boxes, cost, limit):
    # cost + loss of the labels of cluster c once record i joins it, or something not below the limit.
    # `loss_with` is kept apart: with this limit in it, the search without rules took 1.4 times as long.
    for b in range(boxes.low.shape[1]):
        if cost >= limit:
            break
        at, stop = node.ptr[b, i], node.ptr[b, i + 1]
        if shapes.kind[b] == SET:
            count = boxes.distinct[c, b]
            for v in range(at, stop):
                if not boxes.holds[c, b, node.codes[v]]:
                    count += 1
            if count > 1:
                cost += shapes.weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], node.codes[at])
            high = max(boxes.high[c, b], node.codes[at + 1])
            cost += shapes.weight[b] * range_loss(shapes, b, low, high)
    return cost


@kernel
def _count(h, amount, holders, counted, n_present):
    # Persons with holding h join a histogram; how many codes are listed then.
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        value = holders.codes[at]
        if counted.counts[value] == 0:
            counted.present[n_present] = value
            n_present += 1
        counted.counts[value] += amount
    return n_present


@kernel
def _uncount(h, amount, holders, counted):
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        counted.counts[holders.codes[at]] -= amount


@kernel
def _forget(counted, n_present):
    for x in range(n_present):
        counted.counts[counted.present[x]] = 0


@kernel
def _count_cluster(c, drawn, pool, holders, counted):
    n_present = NONE
    take = drawn.head[c]
    while take >= 0:
        h = holders.holding[pool.unit[drawn.taken[take]]]
        n_present = _count(h, drawn.amount[take], holders, counted, n_present)
        take = drawn.after[take]
    return n_present


@kernel
def _pool_of(order, start, end, packed, holders, n_values):
    n_units, people = NONE, NONE
    for i in range(start, end):
        n_units += holders.unit_ptr[order[i] + 1] - holders.unit_ptr[order[i]]
        people += packed.weight[order[i]]
    n_holdings = len(holders.ptr) - 1
    seen = np.zeros(n_holdings, np.bool_)
    held = np.empty(min(n_units, n_holdings), np.int64)
    pool = Pool(
        np.empty(n_units, np.int64),
        np.empty(n_units, np.int64),
        np.empty(n_units, np.int64),
        np.empty(end - start + 1, np.int64),
        np.empty(end - start, np.int64),
        held,
        np.zeros(n_values, np.int64),
        np.zeros(n_values),
        np.zeros(n_holdings),
    )
    n_held, x = NONE, NONE
    for i in range(end - start):
        pool.first[i] = x
        pool.waiting[i] = packed.weight[order[start + i]]
        for u in range(holders.unit_ptr[order[start + i]], holders.unit_ptr[order[start + i] + 1]):
            pool.unit[x], pool.record[x], pool.free[x] = u, i, holders.weight[u]
            h = holders.holding[u]
            for at in range(holders.ptr[h], holders.ptr[h + 1]):
                pool.values[holders.codes[at]] += holders.weight[u]
            if not seen[h]:
                seen[h] = True
                held[n_held] = h
                n_held += 1
            x += 1
    pool.first[end - start] = x
    for value in range(n_values):
        pool.fair[value] = pool.values[value] / people
    return pool, n_held, people


@kernel
def _no_clusters(room, takings, shapes, most):
    return Drawn(
        empty_boxes(room + 1, len(shapes.kind), most),
        np.zeros(room, np.int64),
        np.full(room, -1, np.int64),
        np.empty(takings, np.int64),
        np.empty(takings, np.int64),
        np.empty(takings, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def _take(c, x, amount, drawn, pool, holders, node, shapes):
    take = drawn.used[0]
    drawn.taken[take], drawn.amount[take] = x, amount
    drawn.after[take] = drawn.head[c]
    drawn.head[c] = take
    drawn.used[0] = take + 1
    drawn.persons[c] += amount
    join(pool.record[x], c, node, shapes, drawn.boxes)
    pool.free[x] -= amount
    pool.waiting[pool.record[x]] -= amount
    h = holders.holding[pool.unit[x]]
    for at in range(holders.ptr[h], holders.ptr[h + 1]):
        pool.values[holders.codes[at]] -= amount


@kernel
def _nearest(c, holders, drawn, pool, node, shapes):
    # The record whose cheapest person adds least, in loss and price; -1 if nobody is free.
    nearest, cheapest = np.int64(-1), np.inf
    for i in range(len(pool.waiting)):
        if pool.waiting[i] > 0:
            price = np.inf
            for x in range(pool.first[i], pool.first[i + 1]):
                if pool.free[x] > 0:
                    price = min(price, pool.price[holders.holding[pool.unit[x]]])
            if price < cheapest:
                cost = _loss_below(i, c, node, shapes, drawn.boxes, price, cheapest)
                if cost < cheapest:
                    nearest, cheapest = np.int64(i), cost
    return nearest


@kernel
def _set_prices(rules, n_held, holders, counted, n_present, persons, pool, left):
    # A person costs what the cluster misses the rules by with them, less what their values are in excess.
    for x in range(n_held):
        h = pool.held[x]
        n_with = _count(h, ONE, holders, counted, n_present)
        price = MISSED * summed_excess(rules, counted.counts, counted.present, n_with, persons + 1)
        _uncount(h, ONE, holders, counted)
        n_values = holders.ptr[h + 1] - holders.ptr[h]
        for at in range(holders.ptr[h], holders.ptr[h + 1]):
            value = holders.codes[at]
            price -= SPENT * (pool.values[value] / (left * pool.fair[value]) - 1.0) / n_values
        pool.price[h] = price


@kernel
def _take_from(rules, i, c, drawn, pool, holders, counted, n_present, node, shapes):
    # All free persons of a record, if the rules are none the worse than with its cheapest person alone; else
    # that person. How many codes are listed then.
    persons, best = drawn.persons[c], np.int64(-1)
    for x in range(pool.first[i], pool.first[i + 1]):
        if pool.free[x] > 0 and (
            best < 0
            or pool.price[holders.holding[pool.unit[x]]] < pool.price[holders.holding[pool.unit[best]]]
        ):
            best = np.int64(x)
    h = holders.holding[pool.unit[best]]
    n_one = _count(h, ONE, holders, counted, n_present)
    one = summed_excess(rules, counted.counts, counted.present, n_one, persons + 1)
    if pool.waiting[i] > 1:
        n_all = _count(h, pool.free[best] - 1, holders, counted, n_one)
        for x in range(pool.first[i], pool.first[i + 1]):
            if x != best and pool.free[x] > 0:
                n_all = _count(holders.holding[pool.unit[x]], pool.free[x], holders, counted, n_all)
        many = persons + pool.waiting[i]
        if summed_excess(rules, counted.counts, counted.present, n_all, many) <= one:
            for x in range(pool.first[i], pool.first[i + 1]):
                if pool.free[x] > 0:
                    _take(c, x, pool.free[x], drawn, pool, holders, node, shapes)
            return n_all
        for x in range(pool.first[i], pool.first[i + 1]):
            _uncount(holders.holding[pool.unit[x]], pool.free[x] - np.int64(x == best), holders, counted)
    _take(c, best, ONE, drawn, pool, holders, node, shapes)
    return n_one


@kernel
def _draw(rules, seed, c, least, n_held, left, drawn, pool, holders, counted, node, shapes):
    # One cluster from its seed on; whether it came to satisfy the rules.
    n_present = NONE
    i, closed = seed, False
    while i >= 0:
        n_present = _take_from(rules, i, c, drawn, pool, holders, counted, n_present, node, shapes)
        persons = drawn.persons[c]
        closed = persons >= least and all_hold(rules, counted.counts, counted.present, n_present, persons)
        i = np.int64(-1)
        if not closed and persons < left:
            _set_prices(rules, n_held, holders, counted, n_present, persons, pool, left - persons)
            i = _nearest(c, holders, drawn, pool, node, shapes)
    _forget(counted, n_present)
    return closed


@kernel
def _may_take(rules, c, x, drawn, pool, holders, counted):
    n_present = _count_cluster(c, drawn, pool, holders, counted)
    n_present = _count(holders.holding[pool.unit[x]], ONE, holders, counted, n_present)
    may = all_hold(rules, counted.counts, counted.present, n_present, drawn.persons[c] + 1)
    _forget(counted, n_present)
    return may


@kernel
def _join_hosts(rules, count, drawn, pool, holders, counted, node, shapes, loss):
    # Everybody left joins the cluster where that costs least, of those that may take them; who could not.
    unplaced = 0
    added = np.empty(count)
    for x in range(len(pool.free)):
        placed = True
        while pool.free[x] > 0 and placed:
            for c in range(count):
                now = loss_with(pool.record[x], c, node, shapes, drawn.boxes)
                added[c] = now * (drawn.persons[c] + 1) - loss[c] * drawn.persons[c]
            placed = False
            for _ in range(count):
                c = np.int64(0)
                for d in range(count):
                    if added[d] < added[c]:
                        c = np.int64(d)
                if _may_take(rules, c, x, drawn, pool, holders, counted):
                    _take(c, x, ONE, drawn, pool, holders, node, shapes)
                    loss[c] = loss_with(pool.record[x], c, node, shapes, drawn.boxes)
                    placed = True
                    break
                added[c] = np.inf
        unplaced += pool.free[x]
    return unplaced


@kernel
def _union_loss(c, d, shapes, boxes):
    total = 0.0
    for b in range(boxes.low.shape[1]):
        if shapes.kind[b] == SET:
            count = 0
            for v in range(boxes.holds.shape[2]):
                count += boxes.holds[c, b, v] or boxes.holds[d, b, v]
            if count > 1:
                total += shapes.weight[b] * count / shapes.size[b]
        else:
            low = min(boxes.low[c, b], boxes.low[d, b])
            high = max(boxes.high[c, b], boxes.high[d, b])
            total += shapes.weight[b] * range_loss(shapes, b, low, high)
    return total


@kernel
def _swallow(c, d, drawn):
    # Cluster d becomes part of cluster c.
    boxes = drawn.boxes
    for b in range(boxes.low.shape[1]):
        boxes.low[c, b] = min(boxes.low[c, b], boxes.low[d, b])
        boxes.high[c, b] = max(boxes.high[c, b], boxes.high[d, b])
        boxes.distinct[c, b] = 0
        for v in range(boxes.holds.shape[2]):
            boxes.holds[c, b, v] |= boxes.holds[d, b, v]
            boxes.distinct[c, b] += boxes.holds[c, b, v]
    take = drawn.head[d]
    while take >= 0:
        following = drawn.after[take]
        drawn.after[take] = drawn.head[c]
        drawn.head[c] = take
        take = following
    drawn.head[d] = -1
    drawn.persons[c] += drawn.persons[d]
    drawn.persons[d] = 0


@kernel
def _settle_rest(rules, least, rest, drawn, pool, holders, counted, node, shapes, loss):
    # Those whom no cluster may take become cluster `rest`, which swallows its nearest until the rules hold.
    for x in range(len(pool.free)):
        if pool.free[x] > 0:
            _take(rest, x, pool.free[x], drawn, pool, holders, node, shapes)
    while True:
        n_present = _count_cluster(rest, drawn, pool, holders, counted)
        holds = all_hold(rules, counted.counts, counted.present, n_present, drawn.persons[rest])
        _forget(counted, n_present)
        if holds and drawn.persons[rest] >= least:
            break
        nearest, cheapest = np.int64(-1), np.inf
        for c in range(rest):
            if drawn.persons[c] > 0:
                both = drawn.persons[c] + drawn.persons[rest]
                added = _union_loss(c, rest, shapes, drawn.boxes) * both - loss[c] * drawn.persons[c]
                if added < cheapest:
                    nearest, cheapest = np.int64(c), added
        if nearest < 0:
            break
        _swallow(rest, nearest, drawn)
    loss[rest] = _union_loss(rest, rest, shapes, drawn.boxes)


@kernel
def _show(count, drawn, pool, holders, first_group, group_of):
    # The groups of persons: slots of a unit go to clusters in the order in which they were taken.
    at = np.zeros(len(pool.unit), np.int64)
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
        number += drawn.persons[c] > 0
    return number - first_group


@kernel
def _give_back(c, drawn, pool, holders):
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
    empty(c, drawn.boxes)


@kernel
def even_clusters(rules, order, start, end, packed, holders, least, work, bound, first_group, group_of, stop):
    """Clusters of a node in place of its groups, if they lose less than `bound`; number (0: not), loss.

    A seed far from the last one takes, person by person, who adds least loss and helps it to satisfy the
    rules, with values of which much is left in the node. Who remains joins the cheapest cluster that may
    take them. The node as a whole satisfies the rules, so that this comes to an end.
    """
    shapes = packed.shapes
    n_values = NONE
    for r in range(len(rules.kind)):
        n_values = max(n_values, rules.last[r])
    pool, n_held, people = _pool_of(order, start, end, packed, holders, n_values)
    if people * n_held * n_values > ASKED:
        return 0, bound
    node, most = localize(order, start, end, packed, work)
    room = people // least + 1
    drawn = _no_clusters(room, 2 * people, shapes, most)  # some are taken twice
    counted = Counted(np.zeros(n_values, np.int64), np.empty(n_values, np.int64))
    loss = np.zeros(room)
    count, left, last = NONE, people, NONE
    while left >= least and stop[0] == 0:
        seed = far_from(last, -pool.waiting, node, shapes, drawn.boxes, room)
        last = seed
        if not _draw(rules, seed, count, least, n_held, left, drawn, pool, holders, counted, node, shapes):
            _give_back(count, drawn, pool, holders)
            break
        left -= drawn.persons[count]
        loss[count] = loss_with(last, count, node, shapes, drawn.boxes)
        count += 1
    if count == 0 or stop[0] != 0:
        return 0, bound
    if _join_hosts(rules, count, drawn, pool, holders, counted, node, shapes, loss) > 0:
        _settle_rest(rules, least, count, drawn, pool, holders, counted, node, shapes, loss)
        count += 1
    total = 0.0
    for c in range(count):
        total += loss[c] * drawn.persons[c]
    if total >= bound:
        return 0, bound
    return _show(count, drawn, pool, holders, first_group, group_of), total
