"""Groups that keep most of their members' elements while the columns lose at most delta.

An element can stay where k members hold it, so larger groups keep more of sets and texts and less of the
columns. Every cut of every order of the columns is weighed: what it gains in the columns against what it
costs in elements. The best cut of all groups is made first; when none is worth it, the price of columns
grows. The search goes somewhat below the bound, then merges any two groups back, best exchange first.

Reference   ours; the trade of Rum and Tum is that of Poulis et al. 2013
Guarantee   all models admit every group; the columns lose at most delta, where it is given
Cost        O(orders x elements of the members) per cut, a few starts; merging O(groups^2 x frequent elements)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heteronym.contracts import Models, Rng
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.registry import partitioners


@partitioners.register("joint")
@dataclass(frozen=True)
class JointPartition:
    """Cuts and merges that trade the columns' loss against the elements that groups can keep."""

    delta: float | None = field(
        default=None, metadata={"help": "most the columns may lose (relational NCP)", "min": 0.0, "max": 1.0}
    )
    relational_weight: float | None = field(
        default=None,
        metadata={
            "help": "instead of delta: weight of the columns against the elements, 0.5 if neither is given",
            "min": 0.0,
            "max": 1.0,
        },
    )

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        from heteronym.partition._exchange import Exchange

        search = Exchange(view, models)
        if self.delta is not None:
            return search.within(self.delta)
        return search.weighing(0.5 if self.relational_weight is None else self.relational_weight)
