"""Merge clusters until the items lose no more than delta, to lose least in the columns.

Reference   Poulis et al. 2013, section 4, Tum-BOUND with TMERGE_R, TMERGE_T, TMERGE_RT
Guarantee   all models admit every group; Tum of the items, blocked as `sets` does it, is at most delta
Cost        k-member, O(|C|^2) box unions, and O(log |C|) times the blocks of all clusters
Randomness  the order of seeds of k-member
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Transactions
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import joint_promise
from heteronym.partition._clusters import (
    compile_kernels,
    covers_of,
    join_equal,
    k_member_clusters,
    least_size,
)
from heteronym.partition._merge import (
    SKETCH,
    Budget,
    Clusters,
    TumCache,
    merge_clusters,
    state_after,
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
    order: Literal["btd", "exact"] = field(
        default="btd", metadata={"help": "nearness of items: a quick distance, or the loss itself (slow)"}
    )
    tum: Literal["ul", "tncp"] = field(
        default="ul", metadata={"help": "what delta bounds: utility loss as in the paper, or TNCP"}
    )

    def partition(
        self, view: PersonView, *, models: Sequence[PrivacyModel], rng: np.random.Generator
    ) -> Partition:
        promise = joint_promise(models)
        k = least_size(view, models)
        covers = covers_of(view)
        start = k_member_clusters(view, covers, models, rng, greedy=False)
        if promise is None:  # no model asks anything of items: they lose nothing
            return Partition(start.astype(np.int32), {"merges": 0})
        transactions = Transactions(view, promise)
        clusters = Clusters(covers, start, None if self.merge == "r" else transactions)
        exact = None
        if self.order == "exact" and self.merge != "r":
            exact = tum_ordering(clusters, transactions, self.tum)
        budget = Budget(clusters, "ncp", np.inf, k)
        sketch = TumCache(transactions, self.tum, SKETCH)
        full = TumCache(transactions, self.tum, 1.0)
        halves = [clusters.count() // 2]

        def enough(seed: int) -> bool:
            """Each time half of the clusters are gone: whether the bound was passed by far."""
            if clusters.count() > halves[0]:
                return False
            halves[0] = clusters.count() // 2
            return sketch.of(clusters.partition()) <= 0.9 * self.delta

        merge_clusters(clusters, budget, self.merge, bounded=False, tum_with=exact, after_join=enough)
        joins = clusters.joins

        def state(merges: int) -> NDArray[np.int64]:
            return join_equal(covers, state_after(start, joins[:merges]))

        # Tum falls with merging, but for the search's own noise: find the place by sketches, then
        # walk on with full effort until the bound holds.
        low, high = 0, len(joins)
        while low < high:
            middle = (low + high) // 2
            if sketch.of(state(middle)) <= self.delta:
                high = middle
            else:
                low = middle + 1
        merges = high
        smallest = np.inf
        while True:
            value = full.of(state(merges))
            smallest = min(smallest, value)
            if value <= self.delta + 1e-12:
                return Partition(state(merges).astype(np.int32), {"merges": merges})
            if merges == len(joins):
                raise PromiseError(
                    f"no grouping keeps the loss of the items ({self.tum}) at delta = {self.delta:g}; "
                    f"the smallest reached is {np.ceil(smallest * 1e4) / 1e4:g}"
                )
            merges = min(len(joins), merges + max(1, (len(joins) - merges) // 40))

    def compile(self, view: PersonView) -> None:
        compile_kernels()
