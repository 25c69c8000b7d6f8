"""Dates as years, whatever the group: `2004`, `[2004-2006]`; the earliest may be one: `1936 or earlier`.

Reference   45 CFR 164.514(b)(2)(i)(C), HIPAA Safe Harbor
Guarantee   no label tells more of a date than its year, or than that it lies in `until` or before
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.model.person_view import Domain, LabelShape, ShapeKind
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import label_outer, need_scale
from heteronym.registry import recoders


@recoders.register("year")
@dataclass(frozen=True)
class Year:
    """The year, or the range of years; all up to a given one are the same."""

    until: int = field(
        default=0, metadata={"help": "years up to this one are not told apart", "min": 0, "max": 9999}
    )

    coarsens: ClassVar[Scale] = Scale.DATE

    def coarsen(self, values: pl.Series) -> pl.Series:
        pooled = pl.max_horizontal(values.dt.year(), pl.lit(self.until))
        first = pl.when(values.is_not_null()).then(pl.date(pooled, 1, 1))
        return pl.select(first.alias(values.name)).to_series()

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "year", Scale.DATE)
        return LabelShape(ShapeKind.SPAN, _years(domain).astype(np.float64))

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        years = _years(domain).tolist()
        text = [f"{year} or earlier" if year == self.until else f"{year:04}" for year in years]

        def between(low: int, high: int) -> str:
            pooled = years[low] == self.until
            return f"{years[high]:04} or earlier" if pooled else f"[{text[low]}-{text[high]}]"

        return label_outer(domain, covers, between, text)


def _years(domain: Domain) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return domain.values.astype("datetime64[Y]").astype(np.int64) + 1970
