"""Leaves persons out who cost the others of their group more than they keep themselves.

A left-out person loses everything, its group loses what the labels need not cover any more. In each
group with room to spare the member whose leaving saves most is taken, as long as something is saved,
all models still admit the group, and the plan's share is not used up; the best of all groups first.

Reference   ours; suppression of outliers as in Sweeney 2002
Guarantee   at most the given share of persons is left out; all models admit every group
Cost        O(sum of squared group sizes * columns), once
Randomness  none
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.model.partition import LEFT_OUT, Partition
from heteronym.model.person_view import PersonView
from heteronym.partition._clusters import Covers, covers_of
from heteronym.run import current
from heteronym.statistics.together import Together

LARGEST = 2000  # members of a group that is looked at; what one person costs a larger one is little


def leave_out(
    view: PersonView, partition: Partition, models: Sequence[PrivacyModel], *, share: float
) -> Partition:
    """The partition without those who are better left out."""
    budget = int(share * view.persons + 1e-9)
    if budget <= 0 or not view.columns:
        return partition
    together, covers, run = Together(view, models), covers_of(view), current()
    members = partition.members()
    groups = [members[number] for number in range(len(members))]
    waiting: list[tuple[float, int, int]] = []  # -saved, group, place of the member
    for number, group in enumerate(groups):
        run.tell(number / len(groups))
        _propose(waiting, number, group, covers, together.least)
    group_of = partition.group.copy()
    while waiting and budget:
        _, number, place = heapq.heappop(waiting)
        rest = np.delete(groups[number], place)
        if together.asking and not together.admits(rest):
            continue
        group_of[groups[number][place]] = LEFT_OUT
        groups[number] = rest
        budget -= 1
        _propose(waiting, number, rest, covers, together.least)
    return Partition(group_of, partition.splits)


def _propose(
    waiting: list[tuple[float, int, int]], number: int, group: NDArray[np.int32], covers: Covers, least: int
) -> None:
    """The member of a group whose leaving saves most, if it saves anything."""
    from heteronym.partition import _box_kernels as kernels

    if not least < len(group) <= LARGEST:
        return
    alone = kernels.losses_without(covers.shapes, *covers.persons, group.astype(np.int64))
    # the group loses `whole` per person now; without the member the others lose `alone`, the member 1
    whole = alone[-1]
    saved = len(group) * whole - (len(group) - 1) * alone[:-1] - 1.0
    place = int(np.argmax(saved))
    if saved[place] > 1e-12:
        heapq.heappush(waiting, (-float(saved[place]), number, place))
