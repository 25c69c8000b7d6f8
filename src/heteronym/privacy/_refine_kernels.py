"""From coarse to fine: labels are tried in order, by the elements that stand above them.

A move changes the counts of pairs (`_pair_kernels.py`) of its holders alone. It stays if every count that
changed is 0 or large enough; elements of persons who show a rare pair are taken back first, or left out where
they stay behind, and if that does not help, the move is undone.

An element's rung is its place in its ladder, narrowest first; one behind the last is its mask, one more: its
sentences are left out.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.privacy._pair_kernels import (
        ONCE,
        TIMES,
        TWICE,
        ElementViews,
        Table,
        accuse,
        count_pairs,
        is_rare,
        list_features,
        make_room,
        room_for,
        slot,
    )

_DEAR = 4  # places of those who gain nothing cost so much more
_PLACE = 2  # what a place that is left out costs, against an occurrence of an element that stays as it was


class Lists:
    """Scratch: labels of a person and of a row, how often they show, and their features."""

    def __init__(self, longest, labels):
        self.features = np.empty(longest * TIMES, np.int64)
        self.partners = np.empty(longest * TIMES, np.int64)
        self.person = np.empty(longest, np.int64)
        self.person_times = np.zeros(labels, np.int64)
        self.row = np.empty(longest, np.int64)
        self.row_times = np.zeros(labels, np.int64)
        self.last_cell = np.full(labels, -1, np.int64)
        self.guilty = np.zeros(labels, np.int64)  # what of a label must not show: TWICE or ONCE


class Moves:
    """Scratch: elements that move or are taken back, places that are closed, persons whom that concerns."""

    def __init__(self, persons, labels, elements, places):
        self.moved = np.empty(elements, np.int64)
        self.to = np.empty(elements, np.int64)  # where each of those goes
        self.was = np.empty(elements, np.int64)  # the rung of every element before the move
        self.back = np.empty(elements, np.int64)
        self.back_round = np.zeros(elements, np.int64)  # when an element was taken back last
        self.closing = np.empty(places, np.int64)  # places, and whose they are
        self.closing_of = np.empty(places, np.int64)
        self.is_closing = np.zeros(places, np.uint8)
        self.affected = np.empty(persons, np.int64)
        self.again = np.empty(persons, np.int64)
        self.is_holder = np.zeros(persons, np.int64)
        self.sources = np.empty(labels, np.int64)
        self.mark = 0
        self.round = 0
        self.backs = 0  # in this round
        self.first_closing = 0  # of this round; those before are closed
        self.closings = 0
        self.weight = 0  # what those weigh that move, less what they cost


def _source(e, g):
    """The label of an element's mask or rung; -1 if it is left out."""
    r = g.ladder_ptr[e] + g.rung[e]
    if r < g.ladder_ptr[e + 1]:
        return g.ladder[r]
    return g.mask[e] if r == g.ladder_ptr[e + 1] else -1


def _label(o, g):
    """What an occurrence shows and is counted for, or -1."""
    if g.place[o] >= 0 and g.hidden[g.place[o]] > 0:
        return -1
    e = g.element[o]
    label = _source(e, g)
    if label < 0 or g.free[label] or (label >= g.masks and not g.masks_show[o]):
        return -1
    return label


def _walk_person(p, sign, whole, target, g, t, lists, moves):
    """Counts the pairs of one person, by person and by row; with sign 0 lists what must not show instead.

    That are the places whose closing makes the rare pairs vanish. What they cost: 0 if nothing is rare, -1 if
    closing places does not help.
    """
    t.stamp += 1
    many, cost = 0, 0
    o = g.ptr[p]
    while o < g.ptr[p + 1]:
        many_here = _labels_of_row(o, p, g, lists)
        after = _next_row(o, p, g)
        if g.by_row:
            n = list_features(lists.row, many_here, lists.row_times, g, lists.features)
            cost = _count_or_close(n, o, after, p, 1, sign, whole, target, cost, g, t, lists, moves)
        many = _add_row(many, many_here, lists.person, lists.person_times, lists.row, lists.row_times)
        o = after
    n = list_features(lists.person, many, lists.person_times, g, lists.features)
    cost = _count_or_close(n, g.ptr[p], g.ptr[p + 1], p, 0, sign, whole, target, cost, g, t, lists, moves)
    for i in range(many):
        lists.person_times[lists.person[i]] = 0
    return cost


