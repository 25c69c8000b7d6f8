"""Which rows are one person."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, row_list
from heteronym.io.values import comparable_cells, numbers, text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Role

_known: WeakKeyDictionary[Dataset, tuple[NDArray[np.int32], int]] = WeakKeyDictionary()


def number_persons(dataset: Dataset) -> tuple[NDArray[np.int32], int]:
    """The person of each row, numbered by the order of their keys, and how many there are.

    Spaces around a key do not count. Asked by all who read texts or encode, answered once.
    """
    if dataset not in _known:
        _known[dataset] = _number(dataset)
    return _known[dataset]


def _number(dataset: Dataset) -> tuple[NDArray[np.int32], int]:
    key = dataset.schema.person
    if key is None:
        return np.arange(dataset.rows, dtype=np.int32), dataset.rows
    known = text_cells(dataset.frame[key], dataset.missing)
    if known.null_count():
        raise InputError(
            f"{dataset.source}: no person key in column '{key}', "
            f"{row_list((known.is_null().arg_true() + 1).to_list())}"
        )
    numbers = known.str.strip_chars().rank("dense").cast(pl.Int32).to_numpy() - 1
    return numbers.astype(np.int32), int(numbers.max(initial=-1)) + 1


def number_households(dataset: Dataset) -> NDArray[np.int64] | None:
    """The household of each person. Those whose household is missing may all be one, so they count as one."""
    key = dataset.schema.household
    if key is None:
        return None
    cells = text_cells(dataset.frame[key], dataset.missing).str.strip_chars()
    house = _of_person(dataset, key, cells.rank("dense").fill_null(0))
    return house.rank("dense").to_numpy().astype(np.int64) - 1


def weights_of(dataset: Dataset) -> NDArray[np.float64] | None:
    """How many people of the population each person stands for."""
    key = dataset.schema.weight
    if key is None:
        return None
    cells = numbers(dataset.frame[key], source=dataset.source, missing=dataset.missing).cast(pl.Float64)
    bad = cells.is_null() | ~(cells > 0)
    if bad.any():
        where = row_list((bad.arg_true() + 1).to_list())
        raise InputError(f"{dataset.source}: weights in column '{key}' must be numbers above 0, {where}")
    return _of_person(dataset, key, cells).to_numpy()


def _of_person(dataset: Dataset, key: str, cells: pl.Series) -> pl.Series:
    """What all rows of a person agree on, by person."""
    person, persons = number_persons(dataset)
    if persons == dataset.rows:
        return cells.gather(np.argsort(person))
    rows = pl.DataFrame({"person": person, "cell": cells})
    found = rows.group_by("person").agg(pl.col("cell").first(), pl.col("cell").n_unique().alias("several"))
    torn = found.filter(pl.col("several") > 1)["person"]
    if len(torn):
        where = row_list((pl.Series(person).is_in(torn.implode()).arg_true() + 1).to_list())
        raise InputError(f"{dataset.source}: rows of one person differ in column '{key}', {where}")
    return found.sort("person")["cell"]


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
