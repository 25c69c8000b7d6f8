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
from heteronym.attacks._promise import column_bound, models_of
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
        diverse = [given for _, given, _ in models_of(release.plan) if "l" in given or "alpha" in given]
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
        far, told = 0.0, []
        for name in sensitive:
            cells = joined.with_columns(value=release.frame[name].cast(pl.String)).filter("suspect")
            # the most frequent value of the whole group is what the attacker takes for the shared one
            top = cells.group_by("group").agg(guess=pl.col("value").mode().sort().first())
            tried = cells.join(top, on="group", how="left")
            hits = int((tried["value"] == tried["guess"]).fill_null(False).sum())
            share = (
                rows.with_columns(value=release.frame[name].cast(pl.String))
                .join(top, on="group", how="inner")
                .select((pl.col("value") == pl.col("guess")).fill_null(False).mean().over("group"))
                .to_series()
            )
            expected = float(share.mean() or 0.0) if len(share) else 0.0  # type: ignore[arg-type]
            rate = Rate(hits, tried.height)
            gain = rate.value - rate.error - expected if tried.height else 0.0
            figures |= {f"{name}_guessed": rate.value if tried.height else 0.0, f"{name}_expected": expected}
            far = max(far, gain)
            told.append(f"'{name}' guessed for {hits} of {tried.height} rows, {expected:.1%} expected")
        return AttackResult(
            "minimality",
            self.threat,
            crowd.persons,
            round(max(far, 0.0) * suspects),
            max(far, 0.0),
            None,
            None,
            f"{suspects} {crowd.unit} were joined with others although enough were alike; {'; '.join(told)}; "
            "no model of the plan bounds it",
            figures,
        )
