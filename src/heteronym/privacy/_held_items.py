"""Whether a group can be made k^m-anonymous or l^m-diverse at all by generalizing items.

The most that generalization can do is one block per items column. If that holds, some blocks do;
for k^m-anonymity also the other way round.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Elements, PersonView

_cache: WeakKeyDictionary[Elements, tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]
_cache = WeakKeyDictionary()


def has_sensitive_items(view: PersonView) -> bool:
    elements = view.elements
    return any(
        not domain.is_terms and bool(elements.sensitive[elements.domain == number].any())
        for number, domain in enumerate(elements.domains)
    )


def _held(view: PersonView) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Per person which items columns it holds attacker's items of, as bits; sensitive items as CSR."""
    elements = view.elements
    if elements not in _cache:
        owner = np.repeat(np.arange(view.persons), np.diff(elements.of_person.ptr))
        codes = elements.of_person.codes
        is_item = np.array([not d.is_terms for d in elements.domains], np.bool_)[elements.domain[codes]]
        secret = elements.sensitive[codes]
        mask = np.zeros(view.persons, np.int64)
        known = is_item & ~secret
        np.bitwise_or.at(mask, owner[known], np.int64(1) << elements.domain[codes[known]].astype(np.int64))
        hidden = is_item & secret
        ptr = np.r_[0, np.cumsum(np.bincount(owner[hidden], minlength=view.persons))]
        _cache[elements] = (mask, ptr, codes[hidden].astype(np.int64))
    return _cache[elements]


def can_hide(view: PersonView, members: NDArray[Any], *, k: int, m: int, l: int = 1) -> bool:
    """Whether one block per items column would keep the promise in this group."""
    mask, ptr, hidden = _held(view)
    members = np.asarray(members)
    shapes, shape_of, counts = np.unique(mask[members], return_inverse=True, return_counts=True)
    any_held = int(np.bitwise_or.reduce(shapes)) if len(shapes) else 0
    domains = [bit for bit in range(len(view.elements.domains)) if (any_held >> bit) & 1]
    sharing: list[NDArray[np.int64]] = []
    if l > 1:
        lengths = ptr[members + 1] - ptr[members]
        owner = np.repeat(shape_of.reshape(-1), lengths)
        at = np.repeat(ptr[members] - np.r_[0, np.cumsum(lengths)[:-1]], lengths) + np.arange(len(owner))
        secrets, number = np.unique(hidden[at], return_inverse=True)
        for secret in range(len(secrets)):
            sharing.append(np.bincount(owner[number.reshape(-1) == secret], minlength=len(shapes)))
    for size in range(0 if l > 1 else 1, min(m, len(domains)) + 1):
        for known in combinations(domains, size):
            wanted = sum(1 << bit for bit in known)
            holds = (shapes & wanted) == wanted
            persons = int(counts[holds].sum())
            if 0 < persons < k:
                return False
            if any(int(with_secret[holds].sum()) * l > persons for with_secret in sharing):
                return False
    return True
