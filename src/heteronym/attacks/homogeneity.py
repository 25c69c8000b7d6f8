"""Who finds the group of a target reads the sensitive value that all of its members share.

Reference   Machanavajjhala et al. 2007 (homogeneity attack)
Guarantee   counts every group and person whose value is certain
Cost        O(rows)
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


@attacks.register("homogeneity")
@dataclass(frozen=True)
class Homogeneity:
    """Knows the quasi columns of the target, wants its sensitive value."""

    threat: ClassVar[Threat] = "inference"

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        figures: dict[str, float] = {}
        summaries, broken, targets = [], False, 0
        # what no model is about is told, and counts only where no model is about any
        found: dict[bool, list[tuple[float, float, int]]] = {True: [], False: []}
        for name, crowd, sizes, holders in sensitive_holders(release, knowledge):
            share = holders.max(1) / np.maximum(sizes, 1)
            certain = holders.max(1) == sizes
            persons = int(sizes[certain].sum())
            bound = sensitive_bound(release.plan, name, "largest_share")
            if bound is not None:
                broken = broken or bool((share > bound + 1e-9).any())
            targets = int(sizes.sum())
            found[bound is not None].append((bound or 0.0, float(share.max(initial=0)), persons))
            figures[f"{name}_certain_groups"] = float(certain.sum())
            figures[f"{name}_certain_{crowd.unit}"] = float(persons)
            unbound = "" if bound is not None else ", and no model is about it"
            summaries.append(
                f"'{name}': certain for {persons} {crowd.unit} in {int(certain.sum())} groups{unbound}"
            )
        if not summaries:
            return AttackResult.idle("homogeneity", self.threat, "no sensitive attribute was released")
        bounds, certainties, matched = zip(*(found[True] or found[False]), strict=True)
        holds = False if broken else True if found[True] else None
        return AttackResult(
            "homogeneity",
            self.threat,
            targets,
            max(matched),
            max(certainties),
            max(bounds) if found[True] else None,
            holds,
            "; ".join(summaries),
            figures,
        )
