"""Kernels for blocks of items inside one group: supports kept exact under single-item moves.

A move of one item is first *weighed*: the supports it takes from its old block and gives to the
new one are gathered from the item's own records (O(support * items per record)), and only an
accepted move rewrites the support tables. `work` counts record entries read, so that a search can
be bounded without looking at a clock and stays reproducible.
"""

from __future__ import annotations

from collections import namedtuple

import cython
import numpy as np

# Distinct records of a group over local items 0..n-1: CSR both ways, how many persons hold each
# record, the sensitive items of each record (0..kinds-1), per item its domain and loss per item of company,
# and the flag that ends a search early. `views`: the same as `RecordViews`.
RecordsOfGroup = namedtuple(
    "RecordsOfGroup", "ptr codes weight iptr irec sptr sens kinds domain mass stop views"
)

# Blocks over slots 0..s-1 (size 0: free). `pair[a, b]`: persons with both blocks, `pair[a, a]` with
# one; `share[s, a, b]`: those of them with sensitive item s; `cube`: triples a < b < c, if m >= 3.
# `views`: the same as `BlockViews`.
Blocks = namedtuple("Blocks", "of_item size mass domain pair share cube views")


class RecordViews:
    """`RecordsOfGroup` as kernels read it, and how many entries the last move read."""

    def __init__(self, group):
        self.ptr = group.ptr
        self.codes = group.codes
        self.weight = group.weight
        self.iptr = group.iptr
        self.irec = group.irec
        self.sptr = group.sptr
        self.sens = group.sens
        self.kinds = group.kinds
        self.domain = group.domain
        self.mass = group.mass
        self.stop = group.stop
        self.work = 0


class BlockViews:
    """`Blocks` as kernels use them."""

    def __init__(self, blocks):
        self.of_item = blocks.of_item
        self.size = blocks.size
        self.mass = blocks.mass
        self.domain = blocks.domain
        self.pair = blocks.pair
        self.share = blocks.share
        self.cube = blocks.cube


class Scratch:
    """What a weighed move takes along, first what the old block loses, then what the new one wins.

    Persons per block of company, those of them with each sensitive item, and per pair of company; touched
    pairs and marks.
    """

    def __init__(self, slots, kinds, m):
        wide = slots if m >= 3 else 0
        self.ones = np.zeros((2, slots), np.int64)
        self.share = np.zeros((2, kinds, slots), np.int64)
        self.pairs = np.zeros((2, wide, wide), np.int64)
        self.touched = np.zeros((wide * wide, 2), np.int64)
        self.stamp = np.full(slots, -1, np.int64)
        self.seen = np.zeros(slots, np.int64)
        self.violated = np.zeros(slots, np.int64)  # per block the violated sets that it is in


def bad_set(count, most, k, l):
    """1 if a set held by `count` persons, `most` of whom share a sensitive item, is violated."""
    return 1 if count > 0 and (count < k or most * l > count) else 0


def cell(blocks, a, b, k, l):
    most = 0
    for s in range(blocks.share.shape[0]):
        most = max(most, blocks.share[s, a, b])
    return bad_set(blocks.pair[a, b], most, k, l)


def in_cube(blocks, a, b, c):
    """Persons with three blocks, in any order."""
    low, high = min(a, b, c), max(a, b, c)
    return blocks.cube[low, a + b + c - low - high, high]


def add_to_cube(blocks, a, b, c, persons):
    """Persons more with three blocks, in any order."""
    low, high = min(a, b, c), max(a, b, c)
    blocks.cube[low, a + b + c - low - high, high] += persons


def count_supports(group, blocks, m, k, l):
    """Fill the support tables from nothing; violated sets of at most min(m, 3) blocks."""
    scratch = Scratch(len(blocks.size), 0, 1)
    with cython.nogil:
        violated = fill_supports(group, blocks, m, k, l, scratch)
    return violated


def fill_supports(group, blocks, m, k, l, scratch):
    """As `count_supports`."""
    pair, share, cube = blocks.pair, blocks.share, blocks.cube
    stamp, seen = scratch.stamp, scratch.seen
    pair[:, :] = 0
    share[:, :, :] = 0
    cube[:, :, :] = 0
    for r in range(len(group.ptr) - 1):
        w = group.weight[r]
        d = 0
        for y in range(group.ptr[r], group.ptr[r + 1]):
            c = blocks.of_item[group.codes[y]]
            if stamp[c] != r:
                stamp[c] = r
                seen[d] = c
                d += 1
        for z in range(d):
            for q in range(z + 1):
                a, b = seen[z], seen[q]
                pair[a, b] += w
                if a != b:
                    pair[b, a] += w
                for x in range(group.sptr[r], group.sptr[r + 1]):
                    share[group.sens[x], a, b] += w
                    if a != b:
                        share[group.sens[x], b, a] += w
                if m >= 3 and q < z:
                    for p in range(q):
                        add_to_cube(blocks, a, b, seen[p], w)
    stamp[:] = -1
    return violations(blocks, m, k, l, scratch.violated)


