"""The terms that guide a search, in CSR form: those that some group could keep.

Cost        O(pairs of person and term)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import PersonView
from heteronym.partition._term_kernels import UNCOUNTED, UNKEPT, count_holders, keep_common


class Terms(NamedTuple):
    """The terms that some group could keep, in CSR form, by the alphabet; kernels read it as it is."""

    ptr: NDArray[np.int64]
    codes: NDArray[np.int32]
    number: int  # of different terms
    # what a term is of all that its holder has: by person, or beside the codes where columns do not weigh the
    # same; in steps so coarse that sums are exact in any order
    share: NDArray[np.float64]
    share_of_entry: bool
    domain: NDArray[np.int32]

    @classmethod
    def of(cls, view: PersonView, least: int) -> Terms:
        elements = view.elements
        held = elements.of_person
        holders = np.zeros(len(elements), np.int32)
        count_holders(held.codes, elements.is_term, holders)
        kept = np.flatnonzero(holders >= least)
        number = np.where(elements.is_term, UNKEPT, UNCOUNTED).astype(np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        ptr, codes = np.zeros(view.persons + 1, np.int64), np.empty(holders[kept].sum() + 1, np.int32)
        share = np.empty(view.persons)
        keep_common(held.ptr, held.codes, number, ptr, codes, share)
        uneven = len(set(elements.column_weights.values())) > 1
        if uneven:
            share = _weighted_shares(view, number)
        steps = 2.0 ** (52 - view.persons.bit_length())
        return cls(ptr, codes[:-1], len(kept), np.rint(share * steps) / steps, uneven, elements.domain[kept])

    def common_first(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The codes with the most common term as 0, and the number here of each of those.

        What searches count most often then lies close together in memory.
        """
        name = np.argsort(-np.bincount(self.codes, minlength=self.number), kind="stable").astype(np.int32)
        place = np.empty(self.number, np.int32)
        place[name] = np.arange(self.number, dtype=np.int32)
        return place[self.codes], name


def _weighted_shares(view: PersonView, number: NDArray[np.int32]) -> NDArray[np.float64]:
    """What each term with a number is of all that its person has, where columns do not weigh the same."""
    owner, codes = view.elements.terms()
    weight = _entry_weights(view, owner, codes)
    total = np.bincount(owner, weights=weight, minlength=view.persons)
    chosen = number[codes] >= 0
    shares: NDArray[np.float64] = weight[chosen] / total[owner[chosen]]
    return shares


def _entry_weights(view: PersonView, owner: NDArray[np.int64], codes: NDArray[np.int32]) -> NDArray[Any]:
    """What each term of each person weighs: by the columns that show it."""
    span = max(len(view.elements), 1)
    keys = owner * span + codes
    weight = np.zeros(len(keys))
    for name, (person, code) in view.terms_by_column().items():
        weight[np.searchsorted(keys, person * span + code)] += view.elements.column_weights.get(name, 1.0)
    return weight
