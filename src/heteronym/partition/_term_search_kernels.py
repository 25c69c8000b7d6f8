"""The search on columns and terms, compiled from start to end, where only numbers of persons decide.

A node is the list of its terms, each with its holders in the order of persons: all cuts that are tried are
weighed in one walk over these lists, and a cut parts every list in two. What a term has too few holders for
on one side is left out there, so that lists shrink with their nodes. Sums keep the order of additions that
the search node by node has (`_search.Search`), which is the twin that tests compare with.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.compiled import kernel
from heteronym.partition._kernels import best_cuts, left_of_cut, node_loss, sort_head
from heteronym.partition._term_kernels import frequent_terms, halve_by_alphabet, loss_of_sides, split_by_mask
from heteronym.partition._terms import Terms


class Lists(NamedTuple):
    """Terms of a node, or of several one behind the other, with their holders: list i is at `begins[i]`."""

    begins: NDArray[np.int64]  # [terms + 1]
    holders: NDArray[np.int64]  # [terms]: how many
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
    kind: NDArray[np.int64]  # [cuts]: 0 on a column, 1 on a term


def lists_for(terms: int, entries: int) -> Lists:
    """Room for so many terms with so many holders."""
    numbers = np.empty(terms + 1, np.int64), np.empty(terms, np.int64), np.empty(terms)
    return Lists(*numbers, np.empty(terms, np.int32), np.empty(entries, np.int32), np.empty(entries))


def tried_for(persons: int, cuts: int) -> Tried:
    width = -(-cuts // 4) * 4  # a whole number of steps of the processor
    side, few = np.zeros((persons, width), np.uint8), np.zeros(width, np.int64)
    figures = np.zeros(width), np.zeros(width), np.zeros(width, np.int64)
    return Tried(side, few, np.zeros(width, np.bool_), *figures)


def room_for(terms: Terms, least: int, cuts: int) -> tuple[Lists, Lists, Tried]:
    """For the node at work, for the nodes that wait, and for the cuts that are tried."""
    entries = len(terms.codes)
    waiting = lists_for(max(terms.count, entries // max(least, 1)) + 1, entries + 1)
    return lists_for(terms.count, entries), waiting, tried_for(len(terms.ptr) - 1, cuts)


@kernel
def grow_with_terms(packed, work, ptr, codes, share, room, firsts, least, weight, tried, power, done, stop):
    """Groups by repeated best cuts on columns and frequent terms.

    The score of a cut is weight times the drop of the columns' loss plus (1 - weight) times the gain in
    concentration of terms; of terms with equally many holders the first by number is tried. With weight 0
    columns are not cut, and nodes without a term to cut on are halved by the alphabet: `firsts` has the first
    term of each person by type. Returns the groups, and how many cuts are on columns, terms and neither.
    """
    now, waiting, cuts = room
    persons = len(ptr) - 1
    n_columns = packed.sets.shape[1] if weight > 0.0 else 0
    order, group = np.arange(persons), np.zeros(persons, np.int32)
    left, best_left = np.empty(persons, np.bool_), np.empty(persons, np.bool_)
    splits = np.zeros(3, np.int64)
    n_lists = list_all(ptr, codes, share, waiting)
    pending = [(np.int64(0), np.int64(persons), np.int64(0), n_lists)]
    scratch = np.zeros(persons, np.int64), np.empty(len(now.name), np.int64), np.arange(len(now.name))
    n_groups = 0
    while len(pending) > 0 and stop[0] == 0:
        start, end, first, n_lists = pending.pop()
        n_terms = take(order[start:end], waiting, first, n_lists - first, now, scratch)
        n_lists = first
        while end - start >= 2 * least and stop[0] == 0:
            members = order[start:end]
            n_cuts = 0
            if n_columns > 0:
                n_cuts = try_columns(order, start, end, packed, work, least, cuts, stop)
            wanted = frequent_terms(scratch[2], n_terms, now.holders, now.name, end - start, least, tried)
            n_cuts = try_terms(members, now, wanted, packed, work, n_columns > 0, left, cuts, n_cuts)
            before = concentrations(end - start, now, n_terms, cuts, n_cuts, least, power)
            best, chosen = 1e-12, -1
            for cut in range(n_cuts):
                score = weight * cuts.relational[cut] + (1.0 - weight) * (cuts.after[cut] - before)
                if score > best:
                    best, chosen = score, cut
            if chosen >= 0:
                splits[cuts.kind[chosen]] += 1
                for i in range(end - start):
                    best_left[i] = (cuts.side[members[i], chosen] == 1) == cuts.is_left[chosen]
            elif n_columns == 0:
                splits[1 + int(halve_by_alphabet(members, firsts, packed, work, left, best_left))] += 1
                chosen = 0
                note(members, best_left, cuts, 0, 1)
            else:
                break
            middle = split_by_mask(order, start, end, best_left)
            # go on with the larger half
            listed = cuts.few[chosen] >= 2 * least
            n_terms, n_waiting = part(now, n_terms, waiting, n_lists, cuts.side, chosen, least, listed)
            if cuts.is_left[chosen]:
                pending.append((start, middle, n_lists, n_waiting))
                start = middle
            else:
                pending.append((middle, end, n_lists, n_waiting))
                end = middle
            n_lists = n_waiting
        for i in range(start, end):
            group[order[i]] = n_groups
        done[0] += end - start
        n_groups += 1
    return group, splits


# Lists


@kernel
def list_all(ptr, codes, share, waiting):
    """All terms with their holders, by number; how many."""
    count = 0
    for at in range(len(codes)):
        count = max(count, codes[at] + 1)
    begins = waiting.begins
    for t in range(count + 1):
        begins[t] = 0
    for at in range(len(codes)):
        begins[codes[at] + 1] += 1
    for t in range(count):
        waiting.name[t] = t
        waiting.holders[t] = begins[t + 1]
        begins[t + 1] += begins[t]
    for p in range(len(ptr) - 1):
        for at in range(ptr[p], ptr[p + 1]):
            place = begins[codes[at]]
            waiting.people[place] = p
            waiting.share[place] = share[at]
            begins[codes[at]] += 1
    for t in range(count, 0, -1):
        begins[t] = begins[t - 1]
    begins[0] = 0
    return np.int64(count)


@kernel
def take(members, waiting, first, count, now, scratch):
    """Lists of a node that waited, from `first` on, into those at work; how many.

    By their first holder, then by name: as they are met who looks at one person's terms after the other's.
    """
    ends, keys, _ = scratch
    for p in members:
        ends[p] = 0
    for i in range(first, first + count):
        ends[waiting.people[waiting.begins[i]]] += 1
    total = 0
    for p in members:
        total += ends[p]
        ends[p] = total - ends[p]
    for i in range(first, first + count):
        p = waiting.people[waiting.begins[i]]
        keys[ends[p]] = (np.int64(waiting.name[i]) << 32) + i
        ends[p] += 1
    begin = 0
    for p in members:
        if ends[p] > begin + 1:
            sort_head(keys[begin : ends[p]], ends[p] - begin)
        begin = ends[p]
    total = 0
    now.begins[0] = 0
    for new in range(count):
        i = keys[new] & ((1 << 32) - 1)
        mass = 0.0
        for at in range(waiting.begins[i], waiting.begins[i] + waiting.holders[i]):
            now.people[total] = waiting.people[at]
            now.share[total] = waiting.share[at]
            mass += waiting.share[at]
            total += 1
        now.name[new], now.holders[new], now.mass[new] = waiting.name[i], waiting.holders[i], mass
        now.begins[new + 1] = total
    return count


@kernel
def part(now, n_terms, waiting, n_lists, side, cut, least, listed):
    """Parts every list by a cut: the few are `listed` behind those that wait, the others stay at work.

    On each side terms with fewer holders than `least` go. How many are at work and how many wait then.
    """
    behind, at, kept = np.int64(0), np.int64(0), 0
    there = waiting.begins[n_lists]
    for i in range(n_terms):
        mass, begin, begin_there = now.mass[i], behind, there
        for _ in range(now.holders[i]):
            p, share = now.people[at], now.share[at]
            is_few = np.int64(side[p, cut])
            # written on both sides, and gone on from where it belongs: nobody could guess a branch
            waiting.people[there], waiting.share[there] = p, share
            now.people[behind], now.share[behind] = p, share
            mass -= is_few * share
            there += is_few
            behind += 1 - is_few
            at += 1
        if listed and there - begin_there >= least:
            waiting.name[n_lists], waiting.holders[n_lists] = now.name[i], there - begin_there
            waiting.begins[n_lists] = begin_there
            n_lists += 1
            waiting.begins[n_lists] = there
        else:
            there = begin_there
        if behind - begin >= least:
            now.name[kept], now.holders[kept], now.mass[kept] = now.name[i], behind - begin, mass
            kept += 1
            now.begins[kept] = behind
        else:
            behind = begin
    return kept, n_lists


# Cuts


@kernel
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


@kernel
def try_columns(order, start, end, packed, work, least, cuts, stop):
    """The best cut of every column that has one; how many."""
    n_columns = packed.sets.shape[1]
    gains, ranks = np.empty(n_columns), np.empty(n_columns, np.int64)
    best_cuts(order, start, end, packed, least, work, gains, ranks, stop)
    n_cuts = 0
    for column in range(n_columns):
        if ranks[column] > 0:
            members = order[start:end]
            note(members, left_of_cut(members, packed, column, ranks[column], work), cuts, n_cuts, 0)
            cuts.relational[n_cuts] = gains[column]
            n_cuts += 1
    return n_cuts


@kernel
def try_terms(members, now, wanted, packed, work, with_columns, left, cuts, n_cuts):
    """Holders against all others, for each of the wanted terms; how many cuts there are then."""
    whole = 0.0
    if with_columns:
        whole = len(members) * node_loss(members, np.int64(0), len(members), packed, work)
    for term in wanted:
        if term < 0:
            break
        at, end = now.begins[term], now.begins[term + 1]
        for i in range(len(members)):
            left[i] = at < end and now.people[at] == members[i]  # both ascend
            at += left[i]
        n_left = note(members, left, cuts, n_cuts, 1)
        cuts.relational[n_cuts] = 0.0
        if with_columns:
            ours, theirs = loss_of_sides(members, left, n_left, packed, work)
            cuts.relational[n_cuts] = whole - ours - theirs
        n_cuts += 1
    return n_cuts


@kernel
def concentrations(persons, now, n_terms, cuts, n_cuts, least, power):
    """The sum over terms of mass(t) (holders(t) / persons)^power; of the sides of each cut into `after`."""
    most = 0
    for i in range(n_terms):
        most = max(most, now.holders[i])
    told = n_terms > most  # then powers are taken once per number of holders
    room = most + 1 if told else 1
    of_all, of_few, of_many = np.empty(room), np.empty((n_cuts, room)), np.empty((n_cuts, room))
    width = cuts.side.shape[1]
    here, mass = np.empty(width), np.empty(width)
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
        before += now.mass[i] * (of_all[now.holders[i]] if told else (now.holders[i] / persons) ** power)
        count_sides(now.people, now.share, now.begins[i], now.begins[i + 1], cuts.side, here, mass)
        for cut in range(n_cuts):
            few = int(here[cut])
            many = now.holders[i] - few
            if few >= least:
                share = of_few[cut, few] if told else (few / cuts.few[cut]) ** power
                cuts.after[cut] += mass[cut] * share
            if many >= least:
                share = of_many[cut, many] if told else (many / (persons - cuts.few[cut])) ** power
                cuts.after[cut] += (now.mass[i] - mass[cut]) * share
    return before


@kernel
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
