"""Values as HIPAA Safe Harbor allows them: a date is its year, an age over 89 `90+`, what else is listed `*`.

Reference   45 CFR 164.514(b)(2)(i), HIPAA Safe Harbor
Guarantee   no label tells what docs/guarantees/safe-harbor.toml lists for cells
Cost        O(values) patterns
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from heteronym.knowledge.hipaa import SUPPRESSED, cell_shown_as
from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import need_scale
from heteronym.recode.set import ValueSet
from heteronym.registry import recoders


@recoders.register("hipaa-values")
@dataclass(frozen=True)
class AllowedValues:
    """The value, or what Safe Harbor allows of it: a year, `90+`, `*`."""

    until: int = field(
        default=0, metadata={"help": "years up to this one are not told apart", "min": 0, "max": 9999}
    )
    ages: bool = field(default=False, metadata={"help": "numbers over 89 are ages"})
    births: bool = field(default=False, metadata={"help": "years are those of births"})

    coarsens: ClassVar[Scale] = Scale.NOMINAL

    def coarsen(self, values: pl.Series) -> pl.Series:
        known = values.drop_nulls().unique().to_list()
        allowed = [
            cell_shown_as(cell, until=self.until, ages=self.ages, births=self.births) for cell in known
        ]
        return values.replace_strict(known, allowed, return_dtype=pl.String) if known else values

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "hipaa-values", Scale.NOMINAL)
        return ValueSet().shape(domain)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        # beside what may not be told nothing is told
        hidden = domain.values.tolist().index(SUPPRESSED) if SUPPRESSED in domain.values else -1
        found = ValueSet().labels(domain, covers)
        return [SUPPRESSED if hidden in covers[n] else label for n, label in enumerate(found)]
