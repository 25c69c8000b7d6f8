"""How many distinct terms were found, by type and by text, and which share of them still shows something.

Reference   Singhofer et al. 2021, Table 10
Guarantee   counts terms as they count for the promise: one per type and normalized text
Cost        O(pairs of persons and terms)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.measures._remaining_terms import remaining_terms, removed_mentions
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Fate, Recoding
from heteronym.registry import measures


@measures.register("terms")
@dataclass(frozen=True)
class DistinctTerms:
    """Distinct terms of every type, in all texts and in each; of what persons hold, the share that shows."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        elements = view.elements
        if not elements.has_terms:
            return {}

        def counted(codes: NDArray[Any]) -> dict[str, int]:
            there = np.zeros(len(elements), np.bool_)
            there[codes] = True
            often = np.bincount(elements.domain[there], minlength=len(elements.domains)).tolist()
            return {domain.name: n for domain, n in zip(elements.domains, often, strict=True) if n}

        person, codes = elements.terms()
        fate, _ = recoding.elements.fate_and_label(partition.group[person], codes)
        if (seen := remaining_terms(view, partition, recoding)) is not None:
            fate = fate[_seen_anywhere(view, seen, person, codes)]
        held = max(len(codes), 1)
        kept, general = (float((fate == each).sum()) / held for each in (Fate.KEPT, Fate.GENERALIZED))
        shown = _mentions_shown(view, partition, recoding) if len(elements.mention_sentence) else None
        return {
            "kept": kept,
            "generalized": general,
            "shown": kept + general,
            **({} if shown is None else {"mentions_shown": shown}),
            "distinct": counted(codes),
            "by_text": {name: counted(codes) for name, (_, codes) in view.terms_by_column().items()},
        }


def _seen_anywhere(
    view: PersonView,
    seen: Mapping[str, NDArray[np.bool_]],
    person: NDArray[np.int64],
    codes: NDArray[np.int32],
) -> NDArray[np.bool_]:
    span, columns = max(len(view.elements), 1), view.terms_by_column()
    pairs = [(columns[name][0] * span + columns[name][1])[stands] for name, stands in seen.items()]
    anywhere: NDArray[np.bool_] = np.isin(
        person * span + codes, np.concatenate([np.empty(0, np.int64), *pairs])
    )
    return anywhere


def _mentions_shown(view: PersonView, partition: Partition, recoding: Recoding) -> float:
    """Of all mentions in texts, the share that is released as it is, generalized or as a column's label."""
    elements, labels = view.elements, recoding.elements
    group = partition.group[view.person_of_row[elements.mention_row]].astype(np.int64)
    released = group >= 0
    fate, _ = labels.fate_and_label(group, elements.of_mention)
    marker = np.where(released & (elements.of_mention >= 0), -1, elements.mention_marker)
    for number, (kind, name) in enumerate(elements.markers):
        if kind == "link" and name in recoding.columns:
            tells = np.array([label not in (None, "*") for label in recoding.columns[name]], np.bool_)
            mine = released & (marker == number)
            fate[mine] = np.where(tells[group[mine]], Fate.GENERALIZED, Fate.TYPED)
    shown = np.isin(fate, (Fate.KEPT, Fate.GENERALIZED)) & released
    shown &= ~removed_mentions(view, partition, recoding)
    return float(shown.sum()) / max(len(group), 1)
