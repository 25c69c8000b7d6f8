"""Who finds the group of a target compares its sensitive values with those of everybody.

Reference   Li, Li and Venkatasubramanian 2007 (skewness attack, t-closeness)
Guarantee   the largest total variation between a group and all, and the largest gain of belief
Cost        O(groups * values)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heteronym.attacks._promise import sensitive_bound
from heteronym.attacks._sensitive import sensitive_holders
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks


@attacks.register("skewness")
@dataclass(frozen=True)
class Skewness:
    """Knows the quasi columns of the target and how values are spread over everybody."""

    threat: ClassVar[Threat] = "inference"

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        figures: dict[str, float] = {}
        summaries, targets, matched, worst, promised, broken = [], 0, 0, 0.0, [], False
        for name, _, sizes, holders in sensitive_holders(release, knowledge):
            held = holders.sum(1)
            prior = holders.sum(0) / max(held.sum(), 1)
            posterior = holders / np.maximum(held, 1)[:, None]
            distance = np.where(held > 0, np.abs(posterior - prior).sum(1) / 2, 0)
            gain = np.where(prior > 0, posterior / np.maximum(prior, 1e-300), 0).max(1, initial=0)
            limit = sensitive_bound(release.plan, name, "largest_distance")
            far = distance > (0.5 if limit is None else limit + 1e-9)
            broken = broken or bool(limit is not None and far.any())
            promised += [] if limit is None else [limit]
            targets, matched = int(sizes.sum()), max(matched, int(sizes[far].sum()))
            worst = max(worst, float(distance.max(initial=0)))
            figures[f"{name}_distance"] = float(distance.max(initial=0))
            figures[f"{name}_gain"] = float(gain.max(initial=0))
            summaries.append(
                f"'{name}': distance up to {distance.max(initial=0):.3g}, belief in one value up to "
                f"{gain.max(initial=0):.3g} times what it was"
            )
        if not summaries:
            return AttackResult.idle("skewness", self.threat, "no sensitive attribute was released")
        bound = max(promised) if promised else None
        holds = False if broken else True if promised else None
        detail = "; ".join(summaries) + ("" if promised else "; no model of the plan limits this distance")
        return AttackResult("skewness", self.threat, targets, matched, worst, bound, holds, detail, figures)
