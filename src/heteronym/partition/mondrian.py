"""Mondrian: split the persons in two as long as both halves satisfy the models.

Reference   LeFevre et al. 2006; Singhofer et al. 2021, algorithm 1 (weight lambda)
Guarantee   every group satisfies every model; no group can be cut further on one attribute
Cost        O(q^2 n log n) for q columns (`cut: widest`: O(q n log n)); equal persons count once
Randomness  none

`cut: gain` takes the cut with the largest drop of the published loss over all columns, and ends
small nodes by clustering where that loses less (`docs/decisions/0004`). `cut: widest` is the
paper's: the attribute with the widest normalized span, cut at its median, texts at their most frequent
term. `cut: paper` cuts texts as the paper does, too: by the alphabet of each person's modal term.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heteronym.contracts import Models, PrivacyModel, Rng
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.registry import partitioners

if TYPE_CHECKING:
    from heteronym.partition._search import Search


@partitioners.register("mondrian")
@dataclass(frozen=True)
class Mondrian:
    """Top-down cuts on columns and terms while both halves satisfy the models."""

    relational_weight: float = field(
        default=0.5,
        metadata={"help": "lambda: 1 cuts on columns only, 0 on terms only", "min": 0.0, "max": 1.0},
    )
    cut: Literal["gain", "widest", "paper"] = field(
        default="gain",
        metadata={
            "help": "largest drop of the loss, or widest span at its median; paper: texts by the alphabet"
        },
    )
    finish: Literal["clusters", "cuts"] = field(
        default="clusters", metadata={"help": "cut: gain: also try to end small nodes as clusters"}
    )

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        return self._search(view, models).run()

    def _search(self, view: PersonView, models: Sequence[PrivacyModel]) -> Search:
        from heteronym.partition._column_search import Passes
        from heteronym.partition._search import Search

        passes = Passes(clusters=self.finish == "clusters")
        return Search(view, models, cut=self.cut, relational_weight=self.relational_weight, passes=passes)
