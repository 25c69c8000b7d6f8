"""The walk of every top-down search: nodes are cut in two until nothing cuts them any more.

What cuts a node is a parameter: `ColumnCuts` (numbers of persons alone decide), `LimitedCuts` (limits on
sensitive values, too), `TermCuts` (columns and terms), `FrequencyCuts` (terms alone) or `AskedCuts` (Python
code, where models decide that no kernel knows). A node is a slice of a permutation of records. One half of
a cut stays at work, so that what is known of it need not be counted again; the other waits.
"""

from __future__ import annotations

import cython
import numpy as np


class Nodes:
    """The node at work, those that wait and the groups that are done, all slices of `order`."""

    def __init__(self, order, ends):
        """Nodes of the given order that end at `ends` wait."""
        self.order = order
        self.start, self.end = 0, 0
        self.waiting = np.empty((len(order) + len(ends) + 2, 4), np.int64)
        self.n_waiting = 0
        self.begins = np.empty(len(order) + len(ends), np.int64)
        self.ends = np.empty(len(order) + len(ends), np.int64)
        self.n_groups, self.n_done = 0, 0  # finished groups, and the records in them
        self.rest = np.empty(len(order), np.int64)
        for g in range(len(ends) - 1, -1, -1):
            self.wait(ends[g - 1] if g > 0 else 0, ends[g], -1, -1)

    def wait(self, start, end, near, far):
        self.waiting[self.n_waiting, 0], self.waiting[self.n_waiting, 1] = start, end
        self.waiting[self.n_waiting, 2], self.waiting[self.n_waiting, 3] = near, far
        self.n_waiting += 1


class Cuts:
    """A way to cut nodes. A node that waits keeps two numbers for it, `near` and `far`."""

    def __init__(self):
        self.larger_first = True  # which half stays at work: the larger one, or that on the left
        self.near, self.far = -1, -1

    def open(self, nodes):
        """A node that waited is at work."""
        return 0

    def part(self, nodes, stop):
        """Parts the node at work in two, if anything may: where the second half begins, or -1."""
        return -1

    def close(self, nodes):
        """The node at work is a group."""
        return 0


class AskedCuts(Cuts):
    """Cuts that a Python object chooses: `open(members, done)`, `left(members)`, per member, or None."""

    def __init__(self, ask):
        Cuts.__init__(self)
        self.ask = ask

    def open(self, nodes):
        with cython.gil:
            self.ask.open(np.asarray(nodes.order[nodes.start : nodes.end]), nodes.n_done)
        return 0

    def part(self, nodes, stop):
        with cython.gil:
            left = self.ask.left(np.asarray(nodes.order[nodes.start : nodes.end]))
            if left is None:
                return -1
            self.is_left = left
        return split_by_mask(nodes.order, nodes.start, nodes.end, self.is_left, nodes.rest)


def grow(cuts, order, ends, done, stop):
    """Groups by cutting the nodes of an order that end at `ends`, until nothing cuts them.

    Returns the permutation, and where each group begins and ends in it. Counts the records of finished groups
    in `done` and gives up when `stop` is set.
    """
    nodes = Nodes(order, ends)
    with cython.nogil:
        _walk(nodes, cuts, done, stop)
    return (
        np.asarray(order),
        np.asarray(nodes.begins)[: nodes.n_groups],
        np.asarray(nodes.ends)[: nodes.n_groups],
    )


def _walk(nodes, cuts, done, stop):
    while nodes.n_waiting > 0 and stop[0] == 0:
        nodes.n_waiting -= 1
        top = nodes.n_waiting
        nodes.start, nodes.end = nodes.waiting[top, 0], nodes.waiting[top, 1]
        cuts.near, cuts.far = nodes.waiting[top, 2], nodes.waiting[top, 3]
        cuts.open(nodes)
        middle = cuts.part(nodes, stop)
        while middle >= 0:
            if cuts.larger_first and middle - nodes.start <= nodes.end - middle:
                nodes.wait(nodes.start, middle, cuts.near, cuts.far)
                nodes.start = middle
            else:
                nodes.wait(middle, nodes.end, cuts.near, cuts.far)
                nodes.end = middle
            middle = cuts.part(nodes, stop)
        cuts.close(nodes)
        nodes.begins[nodes.n_groups], nodes.ends[nodes.n_groups] = nodes.start, nodes.end
        nodes.n_groups += 1
        nodes.n_done += nodes.end - nodes.start
        done[0] = nodes.n_done
    return 0


def split_by_mask(order, start, end, left, rest):
    """Stable partition of order[start:end]: where left is true, then the rest; where the rest begins."""
    n_rest = 0
    middle = start
    for i in range(start, end):
        if left[i - start]:
            order[middle] = order[i]
            middle += 1
        else:
            rest[n_rest] = order[i]
            n_rest += 1
    for i in range(n_rest):
        order[middle + i] = rest[i]
    return middle
