"""Item occurrences beside the labels they were released as, in flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import ElementRecoding, Partition
from heteronym.model.person_view import PersonView


@dataclass(frozen=True, repr=False, eq=False)
class Labelled:
    """One entry per person and item that is not sensitive.

    A label is one label of one group: the same text in two groups counts twice, as groups have
    blocks of their own. `size` is the number of items a label stands for.
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

    def shown(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Person and label of every released label, each once."""
        span = len(self.size) + 1
        pairs = np.unique(self.person * span + self.label)
        return pairs // span, pairs % span


def labelled_items(
    view: PersonView, partition: Partition, recodings: Sequence[ElementRecoding]
) -> Labelled | None:
    """None if the view has no items or no recoding says what became of them."""
    elements = view.elements
    is_item = np.array([not d.is_terms for d in elements.domains], np.bool_)
    if not is_item.any():
        return None
    open_item = is_item[elements.domain] & ~elements.sensitive
    span = max(len(elements), 1)
    person = np.repeat(np.arange(view.persons), np.diff(elements.of_person.ptr))
    item = elements.of_person.codes.astype(np.int64)
    person, item = person[open_item[item]], item[open_item[item]]
    wanted = partition.group[person].astype(np.int64) * span + item
    keys, texts = [], []
    names: list[str] = []
    for recoding in recodings:
        chosen = open_item[recoding.of_group.codes]
        owner = np.repeat(np.arange(len(recoding.of_group)), np.diff(recoding.of_group.ptr))
        keys.append(owner[chosen].astype(np.int64) * span + recoding.of_group.codes[chosen])
        texts.append(np.where(recoding.label[chosen] < 0, -1, recoding.label[chosen] + len(names)))
        names += list(recoding.labels)
    key = np.concatenate(keys) if keys else np.empty(0, np.int64)
    text = np.concatenate(texts).astype(np.int64) if texts else np.empty(0, np.int64)
    if len(person) and not len(key):
        return None
    order = np.argsort(key)
    key, text = key[order], text[order]
    # a label of one group, column and text
    domain_of_key = elements.domain[key % span].astype(np.int64)
    triple = ((key // span) * len(elements.domains) + domain_of_key) * (len(names) + 1) + text + 1
    _, first, label_of_key = np.unique(triple, return_index=True, return_inverse=True)
    label_of_key = label_of_key.reshape(-1)
    size = np.bincount(label_of_key, minlength=len(first)).astype(np.int64)
    domain_size = np.bincount(elements.domain[open_item], minlength=len(elements.domains)).astype(np.int64)
    for number in range(len(first)):
        size[number] = _published_size(
            view,
            int(domain_of_key[first[number]]),
            int(text[first[number]]),
            names,
            int(size[number]),
            domain_size,
        )
    at = np.searchsorted(key, wanted)
    all_names = np.array(elements.names, object)
    label_text = np.array([*names, ""], object)[text[at]]
    return Labelled(
        person=person,
        item=item,
        label=label_of_key[at],
        kept=(label_text == all_names[item]) & (size[label_of_key[at]] == 1),
        domain=elements.domain[item].astype(np.int64),
        size=size,
        domain_size=domain_size,
        weight=np.array([d.weight for d in elements.domains], np.float64),
        suppressed=int((text[at] < 0).sum()),
    )


def _published_size(
    view: PersonView, domain: int, text: int, names: list[str], seen: int, domain_size: NDArray[np.int64]
) -> int:
    """Items a label stands for: those listed in a block, or the leaves below a hierarchy's node."""
    if text < 0 or names[text] == "*":
        return int(domain_size[domain])
    hierarchies = view.elements.hierarchies
    hierarchy = hierarchies[domain] if domain < len(hierarchies) else None
    if hierarchy is None or names[text].startswith("("):
        return seen
    for level in range(hierarchy.levels):
        if names[text] in hierarchy.names[level]:
            node = hierarchy.names[level].index(names[text])
            leaves = int((hierarchy.node[level] == node).sum())
            if leaves >= seen:
                return leaves
    return seen
