"""How far counts taken from the release are off: average relative error of COUNT queries.

Reference   LeFevre et al. 2006; Loukides et al. 2011; Poulis et al. 2013, section 6
Guarantee   queries are drawn from existing persons, so that every true count is at least 1
Cost        O(queries * persons that could match)
Randomness  the workload, by `seed` alone

A query asks for x column values and y items of a random person. The reader of the release assumes
that every value of a label is equally likely: 1 / width for columns, 1 / |u| for items.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.measures._item_labels import Labelled, labelled_items
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.recoding import Recoding
from heteronym.model.sets import Sets
from heteronym.registry import measures
from heteronym.run import current

NAMES = {"2,0": "relational", "0,2": "items", "1,2": "both"}  # of the usual kinds of queries


@measures.register("query_error")
@dataclass(frozen=True)
class QueryError:
    """Mean and median relative error of counts, for queries over columns, items, and both."""

    queries: int = field(default=1000, metadata={"help": "queries of each kind", "min": 1, "max": 1_000_000})
    kinds: tuple[str, ...] = field(
        default=tuple(NAMES), metadata={"help": "kinds of queries: `x,y` asks for x columns and y items"}
    )
    seed: int = field(default=0, metadata={"help": "seed of the workload", "min": 0})

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if not re.fullmatch(r"\d{1,2},\d{1,2}", kind) or kind in ("0,0", "00,00"):
                raise UsageError("'kinds' of 'query_error' must be like 1,2: so many columns, so many items")

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        labelled = labelled_items(view, partition, recoding)
        if labelled is None:
            return {}
        workload = _Workload(view, partition, labelled)
        summaries = {}
        for kind in self.kinds:
            values, wanted = map(int, kind.split(","))
            rng = np.random.default_rng([self.seed, values, wanted])
            errors = workload.errors(values, wanted, queries=self.queries, rng=rng)
            if len(errors):
                summaries[NAMES.get(kind, kind)] = _summary(errors)
        return summaries


def _summary(errors: NDArray[np.float64]) -> dict[str, float]:
    mean, half = float(errors.mean()), 1.96 * float(errors.std()) / len(errors) ** 0.5
    return {
        "mean": mean,
        "median": float(np.median(errors)),
        "low": mean - half,
        "high": mean + half,
        "queries": len(errors),
    }


Query = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]  # column and code, item


class _Widths:
    """One column: which runs of codes the labels of groups cover, and how many values a label stands for."""

    def __init__(self, column: Column, partition: Partition) -> None:
        covers, shape, missing = partition.covers(column), column.shape, column.domain.missing_code
        self.column, self.owners = column, column.sets.owners()
        if shape.kind is ShapeKind.SET:
            self.group, self.low, self.high = covers.owners(), covers.codes, covers.codes
            width = np.diff(covers.ptr).astype(np.float64)
        else:
            low, high, mixed = covers.outer(missing)
            width = (high - low + 1).astype(np.float64)
            known, values = high < missing, column.domain.values
            lo, hi = low[known], high[known]
            if shape.kind is ShapeKind.RUN:
                start, end = shape.reach(lo, hi, missing)
                low[known], high[known] = start, end - 1
                width[known] = end - start
            elif np.issubdtype(values.dtype, np.number) and (values == np.round(values)).all():
                width[known] = values[hi] - values[lo] + 1
            if not shape.mixes:  # the label says nothing
                low[mixed], high[mixed], width[mixed] = 0, missing - 1, missing
            width += mixed
            lacks = np.flatnonzero(mixed)  # beside what is known they cover what is missing, a run of its own
            self.group = np.r_[np.arange(len(low)), lacks]
            self.low, self.high = (np.r_[ends, np.full(len(lacks), missing)] for ends in (low, high))
        self.share = 1.0 / np.maximum(width, 1.0)

    def chance(self, code: int) -> NDArray[np.float64]:
        """Per group, how likely a member has the value."""
        out = np.zeros(len(self.share))
        mine = self.group[(self.low <= code) & (code <= self.high)]
        out[mine] = self.share[mine]
        return out

    def has(self, code: int, persons: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which persons have the value."""
        sets = self.column.sets
        holds = np.zeros(len(sets), np.bool_)
        holds[self.owners[sets.codes == code]] = True
        return holds[self.column.person_set[persons]]


