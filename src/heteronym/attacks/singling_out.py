"""Who wants any one person writes down a condition from the release that only one person fulfils.

Reference   Cohen and Nissim 2020 (predicate singling out); Giomi et al. 2023 (Anonymeter)
Guarantee   counts conditions on released labels that exactly one original person fulfils
Cost        O(attempts * rows * columns)
Randomness  which rows and columns the conditions are made of
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.attacks._labels import KnownColumn, known_columns
from heteronym.attacks._promise import column_bound
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks
from heteronym.run import current


@attacks.register("singling-out")
@dataclass(frozen=True)
class SinglingOut:
    """Knows nothing but the release; conditions are labels of one row, in one to all columns."""

    threat: ClassVar[Threat] = "singling-out"

    attempts: int = field(default=500, metadata={"help": "targets per column or predicate", "min": 10})

    def attack(
        self, release: ReleasedTable, knowledge: Knowledge, *, rng: np.random.Generator
    ) -> AttackResult:
        quasi = known_columns(release, knowledge)
        other = known_columns(release, knowledge, (Role.SENSITIVE, Role.PLAIN))
        if not quasi and not other:
            return AttackResult.idle("singling-out", self.threat, "no column is in both tables")
        bound = column_bound(release.plan)
        alone = self._singled(knowledge, quasi, rng) if quasi else 0
        mixed = self._singled(knowledge, [*quasi, *other], rng) if other else alone
        allowed = 1 / max(round(1 / bound), 1) if bound is not None else None
        worst = 1.0 if alone else 0.0
        holds = None if bound is None or not quasi else not alone
        detail = f"{alone} of {self.attempts} conditions on quasi columns fit exactly one person"
        if other:
            detail += (
                f"; {mixed} of {self.attempts} that also use other released columns, which no model hides"
            )
        return AttackResult(
            "singling-out",
            self.threat,
            self.attempts,
            alone,
            worst,
            allowed,
            holds,
            detail,
            {"quasi": alone / self.attempts, "all_columns": mixed / self.attempts},
        )

    def _singled(self, knowledge: Knowledge, columns: Sequence[KnownColumn], rng: np.random.Generator) -> int:
        """How many conditions hold for one person alone."""
        released = len(columns[0].label_of_row)
        _, person = np.unique(knowledge.person, return_inverse=True)
        found = 0
        for number in range(self.attempts):
            row = int(rng.integers(released))
            width = int(rng.integers(1, len(columns) + 1))
            fulfils = np.ones(len(knowledge.person), np.bool_)
            for place in rng.permutation(len(columns))[:width]:
                column = columns[int(place)]
                fulfils &= column.fits[column.label_of_row[row]][column.value_of_row]
            who = person[fulfils]
            found += bool(len(who) and (who == who[0]).all())
            current().tell(number / self.attempts)
        return found
