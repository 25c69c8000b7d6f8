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
            number, often = np.unique(elements.domain[np.unique(codes)], return_counts=True)
            names = [elements.domains[n].name for n in number.tolist()]
            return dict(zip(names, often.tolist(), strict=True))

        person, codes = elements.terms()
        labels, group = recoding.elements, partition.group[person]
        released = group >= 0
        fate = labels.fate[labels.places(group[released], codes[released])]
        held = max(len(codes), 1)
        kept, general = (float((fate == each).sum()) / held for each in (Fate.KEPT, Fate.GENERALIZED))
        return {
            "kept": kept,
            "generalized": general,
            "shown": kept + general,
            "distinct": counted(elements.terms()[1]),
            "by_text": {name: counted(codes) for name, (_, codes) in view.terms_by_column().items()},
        }