class _Holders:
    """Who holds an item, and who shows a label that stands for it."""

    def __init__(self, labelled: Labelled, persons: int) -> None:
        person, item, label = labelled.person, labelled.item, labelled.label
        items, labels = int(item.max(initial=-1)) + 1, len(labelled.size)
        self.of_person = Sets.of_pairs(person, item, owners=persons, codes=max(items, 1))
        self.persons = Sets.of_pairs(item, person, owners=items, codes=persons)
        self._shows = Sets.of_pairs(label, person, owners=labels, codes=persons)
        self._labels = Sets.of_pairs(item, label, owners=items, codes=max(labels, 1))
        self._share = 1.0 / labelled.size

    def chances(self, item: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Persons that show a label of the item, and 1 / |u| for each."""
        labels = self._labels[item]
        place, who = self._shows.expand(labels)
        return who, self._share[labels][place]


class _Workload:
    """Queries drawn from persons, answered by the data and by a reader of the release."""

    def __init__(self, view: PersonView, partition: Partition, labelled: Labelled) -> None:
        self.partition, self.persons, self.sizes = partition, view.persons, partition.sizes()
        self.columns = [_Widths(column, partition) for column in view.columns]
        self.items = _Holders(labelled, view.persons)

    def errors(
        self, values: int, wanted: int, *, queries: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Relative error of queries over so many columns and items; none if nobody has that many."""
        able = np.flatnonzero(np.diff(self.items.of_person.ptr) >= wanted)
        if not len(able) or len(self.columns) < values:
            return np.empty(0)
        errors = np.empty(queries)
        known: dict[Query, tuple[int, float]] = {}
        run = current()
        for number, person in enumerate(rng.choice(able, queries).tolist()):
            run.poll()
            query = self._query(person, values, wanted, rng)
            if query not in known:  # few persons have few different queries
                known[query] = self._answers(query)
            actual, guess = known[query]
            errors[number] = abs(actual - guess) / max(actual, 1)
        return errors

    def _query(self, person: int, values: int, wanted: int, rng: np.random.Generator) -> Query:
        """So many values and items of a person."""
        cells = []
        for place in rng.choice(len(self.columns), values, replace=False).tolist():
            column = self.columns[place].column
            cells.append((place, int(rng.choice(column.sets[int(column.person_set[person])]))))
        own = self.items.of_person[person]
        return tuple(cells), tuple(rng.choice(own, wanted, replace=False).tolist())

    def _answers(self, query: Query) -> tuple[int, float]:
        """The true count and the reader's."""
        cells, wanted = query
        chance = np.ones(self.partition.count)
        for place, code in cells:
            chance = chance * self.columns[place].chance(code)
        if not wanted:
            return self._have(cells, np.arange(self.persons)), float(self.sizes @ chance)
        holders, guess = self._with_items(wanted, np.append(chance, 0.0))  # who is left out shows nothing
        return self._have(cells, holders), guess

    def _have(self, cells: Sequence[tuple[int, int]], holders: NDArray[Any]) -> int:
        """How many of the persons have all values."""
        for place, code in cells:
            holders = holders[self.columns[place].has(code, holders)]
        return len(holders)

    def _with_items(self, wanted: Sequence[int], chance: NDArray[np.float64]) -> tuple[NDArray[Any], float]:
        """Who holds all the items, and how many the reader expects; `chance` is that of a group's members."""
        holders, product = self.items.persons[wanted[0]], np.empty(0)
        for number, item in enumerate(wanted):
            who, share = self.items.chances(item)
            shown = np.zeros(self.persons)
            shown[who] = (product[who] if number else chance[self.partition.group[who]]) * share
            product = shown
            if number:
                holds = np.zeros(self.persons, np.bool_)
                holds[self.items.persons[item]] = True
                holders = holders[holds[holders]]
        return holders, float(product.sum())
