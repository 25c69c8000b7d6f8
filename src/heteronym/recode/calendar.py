"""Dates as months, quarters, years, decades and short ranges of them: `2004-Q2`, `[2004-05-2004-08]`.

Reference   El Emam et al. 2009 (dates to month, quarter, year)
Guarantee   the label covers every day of the group; a group within another gets a label within the other's
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import ANY, label_outer, need_scale, run_shape
from heteronym.registry import recoders

_MOST = 12  # of a unit in one range, before the next larger unit is taken


@recoders.register("calendar")
@dataclass(frozen=True)
class Calendar:
    """The day, else a range of at most 12 months, of at most 12 quarters, of at most 12 years, of decades."""

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "calendar", Scale.DATE)
        day = domain.values.astype("datetime64[D]")
        nodes = np.vstack([day.astype(np.int64), _units(day)])
        most = (1, _MOST, _MOST, _MOST, ANY)
        return run_shape(nodes, nodes[0], nodes=nodes.astype(np.int32), most=most)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        days = domain.values.astype("datetime64[D]")
        units = _units(days)

        def between(low: int, high: int) -> str:
            ends = zip(units[:, low].tolist(), units[:, high].tolist(), strict=True)
            months, quarters, years, decades = ends
            if months[1] - months[0] < _MOST:
                return period(*months)
            if quarters[1] - quarters[0] < _MOST:
                return period(quarters[0] * 3, quarters[1] * 3 + 2)
            first, last = years
            if last - first >= _MOST:
                first, last = decades[0] * 10, decades[1] * 10 + 9
            return f"[{first:04}-{last:04}]"

        return label_outer(domain, covers, between, [str(day) for day in days])


def _units(days: NDArray[np.datetime64]) -> NDArray[np.int64]:
    """[units, days]: months, quarters, years and decades, counted from the year 0."""
    months = days.astype("datetime64[M]").astype(np.int64) + 1970 * 12
    return np.stack([months, months // 3, months // 12, months // 120])


def period(first: int, last: int) -> str:
    """Months, both included, by the largest units that say exactly this."""
    if first % 12 == 0 and last % 12 == 11:
        low, high = f"{first // 12:04}", f"{last // 12:04}"
    elif first % 3 == 0 and last % 3 == 2:
        low, high = (f"{month // 12:04}-Q{month % 12 // 3 + 1}" for month in (first, last))
    else:
        low, high = (f"{month // 12:04}-{month % 12 + 1:02}" for month in (first, last))
    return low if low == high else f"[{low}-{high}]"
