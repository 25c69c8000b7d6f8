"""Searches over the terms of persons, in CSR form, terms that nobody can keep left out.

A term with fewer than k holders can be kept in no group, so it never guides a search (909k of the
terms of 19,319 blogs shrink to 42k).
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._column_cut_kernels import node_loss, sort_head
    from heteronym.partition._search_kernels import Cuts, split_by_mask

NO_TERM = (1 << 31) - 1  # behind all terms
UNKEPT, UNCOUNTED = -1, -2  # in place of the number of a term: nobody can keep it; it guides no search
LOOKED_AT = 2048  # members of a node from whose double on every second, third ... decides on the cut
_NO_TERM, _UNCOUNTED, _LOOKED_AT = (
    NO_TERM,
    UNCOUNTED,
    LOOKED_AT,
)  # the same for kernels alone, as what follows
RARE = 8  # the part of a tried term's holders below which another term does not weigh
INFINITE = np.inf
_HIGH, _LOW = 32, (1 << 32) - 1  # a number of a member is kept in the lower half, what it is sorted by above


def count_holders(codes, counted, holders):
    """Adds to `holders` how many persons hold each element that is counted."""
    for at in range(len(codes)):
        holders[codes[at]] += counted[codes[at]]


def keep_common(ptr, held, number, kept_ptr, kept, share):
    """Of what persons hold the terms that have a number, and what a term is of all terms of its person."""
    to = 0
    for p in range(len(ptr) - 1):
        terms = 0
        for at in range(ptr[p], ptr[p + 1]):
            n = number[held[at]]
            kept[to] = n  # always written, and gone on from if it stays: nobody could guess a branch
            to += 1 if n >= 0 else 0
            terms += 1 if n != _UNCOUNTED else 0
        share[p] = 1.0 / max(terms, 1)
        kept_ptr[p + 1] = to


def drop_rare(active, n_active, holders, least):
    """Terms that still have enough holders, first in `active`; how many."""
    kept = 0
    for i in range(n_active):
        if holders[active[i]] >= least:
            active[kept] = active[i]
            kept += 1
    return kept


def frequent_terms(active, n_active, holders, name, persons, least, best):
    """As many terms as `best` has room for that cut the node allowably, by descending holders, then by name.

    Where there are fewer, -1 stands behind them.
    """
    wanted = len(best)
    for slot in range(wanted):
        best[slot] = -1
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


def step_for(persons):
    """Every how manieth member of a node is looked at: thousands tell which cut is best as well as all do."""
    return max(1, persons // _LOOKED_AT)


def weighed_from(wanted, holders, least):
    """Holders from which on a term weighs in a node: an eighth of those of the rarest term that is tried.

    With fewer a term has a share of at most an eighth on either side of such a cut, hence (`power`) less than
    a four thousandth of its mass; in large nodes nearly all terms are that rare.
    """
    rarest = wanted[len(wanted) - 1]
    return least if rarest < 0 else max(least, holders[rarest] // RARE)


def has_term(members, ptr, length, terms, term, left):
    """Per member, into `left`, whether the person holds the term."""
    for i in range(len(members)):
        p = members[i]
        at, end = ptr[p], ptr[p] + length[p]
        while at < end and terms[at] != term:
            at += 1
        left[i] = at < end


def keep_frequent(members, ptr, length, terms, holders, least):
    """Terms that members may still have in common, first in each member's place; what is below goes."""
    for i in range(len(members)):
        p = members[i]
        kept = ptr[p]
        for at in range(ptr[p], ptr[p] + length[p]):
            enough = 1 if holders[terms[at]] >= least else 0
            terms[kept] = terms[at]  # always written, and gone on from if it stays, as in `keep_common`
            kept += enough
        length[p] = kept - ptr[p]


