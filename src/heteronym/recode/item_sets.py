r"""Items become the blocks that hold them: `(B,D)`, with `\` before `,()\` inside an item.

Reference   Poulis et al. 2013, section 5 (set-based generalization)
Guarantee   inside every group, any m blocks that a person shows are shown by at least k persons;
            sensitive items stay as they are and belong to no block
Cost        see itemsets.blocks
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from numpy.typing import NDArray

from heteronym.contracts import Kind, Models, Rng
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Transactions
from heteronym.model.offers import Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import joint_promise
from heteronym.model.recoding import ElementLabels, Label
from heteronym.recode._item_labels import block_label, label_groups, labelled, released_as_they_are
from heteronym.registry import element_recoders


@element_recoders.register("sets")
@dataclass(frozen=True)
class ItemSets:
    """Each group's items in blocks as small as the promise allows; no hierarchy is needed."""

    objective: Literal["tncp", "ul"] = field(
        default="tncp",
        metadata={"help": "what blocks lose least of: TNCP, or utility loss as in Poulis et al."},
    )

    kind: ClassVar[Kind] = "items"

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        """The block of each item, or the item itself where it is alone in it."""
        return labelled(view, self._blocks(view, partition, models, whole=False))

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        return self._blocks(view, partition, models, whole=True)

    def _blocks(
        self, view: PersonView, partition: Partition, models: Models, *, whole: bool
    ) -> ElementLabels:
        """The labels of all groups; unless blocks must hold the `whole` promise, a group may go without."""
        promise = joint_promise(models)
        if promise is None:
            return released_as_they_are(view, partition)
        transactions = Transactions(view, promise, objective=self.objective)
        names = view.elements.names

        def labels_of(members: NDArray[Any]) -> dict[int, Label]:
            try:
                blocked = transactions.blocked(members)
            except PromiseError:
                if whole:
                    raise
                return {}
            inside: dict[int, list[int]] = {}
            for item, block in zip(blocked.items.tolist(), blocked.block.tolist(), strict=True):
                inside.setdefault(block, []).append(item)
            labels: dict[int, Label] = {}
            for items in inside.values():
                if len(items) > 1:
                    labels |= dict.fromkeys(items, block_label([names[item] for item in items]))
            return labels

        return label_groups(view, partition, labels_of, whole_table=promise.whole_table)
