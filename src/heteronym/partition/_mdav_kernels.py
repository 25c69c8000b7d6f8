"""What MDAV asks: distances to points, the farthest, the nearest.

A point has numbers (scaled to 0..1, NaN for missing) and names; its distance is the weighted sum of squared
differences of numbers and of 0 or 1 for names that agree or not. Missing agrees with missing.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from math import isnan

NOT_A_NUMBER = np.nan


def distances(numbers, names, number_weight, name_weight, left, count, number, name, out):
    """From the point (number, name) to each of the first `count` persons of `left`."""
    for i in range(count):
        p = left[i]
        total = 0.0
        for c in range(numbers.shape[1]):
            a, b = numbers[p, c], number[c]
            if isnan(a) or isnan(b):
                if not (isnan(a) and isnan(b)):
                    total += number_weight[c]
            else:
                total += number_weight[c] * (a - b) * (a - b)
        for c in range(names.shape[1]):
            if names[p, c] != name[c]:
                total += name_weight[c]
        out[i] = total


def centre(numbers, names, left, count, counts, number, name):
    """Means of numbers, most frequent names; missing where most lack the number. `counts` stays clean."""
    for c in range(numbers.shape[1]):
        total, known = 0.0, 0
        for i in range(count):
            value = numbers[left[i], c]
            if not isnan(value):
                total += value
                known += 1
        number[c] = total / known if 2 * known >= count and known > 0 else NOT_A_NUMBER
    for c in range(names.shape[1]):
        best = -1
        for i in range(count):
            counts[names[left[i], c]] += 1
        for i in range(count):
            code = names[left[i], c]
            # of equally frequent names the one with the smallest code
            if best < 0 or counts[code] > counts[best] or (counts[code] == counts[best] and code < best):
                best = code
        name[c] = best
        for i in range(count):
            counts[names[left[i], c]] = 0


def take_nearest(distance, left, count, best, group, number):
    """As many as `best` has room for, the nearest, become group `number`; the others move together.

    Returns how many are left.
    """
    k, found = len(best), 0
    for i in range(count):
        if found == k and distance[i] >= distance[best[k - 1]]:
            continue
        place = found if found < k else k - 1
        while place > 0 and distance[best[place - 1]] > distance[i]:
            best[place] = best[place - 1]
            place -= 1
        best[place] = i
        found = min(found + 1, k)
    for i in range(found):
        group[left[best[i]]] = number
    kept = 0
    for i in range(count):
        if group[left[i]] < 0:
            left[kept] = left[i]
            kept += 1
    return kept


def farthest(distance, count):
    """The first of those with the largest distance."""
    best = 0
    for i in range(1, count):
        if distance[i] > distance[best]:
            best = i
    return best


def microaggregate(numbers, names, number_weight, name_weight, codes, k, done, stop):
    """The group of each person: k each, the last one up to 2k - 1."""
    n = len(numbers)
    group = np.full(n, -1, np.int32)
    left, distance = np.arange(n), np.empty(n)
    number, name = np.empty(numbers.shape[1]), np.empty(names.shape[1], np.int32)
    counts = np.zeros(codes, np.int64)
    best = np.empty(k, np.int64)
    with cython.nogil:
        _group(
            numbers, names, number_weight, name_weight, k, group, left, distance, number, name, counts, best,
            done, stop,
        )  # fmt: skip
    return np.asarray(group)


def _group(
    numbers, names, number_weight, name_weight, k, group, left, distance, number, name, counts, best, done,
    stop,
):  # fmt: skip
    """Fills `group`."""
    n = len(group)
    count, made = n, 0
    while count >= 2 * k:
        if stop[0]:
            break
        centre(numbers, names, left, count, counts, number, name)
        distances(numbers, names, number_weight, name_weight, left, count, number, name, distance)
        first = left[farthest(distance, count)]
        distances(
            numbers, names, number_weight, name_weight, left, count, numbers[first], names[first], distance
        )
        second = left[farthest(distance, count)]
        several = count >= 3 * k
        count = take_nearest(distance, left, count, best, group, made)
        made += 1
        if several:
            if group[second] >= 0:  # all are equal: whoever comes first
                second = left[0]
            distances(
                numbers, names, number_weight, name_weight, left, count, numbers[second], names[second],
                distance,
            )  # fmt: skip
            count = take_nearest(distance, left, count, best, group, made)
            made += 1
        done[0] = n - count
    for i in range(count):
        group[left[i]] = made
