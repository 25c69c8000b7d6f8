"""Tables of nodes, from which the best cut follows without their records; those of parts add up.

A row says, for a node and one of its columns, of a rank or value `at`:

    beside == -1   how many persons have that rank (column -1: how many records the node has)
    beside >= 0    how the column beside lies along the ranks: per rank the lowest and highest code, or for
                   names, per name the lowest and highest rank. Where the ranks have no order of their own,
                   which rank and name occur together (`at` is then rank * names + name)

Persons are summed, the lowest and the highest are the lowest and the highest of all parts.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._column_cut_kernels import (
        PackedViews,
        WorkViews,
        add_losses,
        best_cut,
        clear_losses,
        forget_ranks,
        number_ranks,
        order_ranks,
        spread_along,
    )
    from heteronym.partition._shape_kernels import SET


class TableRows:
    """Rows of tables as they come."""

    def __init__(self):
        self.count = 0
        self.rows = np.empty((1 << 10, 7), np.int64)

    def make_room(self, more):
        rows = np.empty((2 * (self.count + more), 7), np.int64)
        rows[: self.count] = self.rows[: self.count]
        self.rows = rows


def _need(rows, more):
    """Room for so many rows."""
    if rows.count + more > rows.rows.shape[0]:
        with cython.gil:
            rows.make_room(more)


def _put(rows, node, column, beside, at, persons, low, high):
    row = rows.count
    table = rows.rows
    table[row, 0], table[row, 1], table[row, 2], table[row, 3] = node, column, beside, at
    table[row, 4], table[row, 5], table[row, 6] = persons, low, high
    rows.count = row + 1


def tabulate(order, ends, numbers, packed, work):
    """The rows of nodes of the given order that end at `ends`, each with its number."""
    rows = TableRows()
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    with cython.nogil:
        _tabulate(order, ends, numbers, packed_views, work_views, rows)
    return np.asarray(rows.rows)[: rows.count]


def _tabulate(order, ends, numbers, packed, work, rows):
    columns = packed.sets.shape[1]
    start = 0
    for n in range(len(ends)):
        _need(rows, 1)
        _put(rows, numbers[n], -1, -1, 0, ends[n] - start, 0, 0)
        for a in range(columns):
            count = number_ranks(order, start, ends[n], packed, a, work)
            _need(rows, count)
            for j in range(count):
                _put(rows, numbers[n], a, -1, work.touched[j], work.weight_at[j], 0, 0)
            for b in range(columns):
                if packed.by_weight[a] and packed.kind[b] == SET:
                    _put_pairs(order, start, ends[n], numbers[n], packed, a, b, count, work, rows)
                else:
                    _put_spread(order, start, ends[n], numbers[n], packed, a, b, count, work, rows)
            forget_ranks(work.touched, count, work.place)
        start = ends[n]


def _put_spread(order, start, end, node, packed, a, b, count, work, rows):
    """For each rank the lowest and the highest code, or for each name the lowest and the highest rank."""
    n_seen = spread_along(order, start, end, packed, a, b, count, work)
    touched, first, last, seen = work.touched, work.first, work.last, work.seen
    if packed.kind[b] == SET:
        _need(rows, n_seen)
        for v in range(n_seen):
            _put(rows, node, a, b, seen[v], 0, touched[first[seen[v]]], touched[last[seen[v]]])
            first[seen[v]] = -1
    else:
        _need(rows, count)
        for j in range(count):
            _put(rows, node, a, b, touched[j], 0, work.low[j], work.high[j])


def _put_pairs(order, start, end, node, packed, a, b, count, work, rows):
    """Which ranks and names occur together; records are taken rank by rank."""
    sets, ptr, codes, rank_of = packed.sets, packed.ptr, packed.codes, packed.ranks[a]
    begins, by_rank, first = work.low, work.copied, work.first
    names = packed.values[b] + 1
    for j in range(count):
        begins[j] = 0
    for i in range(start, end):
        begins[work.place[rank_of[order[i]]]] += 1
    total = 0
    for j in range(count):
        total += begins[j]
        begins[j] = total - begins[j]
    for i in range(start, end):
        j = work.place[rank_of[order[i]]]
        by_rank[begins[j]] = order[i]
        begins[j] += 1
    at = 0
    for j in range(count):
        n_seen = 0
        while at < begins[j]:  # where the next rank begins
            s = sets[by_rank[at], b]
            for c in range(ptr[b, s], ptr[b, s + 1]):
                if first[codes[b, c]] < 0:
                    first[codes[b, c]] = j
                    work.seen[n_seen] = codes[b, c]
                    n_seen += 1
            at += 1
        _need(rows, n_seen)
        for v in range(n_seen):
            _put(rows, node, a, b, work.touched[j] * names + work.seen[v], 0, 0, 0)
            first[work.seen[v]] = -1


def best_cuts_of_tables(rows, packed, least, work, gains, cuts):
    """The best cut of a node on every column from its rows, which ascend by column, beside and at."""
    packed_views, work_views = PackedViews(packed), WorkViews(work)
    with cython.nogil:
        _best_cuts(rows, packed_views, least, work_views, gains, cuts)


def _best_cuts(rows, packed, least, work, gains, cuts):
    n = 0
    for a in range(packed.sets.shape[1]):
        n = _skip_below(rows, n, a)
        count = _rank_rows(rows, n, packed.by_weight[a], a, work)
        n += count
        if count > 1:
            clear_losses(count, work)
            for b in range(packed.sets.shape[1]):
                n_seen, first_row = 0, n
                while n < len(rows) and rows[n, 1] == a and rows[n, 2] == b:
                    n += 1
                if packed.kind[b] != SET:
                    _lay_codes(rows, first_row, n, work)
                elif packed.by_weight[a]:
                    n_seen = _lay_pairs(rows, first_row, n, packed.values[b] + 1, work)
                else:
                    n_seen = _lay_names(rows, first_row, n, work)
                add_losses(packed, b, count, n_seen, work)
        best_cut(a, count, least, work, gains, cuts)
        forget_ranks(work.touched, count, work.place)


def _skip_below(rows, n, a):
    """The first row of column a from row n on."""
    while n < len(rows) and rows[n, 1] < a:
        n += 1
    return n


def _rank_rows(rows, begin, by_weight, a, work):
    """Numbers the ranks of a column and who has each; how many."""
    count, total, n = 0, 0, begin
    while n < len(rows) and rows[n, 1] == a and rows[n, 2] == -1:
        work.touched[count] = rows[n, 3]
        work.place[rows[n, 3]] = rows[n, 4] if by_weight else 0
        total += rows[n, 4]
        count += 1
        n += 1
    order_ranks(work.touched, count, by_weight, work.place)
    for j in range(begin, n):
        work.weight_at[work.place[rows[j, 3]]] = rows[j, 4]
    work.persons = total
    return count


def _lay_codes(rows, begin, end, work):
    for n in range(begin, end):
        work.low[work.place[rows[n, 3]]] = rows[n, 5]
        work.high[work.place[rows[n, 3]]] = rows[n, 6]


def _lay_names(rows, begin, end, work):
    for n in range(begin, end):
        work.seen[n - begin] = rows[n, 3]
        work.first[rows[n, 3]] = work.place[rows[n, 5]]
        work.last[rows[n, 3]] = work.place[rows[n, 6]]
    return end - begin


def _lay_pairs(rows, begin, end, names, work):
    n_seen = 0
    for n in range(begin, end):
        j, name = work.place[rows[n, 3] // names], rows[n, 3] % names
        if work.first[name] < 0:
            work.first[name] = j
            work.last[name] = j
            work.seen[n_seen] = name
            n_seen += 1
        else:
            work.first[name] = min(work.first[name], j)
            work.last[name] = max(work.last[name], j)
    return n_seen
