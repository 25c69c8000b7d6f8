"""Kernels that search for blocks of items: merging until nothing is violated, moving single items about."""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from math import log

    from heteronym.itemsets._block_kernels import (
        Scratch,
        bad_set,
        cell,
        fill_supports,
        forget_triples,
        in_cube,
        settle_move,
        total_loss,
        violations,
        weigh,
    )
    from heteronym.itemsets._utility_kernels import utility_gain, utility_loss

CANDIDATES = 8
LOOK, MAKE = False, True
INFINITE = np.inf
_WORD = (1 << 64) - 1
_FACTOR, _START, _STEPS = 2654435761, 88172645463325252, 9007199254740993.0


def merge_until_clean(group, blocks, m, k, l, penalty):
    """Merge blocks until no set of at most min(m, 3) blocks is violated; violated sets left.

    Takes the block in most violated sets and the partner that settles most of them per added
    loss, judged by summed supports (an upper bound of the union's). `penalty` > 0 makes large
    blocks dearer than they are, against one block that swallows everything.
    """
    scratch = Scratch(len(blocks.size), blocks.share.shape[0], m)
    partner, price = np.empty(CANDIDATES, np.int64), np.empty(CANDIDATES)
    with cython.nogil:
        violated = _merge(group, blocks, m, k, l, penalty, scratch, partner, price)
    return violated


def _merge(group, blocks, m, k, l, penalty, scratch, partner, price):
    """As `merge_until_clean`."""
    size, mass, vb = blocks.size, blocks.mass, scratch.violated
    violations(blocks, m, k, l, vb)
    while group.stop[0] == 0:
        g = _worst(blocks, k, l, vb)
        if g < 0:
            break
        partners = _cheapest(g, blocks, penalty, partner, price)
        best, best_score = -1, -1.0
        for x in range(partners):
            removed = _removed(g, partner[x], blocks, m, k, l)
            score = (max(removed, 0) + 0.5) / (price[x] + 1e-12)
            if score > best_score:
                best, best_score = partner[x], score
        small, large = g, best
        if size[g] > size[best]:
            small, large = best, g
        for i in range(len(blocks.of_item)):
            if blocks.of_item[i] != small:
                continue
            triples = weigh(i, large, group, blocks, m, scratch)
            settle_move(small, large, blocks, m, k, l, scratch, triples, vb, MAKE)
            forget_triples(scratch, triples)
            blocks.of_item[i] = large
        size[large] += size[small]
        mass[large] += mass[small]
        size[small] = 0
        mass[small] = 0.0
    return violations(blocks, m, k, l, vb)


def _worst(blocks, k, l, vb):
    """The block in most violated sets that has a partner; -1 if there is none."""
    size, pair = blocks.size, blocks.pair
    g, worst = -1, 0
    for a in range(len(size)):
        if size[a] == 0 or vb[a] == 0:
            continue
        alone = True
        for b in range(len(size)):
            if b != a and size[b] > 0 and blocks.domain[b] == blocks.domain[a]:
                alone = False
                break
        if alone:
            continue
        v = vb[a] + (1000000 if cell(blocks, a, a, k, l) > 0 else 0)
        if v > worst or (v == worst and pair[a, a] < pair[g, g]):
            g, worst = a, v
    return g


def _cheapest(g, blocks, penalty, partner, price):
    """The cheapest few blocks to merge with, in order; judging all of them costs more than it finds."""
    size, mass, partners = blocks.size, blocks.mass, 0
    for h in range(len(size)):
        if h == g or size[h] == 0 or blocks.domain[h] != blocks.domain[g]:
            continue
        cost = (mass[g] * size[h] + mass[h] * size[g]) * (1.0 + penalty * (size[g] + size[h]))
        place = min(partners, CANDIDATES - 1)
        if partners >= CANDIDATES and cost >= price[place]:
            continue
        while place > 0 and price[place - 1] > cost:
            price[place] = price[place - 1]
            partner[place] = partner[place - 1]
            place -= 1
        price[place] = cost
        partner[place] = h
        partners = min(partners + 1, CANDIDATES)
    return partners


def _removed(g, h, blocks, m, k, l):
    """Violated sets fewer, at most, if two blocks are merged."""
    size, pair = blocks.size, blocks.pair
    upper = pair[g, g] + pair[h, h]
    removed = cell(blocks, g, g, k, l) + cell(blocks, h, h, k, l) - (1 if upper < k else 0)
    if m >= 2:
        removed += cell(blocks, g, h, k, l)
        for c in range(len(size)):
            if c != g and c != h and size[c] > 0:
                removed += cell(blocks, g, c, k, l) + cell(blocks, h, c, k, l)
                both = pair[g, c] + pair[h, c]
                if 0 < both < k:
                    removed -= 1
    if m >= 3:
        for c in range(len(size)):
            if c in (g, h) or (pair[g, c] == 0 and pair[h, c] == 0):
                continue
            removed += bad_set(in_cube(blocks, g, h, c), 0, k, 0)
            for e in range(c):
                if e in (g, h) or pair[c, e] == 0:
                    continue
                first, second = in_cube(blocks, g, c, e), in_cube(blocks, h, c, e)
                removed += bad_set(first, 0, k, 0) + bad_set(second, 0, k, 0)
                removed -= bad_set(first + second, 0, k, 0)
    return removed


