"""Compiled searches over the terms of persons, in CSR form, terms that nobody can keep left out.

A term with fewer than k holders can be kept in no group, so it never guides a search (909k of the
terms of 19,319 blogs shrink to 42k).
"""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel
from heteronym.partition._kernels import node_loss, sort_head, split_by_mask

NO_TERM = (1 << 31) - 1  # behind all terms
LOOKED_AT = 2048  # members of a node from whose double on every second, third ... decides on the cut
RARE = 8  # the part of a tried term's holders below which another term does not weigh


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
def frequent_terms(active, n_active, holders, name, persons, least, wanted):
    """Up to `wanted` terms that cut the node allowably, by descending holders, then by name."""
    best = np.full(wanted, -1, np.int64)
    for i in range(n_active):
        t = active[i]
        if holders[t] < least or persons - holders[t] < least:
            continue
        slot = wanted
        while slot > 0 and (
            best[slot - 1] < 0
            or holders[t] > holders[best[slot - 1]]
            or (holders[t] == holders[best[slot - 1]] and name[t] < name[best[slot - 1]])
        ):
            slot -= 1
        if slot < wanted:
            for s in range(wanted - 1, slot, -1):
                best[s] = best[s - 1]
            best[slot] = t
    return best


@kernel
def step_for(persons):
    """Every how manieth member of a node is looked at: thousands tell which cut is best as well as all do."""
    return max(1, persons // LOOKED_AT)


@kernel
def weighed_from(wanted, holders, least):
    """Holders from which on a term weighs in a node: an eighth of those of the rarest term that is tried.

    With fewer a term has a share of at most an eighth on either side of such a cut, hence (`power`) less than
    a four thousandth of its mass; in large nodes nearly all terms are that rare.
    """
    rarest = wanted[-1]
    return least if rarest < 0 else max(least, int(holders[rarest]) // RARE)


@kernel
def has_term(members, ptr, length, terms, term, left):
    """Per member, into `left`, whether the person holds the term."""
    for i in range(len(members)):
        p = members[i]
        at, end = ptr[p], ptr[p] + length[p]
        while at < end and terms[at] != term:
            at += 1
        left[i] = at < end


@kernel
def keep_frequent(members, ptr, length, terms, holders, least):
    """Terms that members may still have in common, first in each member's place; what is below goes."""
    for p in members:
        kept = ptr[p]
        for at in range(ptr[p], ptr[p] + length[p]):
            enough = holders[terms[at]] >= least
            terms[kept] = terms[at]  # always written, and gone on from if it stays, as in `keep_common`
            kept += enough
        length[p] = kept - ptr[p]


@kernel
def loss_of_sides(members, left, n_left, packed, work):
    order, persons = members.copy(), len(members)
    split_by_mask(order, np.int64(0), persons, left)
    ours = n_left * node_loss(order, np.int64(0), n_left, packed, work)
    return ours, (persons - n_left) * node_loss(order, n_left, persons, packed, work)


@kernel
def halve_by_alphabet(members, firsts, packed, work, left, best_left):
    """Halves by the first term of one type, as the paper's reference cuts text; whether no member has a term.

    Only where no shared term is left to cut on: no term is lost then, and of all types the one is
    taken whose halves have the finest columns.
    """
    persons, half = len(members), len(members) // 2
    key = np.empty(persons, np.int64)
    least, untold = np.inf, True
    for number in range(len(firsts)):
        for i in range(persons):
            first = firsts[number, members[i]]
            key[i] = (first << 32) + i
            untold = untold and first == NO_TERM
        sort_head(key, persons)
        for i in range(persons):
            left[key[i] & ((1 << 32) - 1)] = i < half
        ours, theirs = loss_of_sides(members, left, half, packed, work)
        if ours + theirs < least:
            least = ours + theirs
            for i in range(persons):
                best_left[i] = left[i]
    return untold


@kernel
def grow_by_frequency(ptr, length, terms, name, least, stop):
    """GDF: cut at the term with most holders in the node that allows a cut, present or absent.

    `terms` and `length` are used up: what has too few holders in its node leaves its place.
    """
    persons = len(length)
    n_terms = len(name)
    order = np.arange(persons)
    group = np.zeros(persons, np.int32)
    holders = np.zeros(n_terms, np.int32)
    touched = np.empty(n_terms, np.int64)
    active = np.empty(n_terms, np.int64)
    left = np.empty(persons, np.bool_)
    pending = [(0, persons)]
    n_groups, n_splits = 0, 0
    while len(pending) > 0 and stop[0] == 0:
        start, end = pending.pop()
        n_touched = 0
        for p in order[start:end]:
            for at in range(ptr[p], ptr[p] + length[p]):
                if holders[terms[at]] == 0:
                    touched[n_touched] = terms[at]
                    n_touched += 1
                holders[terms[at]] += 1
        for i in range(n_touched):
            active[i] = touched[i]
        n_active, n_before = n_touched, 2 * n_touched + 1
        while end - start >= 2 * least:
            n_active = drop_rare(active, n_active, holders, least)
            if 4 * n_active < 3 * n_before:  # worth looking at every member's terms
                keep_frequent(order[start:end], ptr, length, terms, holders, least)
                n_before = n_active
            best = frequent_terms(active, n_active, holders, name, end - start, least, 1)[0]
            if best < 0:
                break
            has_term(order[start:end], ptr, length, terms, best, left)
            middle = split_by_mask(order, start, end, left)
            n_splits += 1
            # go on with the larger half, whose counts are what the smaller one leaves
            few, many = (start, middle), (middle, end)
            if middle - start > end - middle:
                few, many = many, few
            for p in order[few[0] : few[1]]:
                for at in range(ptr[p], ptr[p] + length[p]):
                    holders[terms[at]] -= 1
            pending.append(few)
            start, end = many
        for i in range(n_touched):
            holders[touched[i]] = 0
        for i in range(start, end):
            group[order[i]] = n_groups
        n_groups += 1
    return group, n_splits
