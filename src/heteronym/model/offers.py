"""Offers: what the elements of each group could be released as, for a model that chooses among them.

Under some models what one element shows bears on what others may show: any two labels that a person
shows need enough holders together, whatever columns they stand in. Then no recoder can decide alone.
Each recoder says what it would like to show, best first, and the model settles it for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.model.recoding import Label
from heteronym.model.sets import Sets

AS_IT_IS = -1  # in `label`: the element itself


@dataclass(frozen=True, repr=False, eq=False)
class Offers:
    """Row g of `of_group` lists the elements seen in group g; beside its codes run the offers in CSR form.

    The element at place i may become `label[ptr[i]:ptr[i + 1]]`, best first: numbers in `labels`, or
    AS_IT_IS. `worth` tells what an offer keeps of the element's information, from 1 (all) to 0. An element
    for which no offer can be taken is masked: a placeholder of its type in texts, nothing in sets, the
    widest label of the group in an event column. Offers of one element never differ in meaning alone: two
    elements that get equal label texts show the same.
    """

    of_group: Sets
    ptr: NDArray[np.int64]
    label: NDArray[np.int32]
    worth: NDArray[np.float64]
    labels: Sequence[Label]

    @classmethod
    def as_they_are(cls, of_group: Sets) -> Offers:
        """Every element may be shown as itself, or not at all."""
        count = len(of_group.codes)
        return cls(of_group, np.arange(count + 1), np.full(count, AS_IT_IS, np.int32), np.ones(count), ())

    @classmethod
    def of_lists(cls, of_group: Sets, offered: Sequence[Sequence[tuple[Label | None, float]]]) -> Offers:
        """From one list of (label or None for the element itself, worth) per element of a group."""
        number_of: dict[Label, int] = {}
        label = [
            AS_IT_IS if text is None else number_of.setdefault(text, len(number_of))
            for mine in offered
            for text, _ in mine
        ]
        worth = [value for mine in offered for _, value in mine]
        ptr = np.r_[0, np.cumsum([len(mine) for mine in offered])].astype(np.int64)
        return cls(of_group, ptr, np.array(label, np.int32), np.array(worth, np.float64), tuple(number_of))

    def join(self, other: Offers) -> Offers:
        """Both, where no element of a group is in both."""
        if not len(other.of_group.codes):
            return self
        if not len(self.of_group.codes):
            return other
        of_group, order = self.of_group.merged(other.of_group)
        shifted = np.where(other.label < 0, AS_IT_IS, other.label + len(self.labels)).astype(np.int32)
        lists = Sets(
            np.r_[self.ptr, self.ptr[-1] + other.ptr[1:]],
            np.concatenate([self.label, shifted]).astype(np.int32),
        )
        _, place = Sets(lists.ptr, np.arange(len(lists.codes), dtype=np.int32)).expand(order)
        return Offers(
            of_group,
            np.r_[0, np.cumsum(np.diff(lists.ptr)[order])],
            lists.codes[place],
            np.concatenate([self.worth, other.worth])[place],
            (*self.labels, *other.labels),
        )

    def in_step(self) -> Offers:
        """The same, a label at the same turn for all: offers are repeated until the turn of the next one.

        "2004" is the first label of 2004 and the fourth of 14 May 2004. Who chooses turn by turn would ask
        for it twice, with some of its holders each time. The turn of a label comes after those of all labels
        that stand before it anywhere.
        """
        owner = np.repeat(np.arange(len(self.of_group.codes)), np.diff(self.ptr))
        follows = np.flatnonzero((owner[1:] == owner[:-1]) & (self.label[:-1] >= 0))
        pairs = np.unique(np.stack([self.label[follows], self.label[follows + 1]]), axis=1).T
        size = np.array([label.stands_for for label in self.labels], np.int64)
        turn = np.ones(len(size) + 1, np.int64)
        turn[AS_IT_IS] = 0
        for lower, upper in pairs[np.argsort(size[pairs[:, 1]], kind="stable")].tolist():
            if size[lower] < size[upper]:
                turn[upper] = max(turn[upper], turn[lower] + 1)
        starts = np.r_[True, owner[1:] != owner[:-1]][: len(owner)]
        place = np.where(starts, 0, turn[self.label])
        last = np.r_[starts[1:], True][: len(owner)]
        times = np.where(last, 1, np.r_[place[1:], 0][: len(owner)] - place).clip(1)
        # the last label waits for its turn, too
        waits = np.where(last, turn[self.label] - place, 0).clip(0)
        times += waits
        length = np.bincount(owner, weights=times, minlength=len(self.of_group.codes)).astype(np.int64)
        return Offers(
            self.of_group,
            np.r_[0, np.cumsum(length)],
            np.repeat(self.label, times),
            np.repeat(self.worth, times),
            self.labels,
        )

    def __repr__(self) -> str:
        return f"Offers({len(self.of_group)} groups, {len(self.label)} offers, {len(self.labels)} labels)"
