"""Who knows how columns hang together undoes generalizations with the help of what was released unchanged.

Reference   Cohen 2022, "Attacks on deidentification's defenses" (downcoding); here from other columns
Guarantee   none; how often a cell is undone, learned from one half of the people and tried on the other
Cost        O(persons * values) per pair of a generalized and an unchanged column
Randomness  the halves
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, known_columns
from heteronym.attacks._rates import Rate
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks
from heteronym.run import current

_VALUES = 200  # evidence with more values than that is hardly ever seen twice


@attacks.register("downcoding")
@dataclass(frozen=True)
class Downcoding:
    """Knows how the columns of half of the people hang together, and narrows the labels of the other half."""

    threat: ClassVar[Threat] = "inference"

    sure: float = field(
        default=0.9,
        metadata={"help": "belief from which the attacker counts itself sure", "min": 0.5, "max": 1.0},
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        columns = known_columns(release, knowledge)
        evidence = [
            column
            for column in known_columns(release, knowledge, (Role.SENSITIVE, Role.PLAIN))
            if 1 < len(column.values) <= _VALUES
        ]
        if release.source_row is None:
            why = "whether a guess is right is known only with the owner's map (--private)"
            return AttackResult.idle("downcoding", self.threat, why)
        wide = [column for column in columns if (column.fits[column.label_of_row].sum(1) > 1).any()]
        if not wide or not evidence:
            why = "no generalized column, or none that was released unchanged"
            return AttackResult.idle("downcoding", self.threat, why)
        taught = rng.random(len(knowledge.person)) < 0.5
        tried = np.flatnonzero(~taught[release.source_row])
        hit = np.zeros(len(tried), np.bool_)
        sure_of = right = 0
        figures: dict[str, float] = {}
        for number, column in enumerate(wide):
            truth = column.value_of_row[release.source_row[tried]]
            before, after = self._beliefs(column, evidence, tried, taught)
            # only what the label alone did not already tell
            new = (after.max(1) >= self.sure) & (before.max(1) < self.sure)
            undone = new & (after.argmax(1) == truth)
            hit |= undone
            sure_of, right = sure_of + int(new.sum()), right + int(undone.sum())
            figures[f"{column.name}_undone"] = float(undone.sum())
            current().tell((number + 1) / len(wide))
        rate = Rate(right, sure_of)
        return AttackResult(
            "downcoding",
            self.threat,
            len(tried),
            int(hit.sum()),
            right / sure_of if sure_of else 0.0,
            None,
            None,
            f"{right} generalized cells are undone, {sure_of - right} wrongly so, by columns that were "
            "released unchanged; no model of the plan bounds it",
            figures | {"precision": rate.value if sure_of else 0.0},
        )

    def _beliefs(
        self,
        column: KnownColumn,
        evidence: Sequence[KnownColumn],
        tried: NDArray[np.int64],
        taught: NDArray[np.bool_],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Beliefs about the value behind each label, without and with the evidence (naive Bayes)."""
        size = len(column.values) + 1
        prior = np.bincount(column.value_of_row[taught], minlength=size).astype(float)
        before = column.fits[column.label_of_row[tried]] * prior
        after = before.copy()
        for other in evidence:
            kinds = len(other.values) + 1
            pairs = column.value_of_row[taught] * kinds + other.value_of_row[taught]
            joint = np.bincount(pairs, minlength=size * kinds).reshape(size, kinds) + 0.5
            likelihood = joint / joint.sum(1, keepdims=True)
            # what was released unchanged reads as the one value it fits
            after *= likelihood[:, other.fits.argmax(1)[other.label_of_row[tried]]].T
        return _normed(before), _normed(after)


def _normed(belief: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(belief / np.maximum(belief.sum(1, keepdims=True), 1e-300))
