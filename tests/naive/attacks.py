"""Attacks in plain Python: every target against every row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from heteronym.model.schema import Attribute
from heteronym.verify.labels import covers


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
        if all(covers(row[name], target[name], attribute) for name, attribute in attributes.items())
    }
