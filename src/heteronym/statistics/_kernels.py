"""Counting and rules of histograms; see `counts` for what each rule means.

The values of all attributes that rules are about lie one behind the other in one range of codes, so that
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


class Rules(NamedTuple):
    """Rules as arrays: rule r is about the codes first[r]..last[r]-1."""

    kind: Any
    first: Any
    last: Any
    numbers: Any  # [rules, 2]
    at: Any  # where the rule's own part of `reference` and `gap` begins
    reference: Any
    gap: Any  # LINE: from this value to the next, of the whole line
    nodes: Any  # [rules + 1] TREE: the rule's nodes
    height: Any  # of a node, of the whole tree
    children: Any  # [nodes + 1]
    low: Any  # a child's first code and the one behind its last, counted from the rule's first
    high: Any


class RuleViews:
    """`Rules` as kernels read them."""

    def __init__(self, rules):
        self.kind = rules.kind
        self.first = rules.first
        self.last = rules.last
        self.numbers = rules.numbers
        self.at = rules.at
        self.reference = rules.reference
        self.gap = rules.gap
        self.nodes = rules.nodes
        self.height = rules.height
        self.children = rules.children
        self.low = rules.low
        self.high = rules.high
        # scratch for the largest counts, as many as a rule asks for
        self.top = np.zeros(int(rules.numbers[:, 1].max(initial=0.0)) + 2, np.int64)


def count_values(members, ptr, codes, counts, sign):
    for i in range(len(members)):
        p = members[i]
        for at in range(ptr[p], ptr[p + 1]):
            counts[codes[at]] += sign


def _along_line(rules, r, counts, total):
    first, at = rules.first[r], rules.at[r]
    away, carried = 0.0, 0.0
    for v in range(rules.last[r] - first):
        carried += counts[first + v] / total - rules.reference[at + v]
        away += abs(carried) * rules.gap[at + v]
    return away


def _in_tree(rules, r, counts, total):
    # Below each node, what its children can even out among them costs the node's height.
    first, at = rules.first[r], rules.at[r]
    away = 0.0
    for node in range(rules.nodes[r], rules.nodes[r + 1]):
        more, less = 0.0, 0.0
        for child in range(rules.children[node], rules.children[node + 1]):
            extra = 0.0
            for v in range(rules.low[child], rules.high[child]):
                extra += counts[first + v] / total - rules.reference[at + v]
            if extra > 0:
                more += extra
            else:
                less -= extra
        away += rules.height[node] * min(more, less)
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


def excess(rules, r, counts, present, n_present, persons):
    """By how many persons, roughly, a histogram misses a rule; 0 where the rule holds."""
    kind, first, last, at = rules.kind[r], rules.first[r], rules.last[r], rules.at[r]
    number = rules.numbers[r, 0]
    total, distinct, most, over = 0, 0, 0, 0.0
    for i in range(n_present):
        v = present[i]
        if first <= v < last and counts[v] > 0:
            total += counts[v]
            distinct += 1
            most = max(most, counts[v])
            if kind == SHARE:
                more = counts[v] - rules.reference[at + v - first] * persons
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
        wanted = cython.cast(cython.longlong, rules.numbers[r, 1]) - 1
        rest = total - _largest(counts, present, n_present, first, last, wanted, rules.top)
        return 0.0 if most < number * rest else most - number * rest + 0.5
    away = 0.0
    if kind == EQUAL:
        # half the summed differences is the sum of those above: what is absent need not be looked at
        for i in range(n_present):
            v = present[i]
            if first <= v < last:
                away += max(counts[v] / total - rules.reference[at + v - first], 0.0)
    elif kind == LINE:
        away = _along_line(rules, r, counts, total)
    else:
        away = _in_tree(rules, r, counts, total)
    return total * (away - number) if away > number + TINY else 0.0


def summed_excess(rules, counts, present, n_present, persons):
    """Of all rules; 0 where all hold."""
    total = 0.0
    for r in range(len(rules.kind)):
        total += excess(rules, r, counts, present, n_present, persons)
    return total


def all_hold(rules, counts, present, n_present, persons):
    hold = True
    for r in range(len(rules.kind)):
        hold = hold and excess(rules, r, counts, present, n_present, persons) <= 0.0
    return hold
