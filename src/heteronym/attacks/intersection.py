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
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks


@attacks.register("intersection")
@dataclass(frozen=True)
class Intersection:
    """Knows the quasi columns of the target and has a second release (--other)."""

    threat: ClassVar[Threat] = "linkability"

    targets: int = field(default=1000, metadata={"help": "persons that are tried", "min": 1})

    def attack(
        self, release: ReleasedTable, knowledge: Knowledge, *, rng: np.random.Generator
    ) -> AttackResult:
        if knowledge.other is None:
            return AttackResult.idle("intersection", self.threat, "no second release was given (--other)")
        rows = draw_targets(knowledge, self.targets, rng)
        crowds = [_rows_in_crowd(one, knowledge, rows) for one in (release, knowledge.other)]
        by_person = release.person is not None and knowledge.other.person is not None
        certainty = np.zeros(len(rows))
        if by_person:
            for number, (one, two) in enumerate(zip(*crowds, strict=True)):
                common = len(np.intersect1d(release.person[one], knowledge.other.person[two]))  # type: ignore[index]
                certainty[number] = 1 / common if common else 0
        told = _values_told(release, knowledge.other, crowds)
        bounds = [
            b for b in (column_bound(release.plan), column_bound(knowledge.other.plan)) if b is not None
        ]
        bound = max(bounds) if bounds else None
        over = certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)
        worst = float(certainty.max(initial=0))
        holds = None if bound is None or not by_person else not over.any()
        detail = f"{told} targets have a value that only both releases together make certain"
        if by_person:
            smallest = round(1 / worst) if worst else 0
            detail = f"the smallest common crowd has {smallest} persons; {detail}"
        else:
            detail += "; common crowds are counted only with the owner's maps of both (--other-private)"
        return AttackResult(
            "intersection",
            self.threat,
            len(rows),
            int(over.sum()) if by_person else told,
            worst if by_person else float(told > 0),
            bound,
            holds,
            detail,
            {"values_told": float(told), "mean_certainty": float(certainty.mean())},
        )


def _rows_in_crowd(
    release: ReleasedTable, knowledge: Knowledge, rows: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    columns = known_columns(release, knowledge)
    crowd = gather(release, columns)
    found = []
    for _, fit in fitting_groups(crowd, columns, values_of(columns, rows)):
        found += [np.flatnonzero(one[crowd.group_of_row]) for one in fit]
    return found


def _values_told(
    first: ReleasedTable, second: ReleasedTable, crowds: Sequence[list[NDArray[np.int64]]]
) -> int:
    """Targets with a sensitive column of which one value is in both crowds and more than one in each."""
    names = [
        name
        for name, attribute in first.plan.attributes.items()
        if attribute.role is Role.SENSITIVE and name in first.frame.columns and name in second.frame.columns
    ]
    cells = [[one.frame[name].cast(pl.String).to_numpy() for name in names] for one in (first, second)]
    told = 0
    for one, two in zip(*crowds, strict=True):
        for mine, theirs in zip(*cells, strict=True):
            a, b = set(mine[one]), set(theirs[two])
            if len(a) > 1 and len(b) > 1 and len(a & b) == 1:
                told += 1
                break
    return told
