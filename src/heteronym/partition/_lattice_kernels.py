"""Cells of a lattice of generalizations: who agrees with enough others at which levels."""

from __future__ import annotations

import cython
import numpy as np

_BASIS, _PRIME, _WORD = 1469598103934665603, 1099511628211, (1 << 64) - 1


def settle_on_lattice(nodes, weight, vectors, least, visits, stop):
    """For each record the cell it settles in, -1 for none, and the number of cells.

    nodes[layer, level, record] is the record's node. Vectors (a level per layer) are tried in the given
    order: records that are not settled yet and agree in all their nodes are a cell, and a cell of at least
    `least` persons settles. Ends after so many visits of records.
    """
    n = nodes.shape[2]
    cell = np.full(n, -1, np.int64)
    left = np.arange(n)
    room = 1
    while room < 2 * n:
        room *= 2
    seen = np.full(room, -1, np.int64)  # the vector for which a slot was last used
    key_of = np.empty(room, np.uint64)
    persons = np.empty(room, np.int64)
    number = np.empty(room, np.int64)
    slot_of = np.empty(n, np.int64)
    with cython.nogil:
        count = _settle(
            nodes, weight, vectors, least, visits, cell, left, seen, key_of, persons, number, slot_of, stop
        )
    return np.asarray(cell), count


def _settle(nodes, weight, vectors, least, visits, cell, left, seen, key_of, persons, number, slot_of, stop):
    """Fills `cell`; how many there are."""
    n_left, count, last = len(left), 0, len(seen) - 1
    for v in range(len(vectors)):
        if n_left == 0 or visits < n_left or stop[0] != 0:
            break
        visits -= n_left
        large = False
        for x in range(n_left):
            i = left[x]
            key = _key(nodes, vectors, v, i)
            slot = key & last
            while seen[slot] == v and key_of[slot] != key:
                slot = (slot + 1) & last
            if seen[slot] != v:
                seen[slot], key_of[slot], persons[slot], number[slot] = v, key, 0, -1
            persons[slot] += weight[i]
            if persons[slot] >= least:
                large = True
            slot_of[x] = slot
        if not large:
            continue
        stay = 0
        for x in range(n_left):
            i, slot = left[x], slot_of[x]
            if persons[slot] >= least:
                if number[slot] < 0:
                    number[slot] = count
                    count += 1
                cell[i] = number[slot]
            else:
                left[stay] = i
                stay += 1
        n_left = stay
    return count


def _key(nodes, vectors, v, i):
    """A number of 64 bits for the nodes of record i; the same for the same nodes."""
    key = _BASIS
    for b in range(nodes.shape[0]):
        # cells that meet by accident are one cell: a loss of utility, not of the promise
        node = cython.cast(cython.ulonglong, nodes[b, vectors[v, b], i])
        key = ((key ^ node) * _PRIME) & _WORD
        key ^= key >> 29
    return key
