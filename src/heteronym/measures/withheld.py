"""How many cells are withheld: of single persons, in groups whose label tells the others' values.

Reference   docs/decisions/0610
Guarantee   a count; each of these cells loses everything in `ncp`
Cost        O(persons) per column
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


@measures.register("withheld")
@dataclass(frozen=True)
class WithheldCells:
    """Cells of quasi columns that are withheld, one per person and column; nothing where none is."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        cells = {name: int(away.sum()) for name, away in partition.withheld.items()}
        if not cells:
            return {}
        shown = (len(partition.group) - partition.left_out) * len(view.columns)
        touched = np.any([partition.withheld_by_group(name) > 0 for name in cells], axis=0)
        total = sum(cells.values())
        return {
            "cells": total,
            "share": total / shown,
            "groups": int(touched.sum()),
            "by_attribute": cells,
        }
