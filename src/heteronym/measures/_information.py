"""How much of a term's information its label loses: 0 if kept, 1 if suppressed, between by its content.

A label that knowledge knows as one of the term's loses 1 - log(N / n) / log(N / own), for a label that may
mean n of the N things of its type and a term that means `own` of them; of any other label it is only
known how many terms of the data it stands for, which are counted the same way.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.knowledge.ladders import ladder
from heteronym.model.elements import Elements
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Fate, Label, Recoding


def information_loss(
    view: PersonView, partition: Partition, recoding: Recoding, owner: NDArray[Any], codes: NDArray[Any]
) -> NDArray[np.float64]:
    """The loss of every pair of a person and a term; who is left out loses all."""
    labels, group = recoding.elements, partition.group[owner]
    loss = np.ones(len(codes))
    shown = np.flatnonzero(group >= 0)
    place = labels.places(group[shown], codes[shown])
    fate = labels.fate[place]
    loss[shown[fate == Fate.KEPT]] = 0.0
    general = np.flatnonzero(fate == Fate.GENERALIZED)
    count = max(len(labels.labels), 1)
    pairs, number = np.unique(
        codes[shown[general]].astype(np.int64) * count + labels.label[place[general]], return_inverse=True
    )
    sizes = view.elements.domain_sizes()
    lost = np.array(
        [
            _lost(view.elements, int(pair // count), labels.labels[int(pair % count)], sizes)
            for pair in pairs.tolist()
        ]
    )
    if len(lost):
        loss[shown[general]] = lost[number]
    return loss


def _lost(elements: Elements, element: int, label: Label, sizes: NDArray[np.int64]) -> float:
    term = elements.term(element)
    found = ladder(term.text, term.type, term.sense)
    size = next((rung.size for rung in found.rungs if rung.label == label.text), None)
    if size is not None:
        return 1.0 - found.information(size)
    whole = int(sizes[elements.domain[element]])
    return min(1.0, log(max(label.stands_for, 1)) / log(whole)) if whole > 1 else 1.0
