"""Who knows a member of a household looks for the households that the fitting rows may be of.

Reference   El Emam and Arbuckle 2013, chapter 4; Templ, Kowarik and Meindl 2015
Guarantee   finds targets whose crowd comes from too few households: k persons of one family are found at once
Cost        O(targets * groups * columns)
Randomness  which targets are tried
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import count_persons, draw_targets, fitting_groups, gather, values_of
from heteronym.attacks._promise import outcome, promising_models
from heteronym.contracts import Rng
from heteronym.io.values import text_cells
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks
from heteronym.run import current


@attacks.register("linkage-household")
@dataclass(frozen=True)
class LinkageOfHouseholds:
    """Knows all quasi columns of a target and who lives with whom, and wants the household."""

    threat: ClassVar[Threat] = "linkability"

    targets: int = field(default=5000, metadata={"help": "persons that are tried", "min": 1})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        key, columns = release.plan.data.household, known_columns(release, knowledge)
        if key is None or key not in knowledge.frame.columns or not columns:
            why = "the plan names no household, or no quasi column"
            return AttackResult.idle("linkage-household", self.threat, why)
        if release.person is None:
            why = "whose rows are of one household is known only with the owner's map (--private)"
            return AttackResult.idle("linkage-household", self.threat, why)
        cells = text_cells(knowledge.frame[key], knowledge.missing).str.strip_chars()
        house = np.zeros(int(knowledge.person.max(initial=0)) + 1, np.int64)
        house[knowledge.person] = cells.rank("dense").fill_null(0).to_numpy()  # those without count as one
        crowd = gather(replace(release, person=house[release.person]), columns)
        rows, incidence = draw_targets(knowledge, self.targets, rng), crowd.incidence()
        certainty = np.zeros(len(rows))
        for part, fit in fitting_groups(crowd, columns, values_of(columns, rows)):
            households = count_persons(crowd, fit, incidence)
            certainty[part] = np.where(households > 0, 1 / np.maximum(households, 1), 0)
            current().tell(part.stop / len(rows))
        counting = [m for m in promising_models(release.plan) if getattr(m, "counts_households", False)]
        ks = [model.k for model in counting]  # type: ignore[attr-defined]
        bound = 1 / max(ks) if ks else None
        worst = float(certainty.max(initial=0))
        over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
        return AttackResult(
            "linkage-household",
            self.threat,
            len(rows),
            int(over.sum()),
            worst,
            bound,
            outcome(worst, bound),
            f"the smallest crowd comes from {round(1 / worst) if worst else 0} households",
            {"mean_certainty": float(certainty.mean())},
        )
