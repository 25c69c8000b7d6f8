"""From coarse to fine, compiled: labels are tried in order, by the elements that stand one rung above them.

A *feature* is "shows this label at least j times". Persons are counted for every pair of features that one
of them shows, and for pairs within one row, in one open hash table. A move changes the counts of its holders
alone. It stays if every count that changed is 0 or large enough; elements of persons who show a rare pair
are taken back first, or left out where they stay behind, and if that does not help, the move is undone.

An element's rung is its place in its ladder, narrowest first; one behind the last is its mask, one more: its
sentences are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from heteronym.compiled import kernel

_EMPTY = -1
_DEAR = 4  # what is left out must be so much less than what is shown instead
_SELDOM = 0.1  # a share of those who show a mask; fewer must not show it twice
_TIMES = 2  # features of a label: at least once, at least twice
_BROUGHT, _BEHIND = 1, 2  # rare pairs that a move brings, and rare pairs of those who stay behind


class Group(NamedTuple):
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


class Table(NamedTuple):
    """Persons per pair of features; what the present move touched, and how it was before."""

    keys: Any
    count: Any
    seen: Any  # who counted a pair last
    mark: Any  # the move that touched a pair last
    touched: Any  # keys
    before: Any
    state: Any  # touched, used, number of the move, stamp


@kernel
def _slot(keys, key):
    """Where a key is, or may be put."""
    last = len(keys) - 1
    at = (key * np.int64(-7046029254386353131) >> np.int64(20)) & last
    while keys[at] != _EMPTY and keys[at] != key:
        at = (at + 1) & last
    return at


@kernel
def _table(size, state):
    return Table(
        np.full(size, _EMPTY, np.int64),
        np.zeros(size, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.empty(size, np.int64),
        np.empty(size, np.int32),
        state,
    )


@kernel
def _with_room(t, need):
    """The table with room for `need` more pairs, without those that nobody shows any more."""
    if (t.state[1] + need) * 2 <= len(t.keys):
        return t
    alive = t.state[0]
    for i in range(len(t.keys)):
        if t.count[i] > 0:
            alive += 1
    size = len(t.keys)
    while (alive + need) * 4 > size:
        size *= 2
    new = _table(size, t.state)
    used = 0
    for i in range(len(t.keys)):
        # what the present move touched stays, even if nobody shows it now
        if t.keys[i] != _EMPTY and (t.count[i] > 0 or t.mark[i] == t.state[2]):
            at = _slot(new.keys, t.keys[i])
            new.keys[at] = t.keys[i]
            new.count[at] = t.count[i]
            new.mark[at] = t.mark[i]
            used += 1
    for i in range(t.state[0]):
        new.touched[i], new.before[i] = t.touched[i], t.before[i]
    t.state[1] = used
    return new


@kernel
def _room_for(p, g):
    """Pairs that a person could show."""
    features = (g.ptr[p + 1] - g.ptr[p]) * _TIMES
    return 2 * features * features


@kernel
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
    once = _slot(t.keys, ((f - 1) * span + f - 1) * 2 + (t.keys[at] & 1))
    return many < _SELDOM * t.count[once]


@kernel
def _count(key, row_level, sign, t):
    """One person more or less for a pair."""
    at = _slot(t.keys, key)
    if t.keys[at] == _EMPTY:
        t.keys[at] = key
        t.state[1] += 1
    if row_level:
        if t.seen[at] == t.state[3]:
            return
        t.seen[at] = t.state[3]
    if t.mark[at] != t.state[2]:
        t.mark[at] = t.state[2]
        t.touched[t.state[0]] = key
        t.before[t.state[0]] = t.count[at]
        t.state[0] += 1
    t.count[at] += sign


@kernel
def _note(labels, many, times, row_level, whole, target, sign, g, t):
    """Count the pairs of one owner's features that a move may change; with sign 0, which of them are rare."""
    span = np.int64(len(g.counted) * _TIMES)
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
                    at = _slot(t.keys, key)
                    if t.keys[at] != _EMPTY and _is_rare(at, g, t):
                        behind = a != target and b != target and (g.changed[a] or g.changed[b])
                        found |= _BEHIND if behind else _BROUGHT
    return found


@kernel
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


@kernel
def _note_person(p, sign, whole, target, g, t, lists):
    """All that one person shows, by person and by row; with sign 0, which of it is rare."""
    plist, ptimes, rlist, rtimes, last_cell = lists
    t.state[3] += 1
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


@kernel
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


@kernel
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


@kernel
def _source(e, g):
    """The label of an element's mask or rung; -1 if it is left out."""
    r = g.ladder_ptr[e] + g.rung[e]
    if r < g.ladder_ptr[e + 1]:
        return g.ladder[r]
    return g.mask[e] if r == g.ladder_ptr[e + 1] else -1


