"""Who has two tables about the same people, with different columns, joins them through the release.

Reference   Giomi et al. 2023 (Anonymeter, linkability risk)
Guarantee   finds a pair of records if both point to fewer released persons than the promise allows
Cost        O(attempts * groups * columns)
Randomness  which targets are tried, which columns are in which table
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, control_values, known_columns
from heteronym.attacks._match import Crowd, count_persons, draw_targets, gather, true_groups, values_of
from heteronym.attacks._nearest import nearest_groups
from heteronym.attacks._promise import column_bound, outcome
from heteronym.attacks._rates import Rate
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks


@attacks.register("linkability")
@dataclass(frozen=True)
class Linkability:
    """Knows half of the quasi columns from one source and half from another, and not whose they are."""

    threat: ClassVar[Threat] = "linkability"

    attempts: int = field(
        default=500, metadata={"help": "targets per column or predicate", "min": 10, "max": 1_000_000}
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        columns = known_columns(release, knowledge)
        if len(columns) < 2:
            return AttackResult.idle("linkability", self.threat, "fewer than two quasi columns")
        crowd = gather(release, columns)
        rows = draw_targets(knowledge, self.attempts, rng)
        values = values_of(columns, rows)
        order = rng.permutation(len(columns))
        halves = [np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])]
        both = _common_groups(crowd, columns, halves, values)
        persons = count_persons(crowd, both, crowd.incidence())
        certainty = np.where(persons > 0, 1 / np.maximum(persons, 1), 0)
        truth = true_groups(release, crowd, rows)
        linked = int((persons > 0).sum())
        if truth is not None:
            certainty = certainty * (both[np.arange(len(rows)), truth] & (truth >= 0))
        bound = column_bound(release.plan)
        worst = float(certainty.max(initial=0))
        over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
        figures = {"expected_links": float(certainty.sum())}
        detail = (
            f"{linked} of {len(rows)} pairs of records point to common {crowd.unit}, at least "
            f"{round(1 / worst) if worst else 0} of them"
        )
        if knowledge.control is not None:
            # people who are not in the release: what links their records is no record of theirs
            others = np.sort(rng.permutation(knowledge.control.height)[: self.attempts])
            theirs = control_values(knowledge, release, columns, others)
            control = Rate(int(_common_groups(crowd, columns, halves, theirs).any(1).sum()), len(others))
            risk, error = Rate(linked, len(rows)).beside(control)
            figures |= {"links_control": control.value, "links_risk": risk, "links_error": error}
            detail += f"; beside a control group {risk:.3f} ± {error:.3f} of the links are left"
        return AttackResult(
            "linkability",
            self.threat,
            len(rows),
            int(over.sum()),
            worst,
            bound,
            outcome(worst, bound, can_tell=crowd.knows_persons),
            detail,
            figures,
        )


def _common_groups(
    crowd: Crowd,
    columns: Sequence[KnownColumn],
    halves: Sequence[NDArray[np.int64]],
    values: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which groups are nearest to both halves of a record: [records, groups]."""
    found = np.ones((len(values), len(crowd.labels)), np.bool_)
    for half in halves:
        parts = [columns[one] for one in half]
        for part, near in nearest_groups(crowd.labels[:, half], parts, values[:, half]):
            found[part] &= near
    return found