def _count_or_close(n, first, last, p, row_level, sign, whole, target, cost, g, t, lists, moves):
    """For the features of some occurrences, those of a row or of all."""
    if sign != 0:
        count_pairs(lists.features, n, lists.partners, row_level, whole, sign, g, t)
    elif accuse(lists.features, n, lists.partners, row_level, whole, target, g, t, lists.guilty):
        cost = _close(first, last, p, cost, g, lists.guilty, moves)
        for i in range(n):
            lists.guilty[lists.features[i] // TIMES] = 0
    return cost


def _labels_of_row(first, p, g, lists):
    """The labels of the row that begins with an occurrence, and how often each shows there."""
    here = g.row[first]
    many = 0
    o = first
    while o < g.ptr[p + 1] and g.row[o] == here:
        label = _label(o, g)
        if label >= 0 and lists.last_cell[label] != g.cell[o]:
            lists.last_cell[label] = g.cell[o]
            if lists.row_times[label] == 0:
                lists.row[many] = label
                many += 1
            lists.row_times[label] += 1
        o += 1
    for i in range(many):
        lists.last_cell[lists.row[i]] = -1
    return many


def _add_row(many, many_here, plist, ptimes, rlist, rtimes):
    """Add the labels of a row to those of its person, and forget the row."""
    for i in range(many_here):
        label = rlist[i]
        if ptimes[label] == 0:
            plist[many] = label
            many += 1
        ptimes[label] += rtimes[label]
        rtimes[label] = 0
    return many


def _next_row(first, p, g):
    o = first + 1
    while o < g.ptr[p + 1] and g.row[o] == g.row[first]:
        o += 1
    return o


def _close(first, last, p, cost, g, guilty, moves):
    """Lists the places of some occurrences that show what is guilty; the cost with them, -1: no help."""
    for o in range(first, last):
        label = _label(o, g)
        if label < 0 or guilty[label] == 0:
            continue
        place = g.place[o]
        if place >= 0 and moves.is_closing[place]:
            continue
        if guilty[label] == TWICE:  # once may stay
            guilty[label] = ONCE
            continue
        if place < 0:
            return -1
        moves.is_closing[place] = True
        moves.closing[moves.closings] = place
        moves.closing_of[moves.closings] = p
        moves.closings += 1
        if cost >= 0:
            cost += g.worth[place]
    return cost


def _put(e, rung, g):
    """Put an element on a rung; a place shows once nothing in it is left out any more."""
    gone = g.ladder_ptr[e + 1] - g.ladder_ptr[e] + 1
    was = g.rung[e] == gone
    g.rung[e] = rung
    is_ = rung == gone
    if was != is_:
        for x in range(g.at_ptr[e], g.at_ptr[e + 1]):
            place = g.place[g.at[x]]
            if place >= 0:
                g.hidden[place] += 1 if is_ else -1


def _holders(elements, many, people, is_holder, mark, g):
    """The persons who hold any of some elements."""
    count = 0
    for i in range(many):
        e = elements[i]
        for x in range(g.at_ptr[e], g.at_ptr[e + 1]):
            p = g.person[g.at[x]]
            if is_holder[p] != mark:
                is_holder[p] = mark
                people[count] = p
                count += 1
    return count


def _rarest(p, moves, g):
    """Of a person's elements that move, that with fewest occurrences; -1: none, -2: one was taken back."""
    chosen = -1
    for o in range(g.ptr[p], g.ptr[p + 1]):
        e = g.element[o]
        if moves.back_round[e] == moves.round:
            return -2
        fewer = chosen < 0 or g.at_ptr[e + 1] - g.at_ptr[e] < g.at_ptr[chosen + 1] - g.at_ptr[chosen]
        if g.moves[e] and fewer:
            chosen = e
    return chosen


def _mend(people, whole, c, g, t, lists, moves):
    """Lists elements that must not take part, and places that must not show; whether there are any.

    Per person what costs less: an element is lost to all who hold it, a place to its person alone.
    """
    moves.round += 1
    moves.backs = 0
    moves.first_closing = moves.closings
    for i in range(people):
        _mend_person(moves.affected[i], whole, c, 1, g, t, lists, moves)
    if moves.backs == 0 and moves.closings == moves.first_closing:
        for p in range(len(g.ptr) - 1):  # those who stay behind
            _mend_person(p, whole, c, _DEAR, g, t, lists, moves)
    return moves.backs > 0 or moves.closings > moves.first_closing


def _mend_person(p, whole, c, price, g, t, lists, moves):
    before = moves.closings
    cost = _walk_person(p, 0, whole, c, g, t, lists, moves)
    if cost == 0:
        return 0
    e = _rarest(p, moves, g)
    if cost > 0 and (e == -1 or cost * _PLACE < (g.at_ptr[e + 1] - g.at_ptr[e] if e >= 0 else 0)):
        moves.weight -= cost * price
        return 0
    for i in range(before, moves.closings):
        moves.is_closing[moves.closing[i]] = False
    moves.closings = before
    if e >= 0:
        g.moves[e] = False
        moves.back[moves.backs] = e
        moves.back_round[e] = moves.round
        moves.backs += 1
        moves.weight -= g.at_ptr[e + 1] - g.at_ptr[e]
    return 0


def refine(order, label_ptr, label_element, label_rung, g, rounds, stop):
    """Move every element from its root down as far as the counts allow.

    `order` lists labels; label l may be taken by the elements `label_element[label_ptr[l]:...]`, which have
    it at `label_rung`. Changes `g.rung`.
    """
    longest = max(int(np.diff(g.ptr).max(initial=0)), 1)
    views, table, lists = ElementViews(g), Table(1 << 12), Lists(longest, len(g.counted))
    moves = Moves(len(g.ptr) - 1, len(g.counted), len(g.rung), len(g.hidden))
    with cython.nogil:
        for x in range(len(order)):
            if stop[0] != 0:
                break
            _try_label(order[x], label_ptr, label_element, label_rung, views, rounds, table, lists, moves)


def _try_label(c, label_ptr, label_element, label_rung, g, rounds, t, lists, moves):
    """Moves the elements that stand one rung above label c, if the counts allow it."""
    moved, sources = moves.moved, moves.sources
    many, weight = 0, 0
    for x in range(label_ptr[c], label_ptr[c + 1]):
        e = label_element[x]
        if g.rung[e] > label_rung[x]:
            moved[many] = e
            moves.to[many] = label_rung[x]
            moves.was[e] = g.rung[e]
            many += 1
            weight += g.at_ptr[e + 1] - g.at_ptr[e]
    moves.weight = weight
    if many == 0:
        return 0
    whole, opens, froms = False, -1, 0
    for i in range(many):
        source = _source(moved[i], g)
        if source < 0:
            whole = True  # a sentence shows again, and all that is in it
        elif not g.changed[source]:
            g.changed[source] = True
            sources[froms] = source
            froms += 1
            if g.free[source]:
                opens = source
    for i in range(many):
        g.moves[moved[i]] = True
    if opens >= 0 and g.everywhere[c] and many == label_ptr[c + 1] - label_ptr[c]:
        # on every row, as what it replaces: neither is counted
        for i in range(many):
            _put(moved[i], moves.to[i], g)
        g.free[c] = True
    else:
        g.changed[c] = True
        _move(c, many, whole, opens, g, rounds, t, lists, moves)
    for i in range(many):
        g.moves[moved[i]] = False
    g.changed[c] = False
    for i in range(froms):
        g.changed[sources[i]] = False
    return many


def _move(c, many, whole, opens, g, rounds, t, lists, moves):
    """Moves elements to label c and mends the rare pairs that this brings, or undoes all of it."""
    moved, affected = moves.moved, moves.affected
    persons = len(g.ptr) - 1
    moves.mark += 1
    moves.closings = 0
    if opens >= 0:
        people = persons
        for p in range(persons):
            affected[p] = p
    else:
        people = _holders(moved, many, affected, moves.is_holder, moves.mark, g)
    t.n_touched = 0
    t.move += 1
    for i in range(people):
        _walk_person(affected[i], -1, whole, -1, g, t, lists, moves)
    for i in range(many):
        _put(moved[i], moves.to[i], g)
    if opens >= 0:
        g.free[opens] = False
    for i in range(people):
        make_room(t, room_for(affected[i], g))
        _walk_person(affected[i], 1, whole, -1, g, t, lists, moves)
    left, fits = many, False
    for _ in range(rounds):
        fits = _all_fit(g, t)
        if fits or left == 0 or moves.weight <= 0:
            break
        if not _mend(people, whole, c, g, t, lists, moves):
            break
        left -= moves.backs
        whole = whole or moves.closings > moves.first_closing
        _redo(whole, g, t, lists, moves)
    if not fits or left == 0 or moves.weight <= 0:
        _undo(many, opens, g, t, moves)
    for i in range(moves.closings):
        moves.is_closing[moves.closing[i]] = False
    return 0


def _redo(whole, g, t, lists, moves):
    """Takes elements back and closes places, as listed, and counts whom that concerns again."""
    moves.mark += 1
    redo = _holders(moves.back, moves.backs, moves.again, moves.is_holder, moves.mark, g)
    for i in range(moves.first_closing, moves.closings):
        p = moves.closing_of[i]
        if moves.is_holder[p] != moves.mark:
            moves.is_holder[p] = moves.mark
            moves.again[redo] = p
            redo += 1
    for i in range(redo):
        _walk_person(moves.again[i], -1, whole, -1, g, t, lists, moves)
    for i in range(moves.backs):
        _put(moves.back[i], moves.was[moves.back[i]], g)
    for i in range(moves.first_closing, moves.closings):
        g.hidden[moves.closing[i]] += 1
        g.closed[moves.closing[i]] = True
    for i in range(redo):
        make_room(t, room_for(moves.again[i], g))
        _walk_person(moves.again[i], 1, whole, -1, g, t, lists, moves)
    return 0


def _undo(many, opens, g, t, moves):
    """Everything as it was before the move."""
    for i in range(many):
        if g.moves[moves.moved[i]]:
            _put(moves.moved[i], moves.was[moves.moved[i]], g)
    for i in range(moves.closings):
        g.hidden[moves.closing[i]] -= 1
        g.closed[moves.closing[i]] = False
    if opens >= 0:
        g.free[opens] = True
    for i in range(t.n_touched):
        t.count[slot(t, t.touched[i])] = t.before[i]
    return 0


def _all_fit(g, t):
    """Whether no pair that the move touched is rare."""
    for i in range(t.n_touched):
        if is_rare(slot(t, t.touched[i]), g, t):
            return False
    return True
