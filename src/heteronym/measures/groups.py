"""How large the groups are.

Reference   LeFevre et al. 2006 (average group size)
Guarantee   counts persons, never rows
Cost        O(n)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Recoding
from heteronym.registry import measures


@measures.register("groups")
@dataclass(frozen=True)
class GroupSizes:
    """Number and size of the groups, and a histogram for the report."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        sizes = partition.sizes()
        if not len(sizes):
            return {}
        values, counts = np.unique(sizes, return_counts=True)
        return {
            "count": partition.count,
            "mean": float(sizes.mean()),
            "std": float(sizes.std()),
            "min": int(sizes.min()),
            "max": int(sizes.max()),
            "histogram": {str(int(v)): int(c) for v, c in zip(values, counts, strict=True)},
        }
