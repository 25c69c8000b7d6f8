"""Global document frequency: cut at the most frequent term, present or absent.

Reference   Singhofer et al. 2021, algorithm 2
Guarantee   every group satisfies every model
Cost        O(pairs log n): the larger half inherits its counts
Randomness  none; ties go to the term that comes first by attribute, type and alphabet
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.contracts import Models, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.registry import partitioners
from heteronym.run import current


@partitioners.register("gdf")
@dataclass(frozen=True)
class GlobalDocumentFrequency:
    """Groups of persons who share terms; columns follow as they may."""

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        from heteronym.partition._search import Search
        from heteronym.partition._term_kernels import grow_by_frequency
        from heteronym.partition._terms import Terms

        if not view.elements.has_terms:
            raise PlanError("partition.method: gdf cuts on terms, and no text or terms column has any")
        if all(model.size_only for model in models):
            least = max(model.least_persons for model in models)
            terms = Terms.of(view, least)
            run = current()
            group, splits = run.call(
                grow_by_frequency, terms.ptr, np.diff(terms.ptr), *terms.common_first(), least, run.stop
            )
            return Partition(group, {"relational": 0, "textual": int(splits)})
        return Search(view, models, cut="frequency", relational_weight=0.0).run()
