"""Who knows what kinds of things a target wrote about, or what befell it, looks at the labels of these.

Reference   Sanchez and Batet 2016 (what a placeholder still tells); docs/guarantees
Guarantee   finds persons who are told apart in their group, or by a row, by one or two placeholders, labels
            of columns in texts and labels of events, with their counts
Cost        O(rows * labels of a row^2)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import Crowd, gather
from heteronym.attacks._promise import outcome, trace_bounds
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.schema import Role
from heteronym.registry import attacks

_PLACEHOLDER = re.compile(r"\[([A-Z][A-Z_]*)\]")
_GENERAL = re.compile(r"[\[{].*[\]})]")  # a label that no text holds unless it was put there
_MOST = 2  # labels that are looked at together
Label = tuple[str, str]  # what shows it, and how it reads


@attacks.register("placeholders")
@dataclass(frozen=True)
class Placeholders:
    """Knows the quasi columns of the target and up to two things it mentions or that befell it."""

    threat: ClassVar[Threat] = "linkability"

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        texts, events = (_columns(release, role) for role in (Role.TEXT, Role.EVENT))
        if not texts and not events:
            return AttackResult.idle("placeholders", self.threat, "no text or event column was released")
        crowd = gather(release, known_columns(release, knowledge))
        promised = trace_bounds(release.plan, "placeholders")
        together = min([_MOST, *(given["m"] for given in promised if isinstance(given.get("m"), int))])
        certainty = _certainties(crowd, _shown(release, crowd, texts, events), together)
        bound = 1 / max(given["k"] for given in promised) if promised else None
        worst = float(certainty.max(initial=0))
        over = int((certainty > (bound + 1e-9 if bound is not None else 1 - 1e-9)).sum())
        what = "placeholder or other label" if together == 1 else "one or two placeholders or other labels"
        detail = f"{over} {crowd.unit} are told apart in their group by {'a ' * (together == 1)}{what}"
        if bound is None:
            detail += "; no model of the plan counts placeholders"
        return AttackResult(
            "placeholders",
            self.threat,
            crowd.persons,
            over,
            worst,
            bound,
            outcome(worst, bound, can_tell=crowd.knows_persons),
            detail,
        )


def _columns(release: ReleasedTable, role: Role) -> list[str]:
    return [n for n, a in release.plan.attributes.items() if a.role is role and n in release.frame.columns]


def _shown(
    release: ReleasedTable, crowd: Crowd, texts: Sequence[str], events: Sequence[str]
) -> list[Counter[Label]]:
    """How often each row shows placeholders, its columns' labels in texts, and labels of events."""
    shown: list[Counter[Label]] = [Counter() for _ in range(release.frame.height)]
    quasi = {name: release.frame[name].cast(pl.String).to_list() for name in _columns(release, Role.QUASI)}
    for name in texts:
        for row, text in enumerate(release.frame[name].cast(pl.String)):
            shown[row].update(("", kind) for kind in _PLACEHOLDER.findall(text or ""))
            for label in {cells[row] for cells in quasi.values()}:
                if text and label and _GENERAL.fullmatch(label):
                    shown[row]["link", label] += text.count(label)
    for name in events:
        cells = release.frame[name].cast(pl.String).fill_null("").to_list()
        labels: dict[int, set[str]] = defaultdict(set)
        for group, label in zip(crowd.group_of_row.tolist(), cells, strict=True):
            labels[group].add(label)
        for row, (group, label) in enumerate(zip(crowd.group_of_row.tolist(), cells, strict=True)):
            if (
                len(labels[group]) > 1
            ):  # what every row shows tells how many rows there are, which nobody sees
                shown[row][f"event {name}", label] += 1
    return shown


def _certainties(crowd: Crowd, shown: Sequence[Counter[Label]], together: int) -> np.ndarray:
    """Per person how surely it is found by what it shows, or by what one of its rows does."""
    whole: list[Counter[Label]] = [Counter() for _ in range(crowd.persons)]
    group = np.zeros(crowd.persons, np.int64)
    group[crowd.person_of_row] = crowd.group_of_row
    for person, counts in zip(crowd.person_of_row.tolist(), shown, strict=True):
        whole[person].update(counts)
    certainty = np.zeros(crowd.persons)
    for counted, person_of, group_of in (
        (whole, list(range(crowd.persons)), group.tolist()),
        (shown, crowd.person_of_row.tolist(), crowd.group_of_row.tolist()),
    ):
        holders: dict[object, set[int]] = defaultdict(set)
        for counts, person, at in zip(counted, person_of, group_of, strict=True):
            for fact in _facts(counts, together):
                holders[at, fact].add(person)
        for persons in holders.values():
            found = list(persons)
            certainty[found] = np.maximum(certainty[found], 1 / len(found))
    return certainty


def _facts(counts: Counter[Label], together: int) -> Iterator[tuple[tuple[Label, int], ...]]:
    """Up to so many labels, each at least so many times."""
    single = sorted((label, j) for label, count in counts.items() for j in range(1, min(count, together) + 1))
    for size in range(1, together + 1):
        yield from (fact for fact in combinations(single, size) if len({label for label, _ in fact}) == size)
