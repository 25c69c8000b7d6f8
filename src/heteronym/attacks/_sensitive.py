"""What the persons of each group show of a sensitive attribute."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import Crowd, gather
from heteronym.model.attack import Knowledge, ReleasedTable
from heteronym.model.schema import Role
from heteronym.verify.entries import entries_of


def sensitive_holders(
    release: ReleasedTable, knowledge: Knowledge
) -> Iterator[tuple[str, Crowd, NDArray[np.int64], NDArray[np.int64]]]:
    """Per sensitive column, and per items column with sensitive items: persons of each group [groups], and
    how many of them hold each value [groups, values]."""
    crowd = gather(release, known_columns(release, knowledge))
    pairs = np.unique(crowd.group_of_row * crowd.persons + crowd.person_of_row)
    sizes = np.bincount(pairs // crowd.persons, minlength=len(crowd.labels))
    released = set(release.frame.columns)
    for name, attribute in release.plan.attributes.items():
        if name not in released:
            continue
        if attribute.role is Role.SENSITIVE and not release.frame[name].dtype.is_nested():
            cells = release.frame[name].cast(pl.String)
            rows, values = np.arange(len(cells)), cells.to_list()
        elif attribute.role is Role.ITEMS and attribute.sensitive:
            wanted = set(attribute.sensitive)
            entries = entries_of(release.frame[name], attribute.separator)
            found = [
                (row, e.strip()) for row, cell in enumerate(entries) for e in cell if e.strip() in wanted
            ]
            rows = np.array([row for row, _ in found], np.int64)
            values = [value for _, value in found]
        else:
            continue
        yield name, crowd, sizes, _count(crowd, rows, values)


def _count(crowd: Crowd, rows: NDArray[np.int64], values: list[str | None]) -> NDArray[np.int64]:
    number_of: dict[str, int] = {}
    number = np.array(
        [-1 if v is None or not v.strip() else number_of.setdefault(v, len(number_of)) for v in values]
    )
    known = number >= 0 if len(number) else np.zeros(0, np.bool_)
    table = np.zeros((len(crowd.labels), max(len(number_of), 1)), np.int64)
    if known.any():
        where = rows[known]
        # a person counts once for each of its values
        keys = (crowd.group_of_row[where] * crowd.persons + crowd.person_of_row[where]) * len(
            number_of
        ) + number[known]
        keys = np.unique(keys)
        np.add.at(table, (keys // len(number_of) // crowd.persons, keys % len(number_of)), 1)
    return table
