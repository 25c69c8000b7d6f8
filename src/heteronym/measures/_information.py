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
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label


def information_loss(
    view: PersonView, labels: ElementLabels, codes: NDArray[Any], fate: NDArray[Any], label: NDArray[Any]
) -> NDArray[np.float64]:
    """The loss of terms of persons, given what becomes of them."""
    loss = np.where(fate == Fate.KEPT, 0.0, 1.0)
    general = np.flatnonzero(fate == Fate.GENERALIZED)
    if not len(general):
        return loss
    count = max(len(labels.labels), 1)
    pairs, number = np.unique(codes[general].astype(np.int64) * count + label[general], return_inverse=True)
    sizes = view.elements.domain_sizes()
    lost = np.array(
        [
            _lost(view.elements, int(pair // count), labels.labels[int(pair % count)], sizes)
            for pair in pairs.tolist()
        ]
    )
    loss[general] = lost[number]
    return loss


def _lost(elements: Elements, element: int, label: Label, sizes: NDArray[np.int64]) -> float:
    term = elements.term(element)
    found = ladder(term.text, term.type, term.sense)
    size = next((rung.size for rung in found.rungs if rung.label == label.text), None)
    if size is not None:
        return 1.0 - found.information(size)
    whole = int(sizes[elements.domain[element]])
    return min(1.0, log(max(label.stands_for, 1)) / log(whole)) if whole > 1 else 1.0
