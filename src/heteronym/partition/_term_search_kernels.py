"""The search on columns and terms: cuts of a node, and where only numbers of persons decide, all compiled.

A node is the list of its terms, each with its holders in the order of persons: all cuts that are tried are
weighed in one walk over these lists, and a cut parts every list in two. What a term has too few holders for
on one side is left out there, so that lists shrink with their nodes. Of very large nodes a sample is looked
at (`_term_kernels.step_for`), and everybody only if it shows no cut. Where other models decide, `_search`
goes node by node and lists the terms of each anew: terms are added in the order of their numbers, and masses
are exact, so that cuts weigh the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.compiled import kernel
from heteronym.partition._kernels import best_cuts, left_of_cut, node_loss, sort_head, split_by_mask
from heteronym.partition._term_kernels import (
    frequent_terms,
    halve_by_alphabet,
    has_term,
    loss_of_sides,
    step_for,
    weighed_from,
)
from heteronym.partition._terms import Terms

WORTH = 1e-12  # what a cut must be worth: differences below are rounding


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
    kind: NDArray[np.int64]  # [cuts]: 0 on a column, 1 on a term
    what: NDArray[np.int64]  # [cuts]: which one
    rank: NDArray[np.int64]  # [cuts]: the first that is right of a cut on a column


def tried_for(persons: int, cuts: int) -> Tried:
    width = -(-cuts // 4) * 4  # a whole number of steps of the processor
    side, few = np.zeros((persons, width), np.uint8), np.zeros(width, np.int64)
    numbers = [np.zeros(width, np.int64) for _ in range(3)]
    return Tried(side, few, np.zeros(width, np.bool_), np.zeros(width), np.zeros(width), *numbers)


def lists_for(terms: int, entries: int) -> Lists:
    """Room for so many terms with so many holders."""
    numbers = np.empty(terms + 1, np.int64), np.empty(terms, np.int32), np.empty(terms)
    return Lists(*numbers, np.empty(terms, np.int32), np.empty(entries, np.int32), np.empty(entries))


def room_for(terms: Terms, least: int, cuts: int) -> tuple[Lists, Lists, Tried]:
    """For the node at work, for the nodes that wait, and for the cuts that are tried."""
    entries = len(terms.codes)
    waiting = lists_for(max(terms.number, entries // max(least, 1)) + 1, entries + 1)
    return lists_for(terms.number, entries), waiting, tried_for(len(terms.ptr) - 1, cuts)


@kernel
def scratch_for(n_terms):
    """For listing: holders by term, the terms that somebody holds, and the numbers of all."""
    numbers = np.arange(n_terms, dtype=np.int32)
    return np.zeros_like(numbers), np.empty(n_terms + 1, np.int64), numbers


@kernel
def grow_with_terms(packed, work, held, room, firsts, least, weight, tried, power, done, stop):
    """Groups by repeated best cuts on columns and frequent terms.

    With weight 0 nodes without a term to cut on are halved by the alphabet: `firsts` has the first term of
    each person by type. Returns the groups, and how many cuts are on columns, terms and neither.
    """
    now, waiting, cuts = room
    persons = len(held.ptr) - 1
    order, group = np.arange(persons), np.zeros(persons, np.int32)
    left, best_left = np.empty(persons, np.bool_), np.empty(persons, np.bool_)
    scratch = scratch_for(len(now.name))
    splits = np.zeros(3, np.int64)
    n_groups, n_waiting, waiting.begins[0] = 0, np.int64(0), 0
    pending = [(np.int64(0), np.int64(persons), n_waiting, False)]
    while len(pending) > 0 and stop[0] == 0:
        start, end, first, is_listed = pending.pop()
        n_terms = take(waiting, first, n_waiting - first, now)
        n_waiting, step = first, step_for(end - start)
        is_listed = is_listed and step == 1
        while end - start >= 2 * least and stop[0] == 0:
            members = order[start:end]
            looked = members if step == 1 else members[::step].copy()
            if not is_listed:
                n_terms = list_terms(looked, held, now, least, tried if step > 1 else 0, scratch)
            scores = weigh_cuts(looked, now, n_terms, packed, work, least, weight, tried, power, cuts, stop)
            best, chosen = WORTH, -1
            for cut in range(len(scores)):
                if scores[cut] > best:
                    best, chosen = scores[cut], cut
            if chosen >= 0:
                splits[cuts.kind[chosen]] += 1
                tell_left(members, looked, cuts, chosen, held, packed, work, best_left)
            elif step > 1:
                step = 1
                continue
            elif weight == 0.0:
                splits[1 + int(halve_by_alphabet(members, firsts, packed, work, left, best_left))] += 1
                chosen = 0
                note(members, best_left, cuts, 0, 1)
            else:
                break
            middle = split_by_mask(order, start, end, best_left)
            few, first, is_listed = min(middle - start, end - middle), n_waiting, step == 1
            if is_listed:
                keep_few = few >= 2 * least
                n_terms, n_waiting = part(
                    now, n_terms, waiting, n_waiting, cuts.side, chosen, least, keep_few
                )
            # go on with the larger half
            if middle - start == few:
                pending.append((start, middle, first, is_listed))
                start = middle
            else:
                pending.append((middle, end, first, is_listed))
                end = middle
            step = step_for(end - start)
            is_listed = is_listed and step == 1
        for i in range(start, end):
            group[order[i]] = n_groups
        done[0] += end - start
        n_groups += 1
    return group, splits


# Lists


@kernel
def list_terms(members, held, now, least, tried, scratch):
    """Lists the terms of members with their holders, by number; how many.

    Where members are a sample, and so many terms are tried on it, only those that weigh are listed.
    """
    place, seen, names = scratch
    n_seen, n_terms, begin = 0, 0, np.int64(0)
    for p in members:
        for at in range(held.ptr[p], held.ptr[p + 1]):
            seen[n_seen] = held.codes[at]
            n_seen += place[held.codes[at]] == 0
            place[held.codes[at]] += 1
    if tried > 0:
        wanted = frequent_terms(seen, n_seen, place, names, len(members), least, tried)
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
            n_terms += place[t] > 0
    for i in range(n_terms):
        t = seen[i]
        now.name[i], now.holders[i], now.mass[i], now.begins[i] = t, 0, 0.0, begin
        begin += place[t]
        place[t] = i + 1
    now.begins[n_terms] = begin
    for p in members:
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


@kernel
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


@kernel
def part(now, n_terms, waiting, n_waiting, side, cut, least, keep_few):
    """Parts every list by a cut: the few go behind those that wait, the others stay at work.

    On each side terms with fewer holders than `least` go. How many are at work and how many wait then.
    """
    behind, at, kept = np.int64(0), np.int64(0), 0
    there = waiting.begins[n_waiting]
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
    return kept, n_waiting


# Cuts


@kernel
def weigh_cuts(members, now, n_terms, packed, work, least, weight, tried, power, cuts, stop):
    """What each cut is worth that is tried in a node with listed terms: of every column, of common terms.

    The score of a cut is weight times the drop of the columns' loss plus (1 - weight) times the gain in
    concentration of terms; of terms with equally many holders the first by number is tried. With weight 0
    columns are not cut.
    """
    n_cuts = 0
    if weight > 0.0:
        n_cuts = try_columns(members, packed, work, least, cuts, stop)
    listed = np.arange(n_terms)
    wanted = frequent_terms(listed, n_terms, now.holders, now.name, len(members), least, tried)
    n_cuts = try_terms(members, now, wanted, packed, work, weight > 0.0, cuts, n_cuts)
    fewest = weighed_from(wanted, now.holders, least)
    before = concentrations(len(members), now, n_terms, cuts, n_cuts, least, fewest, power)
    scores = np.empty(n_cuts)
    for cut in range(n_cuts):
        scores[cut] = weight * cuts.relational[cut] + (1.0 - weight) * (cuts.after[cut] - before)
    return scores


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
def tell_left(members, looked, cuts, cut, held, packed, work, left):
    """Who of all members is left of a cut that was found for those looked at."""
    if len(looked) == len(members):
        for i in range(len(members)):
            left[i] = (cuts.side[members[i], cut] == 1) == cuts.is_left[cut]
    elif cuts.kind[cut] == 1:
        has_term(members, held.ptr, held.ptr[1:] - held.ptr[:-1], held.codes, cuts.what[cut], left)
    else:
        left[: len(members)] = left_of_cut(members, looked, packed, cuts.what[cut], cuts.rank[cut], work)


@kernel
def try_columns(members, packed, work, least, cuts, stop):
    """The best cut of every column that has one; how many."""
    n_columns = packed.sets.shape[1]
    gains, ranks = np.empty(n_columns), np.empty(n_columns, np.int64)
    best_cuts(members, np.int64(0), np.int64(len(members)), packed, least, work, gains, ranks, stop)
    n_cuts = 0
    for column in range(n_columns):
        if ranks[column] > 0:
            left = left_of_cut(members, members, packed, column, ranks[column], work)
            note(members, left, cuts, n_cuts, 0)
            cuts.what[n_cuts], cuts.rank[n_cuts] = column, ranks[column]
            cuts.relational[n_cuts] = gains[column]
            n_cuts += 1
    return n_cuts


@kernel
def try_terms(members, now, wanted, packed, work, with_columns, cuts, n_cuts):
    """Holders against all others, for each of the wanted terms; how many cuts there are then."""
    left, whole = np.empty(len(members), np.bool_), 0.0
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
        cuts.what[n_cuts], cuts.relational[n_cuts] = now.name[term], 0.0
        if with_columns:
            ours, theirs = loss_of_sides(members, left, n_left, packed, work)
            cuts.relational[n_cuts] = whole - ours - theirs
        n_cuts += 1
    return n_cuts


@kernel
def concentrations(persons, now, n_terms, cuts, n_cuts, least, fewest, power):
    """The sum over terms of mass(t) (holders(t) / persons)^power; of the sides of each cut into `after`."""
    most, weighed = 0, 0
    for i in range(n_terms):
        most = max(most, now.holders[i])
        weighed += now.holders[i] >= fewest
    told = weighed > most  # then powers are taken once per number of holders
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
        holders = now.holders[i]
        if holders < fewest:
            continue
        before += now.mass[i] * (of_all[holders] if told else (holders / persons) ** power)
        count_sides(now.people, now.share, now.begins[i], now.begins[i + 1], cuts.side, here, mass)
        for cut in range(n_cuts):
            few = int(here[cut])
            many = holders - few
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
