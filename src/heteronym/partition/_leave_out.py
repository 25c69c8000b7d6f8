"""Leaves persons out who cost the others more than they keep themselves, as far as the plan allows.

A left-out person loses everything (1), its group loses what the labels need not cover any more. Two ways,
of which the one with the smallest loss over all persons is taken, nobody left out being among them:

- In each group with room to spare the member whose leaving saves most goes, together with those who are
  equal, as long as something is saved and all models still admit the group; the best of all groups first.
- Who would save most by leaving, whether or not the group could spare them, goes first (all of them, a half
  or a quarter), and the others are grouped anew; again, as long as the loss falls. Only where columns are
  all there is: what groups keep of texts and items is not known before they are recoded.

Reference   ours; suppression of outliers as in Sweeney 2002
Guarantee   at most the given share of persons is left out; all models admit every group; the loss over the
            columns is never larger than with everybody
Cost        O(sum of squared group sizes * columns), and three searches for every round that helps
Randomness  that of the search
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PromiseError
from heteronym.model.elements import Elements
from heteronym.model.partition import LEFT_OUT, Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._clusters import Covers, covers_of
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics

LARGEST = 2000  # members of a group that is looked at; what one person costs a larger one is little
PARTS = (1.0, 0.5, 0.25)  # of those who would save something by leaving

Search = Callable[[PersonView], Partition]


def leave_out(view: PersonView, models: Sequence[PrivacyModel], search: Search, *, share: float) -> Partition:
    """The groups that a search finds, without those who are better left out."""
    everybody = search(view)
    budget = int(share * view.persons + 1e-9)
    if budget <= 0 or not view.columns:
        return everybody
    covers = covers_of(view)
    best = _without_costly(view, everybody, models, covers, budget)
    better: Partition | None = everybody
    while better is not None and not len(view.elements):
        tried = [
            _grouped_anew(view, models, search, budget, gone) for gone in _first_to_go(better, covers, budget)
        ]
        chosen = min([best, *filter(None, tried)], key=lambda one: loss_of(one, covers))
        better = chosen if loss_of(chosen, covers) < loss_of(best, covers) - 1e-9 else None
        best = chosen
    return best


def _grouped_anew(
    view: PersonView, models: Sequence[PrivacyModel], search: Search, budget: int, gone: NDArray[np.int64]
) -> Partition | None:
    """The groups of all others, again without whom they can spare."""
    kept = np.setdiff1d(np.arange(view.persons), gone)
    some = by_columns(view, kept)
    try:
        partition = search(some)
    except PromiseError:  # what all reach, some of them may not
        return None
    partition = _without_costly(some, partition, models, covers_of(some), budget - len(gone))
    group = np.full(view.persons, LEFT_OUT, np.int32)
    group[kept] = partition.group
    return Partition(group, partition.splits)


def by_columns(view: PersonView, persons: NDArray[np.int64]) -> PersonView:
    """Some persons (ascending) by their columns alone; domains stay those of all."""
    place = np.full(view.persons, -1, np.int32)
    place[persons] = np.arange(len(persons), dtype=np.int32)
    rows = place[view.person_of_row] >= 0

    def those(column: Column) -> Column:
        return replace(column, person_set=column.person_set[persons])

    return PersonView(
        tuple(map(those, view.columns)),
        Elements.none(len(persons)),
        place[view.person_of_row[rows]],
        len(persons),
        tuple(map(those, view.sensitive)),
        household=None if view.household is None else view.household[persons],
        weight=None if view.weight is None else view.weight[persons],
    )


def loss_of(partition: Partition, covers: Covers) -> float:
    """Over all persons, those left out included."""
    boxes = kernels.boxes_of(partition.group.astype(np.int64), partition.count, *covers.persons)
    return float(partition.sizes() @ kernels.box_losses(covers.shapes, *boxes)) + partition.left_out


def _first_to_go(partition: Partition, covers: Covers, budget: int) -> list[NDArray[np.int64]]:
    """Beside those who are gone, who would save something by leaving: all who may go, or fewer."""
    members, before = partition.members(), np.flatnonzero(partition.group == LEFT_OUT)
    leaving = [one for number in range(len(members)) for one in _leaving(members[number], covers)]
    leaving.sort(key=lambda one: -one.saved / len(one.persons))
    first = {}
    for part in PARTS:
        gone = before.tolist()
        for one in leaving[: int(np.ceil(len(leaving) * part))]:
            if len(gone) + len(one.persons) <= budget:
                gone += one.persons.tolist()
        first[len(gone)] = np.array(sorted(gone), np.int64)
    return [gone for count, gone in first.items() if count > len(before)]


def _without_costly(
    view: PersonView, partition: Partition, models: Sequence[PrivacyModel], covers: Covers, budget: int
) -> Partition:
    """Without members whom their group can spare, and whose leaving saves something."""
    statistics, run = ModelStatistics(view, models), current()
    members = partition.members()
    groups = [members[number] for number in range(len(members))]
    waiting: list[tuple[float, int, int, NDArray[np.int32]]] = []  # -saved, group, its size, who goes

    def propose(number: int) -> None:
        room = min(len(groups[number]) - statistics.least, budget)
        able = [one for one in _leaving(groups[number], covers) if len(one.persons) <= room] if room else []
        best = max(able, key=lambda one: one.saved, default=None)
        if best is not None:
            heapq.heappush(waiting, (-best.saved, number, len(groups[number]), best.persons))

    for number in range(len(groups)):
        run.tell(number / len(groups))
        propose(number)
    group_of = partition.group.copy()
    while waiting and budget > 0:
        _, number, _, gone = heapq.heappop(waiting)
        rest = np.setdiff1d(groups[number], gone)
        if len(gone) > budget or (statistics.asking and not statistics.admits(rest)):
            continue
        group_of[gone] = LEFT_OUT
        groups[number] = rest
        budget -= len(gone)
        propose(number)
    return Partition(group_of, partition.splits)


class Leaving(NamedTuple):
    """Persons of a group who agree in everything, and what all lose less without them."""

    persons: NDArray[np.int32]
    saved: float


def _leaving(group: NDArray[np.int32], covers: Covers) -> list[Leaving]:
    """Equal persons go together: as long as one of them stays, the label stays as wide."""
    if not 1 < len(group) <= LARGEST:
        return []
    low, high, bits = (array[group] for array in covers.persons)
    records = np.hstack([low.astype(np.int64), high.astype(np.int64), bits.view(np.int64)])
    different, kind = np.unique(records, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    if len(different) < 2:
        return []
    without = kernels.losses_without(covers.shapes, low, high, bits, kind, len(different))
    sizes = np.bincount(kind)
    # the group loses `without[-1]` per person now; the others would lose less, those who go lose all
    saved = len(group) * without[-1] - (len(group) - sizes) * without[:-1] - sizes
    return [Leaving(group[kind == one], float(saved[one])) for one in np.flatnonzero(saved > 1e-12)]
