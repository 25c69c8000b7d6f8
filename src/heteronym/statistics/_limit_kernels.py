"""Counting and limits of histograms; see `counts` for what each limit means.

The values of all attributes that limits are about lie one behind the other in one range of codes, so that
a set of persons has one histogram. `present` lists the codes that a histogram may hold, and is all that is
looked at: a search over many values pays for those of its node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np

if not cython.compiled:
    from math import log

DISTINCT, ENTROPY, RECURSIVE, SHARE, EQUAL, LINE, TREE = range(7)
TINY = 1e-12  # differences below are rounding


class PackedLimits(NamedTuple):
    """Limits as arrays: limit r is about the codes first[r]..last[r]-1."""

    kind: Any
    first: Any
    last: Any
    numbers: Any  # [limits, 2]
    at: Any  # where the limit's own part of `reference` and `gap` begins
    reference: Any
    gap: Any  # LINE: from this value to the next, of the whole line
    nodes: Any  # [limits + 1] TREE: the limit's nodes
    height: Any  # of a node, of the whole tree
    children: Any  # [nodes + 1]
    low: Any  # a child's first code and the one behind its last, counted from the limit's first
    high: Any


class LimitViews:
    """`PackedLimits` as kernels read them."""

    def __init__(self, limits):
        self.kind = limits.kind
        self.first = limits.first
        self.last = limits.last
        self.numbers = limits.numbers
        self.at = limits.at
        self.reference = limits.reference
        self.gap = limits.gap
        self.nodes = limits.nodes
        self.height = limits.height
        self.children = limits.children
        self.low = limits.low
        self.high = limits.high
        # scratch for the largest counts, as many as a limit asks for
        self.top = np.zeros(int(limits.numbers[:, 1].max(initial=0.0)) + 2, np.int64)


def count_values(members, ptr, codes, counts, sign):
    for i in range(len(members)):
        p = members[i]
        for at in range(ptr[p], ptr[p + 1]):
            counts[codes[at]] += sign


def _along_line(limits, r, counts, total):
    first, at = limits.first[r], limits.at[r]
    away, carried = 0.0, 0.0
    for v in range(limits.last[r] - first):
        carried += counts[first + v] / total - limits.reference[at + v]
        away += abs(carried) * limits.gap[at + v]
    return away


def _in_tree(limits, r, counts, total):
    # Below each node, what its children can even out among them costs the node's height.
    first, at = limits.first[r], limits.at[r]
    away = 0.0
    for node in range(limits.nodes[r], limits.nodes[r + 1]):
        more, less = 0.0, 0.0
        for child in range(limits.children[node], limits.children[node + 1]):
            extra = 0.0
            for v in range(limits.low[child], limits.high[child]):
                extra += counts[first + v] / total - limits.reference[at + v]
            if extra > 0:
                more += extra
            else:
                less -= extra
        away += limits.height[node] * min(more, less)
    return away


def _largest(counts, present, n_present, first, last, wanted, top):
    # Sum of the `wanted` largest counts, which are few: kept in order, the smallest first.
    for place in range(wanted + 1):
        top[place] = 0
    for i in range(n_present):
        v = present[i]
        if first <= v < last:
            top[0] = counts[v]
            place = 0
            while place < wanted and top[place] > top[place + 1]:
                top[place], top[place + 1] = top[place + 1], top[place]
                place += 1
    total = 0
    for place in range(1, wanted + 1):
        total += top[place]
    return total


def excess(limits, r, counts, present, n_present, persons):
    """By how many persons, roughly, a histogram misses a limit; 0 where the limit holds."""
    kind, first, last, at = limits.kind[r], limits.first[r], limits.last[r], limits.at[r]
    number = limits.numbers[r, 0]
    total, distinct, most, over = 0, 0, 0, 0.0
    for i in range(n_present):
        v = present[i]
        if first <= v < last and counts[v] > 0:
            total += counts[v]
            distinct += 1
            most = max(most, counts[v])
            if kind == SHARE:
                more = counts[v] - limits.reference[at + v - first] * persons
                over += more if more > TINY else 0.0
    if kind == DISTINCT:
        return max(number - distinct, 0.0)
    if kind == SHARE:
        return over
    if total == 0:
        # nobody has a value: no distribution to learn from, and none that is diverse
        return 1.0 if kind in (ENTROPY, RECURSIVE) else 0.0
    if kind == ENTROPY:
        entropy = 0.0
        for i in range(n_present):
            v = present[i]
            if first <= v < last and counts[v] > 0:
                entropy -= counts[v] / total * log(counts[v] / total)
        short = log(number) - entropy
        return total * short / log(number) if short > TINY else 0.0
    if kind == RECURSIVE:
        wanted = cython.cast(cython.longlong, limits.numbers[r, 1]) - 1
        rest = total - _largest(counts, present, n_present, first, last, wanted, limits.top)
        return 0.0 if most < number * rest else most - number * rest + 0.5
    away = 0.0
    if kind == EQUAL:
        # half the summed differences is the sum of those above: what is absent need not be looked at
        for i in range(n_present):
            v = present[i]
            if first <= v < last:
                away += max(counts[v] / total - limits.reference[at + v - first], 0.0)
    elif kind == LINE:
        away = _along_line(limits, r, counts, total)
    else:
        away = _in_tree(limits, r, counts, total)
    return total * (away - number) if away > number + TINY else 0.0


def summed_excess(limits, counts, present, n_present, persons):
    """Of all limits; 0 where all hold."""
    total = 0.0
    for r in range(len(limits.kind)):
        total += excess(limits, r, counts, present, n_present, persons)
    return total


def all_hold(limits, counts, present, n_present, persons):
    hold = True
    for r in range(len(limits.kind)):
        hold = hold and excess(limits, r, counts, present, n_present, persons) <= 0.0
    return hold
