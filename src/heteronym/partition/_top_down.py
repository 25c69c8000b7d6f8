"""Cutting one cluster of everyone until the columns lose no more than delta.

Blocked alone, n persons lose about n ** (1 - BETA) in the items, whatever they hold (measured: 0.39
at k = 5, 0.5 at k = 25; values from 0.3 to 0.6 give the same loss, 0.3 the best counts). So a cut
is worth its drop in the columns' loss per rise of that estimate: peeling a few outliers off is
cheap, halving a cluster is dear.

Reference   ours; the notes' prototype took the largest drop
Guarantee   all models admit every cluster
Cost        O(columns * n log n) per cut
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._clusters import Covers
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics

BETA = 0.3
KEPT = 64  # cuts remembered per cluster and column


@dataclass(frozen=True, repr=False, eq=False)
class _Cut:
    drop: float  # loss of the columns saved, times persons
    rise: float  # estimated loss of the items added
    column: int
    first: NDArray[np.bool_]  # which codes of the column go to the first half

    def halves(self, covers: Covers, members: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        first = self.first[covers.persons.low[members, self.column]]
        return [members[first], members[~first]]


def cut_down(
    view: PersonView, covers: Covers, models: Sequence[PrivacyModel], k: int, delta: float
) -> tuple[NDArray[np.int64], float]:
    """Cluster per person, and the loss of the columns that was reached."""
    statistics, run = ModelStatistics(view, models), current()
    cluster = np.zeros(view.persons, np.int64)
    clusters = [np.arange(view.persons)]
    cuts = [_cuts_of(covers, clusters[0], k)]
    whole = kernels.cut_losses(covers.shapes, *covers.persons, clusters[0])
    total = float(whole[-1]) * view.persons if view.persons else 0.0
    bound = (delta + 1e-12) * view.persons
    while total > bound:
        run.tell(None)
        for number, cut in _ranked(cuts, total - bound):
            halves = cut.halves(covers, clusters[number])
            if not statistics.asking or all(statistics.admits(half.astype(np.int32)) for half in halves):
                break
        else:
            break
        total -= cut.drop
        clusters[number : number + 1] = halves
        cuts[number : number + 1] = [_cuts_of(covers, half, k) for half in halves]
    for number, members in enumerate(clusters):
        cluster[members] = number
    return cluster, total / max(view.persons, 1)


def _ranked(cuts: list[list[_Cut]], wanted: float) -> list[tuple[int, _Cut]]:
    """Cuts by drop per rise, with their clusters; a drop beyond what is wanted counts for nothing."""
    every = [(number, cut) for number, few in enumerate(cuts) for cut in few]
    return sorted(every, key=lambda one: -min(one[1].drop, wanted) / one[1].rise)


def _cuts_of(covers: Covers, members: NDArray[np.int64], k: int) -> list[_Cut]:
    """The best cuts of one cluster, a few per column."""
    n = len(members)
    if n < 2 * k:
        return []
    persons = [part[members] for part in covers.persons]
    cuts: list[_Cut] = []
    for column in range(covers.persons.low.shape[1]):
        code = persons[0][:, column]
        often = np.bincount(code)
        codes = np.flatnonzero(often)
        place = np.cumsum(often > 0) - 1
        # one box for all who have a code: no cut tells them apart
        low, high, bits = kernels.boxes_of(place[code], len(codes), *persons)
        orders = [(codes, len(codes) - 1)]
        if covers.shapes.kind[column] == ShapeKind.SET:
            # names have no order: common ones against rare ones, and each against the rest
            orders = [(codes[np.argsort(-often[codes], kind="stable")], len(codes) - 1)]
            names = [name for name in np.argsort(-often)[1:8] if often[name] >= k]
            orders += [(np.r_[name, codes[codes != name]], 1) for name in names]
        for order, ends in orders:
            before = kernels.cut_losses(covers.shapes, low, high, bits, place[order])
            behind = kernels.cut_losses(covers.shapes, low, high, bits, place[order[::-1]])[::-1]
            left = np.cumsum(often[order])[:ends]
            drop = n * before[-1] - left * before[:ends] - (n - left) * behind[1 : ends + 1]
            drop[(left < k) | (n - left < k)] = -np.inf
            rise = _estimate(left) + _estimate(n - left) - _estimate(n)
            for at in np.argsort(-drop / rise, kind="stable")[:KEPT]:
                if drop[at] > 1e-9 and rise[at] > 0:
                    first = np.zeros(len(often), np.bool_)
                    first[order[: at + 1]] = True
                    cuts.append(_Cut(float(drop[at]), float(rise[at]), column, first))
    return cuts


def _estimate(persons: Any) -> Any:
    return np.asarray(persons, np.float64) ** (1.0 - BETA)
