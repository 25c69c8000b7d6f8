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

from heteronym.attacks._labels import KnownColumn, control_values, known_columns
from heteronym.attacks._promise import column_bound
from heteronym.attacks._rates import Rate
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks
from heteronym.run import current
from heteronym.verify.values import number_persons


@attacks.register("singling-out")
@dataclass(frozen=True)
class SinglingOut:
    """Knows nothing but the release; conditions are labels of one row, in one to all columns."""

    threat: ClassVar[Threat] = "singling-out"

    attempts: int = field(
        default=500, metadata={"help": "targets per column or predicate", "min": 10, "max": 1_000_000}
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        quasi = known_columns(release, knowledge)
        other = known_columns(release, knowledge, (Role.SENSITIVE, Role.PLAIN))
        if not quasi and not other:
            return AttackResult.idle("singling-out", self.threat, "no column is in both tables")
        bound = column_bound(release.plan)
        alone, beside = self._singled(release, knowledge, quasi, rng) if quasi else (0, None)
        mixed, mixed_beside = (
            self._singled(release, knowledge, [*quasi, *other], rng) if other else (alone, beside)
        )
        allowed = 1 / max(round(1 / bound), 1) if bound is not None else None
        worst = 1.0 if alone else 0.0
        holds = None if bound is None or not quasi else not alone
        detail = f"{alone} of {self.attempts} conditions on quasi columns fit exactly one person"
        if other:
            detail += (
                f"; {mixed} of {self.attempts} that also use other released columns, which no model hides"
            )
        figures = {"quasi": alone / self.attempts, "all_columns": mixed / self.attempts}
        figures |= _beside(self.attempts, "quasi", alone, beside)
        figures |= _beside(self.attempts, "all_columns", mixed, mixed_beside)
        if knowledge.control is not None:
            summaries = [
                f"{figures[f'{name}_risk']:.3f}"
                for name in ("quasi", "all_columns")
                if f"{name}_risk" in figures
            ]
            detail += f"; beside a control group {' and '.join(summaries)} are left"
        return AttackResult(
            "singling-out",
            self.threat,
            self.attempts,
            alone,
            worst,
            allowed,
            holds,
            detail,
            figures,
        )

    def _singled(
        self,
        release: ReleasedTable,
        knowledge: Knowledge,
        columns: Sequence[KnownColumn],
        rng: np.random.Generator,
    ) -> tuple[int, int | None]:
        """How many conditions hold for one person alone, and for one alone of the control group."""
        values = [column.value_of_row for column in columns]
        _, person = np.unique(knowledge.person, return_inverse=True)
        crowds = [(person, values)]
        if knowledge.control is not None:
            rows = np.arange(knowledge.control.height)
            key = release.plan.data.person
            who = number_persons(knowledge.control, key if key in knowledge.control.columns else None)
            crowds.append((who, list(control_values(knowledge, release, columns, rows).T)))
        found = [0, 0]
        for number in range(self.attempts):
            row = int(rng.integers(len(columns[0].label_of_row)))
            width = int(rng.integers(1, len(columns) + 1))
            chosen = rng.permutation(len(columns))[:width].tolist()
            for place, (people, held) in enumerate(crowds):
                fulfils = np.ones(len(people), np.bool_)
                for one in chosen:
                    fulfils &= columns[one].fits[columns[one].label_of_row[row]][held[one]]
                meant = people[fulfils]
                found[place] += bool(len(meant) and (meant == meant[0]).all())
            current().tell(number / self.attempts)
        return found[0], None if knowledge.control is None else found[1]


def _beside(attempts: int, name: str, found: int, control: int | None) -> dict[str, float]:
    """What is left of a success rate beside that of the control group, as Anonymeter has it."""
    if control is None:
        return {}
    risk, error = Rate(found, attempts).beside(Rate(control, attempts))
    return {f"{name}_control": control / attempts, f"{name}_risk": risk, f"{name}_error": error}
