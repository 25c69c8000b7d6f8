"""Items become nodes of their hierarchy, as few levels up as the promise allows (itemsets/trees.py).

With the partitioner `t-first`, whose groups are chunks in Gray order, this is local recoding (LRA).

Reference   Terrovitis, Mamoulis, Kalnis 2011 (AA, LRA)
Guarantee   inside every group, any m released nodes that a person shows are shown by >= k persons
Cost        that of itemsets/trees.py per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from heteronym.contracts import Kind, Models, Rng
from heteronym.itemsets.trees import ROOT, ItemTrees
from heteronym.model.offers import Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import joint_promise
from heteronym.model.recoding import ElementLabels, Label
from heteronym.recode._item_labels import label_groups, released_as_they_are
from heteronym.registry import element_recoders


@element_recoders.register("hierarchy")
@dataclass(frozen=True)
class ItemHierarchy:
    """Each group's items as nodes of the items column's hierarchy."""

    kind: ClassVar[Kind] = "items"

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        """Each item, then the nodes above it, the root left out: that would tell nothing."""
        trees, held = ItemTrees(view), partition.held(view).of_group
        by_item: dict[int, list[tuple[Label | None, float]]] = {}
        for item, path in trees.path.items():
            above = [n for n in path[1:] if trees.name[n] != ROOT]
            by_item[item] = [(None, 1.0)]
            by_item[item] += [(Label(trees.name[n], trees.leaves[n]), 1.0 - trees.width[n]) for n in above]
        return Offers.of_lists(held, [by_item[item] for item in held.codes.tolist()])

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        promise = joint_promise(models)
        if promise is None:
            return released_as_they_are(view, partition)
        trees = ItemTrees(view)

        def labels_of(members: NDArray[Any]) -> dict[int, Label]:
            cut = trees.cut(members, promise)
            lifted = {item: cut.node(item) for item, level in cut.level.items() if level}
            return {item: Label(trees.name[node], trees.leaves[node]) for item, node in lifted.items()}

        return label_groups(view, partition, labels_of, whole_table=promise.whole_table)
