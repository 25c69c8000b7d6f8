"""Attacks in plain Python: every target against every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heteronym.model.schema import Attribute
from heteronym.verify.labels import meaning


def crowd_of(
    target: Mapping[str, object],
    released: Sequence[Mapping[str, str | None]],
    persons: Sequence[int],
    attributes: Mapping[str, Attribute],
) -> set[int]:
    """The persons with a row whose labels all cover the target's values."""
    return {
        person
        for row, person in zip(released, persons, strict=True)
        if all(meaning(row[name], attribute)(target[name]) for name, attribute in attributes.items())
    }


def common_crowd(person: int, new: Sequence[int], earlier: Sequence[Sequence[int]]) -> int:
    """Persons of a release who share a person's group there and in each earlier release that it is in."""
    return sum(
        new[other] == new[person] and all(one[person] < 0 or one[other] == one[person] for one in earlier)
        for other in range(len(new))
    )


def value_is_told(
    now: int,
    before: int,
    shown: Mapping[tuple[int, int], frozenset[int]],
    shown_before: Mapping[tuple[int, int], frozenset[int]],
) -> bool:
    """Whether one value is left of several, in some column, for who is in both groups."""
    if before < 0:
        return False
    for column in {column for _, column in shown}:
        a, b = shown[now, column], shown_before[before, column]
        if len(a) > 1 and len(b) > 1 and len(a & b) == 1:
            return True
    return False
