"""Who knows some columns of a target guesses another one from the released rows that lie nearest.

Reference   Giomi et al. 2023 (Anonymeter, inference risk)
Guarantee   none; an estimate with 95 % intervals, beside a control group or else beside blind guessing
Cost        O(attempts * distinct released rows * columns), per secret column
Randomness  which targets are tried, ties
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, control_values, known_columns
from heteronym.attacks._match import draw_targets, gather, values_of
from heteronym.attacks._nearest import nearest_groups
from heteronym.attacks._rates import Rate
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role, Scale
from heteronym.registry import attacks
from heteronym.run import current

_TOLERANCE = 0.05  # of the range: a number is guessed if it is that near


@attacks.register("inference")
@dataclass(frozen=True)
class Inference:
    """Knows the other quasi columns of the target, wants a quasi or sensitive one."""

    threat: ClassVar[Threat] = "inference"

    attempts: int = field(
        default=500, metadata={"help": "targets per column or predicate", "min": 10, "max": 1_000_000}
    )
    secret: str | None = field(default=None, metadata={"help": "the column to guess; left out: each in turn"})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        columns = known_columns(release, knowledge, (Role.QUASI, Role.SENSITIVE))
        quasi = {n for n, a in release.plan.attributes.items() if a.role is Role.QUASI}
        secrets = [c for c in columns if self.secret in (None, c.name) and len(c.values) > 1]
        secrets = [c for c in secrets if any(k.name in quasi and k is not c for k in columns)]
        if not secrets:
            return AttackResult.idle("inference", self.threat, "no column that could be guessed from another")
        figures: dict[str, float] = {}
        worst = (0.0, 0.0, "")
        tried = 0
        for number, secret in enumerate(secrets):
            known = [c for c in columns if c.name in quasi and c is not secret]
            attack, control, weak = self._guess(release, knowledge, secret, known, rng)
            risk, error = attack.beside(control)
            figures |= {f"{secret.name}_attack": attack.value, f"{secret.name}_control": control.value}
            figures |= {f"{secret.name}_risk": 0.0 if weak else risk, f"{secret.name}_error": error}
            if not weak and risk - error > worst[0] - worst[1]:
                worst = (risk, error, secret.name)
            tried = max(tried, attack.trials)
            current().tell((number + 1) / len(secrets))
        beside = (
            "a control group"
            if knowledge.control is not None
            else "blind guessing (no control group was given)"
        )
        detail = f"worst for '{worst[2]}': {worst[0]:.3f} ± {worst[1]:.3f} beside {beside}"
        if not worst[2]:
            detail = f"no column is guessed better than by {beside}"
        beyond = max(worst[0] - worst[1], 0.0)
        return AttackResult(
            "inference",
            self.threat,
            tried,
            round(beyond * tried),
            worst[0],
            None,
            None,
            detail + "; no model of the plan bounds it",
            figures,
        )

    def _guess(
        self,
        release: ReleasedTable,
        knowledge: Knowledge,
        secret: KnownColumn,
        known: Sequence[KnownColumn],
        rng: np.random.Generator,
    ) -> tuple[Rate, Rate, bool]:
        """Success on the released people, on the control, and whether it is no better than blind guessing."""
        crowd = gather(release, [*known, secret])
        weight = np.bincount(crowd.group_of_row, minlength=len(crowd.labels)).astype(float)
        rows = draw_targets(knowledge, self.attempts, rng)
        rows = rows[secret.value_of_row[rows] < len(secret.values)]  # a missing secret is none
        meant = _meanings(secret, release.plan.attributes[secret.name].scale)
        chance = (
            rng.random(len(secret.values)) * 1e-6
        )  # decides between equals, for who knows and who does not
        guessed = _guesses(crowd.labels, known, values_of(known, rows), weight, secret, chance)
        attack = Rate(_hits(meant, guessed, secret.value_of_row[rows]), len(rows))
        # what is most likely for who knows nothing
        likely = int((weight @ _votes(secret)[crowd.labels[:, -1]] + chance).argmax())
        truth = secret.value_of_row[rows]
        blind = Rate(_hits(meant, np.full(len(rows), likely), truth), len(rows))
        if knowledge.control is None:
            return attack, blind, attack.value <= blind.value
        others, truth = _control_values(knowledge, release, known, secret, self.attempts, rng)
        control = _guesses(crowd.labels, known, others, weight, secret, chance)
        return attack, Rate(_hits(meant, control, truth), len(truth)), attack.value <= blind.value


def _guesses(
    labels: NDArray[np.int64],
    known: Sequence[KnownColumn],
    values: NDArray[np.int64],
    weight: NDArray[np.float64],
    secret: KnownColumn,
    chance: NDArray[np.float64],
) -> NDArray[np.int64]:
    """The most frequent value behind the secret's labels in the nearest groups."""
    votes = _votes(secret)
    out = np.zeros(len(values), np.int64)
    for part, near in nearest_groups(labels[:, :-1], known, values):
        by_label = np.zeros((len(near), len(secret.fits)), np.float32)
        for one in range(len(near)):
            groups = np.flatnonzero(near[one])
            by_label[one] = np.bincount(labels[groups, -1], weight[groups], minlength=len(secret.fits))
        out[part] = (by_label @ votes + chance).argmax(1)
    return out


def _votes(secret: KnownColumn) -> NDArray[np.float64]:
    """How each label spreads its belief over the values it may mean."""
    fits = secret.fits[:, : len(secret.values)].astype(np.float64)
    return np.asarray(fits / np.maximum(fits.sum(1, keepdims=True), 1))


def _meanings(secret: KnownColumn, scale: Scale) -> NDArray[np.float64] | None:
    """Numbers that can be nearly right, scaled to their range; None for names."""
    if scale not in (Scale.NUMERIC, Scale.DATE):
        return None
    as_numbers = np.array(secret.values, "datetime64[D]" if scale is Scale.DATE else np.float64).astype(
        np.float64
    )
    width = as_numbers[-1] - as_numbers[0]
    return as_numbers / width if width > 0 else None


def _hits(meant: NDArray[np.float64] | None, guessed: NDArray[np.int64], truth: NDArray[np.int64]) -> int:
    if meant is None:
        return int((guessed == truth).sum())
    known = truth < len(meant)
    near = np.abs(meant[guessed[known]] - meant[truth[known]]) <= _TOLERANCE
    return int(near.sum())


def _control_values(
    knowledge: Knowledge,
    release: ReleasedTable,
    known: Sequence[KnownColumn],
    secret: KnownColumn,
    attempts: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    assert knowledge.control is not None
    chosen = np.sort(rng.permutation(knowledge.control.height)[:attempts])
    truth = control_values(knowledge, release, [secret], chosen)[:, 0]
    keep = truth < len(secret.values)
    return control_values(knowledge, release, known, chosen)[keep], truth[keep]
