"""Numbers with the lowest as one: `1936 or less`; above, closed intervals as `interval` makes them.

Reference   45 CFR 164.514(b)(2)(i)(C), HIPAA Safe Harbor (years of birth that tell an age over 89)
Guarantee   no label tells more of a number up to `at` than that it is at most `at`
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from heteronym.model.person_view import Domain
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import label_outer
from heteronym.recode.interval import Interval
from heteronym.registry import recoders


@recoders.register("bottom")
@dataclass(frozen=True)
class Bottom(Interval):
    """The number or interval; up to a given number, `1936 or less`."""

    at: int = field(default=0, metadata={"help": "numbers up to here are not told apart"})

    coarsens: ClassVar[Scale] = Scale.NUMERIC

    def coarsen(self, values: pl.Series) -> pl.Series:
        return values.clip(lower_bound=self.at)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        known, text = domain.values.tolist(), domain.texts()

        def between(low: int, high: int) -> str:
            if known[low] == self.at:
                return f"{text[high]} or less"
            return text[low] if low == high else f"[{text[low]}-{text[high]}]"

        return label_outer(domain, covers, between, [between(code, code) for code in range(len(text))])
