"""Merging clusters by columns, by items, or by both, within a budget; and cutting from the top.

Reference   Poulis et al. 2013, section 4 (RMERGE, TMERGE) and section 5 (BTD)
Guarantee   every state is a partition into unions of admitted clusters
Cost        O(|C|^2) box unions over all merges; BTD adds a few record pairs per pair of clusters
Randomness  none
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.itemsets.blocks import Blocked, Transactions
from heteronym.model.partition import Partition
from heteronym.partition._clusters import Clusters
from heteronym.run import current

Merge = Literal["r", "t", "rt"]
Rum = Literal["ncp", "discernibility", "class-size"]
Tum = Literal["tncp", "ul"]

SKETCH = 0.2  # effort of a look at the items that only ranks alternatives
# parameters that all methods with a bound have
ORDER = {"help": "nearness of items: a quick distance, or the loss itself (slow)"}
OBJECTIVE = {"help": "what the blocks of items lose least of; as recode.items says, if left out"}
ITEMS = {"help": "how the search generalizes items; as recode.items says, if left out"}


class Budget:
    """How much of the bound on the columns is used, and what a join would use."""

    def __init__(self, clusters: Clusters, rum: Rum, delta: float, k: int) -> None:
        self.clusters, self.rum, self.k = clusters, rum, k
        self.persons = clusters.persons
        self.delta = delta
        self._ncp = float(clusters.size[clusters.alive] @ clusters.loss[clusters.alive])  # times persons
        self._pairs = float((clusters.size[clusters.alive].astype(np.float64) ** 2).sum())

    def value(self) -> float:
        if self.rum == "ncp":
            return self._ncp / self.persons
        if self.rum == "discernibility":
            return self._pairs / self.persons**2
        return self.persons / len(self.clusters.members) / self.k

    def after(self, seed: int, losses: NDArray[np.float64]) -> NDArray[np.float64]:
        """Value if the seed were joined with each other cluster."""
        c = self.clusters
        size = c.size[seed] + c.size
        if self.rum == "ncp":
            with np.errstate(invalid="ignore"):
                added = size * losses - c.size[seed] * c.loss[seed] - c.size * c.loss
            after: NDArray[np.float64] = np.where(c.alive, (self._ncp + added) / self.persons, np.inf)
            return after
        if self.rum == "discernibility":
            pairs: NDArray[np.float64] = (self._pairs + 2.0 * c.size[seed] * c.size) / self.persons**2
            return pairs
        return np.full(len(size), self.persons / max(len(c.members) - 1, 1) / self.k)

    def spend(self, seed: int, other: int, loss: float) -> None:
        c = self.clusters
        self._ncp += (c.size[seed] + c.size[other]) * loss
        self._ncp -= c.size[seed] * c.loss[seed] + c.size[other] * c.loss[other]
        self._pairs += 2.0 * c.size[seed] * c.size[other]

    def seed_order(self) -> NDArray[np.float64]:
        """Rum of each cluster: the smallest is the next seed."""
        c = self.clusters
        own = c.loss if self.rum == "ncp" else c.size.astype(np.float64)
        return np.where(c.alive, own, np.inf)

    def partner_order(self, seed: int, losses: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.rum == "ncp":
            return losses
        c = self.clusters
        return np.where(np.isfinite(losses), c.size + losses, np.inf)


def merge_clusters(
    clusters: Clusters,
    budget: Budget,
    merge: Merge,
    *,
    tum_with: Callable[[int], NDArray[np.float64]] | None = None,
    after_join: Callable[[], bool] | None = None,
) -> None:
    """Join clusters until the budget allows no more (or, without end, until one is left).

    The seed is the cluster with least Rum; its partner is the first that fits by columns (r), by
    items (t), or by the sum of both ranks (rt). A seed without partner is passed over: the paper
    stops there, which leaves budget unused. `tum_with` replaces BTD by the plain Tum ordering;
    `after_join` may end the merging.
    """
    stuck = np.zeros(len(clusters.alive), np.bool_)
    run, whole = current(), max(len(clusters.members) - 1, 1)
    while len(clusters.members) > 1:
        run.tell(1 - (len(clusters.members) - 1) / whole)
        own = budget.seed_order()
        own[stuck] = np.inf
        seed = int(np.argmin(own))
        if not np.isfinite(own[seed]):
            return
        losses = clusters.losses_with(seed)
        by_columns = budget.partner_order(seed, losses)
        spreads = None
        if merge != "r":
            spreads = tum_with(seed) if tum_with is not None else clusters.spreads_with(seed)
        fits = np.isfinite(losses)
        fits &= budget.after(seed, losses) <= budget.delta + 1e-12
        if spreads is None:
            rank = by_columns
            fits &= by_columns <= by_columns.min()  # only the nearest, as printed
        elif merge == "t":
            rank = spreads + 1e-6 * by_columns
        else:
            rank = _places(by_columns) + _places(spreads) + 1e-6 * by_columns
        rank = np.where(fits, rank, np.inf)
        other = int(np.argmin(rank))
        if not np.isfinite(rank[other]):
            stuck[seed] = True
            continue
        budget.spend(seed, other, float(losses[other]))
        spread = 0.0 if spreads is None else float(spreads[other])
        clusters.join(seed, other, loss=float(losses[other]), spread=spread)
        stuck[seed] = False
        if after_join is not None and after_join():
            return


def _places(values: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.empty(len(values))
    out[np.argsort(values, kind="stable")] = np.arange(len(values))
    return out


def tum_of(blocked: Blocked, transactions: Transactions, members: NDArray[Any], tum: Tum) -> float:
    """Loss of the items of one group, summed over item occurrences (tncp) or persons (ul)."""
    if tum == "tncp":
        return blocked.loss
    sets = transactions.elements.of_person
    block_of = np.full(len(transactions.elements), -1, np.int64)
    block_of[blocked.items] = blocked.block
    sizes = blocked.sizes()
    owner, codes = sets.expand(members)
    blocks = block_of[codes]
    touched = np.unique(owner[blocks >= 0] * (len(sizes) + 1) + blocks[blocks >= 0])
    owner, blocks = touched // (len(sizes) + 1), touched % (len(sizes) + 1)
    size = sizes[blocks].astype(np.float64)
    total = np.bincount(owner, weights=size, minlength=len(members))
    # (2^|u| - 1) / (2^s - 1), kept in floats that cannot overflow; an untouched item loses nothing.
    part = (np.exp2(size - total[owner]) - np.exp2(-total[owner])) / (1.0 - np.exp2(-total[owner]))
    return float(part[size > 1].sum())


class TumCache:
    """Tum of tables whose clusters recur: each set of members is blocked once."""

    def __init__(self, transactions: Transactions, tum: Tum, effort: float) -> None:
        self._transactions, self._tum, self._effort = transactions, tum, effort
        self._known: dict[tuple[int, int, bytes], float] = {}

    def of(self, cluster: NDArray[np.int64]) -> float:
        members = Partition(cluster.astype(np.int32)).members()
        return self.mean(self.of_members(members[number]) for number in range(len(members)))

    def mean(self, losses: Iterable[float]) -> float:
        """Tum of a table whose groups lose this."""
        t = self._transactions
        return math.fsum(losses) / max(t.entries if self._tum == "tncp" else t.persons, 1)

    def of_members(self, members: NDArray[Any]) -> float:
        key = (len(members), int(members[0]), hashlib.blake2b(members.tobytes(), digest_size=16).digest())
        if key not in self._known:
            blocked = self._transactions.blocked(members, effort=self._effort)
            self._known[key] = tum_of(blocked, self._transactions, members, self._tum)
        return self._known[key]


class TumWalk:
    """Tum of the table while clusters are joined; clusters with equal boxes count as one group."""

    def __init__(self, clusters: Clusters, cache: TumCache, *, whole_table: bool = False) -> None:
        self._clusters, self._cache = clusters, cache
        self._whole = whole_table  # labels do not depend on the groups
        self._inside: dict[bytes, set[int]] = {}
        self._box: dict[int, bytes] = {}
        self._loss: dict[bytes, float] = {}
        if whole_table:
            self._loss[b""] = cache.of_members(np.arange(clusters.persons, dtype=np.int32))
        else:
            self._weigh({self._place(number) for number in clusters.members})
        self.value = self.least = cache.mean(self._loss.values())

    def follow(self) -> float:
        """Tum after the last join."""
        if not self._whole:
            seed, other = self._clusters.joins[-1]
            self._weigh({self._take(seed), self._take(other), self._place(seed)})
            self.value = self._cache.mean(self._loss.values())
            self.least = min(self.least, self.value)
        return self.value

    def _place(self, number: int) -> bytes:
        c = self._clusters
        box = b"".join(ends[number].tobytes() for ends in (c.low, c.high, c.bits))
        self._box[number] = box
        self._inside.setdefault(box, set()).add(number)
        return box

    def _take(self, number: int) -> bytes:
        box = self._box.pop(number)
        self._inside[box].remove(number)
        return box

    def _weigh(self, boxes: set[bytes]) -> None:
        for box in boxes:
            inside = [self._clusters.members[number] for number in self._inside[box]]
            if inside:
                self._loss[box] = self._cache.of_members(np.sort(np.concatenate(inside)))
            else:
                del self._inside[box], self._loss[box]


def tum_ordering(
    clusters: Clusters, transactions: Transactions, tum: Tum
) -> Callable[[int], NDArray[np.float64]]:
    """The plain ordering: Tum of the seed joined with every other cluster, per person."""
    cache = TumCache(transactions, tum, SKETCH)

    def tum_with(seed: int) -> NDArray[np.float64]:
        losses = np.full(len(clusters.alive), np.inf)
        for other, members in clusters.members.items():
            if other != seed:
                both = np.sort(np.r_[clusters.members[seed], members])
                losses[other] = cache.of_members(both) / len(both)
        return losses

    return tum_with
