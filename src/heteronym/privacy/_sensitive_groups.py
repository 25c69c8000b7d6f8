"""The sensitive values of released groups, for audits: plain counting over what was written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from heteronym.errors import PlanError
from heteronym.model.release import Released


@dataclass(frozen=True)
class SensitiveGroup:
    """Persons of a group, and how many of them show each value."""

    persons: int
    holders: Counter[str]


def sensitive_groups(
    released: Released, model: str, attribute: str | None
) -> tuple[str, list[SensitiveGroup]]:
    """The attribute's name, and its values by group; empty cells are no value."""
    known = [*released.sensitive, *sorted({name for name, _ in released.sensitive_items})]
    if attribute is None and len(known) == 1:
        attribute = known[0]
    if attribute not in known:
        raise PlanError(f"privacy: '{model}': the release has no sensitive attribute '{attribute or ''}'")
    shown: list[list[str]] = (
        [_values(cell) for cell in released.sensitive[attribute]]
        if attribute in released.sensitive
        else _items(released, attribute)
    )
    by_group: dict[int, dict[int, set[str]]] = {}
    for group, person, values in zip(
        released.group_of_row.tolist(), released.person_of_row.tolist(), shown, strict=True
    ):
        by_group.setdefault(group, {}).setdefault(person, set()).update(values)
    return attribute, [
        SensitiveGroup(len(people), Counter(value for held in people.values() for value in held))
        for people in by_group.values()
    ]


def _values(cell: object) -> list[str]:
    if cell is None:
        return []
    if isinstance(cell, (list, tuple)):
        return [str(value) for value in cell if value is not None and str(value).strip()]
    return [str(cell)] if str(cell).strip() else []


def _items(released: Released, attribute: str) -> list[list[str]]:
    wanted = {
        number: label
        for number, (name, kind, label) in enumerate(released.labels)
        if kind == "item" and name == attribute and (name, label) in released.sensitive_items
    }
    rows = range(len(released.group_of_row))
    return [[wanted[int(code)] for code in released.shown[row] if int(code) in wanted] for row in rows]


def everybody(groups: list[SensitiveGroup]) -> SensitiveGroup:
    """All groups together: the released persons, to whom t-closeness compares."""
    holders: Counter[str] = Counter()
    for group in groups:
        holders.update(group.holders)
    return SensitiveGroup(sum(group.persons for group in groups), holders)
