"""Rebuilds groups and visible labels from a released table alone, for the models to audit."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.person_view import Sets
from heteronym.model.plan import Plan
from heteronym.model.release import Released
from heteronym.model.schema import Role
from heteronym.verify.labels import split_entries

Label = tuple[str, str, str]  # attribute, kind, text


def rebuild(
    frame: pl.DataFrame,
    plan: Plan,
    *,
    person: NDArray[np.int64] | None = None,
    in_texts: Sequence[Collection[Label]] | None = None,
) -> Released:
    """`person` numbers the person of each released row; without it every row counts as one.

    `in_texts` are the labels that the texts of each released row show, where somebody who knows the
    originals has looked.
    """
    attributes = plan.attributes
    quasi = [n for n in frame.columns if n in attributes and attributes[n].role is Role.QUASI]
    group = np.zeros(frame.height, np.int64)
    for name in quasi:
        label = (
            frame[name]
            .cast(pl.String)
            .cast(pl.Categorical)
            .to_physical()
            .cast(pl.Int64)
            .fill_null(-1)
            .to_numpy()
            + 1
        )
        _, group = np.unique(group * (int(label.max(initial=0)) + 1) + label, return_inverse=True)
    shown, labels = _shown(frame, plan, in_texts)
    return Released(
        group_of_row=group,
        person_of_row=np.arange(frame.height) if person is None else person,
        unit="rows" if person is None else "persons",
        quasi=tuple(quasi),
        shown=shown,
        labels=labels,
        sensitive={
            name: frame[name].to_list()
            for name in frame.columns
            if name in attributes and attributes[name].role is Role.SENSITIVE
        },
        sensitive_items=frozenset(
            (name, "\\" + item if item.startswith(("(", "\\")) else item)
            for name, attribute in attributes.items()
            if attribute.role is Role.ITEMS
            for item in attribute.sensitive
        ),
    )


def _shown(
    frame: pl.DataFrame, plan: Plan, in_texts: Sequence[Collection[Label]] | None
) -> tuple[Sets, list[Label]]:
    """Labels of item and term columns and of texts, numbered, by row."""
    kinds = {Role.ITEMS: "item", Role.TERMS: "term"}
    columns = [(n, a) for n, a in plan.attributes.items() if a.role in kinds and n in frame.columns]
    if not columns and not in_texts:
        return Sets(np.zeros(frame.height + 1, np.int64), np.empty(0, np.int32)), []
    shown: list[set[Label]] = [set() for _ in range(frame.height)]
    for name, attribute in columns:
        for row, entries in enumerate(entries_of(frame[name], attribute.separator)):
            shown[row].update((name, kinds[attribute.role], entry) for entry in entries)
    for row, labels in enumerate(in_texts or ()):
        shown[row].update(labels)
    number_of: dict[Label, int] = {}
    by_row = [sorted(number_of.setdefault(label, len(number_of)) for label in seen) for seen in shown]
    ptr = np.cumsum([0, *(len(numbers) for numbers in by_row)])
    return Sets(ptr, np.array([n for numbers in by_row for n in numbers], np.int32)), list(number_of)


def entries_of(cells: pl.Series, separator: str | None) -> list[list[str]]:
    """The entries of every cell of a set-valued column."""
    return [_cell_entries(value, separator) for value in cells.to_list()]


def _cell_entries(value: object, separator: str | None) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [str(v) for v in value]
    cell = str(value)
    if separator is not None:
        return split_entries(cell, separator)
    if cell.startswith("[") and cell.endswith("]"):
        try:
            return [str(v) for v in json.loads(cell)]
        except ValueError:
            pass
    return [cell] if cell.strip() else []
