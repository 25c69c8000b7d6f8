"""Taking labels one after the other while every pair of taken labels keeps enough holders.

A *feature* is "shows this label at least j times", by persons and by rows apart. Taken features hang in a
linked list at each owner that shows them (a person, or a row), so that the pairs of a new label are
counted by walking the lists of its owners.
"""

from __future__ import annotations

import cython
import numpy as np


def _pairs_fit(owners, many, person_of, head, follow, feature, label, span, least, count, last, touched):
    """Whether `many` owners share each taken feature with 0 or at least `least` persons."""
    used = 0
    for i in range(many):
        owner = owners[i]
        person = person_of[owner]
        at = head[owner]
        while at >= 0:
            f = feature[at]
            if f // span != label and last[f] != person:
                last[f] = person
                if count[f] == 0:
                    touched[used] = f
                    used += 1
                count[f] += 1
            at = follow[at]
    fits = True
    for i in range(used):
        if count[touched[i]] < least:
            fits = False
        count[touched[i]] = 0
        last[touched[i]] = -1
    return fits


def _level_fits(
    owners, times, many, person_of, most, pairs, head, follow, feature, label, span, least, count, last,
    touched, chosen,
):  # fmt: skip
    """One label at one level: every "at least j" has 0 or at least `least` persons, alone and in pairs."""
    for j in range(1, most + 1):
        kept = 0
        persons = 0
        before = -1
        for i in range(many):
            if times[i] >= j:
                chosen[kept] = owners[i]
                kept += 1
                if person_of[owners[i]] != before:
                    before = person_of[owners[i]]
                    persons += 1
        if kept == 0:
            return True
        if persons < least:
            return False
        if pairs and not _pairs_fit(
            chosen, kept, person_of, head, follow, feature, label, span, least, count, last, touched
        ):
            return False
    return True


def _hang(owners, times, many, most, head, follow, feature, label, span, used):
    """Hang the features of a taken label at its owners; what hangs there already is left."""
    for i in range(many):
        owner = owners[i]
        for j in range(1, min(times[i], most) + 1):
            f = label * span + j - 1
            at = head[owner]
            while at >= 0 and feature[at] != f:
                at = follow[at]
            if at < 0:
                feature[used] = f
                follow[used] = head[owner]
                head[owner] = used
                used += 1
    return used


def take(ptr, person, row, label, counted, least, m, by_row, row_person, persons, rows, state, work, stop):
    """Take candidates in order where they fit; candidate c shows `label[c]` at its occurrences.

    Occurrences of a candidate ascend by person, then row. `persons` and `rows` are the lists (head,
    follow, feature); `state` holds how many entries of both are used. Returns which were taken.
    """
    p_head, p_follow, p_feature, self_person = persons
    r_head, r_follow, r_feature = rows
    count, last, touched, chosen = work
    taken = np.zeros(len(label), np.bool_)
    owners = np.empty(len(person), np.int64)
    times = np.empty(len(person), np.int64)
    row_owners = np.empty(len(person), np.int64)
    row_times = np.empty(len(person), np.int64)
    with cython.nogil:
        _take(
            ptr, person, row, label, counted, least, m, by_row, row_person, self_person, p_head, p_follow,
            p_feature, r_head, r_follow, r_feature, state, count, last, touched, chosen, owners, times,
            row_owners, row_times, taken, stop,
        )  # fmt: skip
    return np.asarray(taken).view(np.bool_)


def _take(
    ptr, person, row, label, counted, least, m, by_row, row_person, self_person, p_head, p_follow, p_feature,
    r_head, r_follow, r_feature, state, count, last, touched, chosen, owners, times, row_owners, row_times,
    taken, stop,
):  # fmt: skip
    for c in range(len(label)):
        if stop[0] != 0:
            break
        many = 0
        many_rows = 0
        for i in range(ptr[c], ptr[c + 1]):
            if many == 0 or owners[many - 1] != person[i]:
                owners[many] = person[i]
                times[many] = 0
                many += 1
            times[many - 1] += 1
            if by_row:
                if many_rows == 0 or row_owners[many_rows - 1] != row[i]:
                    row_owners[many_rows] = row[i]
                    row_times[many_rows] = 0
                    many_rows += 1
                row_times[many_rows - 1] += 1
        if many == 0:
            continue
        most = m if counted[c] else 1
        if not _level_fits(
            owners, times, many, self_person, most, m > 1, p_head, p_follow, p_feature, label[c], m, least,
            count, last, touched, chosen,
        ):  # fmt: skip
            continue
        if by_row and not _level_fits(
            row_owners, row_times, many_rows, row_person, most, True, r_head, r_follow, r_feature, label[c],
            m, least, count, last, touched, chosen,
        ):  # fmt: skip
            continue
        taken[c] = True
        if m > 1:
            state[0] = _hang(owners, times, many, most, p_head, p_follow, p_feature, label[c], m, state[0])
            if by_row:
                state[1] = _hang(
                    row_owners, row_times, many_rows, most, r_head, r_follow, r_feature, label[c], m, state[1]
                )
