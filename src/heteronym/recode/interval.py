"""Closed intervals of numbers: `[24-36]`; one value stays itself.

Reference   Singhofer et al. 2021, section 4.2
Guarantee   the label covers every value of the group, no more than its outer values need
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape, ShapeKind
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import label_outer, need_scale
from heteronym.registry import recoders


@recoders.register("interval")
@dataclass(frozen=True)
class Interval:
    """The smallest closed interval that holds all numbers of the group."""

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "interval", Scale.NUMERIC)
        return LabelShape(ShapeKind.SPAN, domain.values.astype(np.float64))

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        text = domain.texts()
        return label_outer(domain, covers, lambda low, high: f"[{text[low]}-{text[high]}]", text)
