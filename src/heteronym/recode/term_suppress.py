"""A term is kept where every member of the group has it, and suppressed elsewhere.

Reference   Singhofer et al. 2021, section 4.2 (after He and Naughton 2009)
Guarantee   all members of a group show the same terms of the same types
Cost        O(pairs of person and term)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, PrivacyModel
from heteronym.model.partition import ElementRecoding, Partition
from heteronym.model.person_view import PersonView, Sets
from heteronym.registry import element_recoders


@element_recoders.register("suppress")
@dataclass(frozen=True)
class SuppressTerms:
    """Keep what all members share; everything else becomes its entity type."""

    kind: ClassVar[Kind] = "terms"

    def recode(
        self,
        view: PersonView,
        partition: Partition,
        *,
        models: Sequence[PrivacyModel],
        rng: np.random.Generator,
    ) -> ElementRecoding:
        elements = view.elements
        owner = np.repeat(np.arange(view.persons), np.diff(elements.of_person.ptr))
        codes = elements.of_person.codes
        is_term = np.array([d.is_terms for d in elements.domains], np.bool_)[elements.domain]
        chosen = is_term[codes] if len(codes) else np.empty(0, np.bool_)
        pairs, holders = np.unique(
            partition.group[owner[chosen]].astype(np.int64) * max(len(elements), 1) + codes[chosen],
            return_counts=True,
        )
        group, element = pairs // max(len(elements), 1), pairs % max(len(elements), 1)
        kept = holders == partition.sizes()[group]
        shown, label = np.unique(element[kept], return_inverse=True)
        labels = np.full(len(pairs), -1, np.int32)
        labels[kept] = label
        ptr = np.r_[0, np.cumsum(np.bincount(group, minlength=partition.count))]
        return ElementRecoding(
            Sets(ptr, element.astype(np.int32)), labels, tuple(elements.names[int(e)] for e in shown)
        )
