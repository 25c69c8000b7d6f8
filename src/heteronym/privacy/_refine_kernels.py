"""From coarse to fine: labels are tried in order, by the elements that stand one rung above them.

A *feature* is "shows this label at least j times". Persons are counted for every pair of features that one
of them shows, and for pairs within one row, in one open hash table. A move changes the counts of its holders
alone. It stays if every count that changed is 0 or large enough; elements of persons who show a rare pair
are taken back first, or left out where they stay behind, and if that does not help, the move is undone.

An element's rung is its place in its ladder, narrowest first; one behind the last is its mask, one more: its
sentences are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np

_EMPTY = -1
_DEAR = 4  # what is left out must be so much less than what is shown instead
_SELDOM = 0.1  # a share of those who show a mask; fewer must not show it twice
_TIMES = 2  # features of a label: at least once, at least twice
_BROUGHT, _BEHIND = 1, 2  # rare pairs that a move brings, and rare pairs of those who stay behind
_SPREAD, _WORD = 11400714819323198485, (1 << 64) - 1  # a key times the first is spread over a word


class ElementArrays(NamedTuple):
    """One group: occurrences by person, row and cell; elements with their ladders; labels."""

    ptr: Any  # occurrences of each person
    row: Any
    cell: Any
    element: Any
    sentence: Any  # -1: in no text
    masks_show: Any
    at_ptr: Any  # occurrences of each element
    at: Any
    person: Any  # of each occurrence
    ladder_ptr: Any
    ladder: Any
    mask: Any  # label of each element's mask
    root: Any  # the rung where each element starts
    rung: Any
    hidden: Any  # per sentence, what is left out in it
    counted: Any  # whether a label counts how often it shows
    free: Any  # labels that every row shows; they are not counted
    everywhere: Any  # labels that would be
    changed: Any  # labels that the present move changes
    moves: Any  # elements that move
    by_row: Any
    least: Any
    floor: Any  # as many must show a feature alone
    masks: Any  # the first label that is no offer


class ElementViews:
    """`ElementArrays` as kernels use it."""

    def __init__(self, group):
        self.ptr = group.ptr
        self.row = group.row
        self.cell = group.cell
        self.element = group.element
        self.sentence = group.sentence
        self.masks_show = group.masks_show
        self.at_ptr = group.at_ptr
        self.at = group.at
        self.person = group.person
        self.ladder_ptr = group.ladder_ptr
        self.ladder = group.ladder
        self.mask = group.mask
        self.root = group.root
        self.rung = group.rung
        self.hidden = group.hidden
        self.counted = group.counted
        self.free = group.free
        self.everywhere = group.everywhere
        self.changed = group.changed
        self.moves = group.moves
        self.by_row = group.by_row
        self.least = group.least
        self.floor = group.floor
        self.masks = group.masks


class Table:
    """Persons per pair of features; what the present move touched, and how it was before."""

    def __init__(self, size):
        self.n_touched = 0
        self.used = 0
        self.move = 0  # its number
        self.stamp = 0
        self.make(size)

    def make(self, size):
        """Empty, for so many pairs."""
        self.keys = np.full(size, _EMPTY, np.int64)
        self.count = np.zeros(size, np.int32)
        self.seen = np.zeros(size, np.int64)  # who counted a pair last
        self.mark = np.zeros(size, np.int64)  # the move that touched a pair last
        self.touched = np.empty(size, np.int64)  # keys
        self.before = np.empty(size, np.int32)

    def grow(self, size):
        """Larger, without the pairs that nobody shows any more."""
        keys, count, mark = self.keys, self.count, self.mark
        touched, before = self.touched, self.before
        self.make(size)
        used = 0
        for i in range(len(keys)):
            # what the present move touched stays, even if nobody shows it now
            if keys[i] != _EMPTY and (count[i] > 0 or mark[i] == self.move):
                at = _slot(self, keys[i])
                self.keys[at] = keys[i]
                self.count[at] = count[i]
                self.mark[at] = mark[i]
                used += 1
        for i in range(self.n_touched):
            self.touched[i], self.before[i] = touched[i], before[i]
        self.used = used


class Lists:
    """Scratch: labels of a person and of a row, and how often they show."""

    def __init__(self, longest, labels):
        self.person = np.empty(longest, np.int64)
        self.person_times = np.zeros(labels, np.int64)
        self.row = np.empty(longest, np.int64)
        self.row_times = np.zeros(labels, np.int64)
        self.last_cell = np.full(labels, -1, np.int64)


class Moves:
    """Scratch: elements that move, are taken back or left out; persons whom a move concerns."""

    def __init__(self, persons, labels, elements):
        self.moved = np.empty(elements, np.int64)
        self.back = np.empty(elements, np.int64)
        self.out = np.empty(elements, np.int64)
        self.affected = np.empty(persons, np.int64)
        self.again = np.empty(persons, np.int64)
        self.is_holder = np.zeros(persons, np.int64)
        self.sources = np.empty(labels, np.int64)
        self.mark = 0
        self.weight = 0  # what those weigh that move
        self.leave = False  # whether those taken back are left out


def _slot(t, key):
    """Where a key is, or may be put."""
    last = len(t.keys) - 1
    spread = (cython.cast(cython.ulonglong, key) * _SPREAD) & _WORD
    at = (spread >> 20) & last
    while t.keys[at] != _EMPTY and t.keys[at] != key:
        at = (at + 1) & last
    return at


def _make_room(t, need):
    """Makes room for `need` more pairs in the table."""
    if (t.used + need) * 2 > len(t.keys):
        alive = t.n_touched
        for i in range(len(t.keys)):
            if t.count[i] > 0:
                alive += 1
        size = len(t.keys)
        while (alive + need) * 4 > size:
            size *= 2
        with cython.gil:
            t.grow(size)


def _room_for(p, g):
    """Pairs that a person could show."""
    features = (g.ptr[p + 1] - g.ptr[p]) * _TIMES
    return 2 * features * features


def _is_rare(at, g, t):
    """Whether too few show a pair, or a feature alone; or a mask twice, beside those who show it once."""
    many = t.count[at]
    if many == 0:
        return False
    if many < g.least:
        return True
    span = len(g.counted) * _TIMES
    pair = t.keys[at] >> 1
    f = pair // span
    if f != pair % span:
        return False
    if many < g.floor:
        return True
    if f % _TIMES == 0 or f // _TIMES < g.masks:
        return False
    once = _slot(t, ((f - 1) * span + f - 1) * 2 + (t.keys[at] & 1))
    return many < _SELDOM * t.count[once]


def _count(key, row_level, sign, t):
    """One person more or less for a pair; by rows, each person once."""
    at = _slot(t, key)
    if t.keys[at] == _EMPTY:
        t.keys[at] = key
        t.used += 1
    if not (row_level and t.seen[at] == t.stamp):
        if row_level:
            t.seen[at] = t.stamp
        if t.mark[at] != t.move:
            t.mark[at] = t.move
            t.touched[t.n_touched] = key
            t.before[t.n_touched] = t.count[at]
            t.n_touched += 1
        t.count[at] += sign


def _note(labels, many, times, row_level, whole, target, sign, g, t):
    """Count the pairs of one owner's features that a move may change; with sign 0, which of them are rare."""
    span = len(g.counted) * _TIMES
    found = 0
    for i in range(many):
        a = labels[i]
        most_a = min(times[a], _TIMES) if g.counted[a] else 1
        for j in range(i, many):
            b = labels[j]
            if not (whole or g.changed[a] or g.changed[b]):
                continue
            most_b = min(times[b], _TIMES) if g.counted[b] else 1
            for x in range(most_a):
                for y in range(most_b):
                    if a == b and x != y:
                        continue
                    f, h = a * _TIMES + x, b * _TIMES + y
                    key = (min(f, h) * span + max(f, h)) * 2 + row_level
                    if sign != 0:
                        _count(key, row_level, sign, t)
                        continue
                    at = _slot(t, key)
                    if t.keys[at] != _EMPTY and _is_rare(at, g, t):
                        behind = a != target and b != target and (g.changed[a] or g.changed[b])
                        found |= _BEHIND if behind else _BROUGHT
    return found