def loss_of_sides(members, left, n_left, packed, work):
    """Loss of the columns of both sides, times persons; that of the others is left in `work`."""
    order, persons = work.copied, len(members)
    for i in range(persons):
        order[i] = members[i]
    split_by_mask(order, 0, persons, left, work.rest)
    ours = n_left * node_loss(order, 0, n_left, packed, work)
    work.lost = (persons - n_left) * node_loss(order, n_left, persons, packed, work)
    return ours


def halve_by_alphabet(members, firsts, packed, work, key, left, best_left):
    """Halves by the first term of one type, as the paper's reference cuts text; whether no member has a term.

    Only where no shared term is left to cut on: no term is lost then, and of all types the one is
    taken whose halves have the finest columns. `key` is scratch.
    """
    persons, half = len(members), len(members) // 2
    least, without_terms = INFINITE, True
    for number in range(len(firsts)):
        for i in range(persons):
            first = firsts[number, members[i]]
            key[i] = (first << _HIGH) + i
            without_terms = without_terms and first == _NO_TERM
        sort_head(key, persons)
        for i in range(persons):
            left[key[i] & _LOW] = i < half
        lost = loss_of_sides(members, left, half, packed, work) + work.lost
        if lost < least:
            least = lost
            for i in range(persons):
                best_left[i] = left[i]
    return without_terms


class FrequencyCuts(Cuts):
    """GDF: the term with most holders in the node that allows a cut, present or absent.

    `terms` and `length` are used up: what has too few holders in its node leaves its place.
    """

    def __init__(self, ptr, length, terms, name, least):
        Cuts.__init__(self)
        persons, n_terms = len(length), len(name)
        self.ptr, self.length, self.terms, self.name, self.least = ptr, length, terms, name, least
        self.holders = np.zeros(n_terms, np.int32)  # in the node at work
        self.touched = np.empty(n_terms, np.int64)  # terms that somebody held when it was opened
        self.active = np.empty(n_terms, np.int64)  # of these, those that enough hold
        self.n_touched, self.n_active, self.n_before = 0, 0, 0
        self.left = np.empty(persons, np.bool_)
        self.best = np.empty(1, np.int64)

    def open(self, nodes):
        self.n_touched = 0
        for i in range(nodes.start, nodes.end):
            p = nodes.order[i]
            for at in range(self.ptr[p], self.ptr[p] + self.length[p]):
                if self.holders[self.terms[at]] == 0:
                    self.touched[self.n_touched] = self.terms[at]
                    self.n_touched += 1
                self.holders[self.terms[at]] += 1
        for i in range(self.n_touched):
            self.active[i] = self.touched[i]
        self.n_active, self.n_before = self.n_touched, 2 * self.n_touched + 1
        return 0

    def part(self, nodes, stop):
        ptr, length, terms, holders, least = self.ptr, self.length, self.terms, self.holders, self.least
        if nodes.end - nodes.start < 2 * least:
            return -1
        members = nodes.order[nodes.start : nodes.end]
        self.n_active = drop_rare(self.active, self.n_active, holders, least)
        if 4 * self.n_active < 3 * self.n_before:  # worth looking at every member's terms
            keep_frequent(members, ptr, length, terms, holders, least)
            self.n_before = self.n_active
        frequent_terms(self.active, self.n_active, holders, self.name, len(members), least, self.best)
        if self.best[0] < 0:
            return -1
        has_term(members, ptr, length, terms, self.best[0], self.left)
        middle = split_by_mask(nodes.order, nodes.start, nodes.end, self.left, nodes.rest)
        # the larger half's counts are what the smaller one leaves
        left_is_few = middle - nodes.start <= nodes.end - middle
        for i in range(nodes.start if left_is_few else middle, middle if left_is_few else nodes.end):
            p = nodes.order[i]
            for at in range(ptr[p], ptr[p] + length[p]):
                holders[terms[at]] -= 1
        return middle

    def close(self, nodes):
        for i in range(self.n_touched):
            self.holders[self.touched[i]] = 0
        return 0
