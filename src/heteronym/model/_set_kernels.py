"""Pairs of owner and code by the million: put in order and found without sorting or hashing them."""

from __future__ import annotations

import cython
import numpy as np


def ordered_pairs(owner, code, owners):
    """The distinct pairs as sets: where the set of each owner begins, its codes ascending, times of each.

    Codes are dealt out to their owners and put in order there: pairs come person by person, and what a few
    persons have stays near the processor, however many there are.
    """
    ends = np.zeros(owners + 1, np.int64)
    dealt = np.empty(len(code), np.int32)
    ptr = np.zeros(owners + 1, np.int64)
    with cython.nogil:
        most = _count_codes(owner, ends)
    begins = ends[: len(ends) - 1].copy()
    spare, runs = np.empty(most, np.int32), np.empty(most + 1, np.int64)
    with cython.nogil:
        different = _deal(owner, code, begins, ends, dealt, spare, runs, ptr)
    found = np.empty(different, np.int32)
    times = np.zeros(different, np.int32)
    with cython.nogil:
        _count_times(begins, ends, dealt, ptr, found, times)
    return np.asarray(ptr), np.asarray(found), np.asarray(times)


def _count_codes(owner, ends):
    """Where the codes of each owner are to begin; the most that one has."""
    for i in range(len(owner)):
        ends[owner[i] + 1] += 1
    most = 0
    for o in range(len(ends) - 1):
        most = max(most, ends[o + 1])
        ends[o + 1] += ends[o]
    return most


def _deal(owner, code, begins, ends, dealt, spare, runs, ptr):
    """Codes by owner, ascending; how many pairs are different."""
    for i in range(len(code)):
        dealt[ends[owner[i]]] = code[i]
        ends[owner[i]] += 1
    for o in range(len(begins)):
        _put_in_order(dealt[begins[o] : ends[o]], spare, runs)
        different = 0
        for at in range(begins[o], ends[o]):
            if at == begins[o] or dealt[at] != dealt[at - 1]:
                different += 1
        ptr[o + 1] = ptr[o] + different
    return ptr[len(begins)]


def _count_times(begins, ends, dealt, ptr, found, times):
    for o in range(len(begins)):
        place = ptr[o] - 1
        for at in range(begins[o], ends[o]):
            if at == begins[o] or dealt[at] != dealt[at - 1]:
                place += 1
                found[place] = dealt[at]
            times[place] += 1


def _put_in_order(codes, spare, runs):
    """Merges neighbouring runs that ascend until one is left: there are as many as persons, or one."""
    count = 0
    for at in range(len(codes)):
        if at == 0 or codes[at] < codes[at - 1]:
            runs[count] = at
            count += 1
    runs[count] = len(codes)
    while count > 1:
        merged = 0
        for run in range(0, count - 1, 2):
            begin, middle, end = runs[run], runs[run + 1], runs[run + 2]
            for at in range(begin, middle):
                spare[at] = codes[at]
            left, right, at = begin, middle, begin
            while left < middle and right < end:
                if codes[right] < spare[left]:
                    codes[at] = codes[right]
                    right += 1
                else:
                    codes[at] = spare[left]
                    left += 1
                at += 1
            while left < middle:
                codes[at] = spare[left]
                left += 1
                at += 1
            runs[merged] = begin
            merged += 1
        if count % 2:
            runs[merged] = runs[count - 1]
            merged += 1
        runs[merged] = len(codes)
        count = merged


NEAR = 16  # codes that are looked at one by one before halving


def find_places(group, code, ptr, codes, found):
    """Into `found`, where each code stands in the set of its group: `codes[ptr[g]:ptr[g + 1]]` ascend.

    Codes of one person ascend: each is mostly a few steps behind the one before, and halving guesses wrong
    every other time.
    """
    for i in range(len(code)):
        lo, hi = ptr[group[i]], ptr[group[i] + 1]
        if i > 0 and group[i] == group[i - 1] and code[i] >= code[i - 1]:
            lo = found[i - 1]
            near = min(lo + NEAR, hi)
            while lo < near and codes[lo] < code[i]:
                lo += 1
            if lo < near:
                hi = lo
        while lo < hi:
            middle = (lo + hi) // 2
            if codes[middle] < code[i]:
                lo = middle + 1
            else:
                hi = middle
        found[i] = lo


def numbered(values, room):
    """A number for each value, the same for equal ones, by first occurrence; where each occurs first.

    `room` is a power of two above twice the number of values.
    """
    slots = np.full(room, -1, np.int32)
    number = np.empty(len(values), np.int32)
    first = np.empty(len(values), np.int32)
    with cython.nogil:
        count = _number(values, slots, number, first)
    return np.asarray(number), np.asarray(first[:count]).copy()


def _number(values, slots, number, first):
    """Fills `number` and `first`; how many different values there are."""
    last = len(slots) - 1
    count = 0
    for i in range(len(values)):
        slot = values[i] & last
        while slots[slot] >= 0 and values[first[slots[slot]]] != values[i]:
            slot = (slot + 1) & last
        if slots[slot] < 0:
            slots[slot] = count
            first[count] = i
            count += 1
        number[i] = slots[slot]
    return count
