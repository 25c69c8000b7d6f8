"""Who knows how many rows a target has looks for the pseudonym with as many.

Reference   Narayanan and Shmatikov 2008 (the number of records as a fingerprint)
Guarantee   finds persons whose number of rows is theirs alone in the crowd that fits them
Cost        O(rows)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import gather
from heteronym.attacks._promise import outcome, trace_bounds
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks


@attacks.register("row-counts")
@dataclass(frozen=True)
class RowCounts:
    """Knows the quasi columns of the target and how many rows it has."""

    threat: ClassVar[Threat] = "singling-out"

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        key = release.plan.data.person
        if key is None or key not in release.frame.columns:
            return AttackResult.idle(
                "row-counts", self.threat, "no released column tells whose rows are whose"
            )
        crowd = gather(release, known_columns(release, knowledge))
        pseudonym = release.frame[key].rank("dense").fill_null(0).to_numpy().astype(np.int64)
        _, person, rows = np.unique(pseudonym, return_inverse=True, return_counts=True)
        group = np.zeros(len(rows), np.int64)
        group[person] = crowd.group_of_row
        _, place, alike = np.unique(
            group * (int(rows.max(initial=0)) + 1) + rows, return_inverse=True, return_counts=True
        )
        certainty = 1 / alike[place]
        covering = [given["k"] for given in trace_bounds(release.plan, "row counts")]
        bound = 1 / max(covering) if covering else None
        over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
        worst = float(certainty.max(initial=0))
        detail = f"{int(over.sum())} persons have a number of rows that nobody else of their group has"
        if bound is None:
            detail += "; no model of the plan counts rows"
        return AttackResult(
            "row-counts", self.threat, len(rows), int(over.sum()), worst, bound, outcome(worst, bound), detail
        )
