"""Mentions that stand as they stood, and are more than terms: own labels, labels of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.verify.groups import Label
from heteronym.verify.texts import Reading


def count_own_labels(
    shown: Sequence[Counter[Label]],
    stayed: Mapping[tuple[int, Label], int],
    replacing: set[Label],
    own: Sequence[Mapping[str, tuple[bool, str]]],
) -> None:
    """A value that is its own label shows that label: an item is there, a column's label counts by number.

    `own` are the labels of each row's person by spelling: whether it is an item's, and the label.
    """
    for row, (name, kind, spelling) in stayed:
        is_item, label = own[row].get(spelling, (False, ""))
        if is_item:
            shown[row][name, "term", label] = 1
        elif label:
            replacing.add((name, kind, spelling))


def count_stayed(
    shown: Sequence[Counter[Label]],
    stayed: Mapping[tuple[int, Label], int],
    replacing: Collection[Label],
    visible: Sequence[Sequence[tuple[str, str]]],
) -> None:
    """A label that stands for others, too, is told by its number: terms that stayed are some of them."""
    for (row, label), times in stayed.items():
        if label in replacing:
            shown[row][label] += times - any((name, "term", term) == label for name, term in visible[row])


def unchanged_mentions(
    spans: Mapping[str, Sequence[Sequence[tuple[int, int, str]]]],
    readings: Mapping[str, Sequence[Sequence[Reading | None] | None]],
    before: Mapping[str, Sequence[str | None]],
    source_row: NDArray[np.int64],
) -> Counter[tuple[str, str, str]]:
    """Column, type and text of mentions that stand as they stood, and how many there are."""
    found: Counter[tuple[str, str, str]] = Counter()
    for name, texts in before.items():
        for source, places, told in zip(source_row.tolist(), spans[name], readings[name], strict=True):
            for (start, end, kind), reading in zip(places, told or (), strict=told is not None):
                surface = (texts[source] or "")[start:end]
                if reading is not None and reading.text == surface:
                    found[name, kind, surface] += 1
    return found
