"""The search on columns and terms: cuts of a node, and where only numbers of persons decide, all of it.

A node is the list of its terms, each with its holders in the order of persons: all cuts that are tried are
weighed in one walk over these lists, and a cut parts every list in two. What a term has too few holders for
on one side is left out there, so that lists shrink with their nodes. Of very large nodes a sample is looked
at (`_term_kernels.step_for`), and everybody only if it shows no cut. Where other models decide, `_search`
goes node by node and lists the terms of each anew: terms are added in the order of their numbers, and masses
are exact, so that cuts weigh the same.
"""

from __future__ import annotations

from typing import NamedTuple

import cython
import numpy as np
from numpy.typing import NDArray

from heteronym.partition._terms import Terms

if not cython.compiled:
    from heteronym.partition._column_cut_kernels import (
        PackedViews,
        WorkViews,
        best_cuts,
        left_of_cut,
        node_loss,
        sort_head,
    )
    from heteronym.partition._search_kernels import Cuts, split_by_mask
    from heteronym.partition._term_kernels import (
        frequent_terms,
        halve_by_alphabet,
        has_term,
        loss_of_sides,
        step_for,
        weighed_from,
    )

WORTH = 1e-12  # what a cut must be worth: differences below are rounding
_WORTH = WORTH


class Lists(NamedTuple):
    """Terms of a node, or of several one behind the other, with their holders: list i is at `begins[i]`."""

    begins: NDArray[np.int64]  # [terms + 1]
    holders: NDArray[np.int32]  # [terms]: how many
    mass: NDArray[np.float64]  # [terms]: the sum of the shares
    name: NDArray[np.int32]  # [terms]
    people: NDArray[np.int32]  # [holders of all]
    share: NDArray[np.float64]  # [holders of all]: what the term is of all that its holder has


class Tried(NamedTuple):
    """What is known of the cuts that are tried in a node; the smaller side of a cut is its `few`."""

    side: NDArray[np.uint8]  # [persons, cuts]: whether a person is of the few
    few: NDArray[np.int64]  # [cuts]: how many
    is_left: NDArray[np.bool_]  # [cuts]: whether the few are those left of the cut
    after: NDArray[np.float64]  # [cuts]: concentration of both sides
    relational: NDArray[np.float64]  # [cuts]: drop of the columns' loss
    scores: NDArray[np.float64]  # [cuts]: what they are worth
    kind: NDArray[np.int64]  # [cuts]: 0 on a column, 1 on a term
    what: NDArray[np.int64]  # [cuts]: which one
    rank: NDArray[np.int64]  # [cuts]: the first that is right of a cut on a column


class ListViews:
    """`Lists` as kernels use them."""

    def __init__(self, lists):
        self.count = 0  # lists that wait
        self.begins = lists.begins
        self.holders = lists.holders
        self.mass = lists.mass
        self.name = lists.name
        self.people = lists.people
        self.share = lists.share


class TermViews:
    """`Terms` as kernels read them, and scratch for listing them."""

    def __init__(self, terms):
        self.ptr = terms.ptr
        self.codes = terms.codes
        self.share = terms.share
        self.share_of_entry = terms.share_of_entry
        self.length = np.diff(terms.ptr)  # terms of each person
        self.place = np.zeros(terms.number, np.int32)  # holders by term
        self.seen = np.empty(terms.number + 1, np.int64)  # terms that somebody holds
        self.numbers = np.arange(terms.number, dtype=np.int32)


