"""Compiled searches over the terms of persons, in CSR form, terms that nobody can keep left out.

A term with fewer than k holders can be kept in no group, so it never guides a search (909k of the
terms of 19,319 blogs shrink to 42k). Counts of a large child are its parent's minus its sibling's.
"""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel


@kernel
def count_terms(members, ptr, terms, share, holders, mass, touched):
    """Holders and mass of every term among members, into arrays of zeros; `touched` lists the terms.

    mass(t) = sum over holders of the share that t has in the person's terms, what keeping t would be worth.
    """
    n_touched = 0
    for p in members:
        for at in range(ptr[p], ptr[p + 1]):
            t = terms[at]
            if holders[t] == 0:
                touched[n_touched] = t
                n_touched += 1
            holders[t] += 1
            mass[t] += share[at]
    return n_touched


@kernel
def uncount_terms(members, ptr, terms, share, holders, mass):
    for p in members:
        for at in range(ptr[p], ptr[p + 1]):
            holders[terms[at]] -= 1
            mass[terms[at]] -= share[at]


@kernel
def drop_rare(active, n_active, holders, least):
    """Terms that still have enough holders, first in `active`; how many."""
    kept = 0
    for i in range(n_active):
        if holders[active[i]] >= least:
            active[kept] = active[i]
            kept += 1
    return kept


@kernel
def frequent_terms(active, n_active, holders, persons, least, wanted):
    """Up to `wanted` terms that cut the node allowably, by descending holders, then by number."""
    best = np.full(wanted, -1, np.int64)
    for i in range(n_active):
        t = active[i]
        if holders[t] < least or persons - holders[t] < least:
            continue
        slot = wanted
        while slot > 0 and (
            best[slot - 1] < 0
            or holders[t] > holders[best[slot - 1]]
            or (holders[t] == holders[best[slot - 1]] and t < best[slot - 1])
        ):
            slot -= 1
        if slot < wanted:
            for s in range(wanted - 1, slot, -1):
                best[s] = best[s - 1]
            best[slot] = t
    return best


@kernel
def has_term(members, ptr, terms, term):
    """Per member, whether the person holds the term."""
    found = np.zeros(len(members), np.bool_)
    for i in range(len(members)):
        p = members[i]
        lo, hi = ptr[p], ptr[p + 1]
        while lo < hi:
            middle = (lo + hi) // 2
            if terms[middle] < term:
                lo = middle + 1
            else:
                hi = middle
        found[i] = lo < ptr[p + 1] and terms[lo] == term
    return found


@kernel
def split_by_mask(order, start, end, left):
    """Stable partition of order[start:end]: where left is true, then the rest; where the rest begins."""
    rest = np.empty(end - start, order.dtype)
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


@kernel
def concentration_gain(
    side, persons, active, n_active, ptr, terms, share, holders, mass, least, power, part, seen
):
    """How much nearer two halves are to keeping their terms than the node; `side` is the smaller half.

    concentration = sum over terms of mass(t) (holders(t) / persons)^power. The loss itself does not
    move until groups are small; shares of holders do, from the first cut.
    """
    part_holders, part_mass = part
    n_seen = count_terms(side, ptr, terms, share, part_holders, part_mass, seen)
    few, many = len(side), persons - len(side)
    before, after = 0.0, 0.0
    for i in range(n_active):
        t = active[i]
        if holders[t] < least:
            continue
        before += mass[t] * (holders[t] / persons) ** power
        here, there = part_holders[t], holders[t] - part_holders[t]
        if here >= least:
            after += part_mass[t] * (here / few) ** power
        if there >= least:
            after += (mass[t] - part_mass[t]) * (there / many) ** power
    for i in range(n_seen):
        part_holders[seen[i]] = 0
        part_mass[seen[i]] = 0.0
    return after - before


@kernel
def distinct_by_domain(members, ptr, terms, domain, n_domains, marked, seen):
    """Number of different terms of each domain among members."""
    count = np.zeros(n_domains, np.int64)
    n_seen = 0
    for p in members:
        for at in range(ptr[p], ptr[p + 1]):
            t = terms[at]
            if not marked[t]:
                marked[t] = True
                seen[n_seen] = t
                n_seen += 1
                count[domain[t]] += 1
    for i in range(n_seen):
        marked[seen[i]] = False
    return count


@kernel
def grow_by_frequency(persons, ptr, terms, n_terms, least, stop):
    """GDF: cut at the term with most holders in the node that allows a cut, present or absent."""
    order = np.arange(persons)
    group = np.zeros(persons, np.int32)
    holders = np.zeros(n_terms, np.int32)
    mass = np.zeros(n_terms)
    share = np.zeros(len(terms))
    touched = np.empty(n_terms, np.int64)
    active = np.empty(n_terms, np.int64)
    pending = [(0, persons)]
    n_groups, n_splits = 0, 0
    while len(pending) > 0 and stop[0] == 0:
        start, end = pending.pop()
        n_touched = count_terms(order[start:end], ptr, terms, share, holders, mass, touched)
        for i in range(n_touched):
            active[i] = touched[i]
        n_active = n_touched
        while end - start >= 2 * least:
            n_active = drop_rare(active, n_active, holders, least)
            best = frequent_terms(active, n_active, holders, end - start, least, 1)[0]
            if best < 0:
                break
            middle = split_by_mask(order, start, end, has_term(order[start:end], ptr, terms, best))
            n_splits += 1
            # go on with the larger half, whose counts are what the smaller one leaves
            if middle - start <= end - middle:
                pending.append((start, middle))
                uncount_terms(order[start:middle], ptr, terms, share, holders, mass)
                start = middle
            else:
                pending.append((middle, end))
                uncount_terms(order[middle:end], ptr, terms, share, holders, mass)
                end = middle
        for i in range(n_touched):
            holders[touched[i]] = 0
        for i in range(start, end):
            group[order[i]] = n_groups
        n_groups += 1
    return group, n_splits
