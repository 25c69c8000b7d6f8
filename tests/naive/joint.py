"""The joint model by its definition, plainly: who shows which labels how often, and who shares them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

Shown = Counter[tuple[str, str]]  # (space, label) -> how often a row shows it
Row = tuple[int, int, Shown]  # group, person, what the row shows

PLAIN = "="  # prefix of spaces whose labels are just there, however often


def violations(rows: Sequence[Row], *, k: int, m: int | str, absence: bool = False) -> set[Any]:
    """Groups, and combinations by person or within a row, that fewer than k persons show."""
    persons: dict[int, set[int]] = defaultdict(set)
    for group, person, _ in rows:
        persons[group].add(person)
    bad: set[Any] = {("group", group) for group, members in persons.items() if len(members) < k}
    of_person: dict[tuple[int, int], Shown] = defaultdict(Counter)
    for group, person, shown in rows:
        of_person[group, person].update(shown)
    whole = [(group, person, shown) for (group, person), shown in of_person.items()]
    for where, records in (("person", whole), ("row", list(rows))):
        held: dict[Any, set[int]] = defaultdict(set)
        if absence:
            features: dict[int, set[Any]] = defaultdict(set)
            for group, _, shown in records:
                features[group] |= set(_features(shown, int(m) + 1))
            for group, person, shown in records:
                for pattern in _patterns(features[group], set(_features(shown, int(m) + 1)), int(m)):
                    held[where, group, pattern].add(person)
        else:
            for group, person, shown in records:
                for combination in _known(shown, m):
                    held[where, group, combination].add(person)
        bad |= {what for what, who in held.items() if len(who) < k}
    return bad


def _features(shown: Shown, most: int) -> Iterator[tuple[tuple[str, str], int]]:
    for label, often in shown.items():
        for j in range(1, (1 if label[0].startswith(PLAIN) else min(often, most)) + 1):
            yield label, j


def _known(shown: Shown, m: int | str) -> Iterator[Any]:
    if m == "all":
        yield frozenset((label, 1 if label[0].startswith(PLAIN) else often) for label, often in shown.items())
        return
    for size in range(1, int(m) + 1):
        for some in combinations(sorted(_features(shown, int(m))), size):
            if len({label for label, _ in some}) == size:
                yield frozenset(some)


def _patterns(features: set[Any], mine: set[Any], m: int) -> Iterator[Any]:
    for size in range(1, m + 1):
        for some in combinations(sorted(features), size):
            if len({label for label, _ in some}) == size:
                yield tuple((feature, feature in mine) for feature in some)


def narrowed(rows: Sequence[Row], target: int, known: Sequence[tuple[str, str]]) -> int:
    """Persons of the target's group who fit an attacker's knowledge of labels, a label per known element."""
    wanted = Counter(known)
    group = next(g for g, person, _ in rows if person == target)
    of_person: dict[int, Shown] = defaultdict(Counter)
    for g, person, shown in rows:
        if g == group:
            of_person[person].update(shown)
    return sum(all(shown[label] >= often for label, often in wanted.items()) for shown in of_person.values())