class TriedViews:
    """`Tried` as kernels use it, with scratch for finding and weighing the cuts."""

    def __init__(self, tried, columns, terms, listed):
        """So many columns and frequent terms are tried; at most so many terms are listed."""
        persons, width = tried.side.shape
        self.side = tried.side
        self.few = tried.few
        self.is_left = tried.is_left
        self.after = tried.after
        self.relational = tried.relational
        self.scores = tried.scores
        self.kind = tried.kind
        self.what = tried.what
        self.rank = tried.rank
        self.gains = np.empty(columns)
        self.ranks = np.empty(columns, np.int64)
        self.wanted = np.empty(terms, np.int64)
        self.listed = np.arange(listed)
        self.looked = np.empty(persons, np.int64)
        self.key = np.empty(persons, np.int64)
        self.left = np.empty(persons, np.bool_)
        self.here = np.empty(width)
        self.mass = np.empty(width)
        self.make_room(1)

    def make_room(self, holders):
        """For powers by number of holders."""
        self.of_all = np.empty(2 * holders)
        self.of_few = np.empty((len(self.few), 2 * holders))
        self.of_many = np.empty((len(self.few), 2 * holders))


def tried_for(persons: int, cuts: int) -> Tried:
    width = -(-cuts // 4) * 4  # a whole number of steps of the processor
    side, few = np.zeros((persons, width), np.uint8), np.zeros(width, np.int64)
    numbers = [np.zeros(width, np.int64) for _ in range(3)]
    losses = [np.zeros(width) for _ in range(3)]
    return Tried(side, few, np.zeros(width, np.bool_), *losses, *numbers)


def lists_for(terms: int, entries: int) -> Lists:
    """Room for so many terms with so many holders."""
    numbers = np.empty(terms + 1, np.int64), np.empty(terms, np.int32), np.empty(terms)
    return Lists(*numbers, np.empty(terms, np.int32), np.empty(entries, np.int32), np.empty(entries))


def room_for(terms: Terms, least: int, cuts: int) -> tuple[Lists, Lists, Tried]:
    """For the node at work, for the nodes that wait, and for the cuts that are tried."""
    entries = len(terms.codes)
    waiting = lists_for(max(terms.number, entries // max(least, 1)) + 1, entries + 1)
    return lists_for(terms.number, entries), waiting, tried_for(len(terms.ptr) - 1, cuts)


class TermCuts(Cuts):
    """The best cut on a column or a frequent term.

    With weight 0 nodes without a term to cut on are halved by the alphabet: `firsts` has the first term of
    each person by type. `splits` counts cuts on columns, on terms and on neither. Of a node that waits,
    `near` is its first list; `far` is 1 if its terms are listed.
    """

    def __init__(self, packed, work, held, room, firsts, least, weight, tried, power, splits):
        Cuts.__init__(self)
        persons, columns, listed = len(held.ptr) - 1, packed.sets.shape[1], len(room[0].name)
        self.packed, self.work, self.held = PackedViews(packed), WorkViews(work), TermViews(held)
        self.now, self.waiting = ListViews(room[0]), ListViews(room[1])
        self.tried = TriedViews(room[2], columns, tried, listed)
        self.firsts, self.splits = firsts, splits
        self.least, self.weight, self.power = least, weight, power
        self.left, self.best_left = np.empty(persons, np.bool_), np.empty(persons, np.bool_)
        self.waiting.begins[0] = 0
        self.is_listed = False
        self.n_terms = 0  # listed at work

    def open(self, nodes):
        first = max(self.near, 0)
        self.is_listed = self.far == 1
        self.n_terms = take(self.waiting, first, self.waiting.count - first, self.now)
        self.waiting.count = first
        return 0

    def part(self, nodes, stop):
        persons = nodes.end - nodes.start
        if persons < 2 * self.least or stop[0] != 0:
            return -1
        step = step_for(persons)
        chosen = self.choose(nodes, step, stop)
        if chosen < 0 and step > 1:
            step = 1
            chosen = self.choose(nodes, step, stop)
        if chosen < 0 and self.weight > 0.0:
            return -1
        if chosen < 0:
            chosen = self.choose_by_alphabet(nodes)
        middle = split_by_mask(nodes.order, nodes.start, nodes.end, self.best_left, nodes.rest)
        self.near, self.far = self.waiting.count, self.is_listed
        if self.is_listed:
            keep_few = min(middle - nodes.start, nodes.end - middle) >= 2 * self.least
            self.n_terms = part_lists(
                self.now, self.n_terms, self.waiting, self.tried.side, chosen, self.least, keep_few
            )
        return middle

    def choose(self, nodes, step, stop):
        """The best cut of those that every so manieth member shows, for all in `best_left`; -1 for none."""
        members = nodes.order[nodes.start : nodes.end]
        looked = (
            members if step == 1 else self.tried.looked[: _look_at_every(step, members, self.tried.looked)]
        )
        if step > 1 or not self.is_listed:
            n_wanted = len(self.tried.wanted) if step > 1 else 0
            self.n_terms = list_terms(looked, self.held, self.now, self.least, self.tried.wanted[:n_wanted])
            self.is_listed = step == 1
        n_cuts = weigh_cuts(
            looked, self.now, self.n_terms, self.packed, self.work, self.least, self.weight, self.power,
            self.tried, stop,
        )  # fmt: skip
        best, chosen = _WORTH, -1
        for cut in range(n_cuts):
            if self.tried.scores[cut] > best:
                best, chosen = self.tried.scores[cut], cut
        if chosen >= 0:
            self.splits[self.tried.kind[chosen]] += 1
            tell_left(members, looked, self.tried, chosen, self.held, self.packed, self.work, self.best_left)
        return chosen

    def choose_by_alphabet(self, nodes):
        members = nodes.order[nodes.start : nodes.end]
        without_terms = halve_by_alphabet(
            members, self.firsts, self.packed, self.work, self.tried.key, self.left, self.best_left
        )
        self.splits[2 if without_terms else 1] += 1
        note(members, self.best_left, self.tried, 0, 1)
        return 0


def _look_at_every(step, members, looked):
    """Every so manieth member, into `looked`; how many."""
    count, i = 0, 0
    while i < len(members):
        looked[count] = members[i]
        count += 1
        i += step
    return count


# Lists


def list_terms(members, held, now, least, wanted):
    """Lists the terms of members with their holders, by number; how many.

    Where members are a sample, only those are listed that weigh beside the `wanted` most frequent ones;
    where they are all, no term is wanted.
    """
    place, seen = held.place, held.seen
    n_seen, n_terms, begin = 0, 0, 0
    for x in range(len(members)):
        p = members[x]
        for at in range(held.ptr[p], held.ptr[p + 1]):
            seen[n_seen] = held.codes[at]
            n_seen += 1 if place[held.codes[at]] == 0 else 0
            place[held.codes[at]] += 1
    if len(wanted) > 0:
        frequent_terms(seen, n_seen, place, held.numbers, len(members), least, wanted)
        least = weighed_from(wanted, place, least)
    for i in range(n_seen):
        if place[seen[i]] >= least:
            seen[n_terms] = seen[i]
            n_terms += 1
        else:
            place[seen[i]] = 0
    if 8 * n_terms < len(place):
        sort_head(seen, n_terms)
    else:  # walking over all numbers takes less than sorting
        n_terms = 0
        for t in range(len(place)):
            seen[n_terms] = t
            n_terms += 1 if place[t] > 0 else 0
    for i in range(n_terms):
        t = seen[i]
        now.name[i], now.holders[i], now.mass[i], now.begins[i] = t, 0, 0.0, begin
        begin += place[t]
        place[t] = i + 1
    now.begins[n_terms] = begin
    for x in range(len(members)):
        p = members[x]
        for at in range(held.ptr[p], held.ptr[p + 1]):
            i = place[held.codes[at]] - 1
            if i >= 0:
                share = held.share[at if held.share_of_entry else p]
                to = now.begins[i] + now.holders[i]
                now.people[to], now.share[to] = p, share
                now.holders[i] += 1
                now.mass[i] += share
    for i in range(n_terms):
        place[now.name[i]] = 0
    return n_terms


def take(waiting, first, count, now):
    """Lists of a node that waited, from `first` on, into those at work; how many."""
    total = 0
    now.begins[0] = 0
    for new in range(count):
        i = first + new
        mass = 0.0
        for at in range(waiting.begins[i], waiting.begins[i + 1]):
            now.people[total], now.share[total] = waiting.people[at], waiting.share[at]
            mass += waiting.share[at]
            total += 1
        now.name[new], now.holders[new], now.mass[new] = waiting.name[i], total - now.begins[new], mass
        now.begins[new + 1] = total
    return count


def part_lists(now, n_terms, waiting, side, cut, least, keep_few):
    """Parts every list by a cut: the few go behind those that wait, the others stay at work.

    On each side terms with fewer holders than `least` go. How many are at work then.
    """
    n_waiting = waiting.count
    behind, at, kept = 0, 0, 0
    there = waiting.begins[n_waiting]
    for i in range(n_terms):
        mass, begin, begin_there = now.mass[i], behind, there
        for _ in range(now.holders[i]):
            p, share = now.people[at], now.share[at]
            is_few = cython.cast(cython.longlong, side[p, cut])  # as Python, a byte would overflow
            # written on both sides, and gone on from where it belongs: nobody could guess a branch
            waiting.people[there], waiting.share[there] = p, share
            now.people[behind], now.share[behind] = p, share
            mass -= is_few * share
            there += is_few
            behind += 1 - is_few
            at += 1
        if keep_few and there - begin_there >= least:
            waiting.name[n_waiting] = now.name[i]
            n_waiting += 1
            waiting.begins[n_waiting] = there
        else:
            there = begin_there
        if behind - begin >= least:
            now.name[kept], now.holders[kept], now.mass[kept] = now.name[i], behind - begin, mass
            kept += 1
            now.begins[kept] = behind
        else:
            behind = begin
    waiting.count = n_waiting
    return kept


# Cuts


def weigh_cuts(members, now, n_terms, packed, work, least, weight, power, cuts, stop):
    """What each cut is worth that is tried in a node with listed terms: of every column, of common terms.

    The score of a cut is weight times the drop of the columns' loss plus (1 - weight) times the gain in
    concentration of terms; of terms with equally many holders the first by number is tried. With weight 0
    columns are not cut. Scores are left in `cuts`; how many.
    """
    n_cuts = 0
    if weight > 0.0:
        n_cuts = try_columns(members, packed, work, least, cuts, stop)
    frequent_terms(cuts.listed, n_terms, now.holders, now.name, len(members), least, cuts.wanted)
    n_cuts = try_terms(members, now, packed, work, weight > 0.0, cuts, n_cuts)
    fewest = weighed_from(cuts.wanted, now.holders, least)
    before = concentrations(len(members), now, n_terms, cuts, n_cuts, least, fewest, power)
    for cut in range(n_cuts):
        cuts.scores[cut] = weight * cuts.relational[cut] + (1.0 - weight) * (cuts.after[cut] - before)
    return n_cuts


def note(members, left, cuts, cut, kind):
    """Who is on which side of a cut; how many are left of it."""
    n_left = 0
    for i in range(len(members)):
        n_left += left[i]
    cuts.is_left[cut] = 2 * n_left <= len(members)
    cuts.few[cut] = min(n_left, len(members) - n_left)
    cuts.kind[cut] = kind
    for i in range(len(members)):
        cuts.side[members[i], cut] = left[i] == cuts.is_left[cut]
    return n_left


def tell_left(members, looked, cuts, cut, held, packed, work, left):
    """Who of all members is left of a cut that was found for those looked at."""
    if len(looked) == len(members):
        for i in range(len(members)):
            left[i] = (cuts.side[members[i], cut] == 1) == (cuts.is_left[cut] == 1)
    elif cuts.kind[cut] == 1:
        has_term(members, held.ptr, held.length, held.codes, cuts.what[cut], left)
    else:
        left_of_cut(members, looked, packed, cuts.what[cut], cuts.rank[cut], left, work)


def try_columns(members, packed, work, least, cuts, stop):
    """The best cut of every column that has one; how many."""
    best_cuts(members, 0, len(members), packed, least, work, cuts.gains, cuts.ranks, stop)
    n_cuts = 0
    for column in range(len(cuts.ranks)):
        if cuts.ranks[column] > 0:
            left_of_cut(members, members, packed, column, cuts.ranks[column], cuts.left, work)
            note(members, cuts.left, cuts, n_cuts, 0)
            cuts.what[n_cuts], cuts.rank[n_cuts] = column, cuts.ranks[column]
            cuts.relational[n_cuts] = cuts.gains[column]
            n_cuts += 1
    return n_cuts


def try_terms(members, now, packed, work, with_columns, cuts, n_cuts):
    """Holders against all others, for each of the wanted terms; how many cuts there are then."""
    left, whole = cuts.left, 0.0
    if with_columns:
        whole = len(members) * node_loss(members, 0, len(members), packed, work)
    for x in range(len(cuts.wanted)):
        term = cuts.wanted[x]
        if term < 0:
            break
        at, end = now.begins[term], now.begins[term + 1]
        for i in range(len(members)):
            left[i] = at < end and now.people[at] == members[i]  # both ascend
            at += left[i]
        n_left = note(members, left, cuts, n_cuts, 1)
        cuts.what[n_cuts], cuts.relational[n_cuts] = now.name[term], 0.0
        if with_columns:
            ours = loss_of_sides(members, left, n_left, packed, work)
            cuts.relational[n_cuts] = whole - ours - work.lost
        n_cuts += 1
    return n_cuts


def concentrations(persons, now, n_terms, cuts, n_cuts, least, fewest, power):
    """The sum over terms of mass(t) (holders(t) / persons)^power; of the sides of each cut into `after`."""
    most, weighed = 0, 0
    for i in range(n_terms):
        most = max(most, now.holders[i])
        if now.holders[i] >= fewest:
            weighed += 1
    by_holders = weighed > most  # then powers are taken once per number of holders
    room = most + 1 if by_holders else 1
    if room > len(cuts.of_all):
        with cython.gil:
            cuts.make_room(room)
    of_all, of_few, of_many = cuts.of_all, cuts.of_few, cuts.of_many
    here, mass = cuts.here, cuts.mass
    for holders in range(least, room):
        of_all[holders] = (holders / persons) ** power
    for cut in range(n_cuts):
        few = cuts.few[cut]
        cuts.after[cut] = 0.0
        for holders in range(least, room):
            of_few[cut, holders] = (holders / few) ** power
            of_many[cut, holders] = (holders / (persons - few)) ** power
    before = 0.0
    for i in range(n_terms):
        holders = now.holders[i]
        if holders < fewest:
            continue
        before += now.mass[i] * (of_all[holders] if by_holders else (holders / persons) ** power)
        count_sides(now.people, now.share, now.begins[i], now.begins[i + 1], cuts.side, here, mass)
        for cut in range(n_cuts):
            few = cython.cast(cython.longlong, here[cut])
            many = holders - few
            if few >= least:
                share = of_few[cut, few] if by_holders else (few / cuts.few[cut]) ** power
                cuts.after[cut] += mass[cut] * share
            if many >= least:
                share = of_many[cut, many] if by_holders else (many / (persons - cuts.few[cut])) ** power
                cuts.after[cut] += (now.mass[i] - mass[cut]) * share
    return before


def count_sides(people, share, begin, end, side, here, mass):
    """Of the holders of a term, how many are of the few of every cut, and the sum of their shares."""
    for cut in range(len(here)):
        here[cut] = 0.0
        mass[cut] = 0.0
    for at in range(begin, end):
        p = people[at]
        for cut in range(len(here)):
            is_few = float(side[p, cut])
            here[cut] += is_few
            mass[cut] += is_few * share[at]
