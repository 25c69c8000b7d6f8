r"""Ordered categories as ranges: `[low-mid]`, with `\` before `-` and `\` inside a name.

Reference   none
Guarantee   the label covers every value of the group and those between them in the plan's order
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import ANY, label_outer, need_scale, run_shape
from heteronym.registry import recoders

_SPECIAL = re.compile(r"([-\\])")


@recoders.register("range")
@dataclass(frozen=True)
class CategoryRange:
    """The lowest and the highest value of the group, in the order that the plan gives."""

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "range", Scale.ORDINAL)
        codes = np.arange(len(domain.values))
        return run_shape(np.stack([codes, codes]), most=(1, ANY))

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        names = [str(value) for value in domain.values]
        ends = [_SPECIAL.sub(r"\\\1", name) for name in names]
        return label_outer(domain, covers, lambda low, high: f"[{ends[low]}-{ends[high]}]", names)
