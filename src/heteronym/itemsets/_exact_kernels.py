"""The best blocks of a group with few items: all partitions of the items, pruned by loss.

A record is the set of blocks it touches, as bits; `held[S]` becomes the persons whose record
contains S by summing over supersets, so that any m and any diversity are checked alike.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.itemsets._utility_kernels import utility_loss


def _contained(held, blocks):
    """From persons per record to persons per set of blocks."""
    for b in range(blocks):
        for s in range(1 << blocks):
            if not s & (1 << b):
                held[s] += held[s | (1 << b)]


def is_clean(group, of_item, blocks, m, k, l, held, shared):
    """Whether every set of at most m blocks that someone shows is shown by enough."""
    sets = 1 << blocks
    for s in range(sets):
        held[s] = 0
        for q in range(group.kinds):
            shared[q, s] = 0
    for r in range(len(group.ptr) - 1):
        shown = 0
        for y in range(group.ptr[r], group.ptr[r + 1]):
            shown |= 1 << of_item[group.codes[y]]
        held[shown] += group.weight[r]
        if l > 1:
            for y in range(group.sptr[r], group.sptr[r + 1]):
                shared[group.sens[y], shown] += group.weight[r]
    _contained(held, blocks)
    if l > 1:
        for s in range(group.kinds):
            _contained(shared[s], blocks)
    for s in range(1, sets):
        size = 0
        rest = s
        while rest:
            rest &= rest - 1
            size += 1
        if size > m or held[s] == 0:
            continue
        if held[s] < k:
            return False
        if l > 1:
            for q in range(group.kinds):
                if shared[q, s] * l > held[s]:
                    return False
    return True


class Tried:
    """Scratch of a walk over all partitions of n items."""

    def __init__(self, n, kinds):
        self.of_item = np.zeros(n, np.int32)
        self.size = np.zeros(n + 1, np.int64)
        self.mass = np.zeros(n + 1)
        self.loss = np.zeros(n + 1)  # TNCP of the items placed so far
        self.blocks = np.zeros(n + 1, np.int64)  # blocks in use before item i is placed
        self.held = np.zeros(1 << n, np.int64)
        self.shared = np.zeros((kinds, 1 << n), np.int64)
        self.touched = np.full(n + 1, -1, np.int64)
        self.of_block = np.zeros(n + 1, np.int64)  # domain of a block


def best_blocks(group, start, start_loss, m, k, l, by_ul):
    """The clean blocks with least loss, at first those given; their loss."""
    best = np.array(start)
    tried = Tried(len(group.mass), group.kinds)
    with cython.nogil:
        least = _walk(group, best, start_loss, m, k, l, by_ul, tried)
    return np.asarray(best), least


def _walk(group, best, least, m, k, l, by_ul, tried):
    """Leaves the best blocks in `best`; their loss."""
    n = len(group.mass)
    of_item, size, mass, loss = tried.of_item, tried.size, tried.mass, tried.loss
    blocks, of_block = tried.blocks, tried.of_block
    i = 0
    of_item[0] = -1
    while i >= 0:
        b = of_item[i]
        if b >= 0:  # take the item out of its block before it tries the next one
            size[b] -= 1
            mass[b] = mass[b] - group.mass[i] if size[b] > 0 else 0.0
        b += 1
        while b < blocks[i] and of_block[b] != group.domain[i]:
            b += 1
        if b > blocks[i]:
            i -= 1
            continue
        own = group.mass[i]
        added = mass[b] + own * size[b] if b < blocks[i] else 0.0
        of_item[i] = b
        if b == blocks[i]:
            of_block[b] = group.domain[i]
        size[b] += 1
        mass[b] += own
        loss[i + 1] = loss[i] + added
        if not by_ul and loss[i + 1] >= least - 1e-12:
            continue
        blocks[i + 1] = max(blocks[i], b + 1)
        if i + 1 < n:
            i += 1
            of_item[i] = -1
            continue
        value = utility_loss(group, of_item, size, tried.touched) if by_ul else loss[n]
        if value < least - 1e-12 and is_clean(group, of_item, blocks[n], m, k, l, tried.held, tried.shared):
            for x in range(len(best)):
                best[x] = of_item[x]
            least = value
    return least
