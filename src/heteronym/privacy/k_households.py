"""k-households: the persons of every group come from at least k households.

Reference   El Emam and Arbuckle 2013, chapter 4 (households); Templ, Kowarik and Meindl 2015
Guarantee   who knows the columns of one or all members of a household finds at least k households
Cost        statistic O(members) and O(households of a group) to ask; audit O(rows)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.contracts import Kind, PromiseInWords
from heteronym.errors import InputError, PlanError
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.model.sets import Sets
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Histogram, Holdings, Limit, LimitKind


@privacy_models.register("k-households")
@dataclass(frozen=True)
class KHouseholds:
    """Every group has persons of at least k households (`data.household`); one household is no crowd."""

    k: int = field(metadata={"help": "fewest households in a group", "min": 2})

    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns"})
    counts_households: ClassVar[bool] = True
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every group of persons who look alike comes from at least {k} households.",
        attacker="Someone who knows all quasi-identifying columns of everybody in a household.",
        not_promised=("Items, terms and events are not counted by household.",),
    )

    @property
    def least_persons(self) -> int:
        return self.k

    def check(self, view: PersonView) -> None:
        households = _holdings(view).values
        if households < self.k:
            raise InputError(f"k = {self.k} is larger than the number of households, {households}")

    def start(self, view: PersonView) -> Histogram:
        """Households are counted as the different values of a sensitive column are."""
        return Histogram(_holdings(view), Limit(LimitKind.DISTINCT, (float(self.k),)), least=self.k)

    def audit(self, released: Released) -> ModelVerdict:
        parameters = {"k": self.k}
        if released.household_of_row is None:
            detail = "cannot be told: which rows are one household's needs the original data"
            return ModelVerdict("k-households", parameters, None, 0, detail)
        rows = pl.DataFrame({"group": released.group_of_row, "household": released.household_of_row})
        counts = rows.group_by("group").agg(pl.col("household").n_unique())["household"]
        smallest, short = int(counts.min() or 0), int((counts < self.k).sum())  # type: ignore[arg-type]
        detail = f"{short} of {len(counts)} groups have fewer than {self.k} households" if short else ""
        return ModelVerdict("k-households", parameters, smallest >= self.k, smallest, detail)


def _holdings(view: PersonView) -> Holdings:
    if view.household is None:
        raise PlanError("privacy: 'k-households' needs data.household, the column that names the household")
    ptr = np.arange(view.persons + 1, dtype=np.int64)
    return Holdings(Sets(ptr, view.household.astype(np.int32)), int(view.household.max(initial=-1)) + 1)