def _next(state):
    state ^= (state << 13) & _WORD
    state ^= state >> 7
    state ^= (state << 17) & _WORD
    return state


class Walk:
    """Scratch of one walk: which slots hold items, and when records were looked at."""

    def __init__(self, slots, records):
        self.marks = np.full(records, -1, np.int64)
        self.touched = np.full(slots, -1, np.int64)
        self.live = np.empty(slots, np.int64)
        self.where = np.full(slots, -1, np.int64)


def anneal(group, blocks, m, k, l, budget, unit, seed, heat, toll, by_ul):
    """Move single items at falling temperature until `budget` entries were read.

    The loss is TNCP or, `by_ul`, the utility loss; `heat` and `toll` are the first temperature and the
    first price of a violated set, in losses of a mean item (`unit`). Violated sets cost
    a rising price on the way. Leaves the last state in `blocks` (it may be violated) and returns the
    best clean assignment with its loss (infinite if there was none).
    """
    slots = len(blocks.size)
    scratch = Scratch(slots, blocks.share.shape[0], m)
    walk = Walk(slots, len(group.weight) if by_ul else 0)
    best_block = np.array(blocks.of_item)
    with cython.nogil:
        best = _anneal(
            group, blocks, m, k, l, budget, unit, seed, heat, toll, by_ul, scratch, walk, best_block
        )
    return best, np.asarray(best_block)


def _anneal(group, blocks, m, k, l, budget, unit, seed, heat, toll, by_ul, scratch, walk, best_block):
    """As `anneal`: leaves the best assignment in `best_block`; its loss."""
    hot, cold = heat * unit, 0.002 * unit
    price = toll * unit
    size, mass = blocks.size, blocks.mass
    live, where, touched, vb = walk.live, walk.where, walk.touched, scratch.violated
    n, slots = len(blocks.of_item), len(size)
    bad = fill_supports(group, blocks, m, k, l, scratch)
    total = utility_loss(group, blocks.of_item, size, touched) if by_ul else total_loss(blocks)
    best = total if bad == 0 else INFINITE
    lives = 0
    for a in range(slots):
        if size[a] > 0:
            live[lives] = a
            where[a] = lives
            lives += 1
    state = (seed * _FACTOR + _START) & _WORD
    spent = 0
    temperature = hot
    tick = 0
    while spent < budget and group.stop[0] == 0:
        spent += 2
        tick += 1
        if tick % 64 == 0:
            done = min(spent, budget) / budget
            temperature = hot * (cold / hot) ** done
            price = toll * unit * 20.0**done
        state = _next(state)
        i = state % n
        a = blocks.of_item[i]
        state = _next(state)
        pick = state % (lives + 1)
        b = -1
        if pick < lives:
            b = live[pick]
        elif size[a] > 1:
            for c in range(slots):
                if size[c] == 0 and blocks.domain[c] == group.domain[i]:
                    b = c
                    break
        if b < 0 or b == a or blocks.domain[b] != group.domain[i]:
            continue
        own = group.mass[i]
        if by_ul:
            gain = utility_gain(group, blocks.of_item, size, i, b, walk.marks, tick, touched)
            spent += group.work
        else:
            gain = mass[b] + own * size[b] - (mass[a] - own) - own * (size[a] - 1)
        state = _next(state)
        u = (float(state >> 11) + 1.0) / _STEPS
        limit = -temperature * log(u)
        # At best every violated set of both blocks is settled: refuse before reading any record.
        if gain - price * (vb[a] + vb[b]) > limit:
            continue
        triples = weigh(i, b, group, blocks, m, scratch)
        spent += group.work
        change = settle_move(a, b, blocks, m, k, l, scratch, triples, vb, LOOK)
        accepted = gain + price * change <= limit
        if accepted:
            settle_move(a, b, blocks, m, k, l, scratch, triples, vb, MAKE)
        forget_triples(scratch, triples)
        if not accepted:
            continue
        blocks.of_item[i] = b
        bad += change
        total += gain
        size[a] -= 1
        mass[a] -= own
        size[b] += 1
        mass[b] += own
        if size[a] == 0:
            mass[a] = 0.0
            last = live[lives - 1]
            live[where[a]] = last
            where[last] = where[a]
            where[a] = -1
            lives -= 1
        if where[b] < 0:
            live[lives] = b
            where[b] = lives
            lives += 1
        if bad == 0 and total < best - 1e-12:
            best = total
            for x in range(len(best_block)):
                best_block[x] = blocks.of_item[x]
    return best
