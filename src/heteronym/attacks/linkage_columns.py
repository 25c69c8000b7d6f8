"""Who knows quasi columns looks for the rows whose labels cover a target, and for the people a row may show.

Reference   Sweeney 2002 (linkage of quasi-identifiers)
Guarantee   finds targets that too few released persons fit, and rows that fit too few people
Cost        O(targets * groups * columns) + O(groups tried * people * columns)
Randomness  which targets are tried
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import (
    count_persons,
    draw_targets,
    fitting_groups,
    fitting_people,
    gather,
    true_groups,
    values_of,
)
from heteronym.attacks._promise import column_bound, outcome
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks
from heteronym.run import current


@attacks.register("linkage-columns")
@dataclass(frozen=True)
class LinkageByColumns:
    """Knows all quasi columns of everybody, and wants a target, or whoever is easiest to find."""

    threat: ClassVar[Threat] = "linkability"

    targets: int = field(default=5000, metadata={"help": "persons that are tried", "min": 1})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        columns = known_columns(release, knowledge)
        if not columns:
            return AttackResult.idle("linkage-columns", self.threat, "no quasi column is in both tables")
        crowd = gather(release, columns)
        rows = draw_targets(knowledge, self.targets, rng)
        values = values_of(columns, rows)
        truth = true_groups(release, crowd, rows)
        incidence = crowd.incidence()
        certainty = np.zeros(len(rows))
        right = np.zeros(len(rows), np.bool_)
        for part, fit in fitting_groups(crowd, columns, values):
            persons = count_persons(crowd, fit, incidence)
            certainty[part] = np.where(persons > 0, 1 / np.maximum(persons, 1), 0)
            if truth is not None:
                right[part] = fit[np.arange(len(fit)), truth[part]] & (truth[part] >= 0)
            current().tell(part.stop / len(rows))
        bound = column_bound(release.plan)
        surely = certainty if truth is None else certainty * right
        # the other way round: whom may the rows of a group show? The smallest groups are tried.
        sizes = np.asarray(incidence.sum(1)).ravel()
        groups = np.argsort(sizes, kind="stable")[: self.targets]
        people = fitting_people(crowd, columns, knowledge, groups)
        back = np.where(people > 0, 1 / np.maximum(people, 1), 0)
        limit = bound + 1e-9 if bound is not None else 1 - 1e-9
        matched = max(int((surely > limit).sum()), int(sizes[groups[back > limit]].sum()))
        worst = float(max(surely.max(initial=0), back.max(initial=0)))
        found = int((certainty > 0).sum())
        crowded = round(1 / float(surely.max())) if surely.any() else 0
        return AttackResult(
            "linkage-columns",
            self.threat,
            len(rows),
            matched,
            worst,
            bound,
            outcome(worst, bound, can_tell=crowd.knows_persons),
            f"{found} of {len(rows)} targets fit somebody; the smallest crowd has {crowded} {crowd.unit}, "
            f"and a row fits at least {int(people[people > 0].min(initial=crowd.persons))} people"
            + ("" if truth is None else f"; {int(right.sum())} of the crowds hold the target"),
            {"mean_certainty": float(surely.mean()), "expected_matches": float(surely.sum())},
        )
