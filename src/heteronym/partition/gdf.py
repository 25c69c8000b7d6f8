"""Global document frequency: cut at the most frequent term, present or absent.

Reference   Singhofer et al. 2021, algorithm 2
Guarantee   every group satisfies every model
Cost        O(pairs log n): the larger half inherits its counts
Randomness  none; ties go to the term that comes first by attribute, type and alphabet
"""

from __future__ import annotations

from dataclasses import dataclass

from heteronym.contracts import Models, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.registry import partitioners


@partitioners.register("gdf")
@dataclass(frozen=True)
class GlobalDocumentFrequency:
    """Groups of persons who share terms; columns follow as they may."""

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        from heteronym.partition._search import Search

        if not view.elements.has_terms:
            raise PlanError("partition.method: gdf cuts on terms, and no text or terms column has any")
        return Search(view, models, cut="frequency", relational_weight=0.0).run()
