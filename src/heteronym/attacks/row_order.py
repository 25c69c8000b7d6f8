"""Who knows the order of the original rows guesses that the released ones stand in the same, or in reverse.

Reference   docs/decisions/0003-rows-sorted-by-content.md
Guarantee   an order that follows from the released content tells nothing; any other is tested (5 sigma)
Cost        O(rows * columns * shuffles)
Randomness  the shuffles that the order is compared with
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, known_columns
from heteronym.attacks._match import gather
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks


@attacks.register("row-order")
@dataclass(frozen=True)
class RowOrder:
    """Knows the original table in its order, and takes the released rows for the same ones."""

    threat: ClassVar[Threat] = "linkability"

    shuffles: int = field(
        default=20, metadata={"help": "random orders to compare with", "min": 5, "max": 10_000}
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        rows = release.frame.height
        roles = (Role.QUASI, Role.SENSITIVE, Role.PLAIN)
        columns = known_columns(release, knowledge, roles)
        if not columns or rows != knowledge.frame.height or rows < 2:
            why = "the tables have no common column, or not the same number of rows"
            return AttackResult.idle("row-order", self.threat, why)
        if follows_from_content(release.frame):
            detail = "rows are sorted by their released content: the order adds nothing to it"
            return AttackResult("row-order", self.threat, rows, 0, 0.0, 0.0, True, detail)
        far, findings = self._fit(columns, rows, rng)
        if release.source_row is not None:
            far = max(far, _within_groups(release, knowledge))
            same = int((release.source_row == np.arange(rows)).sum())
            same = max(same, int((release.source_row == np.arange(rows)[::-1]).sum()))
            findings = f"{same} rows stand where they stood; {findings}"
        broken = far > 5
        matched = 0
        if broken and release.source_row is not None:
            matched = same
        elif broken:
            matched = rows
        detail = f"the order is {far:.1f} standard deviations from a random one; {findings}"
        return AttackResult(
            "row-order",
            self.threat,
            rows,
            matched,
            matched / rows,
            0.0,
            not broken,
            detail,
            {"deviations": far},
        )

    def _fit(self, columns: list[KnownColumn], rows: int, rng: np.random.Generator) -> tuple[float, str]:
        """How much better rows fit those at the same place than those at random places."""

        def fitting(order: NDArray[np.int64]) -> int:
            fit = np.ones(rows, np.bool_)
            for column in columns:
                fit &= column.fits[column.label_of_row, column.value_of_row[order]]
            return int(fit.sum())

        straight, reverse = fitting(np.arange(rows)), fitting(np.arange(rows)[::-1])
        chance = np.array([fitting(rng.permutation(rows)) for _ in range(self.shuffles)], float)
        spread = max(float(chance.std()), np.sqrt(max(float(chance.mean()), 1.0)))
        far = (max(straight, reverse) - float(chance.mean())) / spread
        return far, f"{max(straight, reverse)} rows fit their place, {chance.mean():.0f} by chance"


def _within_groups(release: ReleasedTable, knowledge: Knowledge) -> float:
    """How far the order of rows with equal quasi labels is from random, in standard deviations."""
    assert release.source_row is not None
    group = gather(release, known_columns(release, knowledge)).group_of_row
    order = np.argsort(group, kind="stable")
    source, place = release.source_row[order], group[order]
    pairs = place[1:] == place[:-1]
    ups = int((source[1:] > source[:-1])[pairs].sum())
    count = int(pairs.sum())
    # ascents of a random order have variance (n + 1) / 12 rather than n / 4; the larger one is kept
    return abs(ups - count / 2) / np.sqrt(count / 4) if count else 0.0


def follows_from_content(frame: pl.DataFrame) -> bool:
    """Whether the rows are sorted by what they show, from left to right."""
    plain = frame.select(
        pl.col(name) if not frame[name].dtype.is_nested() else pl.col(name).cast(pl.String, strict=False)
        for name in frame.columns
    )
    for table in (plain, plain.cast(pl.String)):
        for last in (False, True):
            if table.equals(table.sort(table.columns, nulls_last=last, maintain_order=True), null_equal=True):
                return True
    return False