def violations(blocks, m, k, l, vb):
    """Violated sets of at most min(m, 3) blocks; `vb[a]` becomes the number of those with block a."""
    bad = 0
    vb[:] = 0
    for a in range(len(blocks.size)):
        one = cell(blocks, a, a, k, l)
        vb[a] += one
        bad += one
        if m >= 2:
            for b in range(a):
                two = cell(blocks, a, b, k, l)
                vb[a] += two
                vb[b] += two
                bad += two
                if m >= 3 and blocks.pair[a, b] > 0:
                    for c in range(b):
                        three = bad_set(blocks.cube[c, b, a], 0, k, 0)
                        vb[a] += three
                        vb[b] += three
                        vb[c] += three
                        bad += three
    return bad


def weigh(i, to, group, blocks, m, scratch):
    """Gather what item i takes along to block `to`; triples touched. Entries read are left in `group`."""
    ones, share, pairs = scratch.ones, scratch.share, scratch.pairs
    touched, stamp, seen = scratch.touched, scratch.stamp, scratch.seen
    ones[:, :] = 0
    share[:, :, :] = 0
    triples = 0
    work = 0
    for x in range(group.iptr[i], group.iptr[i + 1]):
        r = group.irec[x]
        w = group.weight[r]
        d = 0
        for y in range(group.ptr[r], group.ptr[r + 1]):
            j = group.codes[y]
            c = blocks.of_item[j]
            if j != i and stamp[c] != x:
                stamp[c] = x
                seen[d] = c
                d += 1
        work += group.ptr[r + 1] - group.ptr[r]
        for side in range(2):
            g = to if side else blocks.of_item[i]
            if stamp[g] == x:
                continue  # the record has another item of the block
            ones[side, g] += w
            for z in range(d):
                ones[side, seen[z]] += w
            for y in range(group.sptr[r], group.sptr[r + 1]):
                s = group.sens[y]
                share[side, s, g] += w
                for z in range(d):
                    share[side, s, seen[z]] += w
            if m >= 3:
                for z in range(d):
                    for q in range(z):
                        c, e = min(seen[z], seen[q]), max(seen[z], seen[q])
                        if pairs[0, c, e] == 0 and pairs[1, c, e] == 0:
                            touched[triples, 0] = c
                            touched[triples, 1] = e
                            triples += 1
                        pairs[side, c, e] += w
    # Stamps are entry numbers of this item: clear them before another item reuses the numbers.
    stamp[:] = -1
    group.work = work
    return triples


def settle_move(a, b, blocks, m, k, l, scratch, triples, vb, apply):
    """Change in violated sets if the weighed move from a to b were made; make it if `apply`.

    `vb[c]` counts violated sets with block c; it is kept only where moves are made.
    """
    pair = blocks.pair
    ones, share, pairs, touched = scratch.ones, scratch.share, scratch.pairs, scratch.touched
    change = 0
    for c in range(len(blocks.size)):
        for side in range(2):
            g = b if side else a
            if (side and c == a) or (m < 2 and c != g):
                continue
            if side:
                minus, plus = 0, ones[1, c]
            else:
                minus, plus = ones[0, c], ones[1, a] if c == b else 0
            if minus == 0 and plus == 0:
                continue
            before = pair[g, c]
            after = before - minus + plus
            most_before = 0
            most_after = 0
            for s in range(share.shape[1]):
                old = blocks.share[s, g, c]
                new = old + share[1, s, c] if side else old - share[0, s, c]
                if side == 0 and c == b:
                    new += share[1, s, a]
                most_before = max(most_before, old)
                most_after = max(most_after, new)
                if apply:
                    blocks.share[s, g, c] = new
                    blocks.share[s, c, g] = new
            diff = bad_set(after, most_after, k, l) - bad_set(before, most_before, k, l)
            change += diff
            if apply:
                pair[g, c] = after
                pair[c, g] = after
                vb[g] += diff
                if c != g:
                    vb[c] += diff
    for t in range(triples):
        c, e = touched[t, 0], touched[t, 1]
        for side in range(2):
            g, other = a, b
            if side:
                g, other = b, a
            moved = pairs[side, c, e]
            twin = 0  # of the other side's records in the same triple {a, b, .}
            if c == other or e == other:
                o = e if c == other else c
                twin = pairs[1 - side, min(g, o), max(g, o)]
            if moved == 0 or (side and twin > 0):
                continue  # nothing, or counted with what a lost
            before = in_cube(blocks, g, c, e)
            after = before + moved if side else before - moved + twin
            diff = bad_set(after, 0, k, 0) - bad_set(before, 0, k, 0)
            change += diff
            if apply:
                add_to_cube(blocks, g, c, e, after - before)
                vb[g] += diff
                vb[c] += diff
                vb[e] += diff
    return change


def forget_triples(scratch, triples):
    for t in range(triples):
        c, e = scratch.touched[t, 0], scratch.touched[t, 1]
        scratch.pairs[0, c, e] = 0
        scratch.pairs[1, c, e] = 0


def total_loss(blocks):
    total = 0.0
    for a in range(len(blocks.size)):
        if blocks.size[a] > 1:
            total += blocks.mass[a] * (blocks.size[a] - 1)
    return total
