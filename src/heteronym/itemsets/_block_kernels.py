"""Kernels for blocks of items inside one group: supports kept exact under single-item moves.

A move of one item is first *weighed*: the supports it takes from its old block and gives to the
new one are gathered from the item's own records (O(support * items per record)), and only an
accepted move rewrites the support tables. `work` counts record entries read, so that a search can
be bounded without looking at a clock and stays reproducible.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from heteronym.compiled import kernel
from heteronym.itemsets._utility_kernels import utility_gain, utility_loss

# Distinct records of a group over local items 0..n-1: CSR both ways, how many persons hold each
# record, the sensitive items of each record, per item its domain and loss per item of company, and the
# flag that ends a search early.
Group = namedtuple("Group", "ptr codes weight iptr irec sptr sens domain mass stop")

# Blocks over slots 0..s-1 (size 0: free). `pair[a, b]`: persons with both blocks, `pair[a, a]` with
# one; `share[s, a, b]`: those of them with sensitive item s; `cube`: triples a < b < c, if m >= 3.
Blocks = namedtuple("Blocks", "of_item size mass domain pair share cube")

# What a weighed move takes along: persons lost and won per block, the same of those with a sensitive
# item, pairs of company that make triples, and marks.
Scratch = namedtuple("Scratch", "lost won lost_share won_share lost3 won3 touched3 stamp seen")

CANDIDATES = 8
# Constants in a call make a version of the kernel of their own; these are ordinary values to the compiler.
LOOK, MAKE = np.bool_(False), np.bool_(True)


@kernel
def distinct_records(ptr, codes):
    """Number of the first equal record, per record (exact comparison behind a hash)."""
    n = len(ptr) - 1
    size = 16
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1, np.int64)
    first = np.empty(n, np.int64)
    for r in range(n):
        h = np.uint64(1469598103934665603)
        for x in range(ptr[r], ptr[r + 1]):
            h = (h ^ np.uint64(codes[x] + 1)) * np.uint64(1099511628211)
            h ^= h >> np.uint64(29)
        slot = np.int64(h & np.uint64(size - 1))
        while True:
            q = table[slot]
            if q < 0:
                table[slot] = r
                first[r] = r
                break
            same = ptr[q + 1] - ptr[q] == ptr[r + 1] - ptr[r]
            if same:
                for x in range(ptr[r + 1] - ptr[r]):
                    if codes[ptr[q] + x] != codes[ptr[r] + x]:
                        same = False
                        break
            if same:
                first[r] = q
                break
            slot = (slot + 1) & (size - 1)
    return first


@kernel
def localize(ptr, codes, members, local, attacker, sensitive):
    """Records of the members over the attacker's items they hold, equal ones joined.

    `local[e]` is scratch of -1 per element; `attacker` and `sensitive` say which elements are
    the attacker's and which are sensitive. Returns the elements held (ascending), the sensitive
    ones held, and the fields of `Group` up to `sens`.
    """
    held = 0
    held_sensitive = 0
    entries = 0
    secret_entries = 0
    for p in members:
        for x in range(ptr[p], ptr[p + 1]):
            e = codes[x]
            if attacker[e]:
                entries += 1
            elif sensitive[e]:
                secret_entries += 1
            else:
                continue
            if local[e] < 0:
                local[e] = 0
                if attacker[e]:
                    held += 1
                else:
                    held_sensitive += 1
    items = np.empty(held, np.int64)
    secrets = np.empty(held_sensitive, np.int64)
    i = 0
    j = 0
    for e in range(len(local)):
        if local[e] == 0:
            if attacker[e]:
                items[i] = e
                local[e] = i
                i += 1
            else:
                secrets[j] = e
                local[e] = held + j
                j += 1
    # One run per person: attacker's items, then sensitive ones, both ascending.
    full_ptr = np.zeros(len(members) + 1, np.int64)
    full = np.empty(entries + secret_entries, np.int32)
    own = np.zeros(len(members), np.int64)
    at = 0
    for q in range(len(members)):
        p = members[q]
        for x in range(ptr[p], ptr[p + 1]):
            if attacker[codes[x]]:
                full[at] = local[codes[x]]
                at += 1
                own[q] += 1
        if own[q] > 0:
            for x in range(ptr[p], ptr[p + 1]):
                if sensitive[codes[x]] and not attacker[codes[x]]:
                    full[at] = local[codes[x]]
                    at += 1
        full_ptr[q + 1] = at
    first = distinct_records(full_ptr, full)
    number = np.full(len(members), -1, np.int64)
    records = 0
    entries = 0
    secret_entries = 0
    for q in range(len(members)):
        if first[q] == q and own[q] > 0:
            number[q] = records
            records += 1
            entries += own[q]
            secret_entries += full_ptr[q + 1] - full_ptr[q] - own[q]
    out_ptr = np.zeros(records + 1, np.int64)
    out = np.empty(entries, np.int32)
    sptr = np.zeros(records + 1, np.int64)
    sens = np.empty(secret_entries, np.int32)
    weight = np.zeros(records, np.int64)
    iptr = np.zeros(held + 1, np.int64)
    at = 0
    at_secret = 0
    for q in range(len(members)):
        if own[q] == 0:
            continue
        if first[q] == q:
            for x in range(full_ptr[q], full_ptr[q] + own[q]):
                out[at] = full[x]
                iptr[full[x] + 1] += 1
                at += 1
            for x in range(full_ptr[q] + own[q], full_ptr[q + 1]):
                sens[at_secret] = full[x] - held
                at_secret += 1
            out_ptr[number[q] + 1] = at
            sptr[number[q] + 1] = at_secret
        weight[number[first[q]]] += 1
    for i in range(held):
        iptr[i + 1] += iptr[i]
    fill = iptr.copy()
    irec = np.empty(entries, np.int32)
    for r in range(records):
        for x in range(out_ptr[r], out_ptr[r + 1]):
            irec[fill[out[x]]] = r
            fill[out[x]] += 1
    for i in range(held):
        local[items[i]] = -1
    for j in range(held_sensitive):
        local[secrets[j]] = -1
    return items, secrets, out_ptr, out, weight, iptr, irec, sptr, sens


@kernel
def supports(iptr, irec, weight):
    """Persons per item."""
    out = np.zeros(len(iptr) - 1, np.int64)
    for i in range(len(out)):
        for x in range(iptr[i], iptr[i + 1]):
            out[i] += weight[irec[x]]
    return out


@kernel
def _bad(count, most, k, l):
    """1 if a set held by `count` persons, `most` of whom share a sensitive item, is violated."""
    return 1 if count > 0 and (count < k or most * l > count) else 0


@kernel
def _most(share, a, b):
    most = 0
    for s in range(share.shape[0]):
        if share[s, a, b] > most:
            most = share[s, a, b]
    return most


@kernel
def _cell(blocks, a, b, k, l):
    return _bad(blocks.pair[a, b], _most(blocks.share, a, b), k, l)


@kernel
def _sorted3(a, b, c):
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    return a, b, c


@kernel
def count_supports(group, blocks, m, k, l):
    """Fill the support tables from nothing; violated sets of at most min(m, 3) blocks."""
    pair, share, cube = blocks.pair, blocks.share, blocks.cube
    pair[:] = 0
    share[:] = 0
    cube[:] = 0
    slots = len(blocks.size)
    stamp = np.full(slots, -1, np.int64)
    seen = np.empty(slots, np.int64)
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
                        i, j, o = _sorted3(a, b, seen[p])
                        cube[i, j, o] += w
    return violations(blocks, m, k, l)


@kernel
def violations(blocks, m, k, l):
    slots = len(blocks.size)
    bad = 0
    for a in range(slots):
        bad += _cell(blocks, a, a, k, l)
        if m >= 2:
            for b in range(a):
                bad += _cell(blocks, a, b, k, l)
                if m >= 3 and blocks.pair[a, b] > 0:
                    for c in range(b):
                        bad += _bad(blocks.cube[c, b, a], 0, k, 0)
    return bad


@kernel
def _weigh(i, to, group, blocks, m, scratch):
    """Gather what item i takes along to block `to`; entries read, triples touched."""
    lost, won, lost_share, won_share, lost3, won3, touched3, stamp, seen = scratch
    a = blocks.of_item[i]
    lost[:] = 0
    won[:] = 0
    if lost_share.shape[0] > 0:
        lost_share[:] = 0
        won_share[:] = 0
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
        loses = stamp[a] != x
        wins = stamp[to] != x
        if loses:
            lost[a] += w
            for z in range(d):
                lost[seen[z]] += w
        if wins:
            won[to] += w
            for z in range(d):
                won[seen[z]] += w
        for y in range(group.sptr[r], group.sptr[r + 1]):
            s = group.sens[y]
            if loses:
                lost_share[s, a] += w
                for z in range(d):
                    lost_share[s, seen[z]] += w
            if wins:
                won_share[s, to] += w
                for z in range(d):
                    won_share[s, seen[z]] += w
        if m >= 3 and (loses or wins):
            for z in range(d):
                for q in range(z):
                    c, e = seen[z], seen[q]
                    if c > e:
                        c, e = e, c
                    if lost3[c, e] == 0 and won3[c, e] == 0:
                        touched3[triples, 0] = c
                        touched3[triples, 1] = e
                        triples += 1
                    if loses:
                        lost3[c, e] += w
                    if wins:
                        won3[c, e] += w
    # Stamps are entry numbers of this item: clear them before another item reuses the numbers.
    stamp[:] = -1
    return work, triples


@kernel
def _change(a, b, blocks, m, k, l, scratch, triples, vb, apply):
    """Change in violated sets if the weighed move from a to b were made; make it if `apply`.

    `vb[c]` counts violated sets with block c; it is kept only where moves are made.
    """
    slots = len(blocks.size)
    pair, share, cube = blocks.pair, blocks.share, blocks.cube
    lost, won, lost_share, won_share, lost3, won3, touched3, _, _ = scratch
    kinds = share.shape[0]
    change = 0
    for c in range(slots):
        for side in range(2):
            if side == 0:
                g, minus, plus = a, lost[c], 0
                if c == b:
                    plus = won[a]
            else:
                g, minus, plus = b, 0, won[c]
                if c == a:
                    continue
            if m < 2 and c != g:
                continue
            if minus == 0 and plus == 0:
                continue
            before = pair[g, c]
            after = before - minus + plus
            most_before = 0
            most_after = 0
            for s in range(kinds):
                old = share[s, g, c]
                new = old
                if side == 0:
                    new -= lost_share[s, c]
                    if c == b:
                        new += won_share[s, a]
                else:
                    new += won_share[s, c]
                if old > most_before:
                    most_before = old
                if new > most_after:
                    most_after = new
                if apply:
                    share[s, g, c] = new
                    share[s, c, g] = new
            diff = _bad(after, most_after, k, l) - _bad(before, most_before, k, l)
            change += diff
            if apply:
                pair[g, c] = after
                pair[c, g] = after
                vb[g] += diff
                if c != g:
                    vb[c] += diff
    for t in range(triples):
        c, e = touched3[t, 0], touched3[t, 1]
        minus, plus = lost3[c, e], won3[c, e]
        if minus > 0:
            # A record that lost a keeps {c, e}; if one of them is b, so stays the triple {a, b, .}.
            x, y, z = _sorted3(a, c, e)
            before = cube[x, y, z]
            after = before - minus
            if c == b or e == b:
                o = e if c == b else c
                p, q = (a, o) if a < o else (o, a)
                after += won3[p, q]
            diff = _bad(after, 0, k, 0) - _bad(before, 0, k, 0)
            change += diff
            if apply:
                cube[x, y, z] = after
                vb[x] += diff
                vb[y] += diff
                vb[z] += diff
        if plus > 0:
            if c == a or e == a:
                o = e if c == a else c
                p, q = (b, o) if b < o else (o, b)
                if lost3[p, q] > 0:
                    continue  # counted above, with what a lost
            x, y, z = _sorted3(b, c, e)
            before = cube[x, y, z]
            diff = _bad(before + plus, 0, k, 0) - _bad(before, 0, k, 0)
            change += diff
            if apply:
                cube[x, y, z] = before + plus
                vb[x] += diff
                vb[y] += diff
                vb[z] += diff
    return change


@kernel
def _violations_by_block(blocks, m, k, l, vb):
    slots = len(blocks.size)
    vb[:] = 0
    for a in range(slots):
        vb[a] += _cell(blocks, a, a, k, l)
        if m >= 2:
            for b in range(a):
                bad = _cell(blocks, a, b, k, l)
                vb[a] += bad
                vb[b] += bad
                if m >= 3 and blocks.pair[a, b] > 0:
                    for c in range(b):
                        bad = _bad(blocks.cube[c, b, a], 0, k, 0)
                        vb[a] += bad
                        vb[b] += bad
                        vb[c] += bad


@kernel
def _scratch(blocks, m):
    slots = len(blocks.size)
    kinds = blocks.share.shape[0]
    wide = slots if m >= 3 else 0
    return Scratch(
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros((kinds, slots), np.int64),
        np.zeros((kinds, slots), np.int64),
        np.zeros((wide, wide), np.int64),
        np.zeros((wide, wide), np.int64),
        np.zeros((wide * wide, 2), np.int64),
        np.full(slots, -1, np.int64),
        np.zeros(slots, np.int64),
    )


@kernel
def _forget(scratch, triples):
    for t in range(triples):
        c, e = scratch.touched3[t, 0], scratch.touched3[t, 1]
        scratch.lost3[c, e] = 0
        scratch.won3[c, e] = 0


@kernel
def merge_until_clean(group, blocks, m, k, l, penalty):
    """Merge blocks until no set of at most min(m, 3) blocks is violated; violated sets left.

    Takes the block in most violated sets and the partner that settles most of them per added
    loss, judged by summed supports (an upper bound of the union's). `penalty` > 0 makes large
    blocks dearer than they are, against one block that swallows everything.
    """
    slots = len(blocks.size)
    size, mass, pair = blocks.size, blocks.mass, blocks.pair
    scratch = _scratch(blocks, m)
    vb = np.zeros(slots, np.int64)
    _violations_by_block(blocks, m, k, l, vb)
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
            v = vb[a] + (1000000 if _cell(blocks, a, a, k, l) > 0 else 0)
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
            removed += _cell(blocks, g, g, k, l) + _cell(blocks, h, h, k, l) - (1 if upper < k else 0)
            if m >= 2:
                removed += _cell(blocks, g, h, k, l)
                for c in range(slots):
                    if c != g and c != h and size[c] > 0:
                        removed += _cell(blocks, g, c, k, l) + _cell(blocks, h, c, k, l)
                        both = pair[g, c] + pair[h, c]
                        if 0 < both < k:
                            removed -= 1
            if m >= 3:
                for c in range(slots):
                    if c in (g, h) or (pair[g, c] == 0 and pair[h, c] == 0):
                        continue
                    x, y, z = _sorted3(g, h, c)
                    removed += _bad(blocks.cube[x, y, z], 0, k, 0)
                    for e in range(c):
                        if e in (g, h) or pair[c, e] == 0:
                            continue
                        x, y, z = _sorted3(g, c, e)
                        first = blocks.cube[x, y, z]
                        x, y, z = _sorted3(h, c, e)
                        second = blocks.cube[x, y, z]
                        removed += _bad(first, 0, k, 0) + _bad(second, 0, k, 0)
                        removed -= _bad(first + second, 0, k, 0)
            score = (max(removed, 0) + 0.5) / (cost + 1e-12)
            if score > best_score:
                best, best_score = h, score
        first_is_small = size[g] <= size[best]
        small = np.int64(g if first_is_small else best)
        large = np.int64(best if first_is_small else g)
        for i in range(len(blocks.of_item)):
            if blocks.of_item[i] != small:
                continue
            _, triples = _weigh(i, large, group, blocks, m, scratch)
            _change(small, large, blocks, m, k, l, scratch, triples, vb, MAKE)
            _forget(scratch, triples)
            blocks.of_item[i] = large
        size[large] += size[small]
        mass[large] += mass[small]
        size[small] = 0
        mass[small] = 0.0
    return violations(blocks, m, k, l)


@kernel
def total_loss(blocks):
    total = 0.0
    for a in range(len(blocks.size)):
        if blocks.size[a] > 1:
            total += blocks.mass[a] * (blocks.size[a] - 1)
    return total


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
    scratch = _scratch(blocks, m)
    vb = np.zeros(slots, np.int64)
    _violations_by_block(blocks, m, k, l, vb)
    bad = violations(blocks, m, k, l)
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
        work, triples = _weigh(i, b, group, blocks, m, scratch)
        spent += work
        change = _change(a, b, blocks, m, k, l, scratch, triples, vb, LOOK)
        accepted = gain + price * change <= limit
        if accepted:
            _change(a, b, blocks, m, k, l, scratch, triples, vb, MAKE)
        _forget(scratch, triples)
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
            best_block[:] = blocks.of_item
    return best, best_block
