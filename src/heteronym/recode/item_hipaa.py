"""Items as a rule of release allows them: as they are, or `*`.

Reference   45 CFR 164.514(b)(2)(i), HIPAA Safe Harbor
Guarantee   no item is shown that the model's `cell_shown_as` says otherwise
Cost        one look-up per distinct item
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, Models, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Label
from heteronym.recode._item_labels import label_groups
from heteronym.registry import element_recoders


@element_recoders.register("hipaa-items")
@dataclass(frozen=True)
class ItemsByRule:
    """Keep the items that the model `hipaa` does not list, show `*` for the others."""

    kind: ClassVar[Kind] = "items"

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        ruling = [model for model in models if hasattr(model, "cell_shown_as")]
        if not ruling:
            raise PlanError("recode.items: 'hipaa-items' needs the model hipaa")
        names, items = view.elements.names, np.unique(partition.held(view).of_group.codes).tolist()
        hidden = [item for item in items if ruling[0].cell_shown_as(names[item]) != names[item]]
        labels = dict.fromkeys(hidden, Label("*", max(len(hidden), 2)))
        return label_groups(view, partition, lambda members: labels, whole_table=True)
