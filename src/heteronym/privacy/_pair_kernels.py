"""Who shows which pairs of features, counted for one group in one open hash table.

A *feature* is "shows this label at least j times". Persons are counted for every pair of features that one of
them shows, and for pairs within one row. What a move touches is kept as it was, so that it can be undone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import cython
import numpy as np

_EMPTY = -1
_SELDOM = 0.1  # a share of those who show a mask; fewer must not show it twice
TIMES = 2  # features of a label: at least once, at least twice
TWICE, ONCE = 1, 2  # what of a label must not show at a person: the second time, or at all
_SPREAD, _WORD = 11400714819323198485, (1 << 64) - 1  # a key times the first is spread over a word


class ElementArrays(NamedTuple):
    """One group: occurrences by person, row and cell; elements with their ladders; labels."""

    ptr: Any  # occurrences of each person
    row: Any
    cell: Any
    element: Any
    place: Any  # what may be left out alone, a sentence or an entry of a set; -1: nothing
    masks_show: Any
    at_ptr: Any  # occurrences of each element
    at: Any
    person: Any  # of each occurrence
    ladder_ptr: Any
    ladder: Any
    mask: Any  # label of each element's mask
    root: Any  # the rung where each element starts
    rung: Any
    hidden: Any  # per place, for how many reasons it is left out
    closed: Any  # places that are left out because of what their person shows
    counted: Any  # whether a label counts how often it shows
    free: Any  # labels that every row shows; they are not counted
    everywhere: Any  # labels that would be
    event: Any  # labels of events
    worth: Any  # of each place, what is lost with it
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
        self.place = group.place
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
        self.closed = group.closed
        self.counted = group.counted
        self.free = group.free
        self.everywhere = group.everywhere
        self.event = group.event
        self.worth = group.worth
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
                at = slot(self, keys[i])
                self.keys[at] = keys[i]
                self.count[at] = count[i]
                self.mark[at] = mark[i]
                used += 1
        for i in range(self.n_touched):
            self.touched[i], self.before[i] = touched[i], before[i]
        self.used = used


def slot(t, key):
    """Where a key is, or may be put."""
    last = len(t.keys) - 1
    spread = (cython.cast(cython.ulonglong, key) * _SPREAD) & _WORD
    at = (spread >> 20) & last
    while t.keys[at] != _EMPTY and t.keys[at] != key:
        at = (at + 1) & last
    return at


def make_room(t, need):
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


def room_for(p, g):
    """Pairs that a person could show."""
    features = (g.ptr[p + 1] - g.ptr[p]) * TIMES
    return 2 * features * features


def is_rare(at, g, t):
    """Whether too few show a pair, or a feature alone; or a mask twice, beside those who show it once."""
    many = t.count[at]
    if many == 0:
        return False
    if many < g.least:
        return True
    span = len(g.counted) * TIMES
    pair = t.keys[at] >> 1
    f = pair // span
    if f != pair % span:
        return False
    if many < g.floor:
        return True
    if f % TIMES == 0 or f // TIMES < g.masks:
        return False
    once = slot(t, ((f - 1) * span + f - 1) * 2 + (t.keys[at] & 1))
    return many < _SELDOM * t.count[once]


def _count(key, row_level, sign, t):
    """One person more or less for a pair; by rows, each person once."""
    at = slot(t, key)
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


def list_features(labels, many, times, g, features):
    """The features of an owner, a person or a row, who shows labels so many times; how many."""
    count = 0
    for i in range(many):
        for x in range(min(times[labels[i]], TIMES) if g.counted[labels[i]] else 1):
            features[count] = labels[i] * TIMES + x
            count += 1
    return count


def _list_partners(i, features, many, whole, g, partners):
    """With which features from the i-th on it is a pair that the present move may change; how many."""
    count = 0
    a = features[i] // TIMES
    mine = whole or g.changed[a]
    for j in range(i, many):
        b = features[j] // TIMES
        if (mine or g.changed[b]) and (a != b or i == j):
            partners[count] = features[j]
            count += 1
    return count


def _key(f, h, row_level, g):
    return (min(f, h) * len(g.counted) * TIMES + max(f, h)) * 2 + row_level


def count_pairs(features, many, partners, row_level, whole, sign, g, t):
    """One owner more or less for each of its pairs that a move may change."""
    for i in range(many):
        for j in range(_list_partners(i, features, many, whole, g, partners)):
            _count(_key(features[i], partners[j], row_level, g), row_level, sign, t)
    return 0


def accuse(features, many, partners, row_level, whole, target, g, t, guilty):
    """Which labels must not show at one owner, for its pairs that are rare; whether there are any."""
    rare = False
    for i in range(many):
        for j in range(_list_partners(i, features, many, whole, g, partners)):
            at = slot(t, _key(features[i], partners[j], row_level, g))
            if t.keys[at] == _EMPTY or not is_rare(at, g, t):
                continue
            rare = True
            f = features[i]
            if _blame_second(f // TIMES, partners[j] // TIMES, target, g):
                f = partners[j]
            guilty[f // TIMES] = max(guilty[f // TIMES], ONCE if f % TIMES == 0 else TWICE)
    return rare


def _blame_second(a, b, target, g):
    """Of a pair, the label that the move brings, or that it leaves behind; never one that every row shows."""
    if g.event[a] != g.event[b]:
        return g.event[a]
    if a == target or b == target:
        return b == target
    if g.changed[a] != g.changed[b]:
        return g.changed[b]
    return b > a
