"""Whether a group can be made k^m-anonymous or l^m-diverse at all by generalizing items.

The most that generalization can do is one block per items column. If that holds, some blocks do;
for k^m-anonymity also the other way round. So what matters of a person is which items columns it
holds items of (its kind), and which sensitive items beside.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Kind
from heteronym.model.elements import Elements
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.release import ModelVerdict, Released
from heteronym.model.sets import Sets
from heteronym.privacy._shown_items import broken_items

_Kinds = tuple[NDArray[np.int64], NDArray[np.int64], Sets, int]
_cache: WeakKeyDictionary[Elements, _Kinds] = WeakKeyDictionary()


def _kinds(view: PersonView) -> _Kinds:
    """The different kinds as bits of columns, the kind of each person, and its sensitive items, numbered."""
    elements = view.elements
    if elements not in _cache:
        owner, codes = elements.items()
        secret = elements.sensitive[codes]
        mask = np.zeros(view.persons, np.int64)
        known = ~secret
        np.bitwise_or.at(mask, owner[known], np.int64(1) << elements.domain[codes[known]].astype(np.int64))
        secrets, number = np.unique(codes[secret], return_inverse=True)
        kinds, kind_of = np.unique(mask, return_inverse=True)
        hidden = Sets.of_pairs(owner[secret], number, owners=view.persons, codes=max(len(secrets), 1))
        _cache[elements] = (kinds, kind_of.astype(np.int64), hidden, len(secrets))
    return _cache[elements]


class PromisesItems:
    """What models over items share: the statistic of a search, and an audit that has no code of it.

    Their fields are the figures of the promise: k, m, and l where sensitive items must stay uncertain.
    """

    part_name: ClassVar[str]
    protects: ClassVar[frozenset[Kind]]
    size_only: ClassVar[bool] = False

    @property
    def item_promise(self) -> ItemPromise:
        return ItemPromise(**vars(self), whole_table="columns" not in self.protects)

    @property
    def least_persons(self) -> int:
        promise = self.item_promise
        return 1 if promise.whole_table else max(promise.k, promise.l)

    def start(self, view: PersonView) -> HeldItems:
        return HeldItems(view, self.item_promise)

    def audit(self, released: Released) -> ModelVerdict:
        parameters, whole_table = dict(vars(self)), "columns" not in self.protects
        reasons, fewest = broken_items(released, whole_table=whole_table, **parameters)
        return ModelVerdict(self.part_name, parameters, not reasons, fewest, "; ".join(reasons))


class HeldItems:
    """Persons by the items columns they hold items of, and how many of each share each sensitive item."""

    def __init__(self, view: PersonView, promise: ItemPromise) -> None:
        self._view, self._promise = view, promise
        self._kinds, self._kind_of, self._hidden, secrets = _kinds(view)
        self._counts = np.zeros(len(self._kinds), np.int64)
        self._shared = np.zeros((secrets if promise.l > 1 else 0, len(self._kinds)), np.int64)

    def add(self, members: NDArray[Any]) -> None:
        self._count(members, 1)

    def remove(self, members: NDArray[Any]) -> None:
        self._count(members, -1)

    def _count(self, members: NDArray[Any], sign: int) -> None:
        kind = self._kind_of[members]
        self._counts += sign * np.bincount(kind, minlength=len(self._counts))
        if len(self._shared):
            owner, secret = self._hidden.expand(members)
            np.add.at(self._shared, (secret, kind[owner]), sign)

    def admits(self) -> bool:
        """Whether one block per items column would keep the promise."""
        promise, persons = self._promise, int(self._counts.sum())
        if promise.whole_table and persons < self._view.persons:
            return True  # groups are not what this attacker sees
        if not promise.whole_table and persons < promise.k:
            return False
        present = self._kinds[self._counts > 0]
        columns = int(np.bitwise_or.reduce(present)) if len(present) else 0
        bits = [bit for bit in range(len(self._view.elements.domains)) if (columns >> bit) & 1]
        for size in range(0 if promise.l > 1 else 1, min(promise.m, len(bits)) + 1):
            for known in combinations(bits, size):
                wanted = sum(1 << bit for bit in known)
                holds = (self._kinds & wanted) == wanted
                matching = int(self._counts[holds].sum())
                if 0 < matching < promise.k:
                    return False
                if len(self._shared) and (self._shared[:, holds].sum(axis=1) * promise.l > matching).any():
                    return False
        return True
