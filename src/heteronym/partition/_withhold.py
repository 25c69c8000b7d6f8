"""Withholds single cells that cost the others of their group more than they are worth, if the plan allows it.

One far value makes the label of a whole group wide: ages 21, 22, 22, 24 and 90 are [21-90] for all five. If
the person who is 90 withholds the cell, the label of all five says "withheld, or 21 to 24". Groups stay as
they are and all members show one label, as before, so that every promise about groups stays.

A withheld cell loses everything (1), the others lose what their narrower label loses. In each group and
column more members are told than withheld: a label must be true of most whom it is shown for. Of all groups
and columns, those cells go first that gain most each.

Reference   ours; local suppression as in Samarati and Sweeney 1998, without breaking up groups
Guarantee   at most the given share of the quasi cells of released persons is withheld; the weighted published
            loss falls, or nothing is withheld. Of ranges and nodes, and of sets where everybody has one
            value, the best label for each number of cells is found; otherwise values go by their holders
Cost        O(different values^2) per group and column, at most `MOST` ends on each side
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.sets import Sets
from heteronym.partition import _withhold_kernels as kernels
from heteronym.partition._clusters import covers_of
from heteronym.partition._leave_out import Search, leave_out, loss_of
from heteronym.partition._shapes import Layer, Shapes, pack_shapes
from heteronym.run import current

MOST = 2000  # ends of a label that are tried on each side

Mask = NDArray[np.bool_]


class Steps(NamedTuple):
    """Choices for the groups of one column, by group and number of cells; `how` says what each withholds."""

    group: NDArray[np.int64]
    cells: NDArray[np.int64]
    gain: NDArray[np.float64]  # loss of all members together, that is saved
    how: tuple[NDArray[np.int64], ...] = ()


def leave_out_and_withhold(
    view: PersonView, models: Sequence[PrivacyModel], search: Search, *, persons: float, cells: float
) -> Partition:
    """The groups that a search finds, without the persons and the cells that are better not shown.

    Who has one far value need not be left out where the cell can be withheld: nobody left out is tried, too.
    """
    without = leave_out(view, models, search, share=persons)
    if cells <= 0 or not view.columns:
        return without
    tried = [without, search(view)] if without.left_out else [without]
    covers, best = covers_of(view), []
    for partition in tried:
        made, saved = withholding(view, partition, cells)
        best.append((loss_of(partition, covers) - saved, made))
    return min(best, key=lambda one: one[0])[1]


def withholding(view: PersonView, partition: Partition, share: float) -> tuple[Partition, float]:
    """What is withheld, and the loss that it saves over all persons, columns by their weights."""
    released = len(partition.group) - partition.left_out
    budget = int(share * released * len(view.columns) + 1e-9)
    if budget <= 0 or not view.columns:
        return partition, 0.0
    everybody = partition.members()
    members = [_differing(everybody, partition.covers(column)) for column in view.columns]
    all_steps = [steps_of(c, those, budget) for c, those in zip(view.columns, members, strict=True)]
    weights = [column.weight for column in view.columns]
    taken = _best(all_steps, weights, partition.count, budget)
    withheld, saved = {}, 0.0
    for column, those, steps, cells in zip(view.columns, members, all_steps, taken, strict=True):
        saved += column.weight * float(steps.gain[cells[steps.group] == steps.cells].sum())
        if cells.any():
            withheld[column.name] = _withheld(column, those, steps, cells)
    return partition.withholding(withheld), saved / sum(weights)


def _differing(members: Sets, covers: Sets) -> Sets:
    """The members of groups with several values; all other groups are empty."""
    several = np.diff(covers.ptr) > 1
    sizes = np.diff(members.ptr)
    return Sets(np.r_[0, np.cumsum(np.where(several, sizes, 0))], members.codes[np.repeat(several, sizes)])


def steps_of(column: Column, members: Sets, budget: int) -> Steps:
    """What withholding gains in each group of a column, at the corners that are worth taking."""
    current().poll()
    if column.shape.kind is ShapeKind.SET:
        return Steps(*_drop_values(column, members))
    return _cut_ranges(column, members, budget)


def _best(all_steps: list[Steps], weights: list[float], groups: int, budget: int) -> list[NDArray[np.int64]]:
    """Per column and group how many cells go."""
    item = np.concatenate([number * groups + steps.group for number, steps in enumerate(all_steps)])
    cells = np.concatenate([steps.cells for steps in all_steps])
    gain = np.concatenate([w * steps.gain for w, steps in zip(weights, all_steps, strict=True)])
    begins = np.r_[True, item[1:] != item[:-1]] if len(item) else np.empty(0, np.bool_)
    more = np.where(begins, cells, cells - np.r_[0, cells[:-1]])
    rise = np.where(begins, gain, gain - np.r_[0.0, gain[:-1]])
    order = np.argsort(-rise / np.maximum(more, 1), kind="stable")
    taken = np.zeros(len(all_steps) * groups, np.int64)
    kernels.take_best(order, item, cells, more, budget, taken)
    return list(taken.reshape(len(all_steps), groups))


def _withheld(column: Column, members: Sets, steps: Steps, cells: NDArray[np.int64]) -> Mask:
    """Who withholds the cell, with so many of each group."""
    withheld = np.zeros(len(column.person_set), np.bool_)
    if not steps.how:
        _drop_values(column, members, cells, withheld)
        return withheld
    chosen = np.flatnonzero(cells[steps.group] == steps.cells)
    low, high, whom = np.zeros((3, len(members)), np.int64)
    for target, how in zip((low, high, whom), steps.how, strict=True):
        target[steps.group[chosen]] = how[chosen]
    group = members.owners()
    first, last, lacks = (of_set[column.person_set[members.codes]] for of_set in _outer(column))
    knows = first <= last
    away = knows & ((first < low[group]) | (last > high[group]))
    away |= lacks & (whom[group] == kernels.KNOWN)
    away |= knows & (whom[group] == kernels.LACKING)
    withheld[members.codes] = away & (cells[group] > 0)
    return withheld


def _outer(column: Column) -> tuple[NDArray[np.int64], NDArray[np.int64], Mask]:
    """Per value set its outer known codes, none where the first is higher, and whether a value is missing."""
    missing = column.domain.missing_code
    low, high, mixed = column.sets.outer(missing)
    return low, np.where(low < missing, high, -1), mixed | (low == missing)


def _cut_ranges(column: Column, members: Sets, budget: int) -> Steps:
    group, place = members.owners(), column.person_set[members.codes]
    # members of a group with equal value sets are one record
    pairs, times = np.unique(group * len(column.sets) + place, return_counts=True)
    group, place = pairs // len(column.sets), pairs % len(column.sets)
    low, high, lacks = (of_set[place] for of_set in _outer(column))
    order = np.lexsort((low, high, group))
    ptr = np.searchsorted(group, np.arange(len(members) + 1))
    largest = min(int(np.diff(members.ptr).max(initial=0)) // 2, budget)
    price = 1.0 / max(column.domain.size, 1) if column.counts_missing else 0.0
    cut = kernels.cut_ranges(
        _shape(column), 0, price, column.shape.mixes, ptr,
        low[order], high[order], lacks[order], times[order], low[np.lexsort((low, group))], MOST, largest,
    )  # fmt: skip
    return Steps(cut[0], cut[1], cut[2], cut[3:])


def _shape(column: Column) -> Shapes:
    missing = column.domain.missing_code
    layer = Layer(column.shape, missing, max(column.domain.size, 1), 1.0, column.sets, 0)
    return pack_shapes([layer])


def _drop_values(
    column: Column, members: Sets, wanted: NDArray[np.int64] | None = None, withheld: Mask | None = None
) -> Any:
    codes, persons = column.domain.missing_code + 1, len(column.person_set)
    owner, code = column.pairs()
    own_ptr = np.r_[0, np.cumsum(np.bincount(owner, minlength=persons))]
    group = np.full(persons, -1, np.int64)
    group[members.codes] = members.owners()
    released = group[owner] >= 0
    owner, own = owner[released], code
    code = code[released]
    order = np.lexsort((code, group[owner]))
    person = owner[order]
    return kernels.drop_values(
        float(max(column.domain.size, 1)), np.searchsorted(group[person], np.arange(len(members) + 1)),
        person, code[order], np.zeros(codes, np.int64), own_ptr, own, np.diff(members.ptr),
        np.zeros(codes, np.int64), np.zeros(persons, np.bool_),
        np.empty(0, np.int64) if wanted is None else wanted,
        np.empty(0, np.bool_) if withheld is None else withheld,
    )  # fmt: skip
