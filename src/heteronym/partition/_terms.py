"""The terms that guide a search, in CSR form: those that some group could keep.

Cost        O(pairs of person and term)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import PersonView


@dataclass(frozen=True, repr=False, eq=False)
class Terms:
    """The terms that some group could keep, in CSR form; share is what each is of all the person's terms."""

    ptr: NDArray[np.int64]
    codes: NDArray[np.int32]
    count: int
    share: NDArray[np.float64]  # beside the codes
    domain: NDArray[np.int32]
    domains: int

    @classmethod
    def of(cls, view: PersonView, least: int) -> Terms:
        elements = view.elements
        owner, codes = elements.terms()
        holders = np.bincount(codes, minlength=len(elements))
        chosen = np.flatnonzero((holders >= least)[codes])
        kept = np.flatnonzero(elements.is_term & (holders >= least))
        number = np.full(len(elements), -1, np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        mine = owner[chosen]
        if len(set(elements.column_weights.values())) < 2:
            share = (1.0 / np.maximum(np.bincount(owner, minlength=view.persons), 1))[mine]
        else:
            weight = _entry_weights(view, owner, codes)
            total = np.bincount(owner, weights=weight, minlength=view.persons)
            share = weight[chosen] / total[mine]
        return cls(
            ptr=np.r_[0, np.cumsum(np.bincount(mine, minlength=view.persons))],
            codes=number[codes[chosen]],
            count=len(kept),
            share=share,
            domain=elements.domain[kept],
            domains=len(elements.domains),
        )

    def common_first(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The codes with the most common term as 0, and the number here of each of those.

        What searches count most often then lies close together in memory.
        """
        name = np.argsort(-np.bincount(self.codes, minlength=self.count), kind="stable").astype(np.int32)
        place = np.empty(self.count, np.int32)
        place[name] = np.arange(self.count, dtype=np.int32)
        return place[self.codes], name


def _entry_weights(view: PersonView, owner: NDArray[np.int64], codes: NDArray[np.int32]) -> NDArray[Any]:
    """What each term of each person weighs: by the columns that show it."""
    span = max(len(view.elements), 1)
    keys = owner * span + codes
    weight = np.zeros(len(keys))
    for name, (person, code) in view.terms_by_column().items():
        weight[np.searchsorted(keys, person * span + code)] += view.elements.column_weights.get(name, 1.0)
    return weight
