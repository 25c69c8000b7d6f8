"""Which persons of a release fit what an attacker knows about a target.

Rows with equal labels are one group, and whether a target fits is asked once per group. Where nobody can
tell who a released row belongs to, every row counts as a person: then certainties are lower bounds, because
persons are at most rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn
from heteronym.model.attack import Knowledge, ReleasedTable

_CELLS = 20_000_000  # of a table of groups and targets, held at once


@dataclass(frozen=True, repr=False, eq=False)
class Crowd:
    """The released rows by group and person."""

    labels: NDArray[np.int64]  # [groups, columns]
    group_of_row: NDArray[np.int64]
    person_of_row: NDArray[np.int64]  # 0..persons-1
    persons: int
    knows_persons: bool

    @property
    def unit(self) -> str:
        return "persons" if self.knows_persons else "rows"

    def __repr__(self) -> str:
        return f"Crowd({len(self.labels)} groups, {self.persons} {self.unit})"

    def incidence(self) -> Any:
        """Which persons have a row in which group, as a sparse matrix of zeros and ones."""
        from scipy.sparse import csr_matrix

        pairs = np.unique(self.group_of_row * self.persons + self.person_of_row)
        ones = np.ones(len(pairs), np.int32)
        return csr_matrix(
            (ones, (pairs // self.persons, pairs % self.persons)), (len(self.labels), self.persons)
        )


def gather(release: ReleasedTable, columns: Sequence[KnownColumn]) -> Crowd:
    rows = release.frame.height
    table = np.stack([c.label_of_row for c in columns], 1) if columns else np.zeros((rows, 0), np.int64)
    labels, group = distinct_rows(table)
    if release.person is None:
        # without a person key rows are persons
        return Crowd(labels, group, np.arange(rows), rows, release.plan.data.person is None)
    _, person = np.unique(release.person, return_inverse=True)
    return Crowd(labels, group, person, int(person.max(initial=-1)) + 1, True)


def distinct_rows(table: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    key = np.zeros(len(table), np.int64)
    for column in table.T:
        _, key = np.unique(key * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return table[first], number


def draw_targets(knowledge: Knowledge, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """One original row of each of so many persons."""
    rows = rng.permutation(len(knowledge.person))
    _, first = np.unique(knowledge.person[rows], return_index=True)
    one_each = rows[np.sort(first)]
    return np.sort(one_each[:count])


def fitting_groups(
    crowd: Crowd, columns: Sequence[KnownColumn], values: NDArray[np.int64]
) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """For runs of targets (values: [targets, columns]) which groups may be theirs: [targets, groups]."""
    groups = max(len(crowd.labels), 1)
    step = max(1, _CELLS // groups)
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        fit = np.ones((len(values[part]), len(crowd.labels)), np.bool_)
        for place, column in enumerate(columns):
            fit &= column.fits.T[values[part, place]][:, crowd.labels[:, place]]
        yield part, fit


def fitting_people(
    crowd: Crowd, columns: Sequence[KnownColumn], knowledge: Knowledge, groups: NDArray[np.int64]
) -> NDArray[np.int64]:
    """How many original persons each of these groups may stand for."""
    everybody, kind = distinct_rows(values_of(columns, np.arange(len(knowledge.person))))
    _, person = np.unique(knowledge.person, return_inverse=True)
    people = Crowd(everybody, kind, person, int(person.max(initial=-1)) + 1, True)
    incidence = people.incidence()
    found = np.zeros(len(groups), np.int64)
    step = max(1, _CELLS // max(len(everybody), 1))
    for start in range(0, len(groups), step):
        part = slice(start, start + step)
        fit = np.ones((len(groups[part]), len(everybody)), np.bool_)
        for place, column in enumerate(columns):
            fit &= column.fits[crowd.labels[groups[part], place]][:, everybody[:, place]]
        found[part] = count_persons(people, fit, incidence)
    return found


def count_persons(crowd: Crowd, fit: NDArray[np.bool_], incidence: Any) -> NDArray[np.int64]:
    """Persons with a row in one of the fitting groups, per target."""
    in_groups = np.asarray(incidence.sum(1)).ravel()
    if int(in_groups.sum()) == crowd.persons:  # everybody is in one group
        return np.asarray(fit @ in_groups.astype(np.int64))
    from scipy.sparse import csr_matrix

    reached = csr_matrix(fit.astype(np.int32)) @ incidence
    return np.asarray(np.diff(reached.indptr), np.int64)


def values_of(columns: Sequence[KnownColumn], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    if not columns:
        return np.zeros((len(rows), 0), np.int64)
    return np.stack([column.value_of_row[rows] for column in columns], 1)


def true_groups(release: ReleasedTable, crowd: Crowd, rows: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The group in which each of these original rows was released, -1 if it was not; None if nobody knows."""
    if release.source_row is None:
        return None
    where = np.full(int(max(release.source_row.max(initial=-1), rows.max(initial=-1))) + 1, -1, np.int64)
    where[release.source_row] = crowd.group_of_row
    return where[rows]