def _label(o, g):
    """What an occurrence shows and is counted for, or -1."""
    if g.sentence[o] >= 0 and g.hidden[g.sentence[o]] > 0:
        return -1
    e = g.element[o]
    r = g.ladder_ptr[e] + g.rung[e]
    if r < g.ladder_ptr[e + 1]:
        label = g.ladder[r]
    elif r == g.ladder_ptr[e + 1] and g.masks_show[o]:
        label = g.mask[e]
    else:
        return -1
    return -1 if g.free[label] else label


def _note_person(p, sign, whole, target, g, t, lists):
    """All that one person shows, by person and by row; with sign 0, which of it is rare."""
    plist, ptimes, rlist, rtimes = lists.person, lists.person_times, lists.row, lists.row_times
    last_cell = lists.last_cell
    t.stamp += 1
    many = 0
    rare = 0
    o = g.ptr[p]
    while o < g.ptr[p + 1]:
        here = g.row[o]
        many_here = 0
        while o < g.ptr[p + 1] and g.row[o] == here:
            label = _label(o, g)
            if label >= 0 and last_cell[label] != g.cell[o]:
                last_cell[label] = g.cell[o]
                if ptimes[label] == 0:
                    plist[many] = label
                    many += 1
                ptimes[label] += 1
                if rtimes[label] == 0:
                    rlist[many_here] = label
                    many_here += 1
                rtimes[label] += 1
            o += 1
        if g.by_row:
            rare |= _note(rlist, many_here, rtimes, 1, whole, target, sign, g, t)
        for i in range(many_here):
            rtimes[rlist[i]] = 0
            last_cell[rlist[i]] = -1
    rare |= _note(plist, many, ptimes, 0, whole, target, sign, g, t)
    for i in range(many):
        ptimes[plist[i]] = 0
    return rare


