"""Which sensitive values are certain for who finds the group.

Reference   Machanavajjhala et al. 2007 (homogeneity)
Guarantee   counts groups, and their persons, all of whose members hold one same value
Cost        O(persons) per sensitive column
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


@measures.register("certain")
@dataclass(frozen=True)
class CertainValues:
    """Groups and persons whose sensitive value is certain, per sensitive column."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        sizes = partition.sizes()
        by_column: dict[str, Any] = {}
        for column in view.sensitive:
            owner, code = column.pairs()
            group = partition.group[owner]
            known = (group >= 0) & (code < column.domain.missing_code)
            values = column.domain.missing_code + 1
            pairs = group[known].astype(np.int64) * values + code[known]
            keys, holders = np.unique(pairs, return_counts=True)
            certain = np.unique((keys // values)[holders == sizes[keys // values]])
            by_column[column.name] = {
                "groups": len(certain),
                "persons": int(sizes[certain].sum()),
                "share": float(sizes[certain].sum() / max(int(sizes.sum()), 1)),
            }
        return by_column
