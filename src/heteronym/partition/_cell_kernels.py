"""Cells of a lattice of generalizations, compiled: who agrees with enough others at which levels."""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel


@kernel
def settle_cells(nodes, weight, vectors, least, visits, stop):
    """For each record the cell it settles in, -1 for none, and the number of cells.

    nodes[layer, level, record] is the record's node. Vectors (a level per layer) are tried in the given
    order: records that are not settled yet and agree in all their nodes are a cell, and a cell of at least
    `least` persons settles. Ends after so many visits of records.
    """
    n_layers, _, n = nodes.shape
    cell = np.full(n, -1, np.int64)
    left = np.arange(n)
    n_left, count = n, 0
    room = 1
    while room < 2 * n:
        room *= 2
    seen = np.full(room, -1, np.int64)  # the vector for which a slot was last used
    key_of = np.empty(room, np.uint64)
    persons = np.empty(room, np.int64)
    number = np.empty(room, np.int64)
    slot_of = np.empty(n, np.int64)
    for v in range(len(vectors)):
        if n_left == 0 or visits < n_left or stop[0] != 0:
            break
        visits -= n_left
        large = False
        for x in range(n_left):
            i = left[x]
            key = np.uint64(1469598103934665603)
            for b in range(n_layers):
                # cells that meet by accident are one cell: a loss of utility, not of the promise
                key = (key ^ np.uint64(nodes[b, vectors[v, b], i])) * np.uint64(1099511628211)
                key ^= key >> np.uint64(29)
            slot = np.int64(key & np.uint64(room - 1))
            while seen[slot] == v and key_of[slot] != key:
                slot = (slot + 1) & (room - 1)
            if seen[slot] != v:
                seen[slot], key_of[slot], persons[slot], number[slot] = v, key, 0, -1
            persons[slot] += weight[i]
            large |= persons[slot] >= least
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
    return cell, count
