"""The sensitive values of released groups, for audits: plain counting over what was written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import polars as pl

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
    rows = pl.DataFrame({"group": released.group_of_row, "person": released.person_of_row})
    sizes = dict(rows.unique().group_by("group").agg(pl.len()).iter_rows())
    # each value once per person, then persons per group and value
    shown = rows.with_columns(_values(released, attribute).alias("value"))
    if shown["value"].dtype == pl.List:
        shown = shown.explode("value")
    held = (
        shown.filter(pl.col("value").str.strip_chars() != "")
        .unique()
        .group_by("group", "value")
        .agg(pl.len())
    )
    holders: dict[int, Counter[str]] = {group: Counter() for group in sizes}
    for group, value, persons in held.iter_rows():
        holders[group][value] = persons
    return attribute, [SensitiveGroup(persons, holders[group]) for group, persons in sizes.items()]


def _values(released: Released, attribute: str) -> pl.Series:
    """The values of each row as text; lists of them where a row may hold several."""
    if attribute not in released.sensitive:
        return pl.Series(_items(released, attribute), dtype=pl.List(pl.String))
    cells: pl.Series = released.sensitive[attribute]
    return cells


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
