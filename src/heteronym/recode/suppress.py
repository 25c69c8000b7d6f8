"""A star wherever the group does not agree; one value stays itself.

Reference   Sweeney 2002
Guarantee   a value is shown only where all members of the group have it
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.sets import Sets
from heteronym.recode._shapes import SUPPRESSED, label_outer, run_shape
from heteronym.registry import recoders


@recoders.register("suppress")
@dataclass(frozen=True)
class Suppress:
    """The value if all members share it, else `*`."""

    def shape(self, domain: Domain) -> LabelShape:
        codes = np.arange(len(domain.values))
        return run_shape(np.stack([codes, np.zeros_like(codes)]), mixes=False)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        return label_outer(domain, covers, lambda low, high: SUPPRESSED, domain.texts(), mixes=False)
