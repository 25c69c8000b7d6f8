"""Rebuilds groups and visible labels from a released table alone, for the models to audit."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Released
from heteronym.model.schema import Attribute, Role
from heteronym.model.sets import Sets
from heteronym.verify.by_column import ByColumn
from heteronym.verify.entries import Entries, read_entries
from heteronym.verify.forms import key_form
from heteronym.verify.sensitive import sensitive_cells
from heteronym.verify.values import Coded, coded

Label = tuple[str, str, str]  # attribute, kind, text


def rebuild(
    frame: pl.DataFrame,
    plan: Plan,
    *,
    person: NDArray[np.int64] | None = None,
    in_texts: Sequence[Mapping[Label, int]] = (),
    replacing: Collection[Label] = (),
    revealed_by_surrogate: Sequence[pl.Series] = (),
) -> Released:
    """`person` numbers the person of each released row; without it every row counts as one.

    `in_texts` are the labels that the texts of each released row show, with how often, where somebody who
    knows the originals has looked; `replacing` those labels that stand in the place of something else.
    `revealed_by_surrogate` is what surrogates of identifiers tell: it divides groups as a column's labels do.
    """
    attributes, rows = plan.attributes, np.arange(frame.height)
    quasi = [n for n in frame.columns if n in attributes and attributes[n].role is Role.QUASI]
    shown, times, labels = _shown(frame, plan, in_texts)
    return Released(
        group_of_row=_numbered_rows(
            [coded(cells) for cells in (*(frame[name] for name in quasi), *revealed_by_surrogate)],
            frame.height,
        ),
        # where every row is a person of its own, they may be numbered as they come
        person_of_row=rows if person is None or np.bincount(person).max(initial=0) < 2 else person,
        unit="rows" if person is None else "persons",
        quasi=tuple(quasi),
        shown=shown,
        labels=labels,
        sensitive={
            name: sensitive_cells(frame[name], attributes[name], frozenset(plan.data.missing))
            for name in frame.columns
            if name in attributes and attributes[name].role is Role.SENSITIVE
        },
        sensitive_items=frozenset(
            (name, "\\" + item if item.startswith(("(", "\\")) else item)
            for name, attribute in attributes.items()
            if attribute.role is Role.ITEMS
            for item in map(key_form, attribute.sensitive)
        ),
        times=times,
        general=frozenset(n for n, label in enumerate(labels) if label in replacing),
        term_columns=frozenset(n for n, a in attributes.items() if a.role is Role.TERMS),
        linking=_linking(frame, plan),
        cells=ByColumn(frame),
        attributes=attributes,
    )


def class_of_row(frame: pl.DataFrame, plan: Plan) -> NDArray[np.int64]:
    """The equivalence class of each released row: a number, the same where all quasi columns agree."""
    quasi = [n for n, one in plan.attributes.items() if one.role is Role.QUASI and n in frame.columns]
    return _numbered_rows([coded(frame[name]) for name in quasi], frame.height)


def _numbered_rows(columns: Sequence[Coded], rows: int) -> NDArray[np.int64]:
    """A number per row, the same for rows that agree in all columns."""
    number, size = np.zeros(rows, np.int64), 1
    for column in columns:
        if size * len(column.values) >= 1 << 62:
            number, size = numbered(pl.Series(number))
        number = number * len(column.values) + column.code
        size *= len(column.values)
    return numbered(pl.Series(number))[0]


def numbered(cells: pl.Series) -> tuple[NDArray[np.int64], int]:
    """A number for each cell, the same for equal ones, and how many there are; a run of them is read once."""
    runs = cells.rle().struct.unnest()
    different = runs["value"].unique().to_frame().with_row_index("place")
    place = runs.join(different, on="value", maintain_order="left")["place"].cast(pl.Int64)
    return np.repeat(place.to_numpy(), runs["len"].to_numpy()), max(different.height, 1)


def _linking(frame: pl.DataFrame, plan: Plan) -> NDArray[np.int64] | None:
    """Equal where all cells are equal that are released as they were, the person's pseudonym included."""
    unchanged = {n for n, a in plan.attributes.items() if a.role in (Role.PLAIN, Role.SENSITIVE)}
    linking = unchanged | {plan.data.person, *plan.surrogates}
    names = [n for n in frame.columns if n in linking]
    return _numbered_rows([coded(frame[name]) for name in names], frame.height) if names else None


def _read(cells: pl.Series, attribute: Attribute) -> Entries:
    """What each row of an item, term or event column shows."""
    if attribute.role is not Role.EVENT:
        return read_entries(cells, attribute.separator)
    values = coded(cells)
    texts = ["" if value is None else str(value) for value in values.values]
    return Entries(np.arange(len(cells)), values.code, texts)


def _shown(
    frame: pl.DataFrame, plan: Plan, in_texts: Sequence[Mapping[Label, int]]
) -> tuple[Sets, NDArray[np.int64] | None, list[Label]]:
    """Labels of item, term and event columns and of texts, numbered, by row, and how often each shows."""
    kinds = {Role.ITEMS: "item", Role.TERMS: "term", Role.EVENT: "event"}
    number_of: dict[Label, int] = {}
    parts: list[Sequence[NDArray[np.int64]]] = []  # row, label, how often
    released = set(frame.columns)
    for name, attribute in plan.attributes.items():
        if attribute.role in kinds and name in released:
            mine = _read(frame[name], attribute)
            labels = [(name, kinds[attribute.role], entry) for entry in mine.texts]
            number = np.array([number_of.setdefault(label, len(number_of)) for label in labels], np.int64)
            parts.append((mine.row, number[mine.code], np.ones(len(mine.row), np.int64)))
    seen = [
        (row, number_of.setdefault(label, len(number_of)), many)
        for row, labels in enumerate(in_texts)
        for label, many in labels.items()
    ]
    parts.append([*np.array(seen, np.int64).reshape(-1, 3).T])
    row, code, often = (np.concatenate(part) for part in zip(*parts, strict=True))
    code = code.astype(np.int32)
    pairs = Sets.of_pairs(row, code, owners=frame.height, codes=max(len(number_of), 1))
    times = np.bincount(pairs.places(row, code), often, len(pairs.codes)).astype(np.int64) if seen else None
    return pairs, times, list(number_of)
