"""What a survey says of each person: the household, and for how many people of the population they stand."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, row_list
from heteronym.io.persons import number_persons
from heteronym.io.values import numbers, text_cells
from heteronym.model.dataset import Dataset


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
