"""The best blocks of a group with few items: all partitions of the items, pruned by loss.

A record is the set of blocks it touches, as bits; `held[S]` becomes the persons whose record
contains S by summing over supersets, so that any m and any diversity are checked alike.
"""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel
from heteronym.itemsets._utility_kernels import utility_loss


@kernel
def _contained(held, blocks):
    """From persons per record to persons per set of blocks."""
    for b in range(blocks):
        for s in range(1 << blocks):
            if not s & (1 << b):
                held[s] += held[s | (1 << b)]


@kernel
def is_clean(group, of_item, blocks, m, k, l, held, shared):
    """Whether every set of at most m blocks that someone shows is shown by enough."""
    sets = 1 << blocks
    held[:sets] = 0
    shared[:, :sets] = 0
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


@kernel
def best_blocks(group, start, start_loss, m, k, l, by_ul):
    """The clean blocks with least loss, at first those given; their loss."""
    n = len(group.mass)
    best, least = start.copy(), start_loss
    of_item = np.zeros(n, np.int32)
    size = np.zeros(n + 1, np.int64)
    mass = np.zeros(n + 1)
    loss = np.zeros(n + 1)  # TNCP of the items placed so far
    blocks = np.zeros(n + 1, np.int64)  # blocks in use before item i is placed
    held = np.zeros(1 << n, np.int64)
    shared = np.zeros((group.kinds, 1 << n), np.int64)
    touched = np.full(n + 1, -1, np.int64)
    of_block = np.zeros(n + 1, np.int64)  # domain of a block
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
        value = utility_loss(group, of_item, size, touched) if by_ul else loss[n]
        if value < least - 1e-12 and is_clean(group, of_item, blocks[n], m, k, l, held, shared):
            for x in range(len(best)):
                best[x] = of_item[x]
            least = value
    return best, least
