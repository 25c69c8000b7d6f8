r"""Labels of items, and the recoding that gives every group its own.

A block reads `(B,D)`, sorted, with `\` before `,()\` inside an item. A single item reads as it is,
with one `\` before it if it begins with `(` or `\`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.run import current

_SPECIAL = re.compile(r"([,()\\])")


def plain_label(item: str) -> str:
    return "\\" + item if item.startswith(("(", "\\")) else item


def block_label(items: Sequence[str]) -> Label:
    return Label("(" + ",".join(_SPECIAL.sub(r"\\\1", item) for item in sorted(items)) + ")", len(items))


def label_groups(
    view: PersonView,
    partition: Partition,
    labels_of: Callable[[NDArray[Any]], Mapping[int, Label]],
    *,
    whole_table: bool,
) -> ElementLabels:
    """Ask `labels_of` for every group's labels; items without one are released as they are."""
    held = partition.held(view, terms=False).of_group
    members = partition.members()
    same = labels_of(np.flatnonzero(partition.group >= 0).astype(np.int32)) if whole_table else None
    number_of: dict[Label, int] = {}
    label = np.full(len(held.codes), -1, np.int32)
    run = current()
    for group in range(partition.count):
        items = held[group].tolist()
        if group % 64 == 0:
            run.tell(group / partition.count)
        labels = same if same is not None else labels_of(members[group]) if items else {}
        for place, item in enumerate(items, int(held.ptr[group])):
            if item in labels:
                label[place] = number_of.setdefault(labels[item], len(number_of))
    fate = np.where(label < 0, Fate.KEPT, Fate.GENERALIZED).astype(np.uint8)
    return ElementLabels(held, fate, label, tuple(number_of))


def released_as_they_are(view: PersonView, partition: Partition) -> ElementLabels:
    return label_groups(view, partition, lambda members: {}, whole_table=False)


def labelled(view: PersonView, made: ElementLabels) -> Offers:
    """What a recoding of items chose, as the only offer for each; worth less the more it may mean."""
    sizes = view.elements.domain_sizes()[view.elements.domain[made.of_group.codes]]
    meant = np.array([label.stands_for for label in made.labels] or [1], np.float64)
    width = np.where(made.label < 0, 1.0, meant[made.label])
    worth = 1.0 - (width - 1.0) / np.maximum(sizes - 1.0, 1.0)
    count = len(made.label)
    label = np.where(made.label < 0, AS_IT_IS, made.label).astype(np.int32)
    return Offers(made.of_group, np.arange(count + 1), label, np.clip(worth, 0.0, 1.0), made.labels)
