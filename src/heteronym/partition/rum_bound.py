"""Merge clusters as long as the columns lose no more than delta, to lose least in the items.

Reference   Poulis et al. 2013, section 4, Rum-BOUND with RMERGE_R, RMERGE_T, RMERGE_RT; top-down is ours
Guarantee   all models admit every group; Rum of the release is at most delta
Cost        k-member, then O(|C|^2) box unions; top-down O(columns * n log n) per cut
Randomness  the order of seeds of k-member
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Models, Rng
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Objective, Transactions
from heteronym.itemsets.trees import weighed
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import joint_promise
from heteronym.partition._clusters import (
    Clusters,
    Covers,
    covers_of,
    join_equal,
    k_member_clusters,
    least_size,
    state_after,
)
from heteronym.partition._merge import (
    ITEMS,
    OBJECTIVE,
    ORDER,
    SKETCH,
    Budget,
    TumCache,
    merge_clusters,
    tum_ordering,
)
from heteronym.partition._top_down import cut_down
from heteronym.registry import partitioners


@partitioners.register("rum-bound")
@dataclass(frozen=True)
class RumBound:
    """Least loss in the items while the columns lose at most delta."""

    delta: float = field(default=0.65, metadata={"help": "most the columns may lose", "min": 0.0})
    merge: Literal["r", "t", "rt", "top-down"] = field(
        default="top-down", metadata={"help": "merge near columns, near items, both; or cut from the top"}
    )
    order: Literal["btd", "exact"] = field(default="btd", metadata=ORDER)
    rum: Literal["ncp", "discernibility", "class-size"] = field(
        default="ncp", metadata={"help": "what delta bounds"}
    )
    objective: Objective = field(default="tncp", metadata=OBJECTIVE)
    items: Literal["sets", "hierarchy"] = field(default="sets", metadata=ITEMS)

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        k = least_size(view, models)
        covers = covers_of(view)
        promise = joint_promise(models)
        items = None
        # where no promise is kept group by group, joining groups saves no item
        if promise is not None and not promise.whole_table:
            weighed_blocks = weighed(view, promise, items=self.items, objective=self.objective)
            items = weighed_blocks if weighed_blocks.entries else None
        if self._cuts and items is not None:
            cluster, reached = cut_down(view, covers, models, k, self.delta)
            if reached <= self.delta + 1e-9:
                cluster = join_equal(covers, cluster)
                return Partition(cluster.astype(np.int32), {"cuts": int(cluster.max(initial=0))})
        cluster = k_member_clusters(view, covers, models, rng, greedy=False)
        clusters = Clusters(covers, cluster, items)
        budget = Budget(clusters, self.rum, self.delta, k)
        if budget.value() > self.delta + 1e-9:
            raise PromiseError(
                f"no grouping keeps the loss of the columns ({self.rum}) at delta = {self.delta:g}; "
                f"the smallest reached is {np.ceil(budget.value() * 1e4) / 1e4:g}"  # it can be asked for
            )
        if items is None:
            return Partition(cluster.astype(np.int32), {"merges": 0})
        how: Literal["r", "t", "rt"] = "rt" if self.merge == "top-down" else self.merge
        exact = tum_ordering(clusters, items, "ul") if self.order == "exact" else None
        merge_clusters(clusters, budget, how, tum_with=exact)
        joins = self._bounded(covers, cluster, clusters.joins, k)
        best, merges = _best_snapshot(covers, cluster, joins, items)
        return Partition(best.astype(np.int32), {"merges": merges})

    def _bounded(
        self, covers: Covers, start: NDArray[np.int64], joins: list[tuple[int, int]], k: int
    ) -> list[tuple[int, int]]:
        """So many of the joins that the bound holds for groups as readers see them: equal labels are one."""
        while joins and self.rum != "ncp":
            sizes = np.bincount(join_equal(covers, state_after(start, joins))).astype(np.float64)
            pairs = float((sizes**2).sum() / sizes.sum() ** 2)
            value = pairs if self.rum == "discernibility" else float(sizes.mean() / k)
            if value <= self.delta + 1e-9:
                break
            joins = joins[: len(joins) * 7 // 8]
        return joins

    @property
    def _cuts(self) -> bool:
        """Whether the search begins at the top; the exact order is one of merges."""
        return self.merge == "top-down" and self.order == "btd" and self.rum == "ncp"


CLEARLY = 0.97  # losses of snapshots are sketched: smaller differences mean nothing


def _best_snapshot(
    covers: Covers, start: NDArray[np.int64], joins: list[tuple[int, int]], transactions: Transactions
) -> tuple[NDArray[np.int64], int]:
    """The last state and its merges, unless UL was clearly less in an earlier one: blocks are found by
    search, and UL as printed is not monotone. All earlier states respect the bound, too."""
    last = join_equal(covers, state_after(start, joins))
    tum = TumCache(transactions, "ul", SKETCH)
    best, least, merges = last, tum.of(last), len(joins)
    left = int(start.max(initial=-1)) + 1 - len(joins)
    for more in (left // 2 + 1, 2 * left):
        if more >= len(joins):
            break
        state = join_equal(covers, state_after(start, joins[: len(joins) - more]))
        loss = tum.of(state)
        if loss < CLEARLY * least:
            best, least, merges = state, loss, len(joins) - more
    return best, merges
