"""Compiled counting and rules of histograms; see `counts` for what each rule means."""

from __future__ import annotations

import numpy as np
from numba import njit

DISTINCT, ENTROPY, RECURSIVE, SHARE, EQUAL, ORDERED = range(6)
TINY = 1e-12  # differences below are rounding


@njit(cache=True, nogil=True)
def count_values(members, ptr, codes, counts, sign):
    for p in members:
        for at in range(ptr[p], ptr[p + 1]):
            counts[codes[at]] += sign


@njit(cache=True, nogil=True)
def rule_holds(kind, numbers, reference, counts, persons):
    total = 0
    distinct = 0
    for count in counts:
        total += count
        distinct += count > 0
    if kind == DISTINCT:
        return distinct >= numbers[0]
    if kind == SHARE:
        return (counts <= reference * persons + TINY).all()
    if total == 0:
        return kind in (EQUAL, ORDERED)  # nobody has a value: no distribution to learn from
    if kind == ENTROPY:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / total * np.log(count / total)
        return entropy >= np.log(numbers[0]) - TINY
    if kind == RECURSIVE:
        most = 0
        for count in counts:
            most = max(most, count)
        # the sum from the l-th largest on is the total less the l - 1 largest
        ordered = np.sort(counts)
        rest = 0
        for place in range(len(ordered) - int(numbers[1]) + 1):
            rest += ordered[place]
        return most < numbers[0] * rest
    away = 0.0
    gathered = 0.0
    for value in range(len(counts)):
        difference = counts[value] / total - reference[value]
        gathered += difference
        away += abs(gathered) if kind == ORDERED else abs(difference)
    if kind == ORDERED:
        return away <= numbers[0] * max(len(counts) - 1, 1) + TINY
    return away / 2 <= numbers[0] + TINY
