"""Pairs of owner and code by the million: put in order and found without sorting or hashing them."""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel


@kernel
def ordered_pairs(owner, code, owners, codes):
    """The distinct pairs as sets: where the set of each owner begins, its codes ascending, times of each.

    Pairs are dealt out by code, then by owner: as many steps as there are pairs, whatever their order.
    """
    begins = np.zeros(codes + 1, np.int64)
    for i in range(len(code)):
        begins[code[i] + 1] += 1
    for c in range(codes):
        begins[c + 1] += begins[c]
    dealt = np.empty(len(code), np.int32)
    place = begins[:-1].copy()
    for i in range(len(code)):
        dealt[place[code[i]]] = owner[i]
        place[code[i]] += 1
    last = np.full(owners, -1, np.int64)
    ptr = np.zeros(owners + 1, np.int64)
    for c in range(codes):
        for at in range(begins[c], begins[c + 1]):
            o = dealt[at]
            if last[o] != c:
                last[o] = c
                ptr[o + 1] += 1
    for o in range(owners):
        ptr[o + 1] += ptr[o]
        last[o] = ptr[o] - 1
    found = np.full(ptr[-1], -1, np.int32)
    times = np.zeros(ptr[-1], np.int32)
    for c in range(codes):
        for at in range(begins[c], begins[c + 1]):
            o = dealt[at]
            if last[o] < ptr[o] or found[last[o]] != c:
                last[o] += 1
                found[last[o]] = c
            times[last[o]] += 1
    return ptr, found, times


NEAR = 16  # codes that are looked at one by one before halving


@kernel
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


@kernel
def numbered(values, room):
    """A number for each value, the same for equal ones, by first occurrence; where each occurs first.

    `room` is a power of two above twice the number of values.
    """
    slots = np.full(room, -1, np.int32)
    number = np.empty(len(values), np.int32)
    first = np.empty(len(values), np.int32)
    count = 0
    for i in range(len(values)):
        slot = np.int64(values[i] & np.uint64(room - 1))
        while slots[slot] >= 0 and values[first[slots[slot]]] != values[i]:
            slot = (slot + 1) & (room - 1)
        if slots[slot] < 0:
            slots[slot] = count
            first[count] = i
            count += 1
        number[i] = slots[slot]
    return number, first[:count].copy()
