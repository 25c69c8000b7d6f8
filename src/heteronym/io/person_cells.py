"""Columns that belong to the person although every row repeats them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from heteronym.io.persons import number_persons
from heteronym.io.values import comparable_cells
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Role


def shown_once(dataset: Dataset) -> Dataset:
    """The data with sets and texts that all rows of every person repeat on the first of them alone.

    Such a column belongs to the person. Shown on every row, it would tell which rows are one person's.
    """
    person, persons = number_persons(dataset)
    if persons == dataset.rows:
        return dataset
    first = np.zeros(dataset.rows, np.bool_)
    first[np.unique(person, return_index=True)[1]] = True
    changed = []
    for name in dataset.schema.named(Role.ITEMS, Role.TERMS, Role.TEXT):
        cells = dataset.frame[name]
        rank = comparable_cells(cells).rank("dense").fill_null(0).to_numpy().astype(np.int64)
        same = np.full(persons, -1, np.int64)
        same[person[first]] = rank[first]
        if (rank == same[person]).all() and rank.any():
            empty = pl.Series(name, [None], dtype=cells.dtype)
            changed.append(cells.zip_with(pl.Series(first), empty.new_from_index(0, len(cells))))
    return replace(dataset, frame=dataset.frame.with_columns(changed)) if changed else dataset