def _step(e, step, g):
    """Move an element by a step; a sentence shows once nothing in it is left out any more."""
    gone = g.ladder_ptr[e + 1] - g.ladder_ptr[e] + 1
    was = g.rung[e] == gone
    g.rung[e] += step
    is_ = g.rung[e] == gone
    if was != is_:
        for x in range(g.at_ptr[e], g.at_ptr[e + 1]):
            s = g.sentence[g.at[x]]
            if s >= 0:
                g.hidden[s] += 1 if is_ else -1


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


def _source(e, g):
    """The label of an element's mask or rung; -1 if it is left out."""
    r = g.ladder_ptr[e] + g.rung[e]
    if r < g.ladder_ptr[e + 1]:
        return g.ladder[r]
    return g.mask[e] if r == g.ladder_ptr[e + 1] else -1


def _may_leave(e, g):
    """Whether an element stays behind under a mask, in sentences that may be left out."""
    length = g.ladder_ptr[e + 1] - g.ladder_ptr[e]
    return not g.moves[e] and g.rung[e] == length and g.root[e] > length and g.changed[g.mask[e]]


def _rarest(p, rare, g):
    """Of a person's elements that move, the one with fewest occurrences; -1: none, or others may leave."""
    chosen = -1
    for o in range(g.ptr[p], g.ptr[p + 1]):
        e = g.element[o]
        if rare == _BEHIND and _may_leave(e, g):
            return -1
        fewer = chosen < 0 or g.at_ptr[e + 1] - g.at_ptr[e] < g.at_ptr[chosen + 1] - g.at_ptr[chosen]
        if g.moves[e] and fewer:
            chosen = e
    return chosen


