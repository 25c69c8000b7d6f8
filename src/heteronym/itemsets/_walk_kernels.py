"""Kernels that search for blocks of items: merging until nothing is violated, moving single items about."""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel
from heteronym.itemsets._block_kernels import (
    bad_set,
    cell,
    count_supports,
    forget_triples,
    scratch_for,
    settle_move,
    sorted3,
    total_loss,
    violations,
    weigh,
)
from heteronym.itemsets._utility_kernels import utility_gain, utility_loss

CANDIDATES = 8
# Constants in a call make a version of the kernel of their own; these are ordinary values to the compiler.
LOOK, MAKE = np.bool_(False), np.bool_(True)


@kernel
def merge_until_clean(group, blocks, m, k, l, penalty):
    """Merge blocks until no set of at most min(m, 3) blocks is violated; violated sets left.

    Takes the block in most violated sets and the partner that settles most of them per added
    loss, judged by summed supports (an upper bound of the union's). `penalty` > 0 makes large
    blocks dearer than they are, against one block that swallows everything.
    """
    slots = len(blocks.size)
    size, mass, pair = blocks.size, blocks.mass, blocks.pair
    scratch = scratch_for(blocks, m)
    vb = np.zeros(slots, np.int64)
    violations(blocks, m, k, l, vb)
    partner = np.empty(CANDIDATES, np.int64)
    price = np.empty(CANDIDATES, np.float64)
    while group.stop[0] == 0:
        g = np.int64(-1)
        worst = 0
        for a in range(slots):
            if size[a] == 0 or vb[a] == 0:
                continue
            alone = True
            for b in range(slots):
                if b != a and size[b] > 0 and blocks.domain[b] == blocks.domain[a]:
                    alone = False
                    break
            if alone:
                continue
            v = vb[a] + (1000000 if cell(blocks, a, a, k, l) > 0 else 0)
            if v > worst or (v == worst and pair[a, a] < pair[g, g]):
                g, worst = a, v
        if g < 0:
            break
        best, best_score = -1, -1.0
        partners = 0
        for h in range(slots):
            if h == g or size[h] == 0 or blocks.domain[h] != blocks.domain[g]:
                continue
            cost = (mass[g] * size[h] + mass[h] * size[g]) * (1.0 + penalty * (size[g] + size[h]))
            # Keep the cheapest few in order; judging all of them costs more than it finds.
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
        for x in range(partners):
            h = partner[x]
            cost = price[x]
            removed = 0
            upper = pair[g, g] + pair[h, h]
            removed += cell(blocks, g, g, k, l) + cell(blocks, h, h, k, l) - (1 if upper < k else 0)
            if m >= 2:
                removed += cell(blocks, g, h, k, l)
                for c in range(slots):
                    if c != g and c != h and size[c] > 0:
                        removed += cell(blocks, g, c, k, l) + cell(blocks, h, c, k, l)
                        both = pair[g, c] + pair[h, c]
                        if 0 < both < k:
                            removed -= 1
            if m >= 3:
                for c in range(slots):
                    if c in (g, h) or (pair[g, c] == 0 and pair[h, c] == 0):
                        continue
                    x, y, z = sorted3(g, h, c)
                    removed += bad_set(blocks.cube[x, y, z], 0, k, 0)
                    for e in range(c):
                        if e in (g, h) or pair[c, e] == 0:
                            continue
                        x, y, z = sorted3(g, c, e)
                        first = blocks.cube[x, y, z]
                        x, y, z = sorted3(h, c, e)
                        second = blocks.cube[x, y, z]
                        removed += bad_set(first, 0, k, 0) + bad_set(second, 0, k, 0)
                        removed -= bad_set(first + second, 0, k, 0)
            score = (max(removed, 0) + 0.5) / (cost + 1e-12)
            if score > best_score:
                best, best_score = h, score
        first_is_small = size[g] <= size[best]
        small = np.int64(g if first_is_small else best)
        large = np.int64(best if first_is_small else g)
        for i in range(len(blocks.of_item)):
            if blocks.of_item[i] != small:
                continue
            _, triples = weigh(i, large, group, blocks, m, scratch)
            settle_move(small, large, blocks, m, k, l, scratch, triples, vb, MAKE)
            forget_triples(scratch, triples)
            blocks.of_item[i] = large
        size[large] += size[small]
        mass[large] += mass[small]
        size[small] = 0
        mass[small] = 0.0
    return violations(blocks, m, k, l, vb)


@kernel
def _next(state):
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    return state


@kernel
def anneal(group, blocks, m, k, l, budget, unit, seed, heat, toll, by_ul):
    """Move single items at falling temperature until `budget` entries were read.

    The loss is TNCP or, `by_ul`, the utility loss; `heat` and `toll` are the first temperature and the
    first price of a violated set, in losses of a mean item (`unit`). Violated sets cost
    a rising price on the way. Leaves the last state in `blocks` (it may be violated) and returns the
    best clean assignment with its loss (infinite if there was none).
    """
    hot, cold = heat * unit, 0.002 * unit
    price = toll * unit
    size, mass = blocks.size, blocks.mass
    n, slots = len(blocks.of_item), len(size)
    scratch = scratch_for(blocks, m)
    vb = np.zeros(slots, np.int64)
    count_supports(group, blocks, m, k, l)
    bad = violations(blocks, m, k, l, vb)
    marks = np.full(len(group.weight) if by_ul else 0, -1, np.int64)
    touched = np.full(slots, -1, np.int64)
    total = utility_loss(group, blocks.of_item, size, touched) if by_ul else total_loss(blocks)
    best = total if bad == 0 else np.inf
    best_block = blocks.of_item.copy()
    live = np.empty(slots, np.int64)
    where = np.full(slots, -1, np.int64)
    lives = 0
    for a in range(slots):
        if size[a] > 0:
            live[lives] = a
            where[a] = lives
            lives += 1
    state = np.uint64(seed) * np.uint64(2654435761) + np.uint64(88172645463325252)
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
        i = np.int64(state % np.uint64(n))
        a = np.int64(blocks.of_item[i])
        state = _next(state)
        pick = np.int64(state % np.uint64(lives + 1))
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
            gain, read = utility_gain(group, blocks.of_item, size, i, b, marks, tick, touched)
            spent += read
        else:
            gain = mass[b] + own * size[b] - (mass[a] - own) - own * (size[a] - 1)
        state = _next(state)
        u = (np.float64(state >> np.uint64(11)) + 1.0) / 9007199254740993.0
        limit = -temperature * np.log(u)
        # At best every violated set of both blocks is settled: refuse before reading any record.
        if gain - price * (vb[a] + vb[b]) > limit:
            continue
        work, triples = weigh(i, b, group, blocks, m, scratch)
        spent += work
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
    return best, best_block
