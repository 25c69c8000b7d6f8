"""Which members of a group had better withhold their cell of a column.

For each group the best label for every number of withheld cells is found, and of these the choices on the
upper hull of what they gain: each gains less per cell than the one before it, so that taking the best ones of
all groups and columns first is right. In the best choice more members are told than withheld.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._shape_kernels import ShapeViews, range_loss

ALL, KNOWN, LACKING = 0, 1, 2  # whom a label tells: also who lacks a value, only who does not, only who does
_ALL, _KNOWN, _LACKING = ALL, KNOWN, LACKING  # the same for kernels alone
_LEAST = 1e-12


def _hull(gain, cap, corner):
    """Numbers of cells at the corners of the upper hull from 0 to the largest gain; how many there are."""
    count = 1
    corner[0] = 0
    for w in range(1, cap + 1):
        if gain[w] <= gain[corner[count - 1]] + _LEAST:
            continue
        while count > 1:
            a, b = corner[count - 2], corner[count - 1]
            if (gain[b] - gain[a]) * (w - b) <= (gain[w] - gain[b]) * (b - a) + _LEAST:
                count -= 1
            else:
                break
        corner[count] = w
        count += 1
    return count


def cut_ranges(shapes, b, price, mixes, ptr, low, high, lacks, times, starts, most, largest):
    """Corners of all groups for a column of ranges or nodes (SPAN and RUN).

    ptr                      records of group g are ptr[g]:ptr[g + 1], by ascending `high`
    low, high, lacks, times  a record: outer known codes (low > high: none), whether one is missing, how often
    starts                   the same `low` ascending within each group
    price, mixes             what missing costs beside known values, and whether a label can tell both
    most                     ends tried on each side
    largest                  the largest number of cells withheld in a group
    Returns group, cells, gain, first and last code, and whom the label tells.
    """
    views = ShapeViews(shapes)
    size = 0
    for g in range(len(ptr) - 1):
        size += min(_members(times, ptr[g], ptr[g + 1]) // 2, largest) + 1
    out_group, out_cells = np.empty(size, np.int64), np.empty(size, np.int64)
    out_gain = np.empty(size, np.float64)
    out_low, out_high = np.empty(size, np.int64), np.empty(size, np.int64)
    out_whom = np.empty(size, np.int64)
    n = 0
    loss, gain = np.empty(largest + 1), np.empty(largest + 1)
    corner = np.empty(largest + 1, np.int64)
    chosen = np.empty((largest + 1, 3), np.int64)
    for g in range(len(ptr) - 1):
        first, last = ptr[g], ptr[g + 1]
        members = _members(times, first, last)
        cap = min((members - 1) // 2, largest)
        if cap < 1:
            continue
        for w in range(cap + 1):
            loss[w] = 2.0
        _try_all(
            views, b, price, mixes, first, last, low, high, lacks, times, starts, most, cap, loss, chosen
        )
        before = loss[0]
        if before <= _LEAST:
            continue
        for w in range(cap + 1):
            gain[w] = members * before - (members - w) * loss[w] - w
        for i in range(1, _hull(gain, cap, corner)):
            w = corner[i]
            out_group[n], out_cells[n], out_gain[n] = g, w, gain[w]
            out_low[n], out_high[n], out_whom[n] = chosen[w, 0], chosen[w, 1], chosen[w, 2]
            n += 1
    steps = np.asarray(out_group)[:n], np.asarray(out_cells)[:n], np.asarray(out_gain)[:n]
    return *steps, np.asarray(out_low)[:n], np.asarray(out_high)[:n], np.asarray(out_whom)[:n]


def _members(times, first, last):
    members = 0
    for i in range(first, last):
        members += times[i]
    return members


def _try_all(shapes, b, price, mixes, first, last, low, high, lacks, times, starts, most, cap, loss, chosen):
    """The smallest loss for each number of withheld cells, into `loss` and `chosen`."""
    nothing, lacking, known = 0, 0, 0  # members: who know nothing, who lack something, who know something
    for i in range(first, last):
        if lacks[i]:
            lacking += times[i]
        if low[i] > high[i]:
            nothing += times[i]
        else:
            known += times[i]
    if nothing > 0 and known <= cap:  # the label says that the value is missing
        loss[known], chosen[known, 0], chosen[known, 1], chosen[known, 2] = 0.0, 0, -1, _LACKING
    for whom in range(2):
        if whom == _KNOWN and (lacking == 0 or lacking > cap):
            continue
        gone = lacking if whom == _KNOWN else 0
        tried = 0
        previous = -1
        for s in range(first, last):
            start = starts[s]
            if start == previous or start > shapes.values[b] - 1:
                continue
            previous = start
            below = gone  # withheld because they know something lower
            for i in range(first, last):
                if low[i] <= high[i] and low[i] < start and not (whom == _KNOWN and lacks[i]):
                    below += times[i]
            if below > cap or tried >= most:
                break
            tried += 1
            _sweep(
                shapes, b, price, mixes, first, last, low, high, lacks, times,
                start, below, whom, most, cap, loss, chosen, lacking > 0,
            )  # fmt: skip


def _sweep(
    shapes, b, price, mixes, first, last, low, high, lacks, times,
    start, below, whom, most, cap, loss, chosen, some_lack,
):  # fmt: skip
    """Labels from one start to ever lower ends."""
    away, tried = below, 0
    i = last - 1
    while i >= first and tried < most:
        if low[i] > high[i] or low[i] < start or (whom == _KNOWN and lacks[i]):
            i -= 1
            continue
        end = high[i]
        width = range_loss(shapes, b, start, end)
        if whom == _ALL and some_lack:
            found = width * (1.0 - price) + price if mixes else 1.0
        else:
            found = width * (1.0 - price)
        if found < loss[away]:
            loss[away] = found
            chosen[away, 0], chosen[away, 1], chosen[away, 2] = start, end, whom
        tried += 1
        while i >= first and high[i] == end:
            if low[i] <= high[i] and low[i] >= start and not (whom == _KNOWN and lacks[i]):
                away += times[i]
            i -= 1
        if away > cap:
            break


def drop_values(size, ptr, person, code, by_code, own_ptr, own_code, members, left, seen, wanted, withheld):
    """Corners of all groups for a column of sets: values go one after the other, the rarest first.

    ptr                 pairs of group g are ptr[g]:ptr[g + 1], sorted by code
    person, code        of each pair
    by_code             scratch [codes]: the first pair of a code in its group
    own_ptr, own_code   the codes of each person
    members             persons of each group
    left                scratch [codes], zero: how many told members have the code
    seen                scratch [persons], zero: whether the cell is withheld
    wanted              per group how many cells to withhold; with any, `withheld` [persons] is marked
    Returns group, cells and gain.
    """
    marking = len(wanted) > 0
    room = 0
    most = 1
    for g in range(len(ptr) - 1):
        room += members[g] // 2 + 1
        most = max(most, members[g] // 2 + 1)
    if marking:
        room = 0
    out_group, out_cells = np.empty(room, np.int64), np.empty(room, np.int64)
    out_gain = np.empty(room, np.float64)
    gain, corner = np.empty(most), np.empty(most, np.int64)
    n = 0
    for g in range(len(ptr) - 1):
        first, last = ptr[g], ptr[g + 1]
        cap = (members[g] - 1) // 2
        if marking:
            cap = wanted[g]
        if cap < 1 or code[first] == code[last - 1]:
            continue
        codes = 0
        for i in range(first, last):
            if i == first or code[i] != code[i - 1]:
                by_code[codes] = i
                codes += 1
            left[code[i]] += 1
        holders = np.empty(codes, np.int64)
        for c in range(codes):
            holders[c] = left[code[by_code[c]]]
        rarest_first = np.argsort(holders, kind="stable")
        for w in range(1, cap + 1):
            gain[w] = -1.0
        gain[0] = 0.0
        before = members[g] * (codes / size)
        different, away = codes, 0
        for rank in range(codes):
            c = rarest_first[rank]
            value = code[by_code[c]]
            if left[value] == 0:
                continue
            if away + left[value] > cap:
                break
            i = by_code[c]
            while i < last and code[i] == value:
                p = person[i]
                if not seen[p]:
                    seen[p] = True
                    away += 1
                    for o in range(own_ptr[p], own_ptr[p + 1]):
                        left[own_code[o]] -= 1
                        if left[own_code[o]] == 0:
                            different -= 1
                i += 1
            remaining = members[g] - away
            gain[away] = before - remaining * (different / size if different > 1 else 0.0) - away
        if marking:
            for i in range(first, last):
                if seen[person[i]]:
                    withheld[person[i]] = True
        else:
            for k in range(1, _hull(gain, cap, corner)):
                out_group[n], out_cells[n], out_gain[n] = g, corner[k], gain[corner[k]]
                n += 1
        for i in range(first, last):
            left[code[i]] = 0
            seen[person[i]] = False
    return np.asarray(out_group)[:n], np.asarray(out_cells)[:n], np.asarray(out_gain)[:n]


def take_best(order, item, cells, more, budget, taken):
    """Steps in order as long as they fit; a step counts only after all earlier ones of its item.

    more     cells that a step adds to the step before it
    taken    per item the number of cells, zero; changed
    """
    broken = np.zeros(len(taken), np.bool_)
    for x in range(len(order)):
        s = order[x]
        if broken[item[s]]:
            continue
        if more[s] > budget:
            broken[item[s]] = True
            continue
        budget -= more[s]
        taken[item[s]] = cells[s]