def _mend(people, whole, c, g, t, lists, moves):
    """How many elements must not take part, into `moves.back`; what the others weigh goes down by them.

    Whether they are to be left out is told by `moves.leave`.
    """
    back, many = moves.back, 0
    moves.leave = False
    for i in range(people):
        p = moves.affected[i]
        rare = _note_person(p, 0, whole, c, g, t, lists)
        if rare == 0:
            continue
        e = _rarest(p, rare, g)
        if e >= 0:
            g.moves[e] = False
            back[many] = e
            many += 1
            moves.weight -= g.at_ptr[e + 1] - g.at_ptr[e]
    if many > 0:
        return many
    moves.leave = True
    for p in range(len(g.ptr) - 1):
        if _note_person(p, 0, whole, c, g, t, lists) == 0:
            continue
        for o in range(g.ptr[p], g.ptr[p + 1]):
            e = g.element[o]
            if _may_leave(e, g):
                g.moves[e] = True  # listed; taken back below
                back[many] = e
                many += 1
                moves.weight -= _DEAR * (g.at_ptr[e + 1] - g.at_ptr[e])
    for i in range(many):
        g.moves[back[i]] = False
    return many


def refine(order, label_ptr, label_element, label_rung, g, rounds, stop):
    """Move every element from its root down as far as the counts allow.

    `order` lists labels; label l may be taken by the elements `label_element[label_ptr[l]:...]`, which have
    it at `label_rung`. Changes `g.rung`.
    """
    longest = max(int(np.diff(g.ptr).max(initial=0)), 1)
    views, table, lists = ElementViews(g), Table(1 << 12), Lists(longest, len(g.counted))
    moves = Moves(len(g.ptr) - 1, len(g.counted), len(g.rung))
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
        if g.rung[e] == label_rung[x] + 1:
            moved[many] = e
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
            _step(moved[i], -1, g)
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
    """Moves elements to label c, takes back those that bring rare pairs, and all if that does not help."""
    moved, affected, back, out = moves.moved, moves.affected, moves.back, moves.out
    persons = len(g.ptr) - 1
    moves.mark += 1
    if opens >= 0:
        people = persons
        for p in range(persons):
            affected[p] = p
    else:
        people = _holders(moved, many, affected, moves.is_holder, moves.mark, g)
    t.n_touched = 0
    t.move += 1
    for i in range(people):
        _note_person(affected[i], -1, whole, c, g, t, lists)
    for i in range(many):
        _step(moved[i], -1, g)
    if opens >= 0:
        g.free[opens] = False
    for i in range(people):
        _make_room(t, _room_for(affected[i], g))
        _note_person(affected[i], 1, whole, c, g, t, lists)
    left, outs, fits = many, 0, False
    for _ in range(rounds):
        fits = _all_fit(g, t)
        if fits or left == 0 or moves.weight <= 0:
            break
        redone = _mend(people, whole, c, g, t, lists, moves)
        if redone == 0:
            break
        if moves.leave:
            whole = True
            for i in range(redone):
                out[outs + i] = back[i]
            outs += redone
        else:
            left -= redone
        moves.mark += 1
        redo = _holders(back, redone, moves.again, moves.is_holder, moves.mark, g)
        for i in range(redo):
            _note_person(moves.again[i], -1, whole, c, g, t, lists)
        for i in range(redone):
            _step(back[i], 1, g)
        for i in range(redo):
            _make_room(t, _room_for(moves.again[i], g))
            _note_person(moves.again[i], 1, whole, c, g, t, lists)
    if not fits or left == 0 or moves.weight <= 0:
        for i in range(many):
            if g.moves[moved[i]]:
                _step(moved[i], 1, g)
        for i in range(outs):
            _step(out[i], -1, g)
        if opens >= 0:
            g.free[opens] = True
        for i in range(t.n_touched):
            t.count[_slot(t, t.touched[i])] = t.before[i]


def _all_fit(g, t):
    """Whether no pair that the move touched is rare."""
    for i in range(t.n_touched):
        if _is_rare(_slot(t, t.touched[i]), g, t):
            return False
    return True
