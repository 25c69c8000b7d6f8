"""Which mentions and terms still stand somewhere: what went with its sentence shows nothing.

Cost        O(mentions)
Randomness  none
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Recoding

Bools = NDArray[np.bool_]


def removed_mentions(view: PersonView, partition: Partition, recoding: Recoding) -> Bools:
    """The mentions whose sentences are left out."""
    elements = view.elements
    if not len(elements.mention_sentence):
        return np.zeros(len(elements.of_mention), np.bool_)
    gone = recoding.elements.dropped(elements, partition.group[view.person_of_row[elements.mention_row]])
    return np.isin(elements.mention_sentence, elements.mention_sentence[gone])


def remaining_terms(view: PersonView, partition: Partition, recoding: Recoding) -> dict[str, Bools] | None:
    """Beside `view.terms_by_column()`: whether the person's text has a sentence left that holds the term.

    None where no sentence is left out, and so all are.
    """
    elements, gone = view.elements, removed_mentions(view, partition, recoding)
    if not gone.any():
        return None
    span, seen = max(len(elements), 1), {}
    for name, (owner, codes) in view.terms_by_column().items():
        seen[name] = np.ones(len(codes), np.bool_)
        if name in elements.text_columns:
            here = (elements.mention_column == elements.text_columns.index(name)) & ~gone
            here &= elements.of_mention >= 0
            person = view.person_of_row[elements.mention_row[here]].astype(np.int64)
            seen[name] = np.isin(owner * span + codes, person * span + elements.of_mention[here])
    return seen
