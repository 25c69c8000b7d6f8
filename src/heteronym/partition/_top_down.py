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
from heteronym.partition._clusters import Covers
from heteronym.run import current
from heteronym.statistics.together import Together

BETA = 0.3
KEPT = 64  # cuts remembered per cluster and column


@dataclass(frozen=True, repr=False, eq=False)
class _Cut:
    drop: float  # loss of the columns saved, times persons
    rise: float  # estimated loss of the items added
    order: NDArray[np.int64]
    at: int


def cut_down(
    view: PersonView, covers: Covers, models: Sequence[PrivacyModel], k: int, delta: float
) -> tuple[NDArray[np.int64], float]:
    """Cluster per person, and the loss of the columns that was reached."""
    from heteronym.partition import _box_kernels as kernels

    persons = covers.persons
    together, run = Together(view, models), current()
    everyone = np.arange(view.persons)
    clusters: list[NDArray[np.int64]] = [everyone]
    cuts: list[list[_Cut]] = [_cuts_of(covers, everyone, k)]
    whole = kernels.cut_losses(covers.shapes, *persons, everyone)
    total = float(whole[-1]) * view.persons if view.persons else 0.0
    bound = (delta + 1e-12) * view.persons
    while total > bound:
        run.tell(None)
        found = _best(cuts, total - bound, together)
        if found is None:
            break
        number, cut = found
        total -= cut.drop
        halves = [cut.order[: cut.at], cut.order[cut.at :]]
        clusters[number : number + 1] = halves
        cuts[number : number + 1] = [_cuts_of(covers, half, k) for half in halves]
    cluster = np.empty(view.persons, np.int64)
    for number, members in enumerate(clusters):
        cluster[members] = number
    return cluster, total / max(view.persons, 1)


def _best(cuts: list[list[_Cut]], wanted: float, together: Together) -> tuple[int, _Cut] | None:
    """The cut with most drop per rise; a drop beyond what is wanted counts for nothing."""
    ranked = sorted(
        (
            (min(cut.drop, wanted) / cut.rise, -number, -place)
            for number, few in enumerate(cuts)
            for place, cut in enumerate(few)
        ),
        reverse=True,
    )
    for _, number, place in ranked:
        cut = cuts[-number][-place]
        halves = (cut.order[: cut.at].astype(np.int32), cut.order[cut.at :].astype(np.int32))
        if not together.asking or all(map(together.admits, halves)):
            return -number, cut
    return None


def _cuts_of(covers: Covers, members: NDArray[np.int64], k: int) -> list[_Cut]:
    """The best cuts of one cluster, a few per column."""
    from heteronym.partition import _box_kernels as kernels

    n = len(members)
    if n < 2 * k:
        return []
    persons = covers.persons
    boxes = (covers.shapes, *persons)
    found: list[_Cut] = []
    left = np.arange(1, n)
    rise = _estimate(left) + _estimate(n - left) - _estimate(n)
    for column in range(persons.low.shape[1]):
        keys = persons.low[members, column].astype(np.int64)
        orders = [keys]
        if covers.shapes.kind[column] == ShapeKind.SET:
            # names have no order: common ones against rare ones, and each against the rest
            often = np.bincount(keys)
            orders = [-often[keys] * (len(often) + 1) + keys]
            orders += [
                (keys != name).astype(np.int64) for name in np.argsort(-often)[1:8] if often[name] >= k
            ]
        for key in orders:
            order = members[np.argsort(key, kind="stable")]
            ranked = np.sort(key, kind="stable")
            before = kernels.cut_losses(*boxes, order)
            behind = kernels.cut_losses(*boxes, order[::-1].copy())[::-1]
            drop = n * before[-1] - left * before[:-1] - (n - left) * behind[1:]
            drop[(ranked[1:] == ranked[:-1]) | (left < k) | (n - left < k)] = -np.inf
            worth = drop / rise
            for at in np.argsort(-worth)[:KEPT]:
                if drop[at] > 1e-9 and rise[at] > 0:
                    found.append(_Cut(float(drop[at]), float(rise[at]), order, int(at) + 1))
    return found


def _estimate(persons: Any) -> Any:
    return np.asarray(persons, np.float64) ** (1.0 - BETA)
