"""Who knows what kinds of things a target wrote about looks at the placeholders that stand for them.

Reference   Sanchez and Batet 2016 (what a placeholder still tells); docs/guarantees
Guarantee   finds persons who are told apart in their group by one or two placeholders with their counts
Cost        O(persons * types^2)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import gather
from heteronym.attacks._promise import models_of, outcome
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks

_PLACEHOLDER = re.compile(r"\[([A-Z][A-Z_]*)\]")


@attacks.register("placeholders")
@dataclass(frozen=True)
class Placeholders:
    """Knows the quasi columns of the target and up to two kinds of things it mentions, with how often."""

    threat: ClassVar[Threat] = "linkability"

    def attack(
        self, release: ReleasedTable, knowledge: Knowledge, *, rng: np.random.Generator
    ) -> AttackResult:
        texts = [
            n
            for n, a in release.plan.attributes.items()
            if a.role is Role.TEXT and n in release.frame.columns
        ]
        if not texts:
            return AttackResult.idle("placeholders", self.threat, "no text column was released")
        crowd = gather(release, known_columns(release, knowledge))
        shown: list[Counter[str]] = [Counter() for _ in range(crowd.persons)]
        for name in texts:
            for person, text in zip(crowd.person_of_row, release.frame[name].cast(pl.String), strict=True):
                shown[person].update(_PLACEHOLDER.findall(text or ""))
        group = np.zeros(crowd.persons, np.int64)
        group[crowd.person_of_row] = crowd.group_of_row
        holders: Counter[tuple[int, tuple[tuple[str, int], ...]]] = Counter()
        facts_of = []
        for person, counts in enumerate(shown):
            single = [(kind, j) for kind, count in counts.items() for j in range(1, min(count, 2) + 1)]
            facts = [(one,) for one in single]
            facts += [pair for pair in combinations(sorted(single), 2) if pair[0][0] != pair[1][0]]  # type: ignore[misc]
            facts_of.append([(int(group[person]), fact) for fact in facts])
            holders.update(facts_of[-1])
        certainty = np.array([max((1 / holders[fact] for fact in facts), default=0.0) for facts in facts_of])
        covering = [
            given["k"] for name, given, _ in models_of(release.plan) if name == "joint" and given.get("k")
        ]
        bound = 1 / max(covering) if covering else None
        worst = float(certainty.max(initial=0))
        over = int((certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)).sum())
        detail = f"{over} {crowd.unit} are told apart in their group by one or two placeholders"
        if bound is None:
            detail += "; only the model joint counts placeholders"
        return AttackResult(
            "placeholders",
            self.threat,
            crowd.persons,
            over,
            worst,
            bound,
            outcome(worst, bound, can_tell=crowd.knows_persons),
            detail,
        )
