"""Item occurrences beside the labels they were released as, in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Fate, Recoding
from heteronym.model.sets import distinct


@dataclass(frozen=True, repr=False, eq=False)
class Labelled:
    """One entry per person and item that is not sensitive.

    A label is one label of one group: the same text in two groups counts twice, as groups have
    blocks of their own. `size` is the number of items a label stands for; all of them, where the
    item is suppressed or its person left out.
    """

    person: NDArray[np.int64]
    item: NDArray[np.int64]
    label: NDArray[np.int64]
    kept: NDArray[np.bool_]  # released as itself
    domain: NDArray[np.int64]
    size: NDArray[np.int64]  # [labels]
    domain_size: NDArray[np.int64]  # [domains], sensitive items left out
    weight: NDArray[np.float64]  # [domains]
    suppressed: int

    @cached_property
    def shown(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Person and label of every released label, each once."""
        span = len(self.size) + 1
        pairs = distinct(self.person * span + self.label)
        return pairs // span, pairs % span


def labelled_items(view: PersonView, partition: Partition, recoding: Recoding) -> Labelled | None:
    """None if the view has no items or the recoding does not say what became of them."""
    elements, labels = view.elements, recoding.elements
    if not elements.has_items:
        return None
    person, item = elements.items()
    attacker = ~elements.sensitive[item]
    person, item = person[attacker], item[attacker]
    if len(person) and not len(labels.fate):
        return None
    domain_size = np.where([domain.is_terms for domain in elements.domains], 0, elements.domain_sizes())
    domain = elements.domain[item].astype(np.int64)
    group = partition.group[person].astype(np.int64)
    fate, text = labels.fate_and_label(group, item)
    fate = np.where(labels.nowhere_shown(person, item, elements, view.person_of_row), Fate.DROPPED, fate)
    kept = fate == Fate.KEPT
    suppressed = ~kept & (fate != Fate.GENERALIZED)
    # What two items of a group share: a label's number, or that they are suppressed; a kept item is alone.
    named = np.where(kept, item.astype(np.int64) + 1, np.where(suppressed, 0, len(elements) + 1 + text))
    key = ((group + 1) * len(elements.domains) + domain) * (len(elements) + len(labels.labels) + 2) + named
    _, first, label = np.unique(key, return_index=True, return_inverse=True)
    sizes = np.array([*(text.stands_for for text in labels.labels), 1], np.int64)
    size = np.where(kept, 1, np.where(suppressed, domain_size[domain], sizes[text]))[first]
    return Labelled(
        person=person,
        item=item.astype(np.int64),
        label=label.reshape(-1).astype(np.int64),
        kept=kept,
        domain=domain,
        size=size,
        domain_size=domain_size,
        weight=np.array([d.weight for d in elements.domains], np.float64),
        suppressed=int(suppressed.sum()),
    )
