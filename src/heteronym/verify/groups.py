"""Rebuilds groups and visible labels from a released table alone, for the models to audit."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import comparable_cells
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
    in_texts: Sequence[Mapping[Label, int]] | None = None,
    replacing: Collection[Label] = (),
) -> Released:
    """`person` numbers the person of each released row; without it every row counts as one.

    `in_texts` are the labels that the texts of each released row show, with how often, where somebody who
    knows the originals has looked; `replacing` those labels that stand in the place of something else.
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
    shown, times, labels = _shown(frame, plan, in_texts)
    return Released(
        group_of_row=group,
        person_of_row=np.arange(frame.height) if person is None else person,
        unit="rows" if person is None else "persons",
        quasi=tuple(quasi),
        shown=shown,
        labels=labels,
        sensitive={
            name: _sensitive_cells(frame[name], attributes[name].separator, plan.data.missing)
            for name in frame.columns
            if name in attributes and attributes[name].role is Role.SENSITIVE
        },
        sensitive_items=frozenset(
            (name, "\\" + item if item.startswith(("(", "\\")) else item)
            for name, attribute in attributes.items()
            if attribute.role is Role.ITEMS
            for item in attribute.sensitive
        ),
        times=times,
        general=frozenset(n for n, label in enumerate(labels) if label in replacing),
        term_columns=frozenset(n for n, a in attributes.items() if a.role is Role.TERMS),
        linking=_linking(frame, plan),
    )


def _linking(frame: pl.DataFrame, plan: Plan) -> NDArray[np.int64] | None:
    """Equal where all cells are equal that are released as they were, the person's pseudonym included."""
    unchanged = {n for n, a in plan.attributes.items() if a.role in (Role.PLAIN, Role.SENSITIVE)}
    names = [n for n in frame.columns if n in unchanged or n == plan.data.person]
    if not names:
        return None
    number = np.zeros(frame.height, np.int64)
    for name in names:
        cell = comparable_cells(frame[name]).rank("dense").fill_null(0).to_numpy().astype(np.int64)
        number = np.unique(number * (int(cell.max(initial=0)) + 1) + cell, return_inverse=True)[1]
    return number


def _shown(
    frame: pl.DataFrame, plan: Plan, in_texts: Sequence[Mapping[Label, int]] | None
) -> tuple[Sets, NDArray[np.int64], list[Label]]:
    """Labels of item, term and event columns and of texts, numbered, by row, and how often each shows."""
    kinds = {Role.ITEMS: "item", Role.TERMS: "term", Role.EVENT: "event"}
    number_of: dict[Label, int] = {}
    rows: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    codes: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    for name, attribute in plan.attributes.items():
        if attribute.role not in kinds or name not in frame.columns:
            continue
        cell_of_row, cells = _distinct_cells(frame[name])
        shown = [
            [number_of.setdefault((name, kinds[attribute.role], entry), len(number_of)) for entry in entries]
            for entries in (
                [str("" if cell is None else cell)]
                if attribute.role is Role.EVENT
                else _cell_entries(cell, attribute.separator)
                for cell in cells
            )
        ]
        lengths = np.array([len(numbers) for numbers in shown], np.int64)
        ptr = np.r_[0, np.cumsum(lengths)]
        flat = np.array([n for numbers in shown for n in numbers], np.int32)
        owner, code = Sets(ptr, flat).expand(cell_of_row)
        rows.append(owner)
        codes.append(code)
    often = [np.ones(len(code), np.int64) for code in codes]
    seen = [
        (row, number_of.setdefault(label, len(number_of)), many)
        for row, labels in enumerate(in_texts or ())
        for label, many in labels.items()
    ]
    rows.append(np.array([row for row, _, _ in seen], np.int64))
    codes.append(np.array([code for _, code, _ in seen], np.int32))
    often.append(np.array([many for _, _, many in seen], np.int64))
    row, code = np.concatenate(rows), np.concatenate(codes)
    pairs = Sets.of_pairs(row, code, owners=frame.height, codes=max(len(number_of), 1))
    if not seen:
        return pairs, np.ones(len(pairs.codes), np.int64), list(number_of)
    span = max(len(number_of), 1)
    place = np.searchsorted(pairs.owners() * span + pairs.codes, row * span + code)
    times = np.bincount(place, weights=np.concatenate(often), minlength=len(pairs.codes))
    return pairs, times.astype(np.int64), list(number_of)


def _distinct_cells(cells: pl.Series) -> tuple[NDArray[np.int64], list[object]]:
    """Which of its different cells each row has, and these."""
    if cells.dtype.is_nested():
        return np.arange(len(cells)), cells.to_list()
    table = cells.rename("cell").to_frame()
    different = table.unique(maintain_order=True).with_row_index("number")
    number = table.join(different, on="cell", how="left", nulls_equal=True, maintain_order="left")["number"]
    return number.to_numpy().astype(np.int64), different["cell"].to_list()


def entries_of(cells: pl.Series, separator: str | None) -> list[list[str]]:
    """The entries of every cell of a set-valued column."""
    return [_cell_entries(value, separator) for value in cells.to_list()]


def _sensitive_cells(cells: pl.Series, separator: str | None, missing: Sequence[str]) -> list[object]:
    """Values by row: lists where a cell holds several, None where it means none."""
    blank = ["", *missing]
    if cells.dtype.is_nested() or separator is not None:
        lists = [v.split(separator) if isinstance(v, str) and separator else v for v in cells.to_list()]
        return [
            [v for v in one if v is not None and str(v).strip() not in blank]
            if isinstance(one, list)
            else one
            for one in lists
        ]
    if isinstance(cells.dtype, (pl.Binary, pl.Object)):
        return cells.to_list()
    means_none = cells.cast(pl.String).str.strip_chars().is_in(blank).fill_null(True)
    return cells.set(means_none, None).to_list() if means_none.any() else cells.to_list()


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