@kernel
def _may_leave(e, g):
    """Whether an element stays behind under a mask, in sentences that may be left out."""
    length = g.ladder_ptr[e + 1] - g.ladder_ptr[e]
    return not g.moves[e] and g.rung[e] == length and g.root[e] > length and g.changed[g.mask[e]]


@kernel
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


@kernel
def _mend(affected, people, whole, c, weight, back, g, t, lists):
    """Elements that must not take part, what they weigh, and whether they are to be left out."""
    many = 0
    for i in range(people):
        p = affected[i]
        rare = _note_person(p, 0, whole, c, g, t, lists)
        if rare == 0:
            continue
        e = _rarest(p, rare, g)
        if e >= 0:
            g.moves[e] = False
            back[many] = e
            many += 1
            weight -= g.at_ptr[e + 1] - g.at_ptr[e]
    if many > 0:
        return many, weight, False
    for p in range(len(g.ptr) - 1):
        if _note_person(p, 0, whole, c, g, t, lists) == 0:
            continue
        for o in range(g.ptr[p], g.ptr[p + 1]):
            e = g.element[o]
            if _may_leave(e, g):
                g.moves[e] = True  # listed; taken back below
                back[many] = e
                many += 1
                weight -= _DEAR * (g.at_ptr[e + 1] - g.at_ptr[e])
    for i in range(many):
        g.moves[back[i]] = False
    return many, weight, True


@kernel
def refine(order, label_ptr, label_element, label_rung, g, rounds, stop):
    """Move every element from its root down as far as the counts allow.

    `order` lists labels; label l may be taken by the elements `label_element[label_ptr[l]:...]`, which have
    it at `label_rung`. Changes `g.rung`.
    """
    persons, labels, elements = len(g.ptr) - 1, len(g.counted), len(g.rung)
    longest = 1
    for p in range(persons):
        longest = max(longest, g.ptr[p + 1] - g.ptr[p])
    lists = (
        np.empty(longest, np.int64),
        np.zeros(labels, np.int64),
        np.empty(longest, np.int64),
        np.zeros(labels, np.int64),
        np.full(labels, -1, np.int64),
    )
    t = _table(1 << 12, np.zeros(4, np.int64))
    moved, back, out = (
        np.empty(elements, np.int64),
        np.empty(elements, np.int64),
        np.empty(elements, np.int64),
    )
    affected, again, is_holder = (
        np.empty(persons, np.int64),
        np.empty(persons, np.int64),
        np.zeros(persons, np.int64),
    )
    sources = np.empty(labels, np.int64)
    mark = 0
    for c in order:
        if stop[0] != 0:
            break
        many, weight = 0, 0
        for x in range(label_ptr[c], label_ptr[c + 1]):
            e = label_element[x]
            if g.rung[e] == label_rung[x] + 1:
                moved[many] = e
                many += 1
                weight += g.at_ptr[e + 1] - g.at_ptr[e]
        if many == 0:
            continue
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
            mark += 1
            if opens >= 0:
                people = persons
                for p in range(persons):
                    affected[p] = p
            else:
                people = _holders(moved, many, affected, is_holder, mark, g)
            t.state[0] = 0
            t.state[2] += 1
            for i in range(people):
                _note_person(affected[i], -1, whole, c, g, t, lists)
            for i in range(many):
                _step(moved[i], -1, g)
            if opens >= 0:
                g.free[opens] = False
            for i in range(people):
                t = _with_room(t, _room_for(affected[i], g))
                _note_person(affected[i], 1, whole, c, g, t, lists)
            left, outs, fits = many, 0, False
            for _ in range(rounds):
                fits = True
                for i in range(t.state[0]):
                    if _is_rare(_slot(t.keys, t.touched[i]), g, t):
                        fits = False
                        break
                if fits or left == 0 or weight <= 0:
                    break
                redone, weight, leave = _mend(affected, people, whole, c, weight, back, g, t, lists)
                if redone == 0:
                    break
                if leave:
                    whole = True
                    for i in range(redone):
                        out[outs + i] = back[i]
                    outs += redone
                else:
                    left -= redone
                mark += 1
                redo = _holders(back, redone, again, is_holder, mark, g)
                for i in range(redo):
                    _note_person(again[i], -1, whole, c, g, t, lists)
                for i in range(redone):
                    _step(back[i], 1, g)
                for i in range(redo):
                    t = _with_room(t, _room_for(again[i], g))
                    _note_person(again[i], 1, whole, c, g, t, lists)
            if not fits or left == 0 or weight <= 0:
                for i in range(many):
                    if g.moves[moved[i]]:
                        _step(moved[i], 1, g)
                for i in range(outs):
                    _step(out[i], -1, g)
                if opens >= 0:
                    g.free[opens] = True
                for i in range(t.state[0]):
                    t.count[_slot(t.keys, t.touched[i])] = t.before[i]
        for i in range(many):
            g.moves[moved[i]] = False
        g.changed[c] = False
        for i in range(froms):
            g.changed[sources[i]] = False
