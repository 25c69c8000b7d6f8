"""Numbers with the highest as one: `90+`; below, closed intervals as `interval` makes them.

Reference   45 CFR 164.514(b)(2)(i)(C), HIPAA Safe Harbor (ages over 89); top coding of official statistics
Guarantee   no label tells more of a number from `at` on than that it is at least `at`
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


@recoders.register("top")
@dataclass(frozen=True)
class Top(Interval):
    """The number or interval; from a given number on, `90+`."""

    at: int = field(default=90, metadata={"help": "numbers from here on are not told apart"})

    coarsens: ClassVar[Scale] = Scale.NUMERIC

    def coarsen(self, values: pl.Series) -> pl.Series:
        return values.clip(upper_bound=self.at)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        known, text = domain.values.tolist(), domain.texts()

        def between(low: int, high: int) -> str:
            if known[high] == self.at:
                return f"{text[low]}+"
            return text[low] if low == high else f"[{text[low]}-{text[high]}]"

        return label_outer(domain, covers, between, [between(code, code) for code in range(len(text))])
