"""Merge clusters until the items lose no more than delta, to lose least in the columns.

Reference   Poulis et al. 2013, section 4, Tum-BOUND with TMERGE_R, TMERGE_T, TMERGE_RT
Guarantee   all models admit every group; Tum of the items, generalized as they will be, is at most delta;
            no earlier state of the path of merges keeps the bound, so none loses less in the columns
Cost        k-member, O(|C|^2) box unions, and the blocks of every cluster that ever is
Randomness  the order of seeds of k-member

Tum is known after every merge, because only the joined cluster has to be blocked anew. It is not
monotone (blocks are found by search, and UL rewards coarse labels), so nothing is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from heteronym.contracts import Models, Rng
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Objective
from heteronym.itemsets.trees import weighed
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import joint_promise
from heteronym.partition._clusters import (
    Clusters,
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
    Budget,
    TumCache,
    TumWalk,
    merge_clusters,
    tum_ordering,
)
from heteronym.registry import partitioners


@partitioners.register("tum-bound")
@dataclass(frozen=True)
class TumBound:
    """Least loss in the columns while the items lose at most delta."""

    delta: float = field(default=0.65, metadata={"help": "most the items may lose", "min": 0.0})
    merge: Literal["r", "t", "rt"] = field(
        default="rt", metadata={"help": "merge clusters with near columns, near items, or both"}
    )
    order: Literal["btd", "exact"] = field(default="btd", metadata=ORDER)
    tum: Literal["ul", "tncp"] = field(
        default="ul", metadata={"help": "what delta bounds: utility loss as in the paper, or TNCP"}
    )
    objective: Objective = field(default="tncp", metadata=OBJECTIVE)
    items: Literal["sets", "hierarchy"] = field(default="sets", metadata=ITEMS)

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        promise = joint_promise(models)
        k = least_size(view, models)
        covers = covers_of(view)
        start = k_member_clusters(view, covers, models, rng, greedy=False)
        if promise is None:  # no model asks anything of items: they lose nothing
            return Partition(start.astype(np.int32), {"merges": 0})
        transactions = weighed(view, promise, items=self.items, objective=self.objective)
        clusters = Clusters(covers, start, transactions)
        exact = tum_ordering(clusters, transactions, self.tum) if self.order == "exact" else None
        walk = TumWalk(clusters, TumCache(transactions, self.tum, 1.0), whole_table=promise.whole_table)
        most = self.delta + 1e-12
        if walk.value > most:
            budget = Budget(clusters, "ncp", np.inf, k)
            merge_clusters(
                clusters, budget, self.merge, tum_with=exact, after_join=lambda: walk.follow() <= most
            )
        if walk.value > most:
            raise PromiseError(
                f"no grouping keeps the loss of the items ({self.tum}) at delta = {self.delta:g}; "
                f"the smallest reached is {np.ceil(walk.least * 1e4) / 1e4:g}"
            )
        group = join_equal(covers, state_after(start, clusters.joins))
        return Partition(group.astype(np.int32), {"merges": len(clusters.joins)})
