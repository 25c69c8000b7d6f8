"""Who believes that nothing is generalized in vain asks why a large enough crowd was joined with others.

Reference   Wong, Fu, Wang and Pei 2007 (minimality attack)
Guarantee   none; how often "these people share a value" is right, beside what their group tells anyway
Cost        O(rows log rows)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import distinct_rows, gather
from heteronym.attacks._promise import column_bound, promising_models
from heteronym.attacks._rates import Rate
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks


@attacks.register("minimality")
@dataclass(frozen=True)
class Minimality:
    """Knows the quasi columns of everybody, and takes the method for one that never generalizes in vain."""

    threat: ClassVar[Threat] = "inference"

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        diverse = [
            part
            for part in promising_models(release.plan)
            if getattr(part, "largest_share", None) is not None
        ]
        sensitive = [
            n
            for n, a in release.plan.attributes.items()
            if a.role is Role.SENSITIVE and n in release.frame.columns
        ]
        bound = column_bound(release.plan)
        if not diverse or not sensitive or bound is None:
            why = "no model for sensitive columns: groups are joined for their size alone"
            return AttackResult.idle("minimality", self.threat, why)
        if release.source_row is None:
            why = "whether a guess is right is known only with the owner's map (--private)"
            return AttackResult.idle("minimality", self.threat, why)
        columns = known_columns(release, knowledge)
        crowd = gather(release, columns)
        source = release.source_row
        _, kin = distinct_rows(np.stack([column.value_of_row[source] for column in columns], 1))
        rows = pl.DataFrame({"kin": kin, "group": crowd.group_of_row, "person": crowd.person_of_row})
        size = pl.col("person").n_unique()
        joined = rows.with_columns(
            size.over("kin").alias("of_kin"), size.over("group").alias("of_group")
        ).with_columns(
            suspect=(pl.col("of_kin") >= round(1 / bound)) & (pl.col("of_group") > pl.col("of_kin"))
        )
        suspects = int(joined.filter("suspect")["person"].n_unique())
        figures: dict[str, float] = {"suspects": float(suspects)}
        largest_gain, findings = 0.0, []
        for name in sensitive:
            guessed, expected = _guess_shared_value(joined, release.frame[name].cast(pl.String))
            gain = guessed.value - guessed.error - expected if guessed.trials else 0.0
            figures |= {f"{name}_guessed": guessed.value, f"{name}_expected": expected}
            largest_gain = max(largest_gain, gain)
            findings.append(
                f"'{name}' guessed for {guessed.successes} of {guessed.trials} rows, {expected:.1%} expected"
            )
        return AttackResult(
            "minimality",
            self.threat,
            crowd.persons,
            round(largest_gain * suspects),
            largest_gain,
            None,
            None,
            f"{suspects} {crowd.unit} were joined with others although enough were alike; "
            f"{'; '.join(findings)}; no model of the plan bounds it",
            figures,
        )


def _guess_shared_value(rows: pl.DataFrame, values: pl.Series) -> tuple[Rate, float]:
    """How often suspects have their group's most frequent value, and how often its rows have it anyway."""
    cells = rows.with_columns(value=values)
    guesses = cells.filter("suspect").group_by("group").agg(guess=pl.col("value").mode().sort().first())
    tried = cells.join(guesses, on="group", how="inner").with_columns(
        right=(pl.col("value") == pl.col("guess")).fill_null(False)
    )
    expected = tried.select(pl.col("right").mean().over("group").mean()).item()
    suspects = tried.filter("suspect")
    return Rate(int(suspects["right"].sum()), suspects.height), float(expected or 0.0)
