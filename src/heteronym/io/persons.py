"""Which rows are one person, and what belongs to the person although every row repeats it."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, row_list
from heteronym.io.values import comparable_cells, text_cells
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


def person_keys(dataset: Dataset) -> pl.Series:
    """A text per person, in the order of their numbers: the key, or the number of the row."""
    person_of_row, persons = number_persons(dataset)
    if dataset.schema.person is None:
        return pl.Series(range(1, persons + 1)).cast(pl.String)
    first = np.empty(persons, np.int64)
    first[person_of_row[::-1]] = np.arange(dataset.rows)[::-1]
    return text_cells(dataset.frame[dataset.schema.person]).str.strip_chars().gather(first)


def keep_person_level_cells_on_first_row(dataset: Dataset) -> Dataset:
    """Sets and texts that every row of a person repeats are kept on one of them and emptied on the others.

    Such a column describes the person. On every row, it would reveal which rows belong to one person. Which
    row shows it follows from the other cells of the rows, not from the order of the source.
    """
    person, persons = number_persons(dataset)
    if persons == dataset.rows:
        return dataset
    repeated = []
    for name in dataset.schema.named(Role.ITEMS, Role.TERMS, Role.TEXT):
        cells = dataset.frame[name]
        pairs = pl.DataFrame({"person": person, "cell": comparable_cells(cells)})
        if pairs.n_unique() == persons and cells.null_count() < len(cells):
            repeated.append(name)
    if not repeated:
        return dataset
    other_cells = [
        comparable_cells(dataset.frame[name]).rank("dense").fill_null(0).alias(str(number))
        for number, (name, one) in enumerate(dataset.schema)
        if one.role is not Role.IDENTIFIER and name not in repeated
    ]
    rows = pl.DataFrame([pl.Series("person", person), *other_cells])
    order = rows.select(pl.arg_sort_by(rows.columns, maintain_order=True)).to_series().to_numpy()
    first = np.zeros(dataset.rows, np.bool_)
    first[order[np.unique(person[order], return_index=True)[1]]] = True
    changed = []
    for name in repeated:
        cells = dataset.frame[name]
        empty = pl.Series(name, [None], dtype=cells.dtype)
        changed.append(cells.zip_with(pl.Series(first), empty.new_from_index(0, len(cells))))
    return replace(dataset, frame=dataset.frame.with_columns(changed))
