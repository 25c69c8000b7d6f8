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

from heteronym.model.partition import ElementRecoding, Partition
from heteronym.model.person_view import PersonView, Sets

_SPECIAL = re.compile(r"([,()\\])")


def plain_label(item: str) -> str:
    return "\\" + item if item.startswith(("(", "\\")) else item


def block_label(items: Sequence[str]) -> str:
    if len(items) == 1:
        return plain_label(items[0])
    return "(" + ",".join(_SPECIAL.sub(r"\\\1", item) for item in sorted(items)) + ")"


def label_groups(
    view: PersonView,
    partition: Partition,
    labels_of: Callable[[NDArray[Any]], Mapping[int, str]],
    *,
    whole_table: bool,
) -> ElementRecoding:
    """Ask `labels_of` for every group's labels; items without one are released as they are."""
    elements = view.elements
    held = _items_by_group(view, partition)
    members = partition.members()
    same = labels_of(np.arange(view.persons, dtype=np.int32)) if whole_table else None
    number_of: dict[str, int] = {}
    numbers: list[int] = []
    for group in range(partition.count):
        items = held[group].tolist()
        labels: Mapping[int, str] = {}
        if same is not None:
            labels = same
        elif items:
            labels = labels_of(members[group])
        for item in items:
            label = labels[item] if item in labels else plain_label(elements.names[item])
            numbers.append(number_of.setdefault(label, len(number_of)))
    return ElementRecoding(held, np.array(numbers, np.int32), tuple(number_of))


def released_as_they_are(view: PersonView, partition: Partition) -> ElementRecoding:
    return label_groups(view, partition, lambda members: {}, whole_table=False)


def _items_by_group(view: PersonView, partition: Partition) -> Sets:
    elements = view.elements
    owner = np.repeat(np.arange(view.persons), np.diff(elements.of_person.ptr))
    codes = elements.of_person.codes
    is_item = np.array([not d.is_terms for d in elements.domains], np.bool_)[elements.domain[codes]]
    span = max(len(elements), 1)
    pairs = np.unique(partition.group[owner[is_item]].astype(np.int64) * span + codes[is_item])
    counts = np.bincount(pairs // span, minlength=partition.count)
    return Sets(np.r_[0, np.cumsum(counts)], (pairs % span).astype(np.int32))
