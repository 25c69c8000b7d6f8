"""Closed intervals that are released as numbers (`release.numeric`): their ends, or the group's mean.

Reference   Domingo-Ferrer and Mateo-Sanz 2002 (means)
Guarantee   as `interval`; a missing value beside others hides them, because no number says "or missing"
Cost        O(1) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.sets import Sets
from heteronym.recode._shapes import SUPPRESSED
from heteronym.recode.interval import Interval
from heteronym.registry import recoders


@recoders.register("numbers")
@dataclass(frozen=True)
class Numbers:
    """The smallest closed interval, or nothing where a value is missing; chosen by `release.numeric`."""

    def shape(self, domain: Domain) -> LabelShape:
        return replace(Interval().shape(domain), mixes=False)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        _, _, mixed = covers.outer(domain.missing_code)
        found = Interval().labels(domain, covers)
        return [SUPPRESSED if lacks else label for label, lacks in zip(found, mixed.tolist(), strict=True)]
