"""Kernels for utility loss (UL) of a group's records under blocks of items.

UL(r) = sum of (2^|u| - 1) over the blocks u with more than one item that r touches / (2^s - 1), where s
is the number of items in all blocks that r touches. Powers are taken of differences, which cannot overflow.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    pass


def _record_loss(group, r, of_item, size, touched):
    """UL of one record; `touched` is scratch per block that holds no r."""
    span = 0
    for y in range(group.ptr[r], group.ptr[r + 1]):
        b = of_item[group.codes[y]]
        if touched[b] != r:
            touched[b] = r
            span += size[b]
    part = 0.0
    for y in range(group.ptr[r], group.ptr[r + 1]):
        b = of_item[group.codes[y]]
        if touched[b] == r:
            touched[b] = -1
            if size[b] > 1:
                part += 2.0 ** (size[b] - span) - 2.0**-span
    return group.weight[r] * part / (1.0 - 2.0**-span)


def utility_loss(group, of_item, size, touched):
    """UL summed over the persons; `touched` is scratch of -1 per block."""
    total = 0.0
    for r in range(len(group.ptr) - 1):
        total += _record_loss(group, r, of_item, size, touched)
    return total


def utility_gain(group, of_item, size, i, to, marks, tick, touched):
    """UL added by moving item i to block `to`; nothing is changed. Entries read are left in `group`.

    `marks` holds per record when it was last looked at; only records that touch either block differ.
    """
    a = of_item[i]
    added = 0.0
    work = 0
    for j in range(len(of_item)):
        if of_item[j] != a and of_item[j] != to:
            continue
        for x in range(group.iptr[j], group.iptr[j + 1]):
            r = group.irec[x]
            if marks[r] == tick:
                continue
            marks[r] = tick
            work += 2 * (group.ptr[r + 1] - group.ptr[r])
            added -= _record_loss(group, r, of_item, size, touched)
            of_item[i] = to
            size[a] -= 1
            size[to] += 1
            added += _record_loss(group, r, of_item, size, touched)
            of_item[i] = a
            size[a] += 1
            size[to] -= 1
    group.work = work
    return added
