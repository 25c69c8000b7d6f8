"""Dates generalize from day to month to year to a range of years: `2004-05`, `2004`, `[2004-2005]`.

Reference   El Emam et al. 2009; Singhofer et al. 2021, figure 1
Guarantee   the label covers every day of the group
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import ANY, label_outer, need_scale, run_shape
from heteronym.registry import recoders


@recoders.register("date")
@dataclass(frozen=True)
class DateHierarchy:
    """The day, else its month, else its year, else the range of years."""

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "date", Scale.DATE)
        day = domain.values.astype("datetime64[D]")
        nodes = np.stack([day.astype(f"datetime64[{unit}]").astype(np.int64) for unit in "DMY"])
        return run_shape(nodes, nodes[0], most=(1, 1, ANY))

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        text = [str(day) for day in domain.values.astype("datetime64[D]")]

        def between(low: int, high: int) -> str:
            for width in (7, 4):  # 2004-05, 2004
                if text[low][:width] == text[high][:width]:
                    return text[low][:width]
            return f"[{text[low][:4]}-{text[high][:4]}]"

        return label_outer(domain, covers, between, text)
