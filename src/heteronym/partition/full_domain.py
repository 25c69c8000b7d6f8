"""Global recoding: one level per column for the whole table, and who is still too few is left out.

All vectors of levels are searched, column by column. Who is in too small a group by the first columns alone
stays so whatever the others add. A vector is given up where these are more than may be left out, or where
they and the labels of the others lose as much as the best release so far; so the best vector is found.

Levels are those of the column's hierarchy or recoder (day, month, year); numbers without a hierarchy get
ranges of a round width that doubles from level to level, other values stay or go altogether.

Reference   Samarati 2001; LeFevre et al. 2005 (Incognito); Kohlmayer et al. 2012 (Flash)
Guarantee   equal values become equal labels everywhere; all models admit every group; at most the given share
            of persons is left out; no vector of levels has a smaller published loss
Cost        up to O(product of levels) groupings of the distinct records; most vectors are never looked at
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Models, PrivacyModel, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import LEFT_OUT, Partition
from heteronym.model.person_view import PersonView
from heteronym.partition._clusters import least_size
from heteronym.partition._column_levels import levels_of
from heteronym.registry import partitioners
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics


@partitioners.register("full-domain")
@dataclass(frozen=True)
class FullDomain:
    """Global recoding: every column at one level of its hierarchy, by an exact search over all levels."""

    suppress_up_to: float = field(
        default=0.0,
        metadata={
            "help": "share of persons that may be left out; left to the plan's release",
            "min": 0.0,
            "max": 1.0,
        },
    )

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition:
        if not view.columns:
            raise PlanError("partition: 'full-domain' recodes quasi columns, and there are none")
        least_size(view, models)
        search = _Search(view, models, int(self.suppress_up_to * view.persons + 1e-9))
        levels, group = search.run()
        chosen = list(zip(search.order, search.columns, levels, strict=True))
        nodes = {column.name: recoded[level].nodes for column, recoded, level in chosen}
        return Partition(group, {column.name: level for column, _, level in chosen}, nodes)


class _Search:
    def __init__(self, view: PersonView, models: Sequence[PrivacyModel], budget: int) -> None:
        self.statistics, self.budget = ModelStatistics(view, models), budget
        # columns whose exact values cost most groups first: vectors are given up earlier
        self.order = sorted(view.columns, key=lambda column: -len(column.sets))
        self.columns = [levels_of(column) for column in self.order]
        total = sum(column.weight for column in view.columns) or 1.0
        records = np.stack([column.person_set for column in self.order], axis=1).astype(np.int64)
        self.records, self.record_of, self.weight = np.unique(
            records, axis=0, return_inverse=True, return_counts=True
        )
        self.record_of = self.record_of.reshape(-1)
        # what a level loses over all persons: nothing that any other column does changes it
        self.losses = [
            [level.loss[self.records[:, place]] * (column.weight / total) for level in self.columns[place]]
            for place, column in enumerate(self.order)
        ]
        self.summed = [[float(self.weight @ loss) for loss in column] for column in self.losses]
        self.best, self.levels = np.inf, [len(column) - 1 for column in self.columns]
        self.group = np.zeros(view.persons, np.int32)

    def run(self) -> tuple[list[int], NDArray[np.int32]]:
        """The best levels, and the group of each person."""
        everybody = np.zeros(len(self.records), np.int64)
        self._settle(list(self.levels), everybody, 1)
        self._descend()
        self._try([], everybody, np.zeros(len(self.records)))
        return self.levels, self.group

    def _descend(self) -> None:
        """From everything general, one column one level down as long as it helps: a first bound."""
        while True:
            before, start = self.best, list(self.levels)
            for place, level in enumerate(start):
                if level:
                    vector = [*start[:place], level - 1, *start[place + 1 :]]
                    number, count = np.zeros(len(self.records), np.int64), 1
                    for column, one in enumerate(vector):
                        number, count = self._refined(number, column, one)
                    self._settle(vector, number, count)
            if self.best >= before:
                return

    def _try(self, levels: list[int], number: NDArray[np.int64], loss: NDArray[np.float64]) -> None:
        """All vectors that begin with these levels; `number` groups the records by them, `loss` is theirs."""
        current().poll()
        place = len(levels)
        if place == len(self.columns):
            self._settle(levels, number, int(number.max(initial=0)) + 1)
            return
        before = float(self.weight @ loss)
        for level in range(len(self.columns[place])):
            labels = before + self.summed[place][level]
            if labels >= self.best - 1e-9:
                return  # higher levels lose more
            finer, groups = self._refined(number, place, level)
            sizes = np.bincount(finer, weights=self.weight, minlength=groups)
            small = sizes < self.statistics.least
            gone = float(sizes[small].sum())
            if gone > self.budget:
                continue
            lost = loss + self.losses[place][level]
            # who is too few now stays so, and loses everything
            of_gone = np.flatnonzero(small[finer]) if gone else np.empty(0, np.int64)
            if labels - self.weight[of_gone] @ lost[of_gone] + gone < self.best - 1e-9:
                self._try([*levels, level], finer, lost)

    def _refined(self, number: NDArray[np.int64], place: int, level: int) -> tuple[NDArray[np.int64], int]:
        labels = self.columns[place][level]
        key = number * (labels.different + 1) + labels.number[self.records[:, place]]
        used, finer = np.unique(key, return_inverse=True)
        return finer.reshape(-1), len(used)

    def _settle(self, levels: list[int], number: NDArray[np.int64], count: int) -> None:
        """Whether these levels are the best so far, with whom no model admits left out."""
        sizes = np.bincount(number, weights=self.weight, minlength=count)
        admitted = sizes >= self.statistics.least
        loss = sum(self.losses[place][level] for place, level in enumerate(levels))
        by_group = np.bincount(number, weights=self.weight * loss, minlength=count)
        if by_group[admitted].sum() + sizes[~admitted].sum() >= self.best:
            return
        group = number[self.record_of]
        if self.statistics.asking:
            members = Partition(group.astype(np.int32)).members()
            for one in np.flatnonzero(admitted):
                admitted[one] = self.statistics.admits(members[int(one)])
        total = by_group[admitted].sum() + sizes[~admitted].sum()
        if sizes[~admitted].sum() > self.budget or total >= self.best - 1e-9:
            return
        place = np.where(admitted, np.cumsum(admitted) - 1, LEFT_OUT)
        self.best, self.levels, self.group = float(total), list(levels), place[group].astype(np.int32)
