"""A term is kept where all models let the group show it, and suppressed elsewhere.

Reference   Singhofer et al. 2021, section 4.2 (after He and Naughton 2009)
Guarantee   no group shows a term that a model forbids; under k-anonymity all members show the same terms
Cost        O(pairs of person and term)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Kind, Models, Rng
from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Held, Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate
from heteronym.registry import element_recoders


@element_recoders.register("suppress")
@dataclass(frozen=True)
class SuppressTerms:
    """Keep what the group may show; everything else becomes its entity type."""

    kind: ClassVar[Kind] = "terms"

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        held = partition.held(view, terms=True).of_group
        shows = ~view.elements.is_masked[held.codes]
        ptr = np.r_[0, np.cumsum(shows)].astype(np.int64)
        count = int(shows.sum())
        return Offers(held, ptr, np.full(count, AS_IT_IS, np.int32), np.ones(count), ())

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        held = partition.held(view, terms=True)
        kept = may_stay(view, partition, held, models)
        fate = np.where(kept, np.uint8(Fate.KEPT), np.uint8(Fate.TYPED))
        return ElementLabels(held.of_group, fate, np.full(len(fate), -1, np.int32), ())


def may_stay(view: PersonView, partition: Partition, held: Held, models: Models) -> NDArray[np.bool_]:
    """Which terms of groups all models let their group show, and the owner does not want masked."""
    kept: NDArray[np.bool_] = ~view.elements.is_masked[held.of_group.codes]
    for model in models:
        if "terms" in model.protects:
            kept &= model.may_show(view, partition, held)
    return kept
