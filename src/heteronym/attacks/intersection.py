"""Who has two releases of the same people intersects the crowds in which a target hides.

Reference   Ganta, Kasiviswanathan and Smith 2008 (composition attacks)
Guarantee   finds targets whose common crowd is smaller than promised, and values that only both tell
Cost        O(targets * (groups + rows of the crowds))
Randomness  which targets are tried
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import draw_targets, fitting_groups, gather, values_of
from heteronym.attacks._promise import column_bound
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks


@attacks.register("intersection")
@dataclass(frozen=True)
class Intersection:
    """Knows the quasi columns of the target, and has other releases (--other, --registry)."""

    threat: ClassVar[Threat] = "linkability"

    targets: int = field(default=1000, metadata={"help": "persons that are tried", "min": 1})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        other = knowledge.other
        if other is None and not knowledge.earlier:
            why = "no other release was given (--other, or --registry with earlier releases of these people)"
            return AttackResult.idle("intersection", self.threat, why)
        rows = draw_targets(knowledge, self.targets, rng)
        crowds = [_rows_in_crowd(one, knowledge, rows) for one in (release, other) if one is not None]
        by_person = release.person is not None and (other is None or other.person is not None)
        certainty = _certainty(release, knowledge, rows, crowds) if by_person else np.zeros(len(rows))
        revealed = 0 if other is None else _values_revealed(release, other, crowds)
        bound = _bound(release, knowledge)
        over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
        worst = float(certainty.max(initial=0))
        holds = None if bound is None or not by_person else not over.any()
        detail = f"{revealed} targets have a value that only both releases together make certain"
        if by_person:
            smallest = round(1 / worst) if worst else 0
            detail = f"the smallest common crowd has {smallest} persons; {detail}"
        else:
            detail += "; common crowds are counted only with the owner's maps of both (--other-private)"
        return AttackResult(
            "intersection",
            self.threat,
            len(rows),
            int(over.sum()) if by_person else revealed,
            worst if by_person else float(revealed > 0),
            bound,
            holds,
            detail,
            {
                "values_told": float(revealed),
                "mean_certainty": float(certainty.mean()),
                "earlier_releases": float(len(knowledge.earlier)),
            },
        )


def _bound(release: ReleasedTable, knowledge: Knowledge) -> float | None:
    """The weakest of the promises: nobody promised more of all of them together."""
    plans = [release.plan] + ([] if knowledge.other is None else [knowledge.other.plan])
    bounds = [column_bound(plan) for plan in plans] + [1 / one.k for one in knowledge.earlier if one.k > 1]
    known = [bound for bound in bounds if bound is not None]
    return max(known) if known else None


def _certainty(
    release: ReleasedTable,
    knowledge: Knowledge,
    rows: NDArray[np.int64],
    crowds: Sequence[list[NDArray[np.int64]]],
) -> NDArray[np.float64]:
    """How sure an attacker is who takes everybody away that another release rules out."""
    assert release.person is not None
    tables = [release] + ([] if knowledge.other is None else [knowledge.other])
    group = np.full((len(knowledge.earlier), int(knowledge.person.max(initial=0)) + 1), -1, np.int64)
    for number, one in enumerate(knowledge.earlier):
        group[number, knowledge.person] = one.group
    found = np.zeros(len(rows))
    for number, (target, *mine) in enumerate(zip(knowledge.person[rows].tolist(), *crowds, strict=True)):
        people = np.unique(release.person[mine[0]])
        for table, seen in zip(tables[1:], mine[1:], strict=True):
            people = np.intersect1d(people, table.person[seen])  # type: ignore[index]
        there = group[:, target] >= 0
        people = people[(group[there][:, people] == group[there, target][:, None]).all(0)]
        found[number] = 1 / len(people) if len(people) else 0
    return found


def _rows_in_crowd(
    release: ReleasedTable, knowledge: Knowledge, rows: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    columns = known_columns(release, knowledge)
    crowd = gather(release, columns)
    found = []
    for _, fit in fitting_groups(crowd, columns, values_of(columns, rows)):
        found += [np.flatnonzero(one[crowd.group_of_row]) for one in fit]
    return found


def _values_revealed(
    first: ReleasedTable, second: ReleasedTable, crowds: Sequence[list[NDArray[np.int64]]]
) -> int:
    """Targets with a sensitive column of which one value is in both crowds and more than one in each."""
    names = [
        name
        for name, attribute in first.plan.attributes.items()
        if attribute.role is Role.SENSITIVE and name in first.frame.columns and name in second.frame.columns
    ]
    cells = [[one.frame[name].cast(pl.String).to_numpy() for name in names] for one in (first, second)]
    revealed = 0
    for one, two in zip(*crowds, strict=True):
        for mine, theirs in zip(*cells, strict=True):
            a, b = set(mine[one]), set(theirs[two])
            if len(a) > 1 and len(b) > 1 and len(a & b) == 1:
                revealed += 1
                break
    return revealed
