"""k-member clustering: a random person and the k - 1 others that are nearest by columns.

Reference   Byun et al. 2007; Poulis et al. 2013, section 5, algorithm CLUSTER, and section 3, RFIRST
Guarantee   all models admit every group
Cost        O(n^2 / k) box unions; growth: box costs k times as much
Randomness  the order of seeds
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from heteronym.contracts import Models, Rng
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.partition._clusters import covers_of, k_member_clusters
from heteronym.registry import partitioners


@partitioners.register("k-member", "r-first")
@dataclass(frozen=True)
class KMember:
    """Groups of k persons with near values; as `r-first` the baseline that merges nothing for the items."""

    growth: Literal["seed", "box"] = field(
        default="seed", metadata={"help": "nearest to the first person, or to what the group covers so far"}
    )

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        cluster = k_member_clusters(view, covers_of(view), models, rng, greedy=self.growth == "box")
        return Partition(cluster.astype(np.int32), {"clusters": int(cluster.max(initial=-1)) + 1})
