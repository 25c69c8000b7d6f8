"""Columns first: groups as small as the models allow, items generalized inside each.

Reference   Poulis et al. 2013, section 3, RFIRST: a baseline that loses little in the columns and
            much in the items
Guarantee   all models admit every group
Cost        that of k-member
Randomness  the order of seeds
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heteronym.contracts import PrivacyModel
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.partition._clusters import compile_kernels, covers_of, k_member_clusters
from heteronym.registry import partitioners


@partitioners.register("r-first")
@dataclass(frozen=True)
class RFirst:
    """Baseline: the groups of k-member, nothing merged."""

    def partition(
        self, view: PersonView, *, models: Sequence[PrivacyModel], rng: np.random.Generator
    ) -> Partition:
        cluster = k_member_clusters(view, covers_of(view), models, rng, greedy=False)
        return Partition(cluster.astype(np.int32), {"clusters": int(cluster.max(initial=-1)) + 1})

    def compile(self, view: PersonView) -> None:
        compile_kernels()
