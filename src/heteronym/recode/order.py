"""The order of released rows and the numbers of persons: they follow from what is shown, and tell no more."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import comparable_cells


def in_telling_nothing_order(frame: pl.DataFrame) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Rows sorted by what is released, so that their order adds nothing; a seeded shuffle could be undone."""
    keys = [_sortable(frame[name]).alias(str(number)) for number, name in enumerate(frame.columns)]
    order = (
        pl.DataFrame(keys)
        .select(pl.arg_sort_by([k.name for k in keys], nulls_last=True, maintain_order=True))
        .to_series()
    )
    return frame[order], order.to_numpy().astype(np.int64)


def _sortable(cells: pl.Series) -> pl.Series:
    """Cells as something that sorts fast in the order of their text."""
    cells = comparable_cells(cells)
    if cells.dtype != pl.String:
        return cells
    distinct = cells.drop_nulls().unique()
    if 8 * len(distinct) > len(cells):
        return cells
    return cells.cast(pl.Enum(distinct.sort())).to_physical()


def numbered_by_content(
    frame: pl.DataFrame, person: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number per row that is the same for rows of one person, and the rows in order of content and number.

    Persons are numbered by all that they show. Who shows the same as another is told apart by chance
    alone: the bytes are the same either way, and nothing of the data's order is left.
    """
    same = frame.select(pl.struct(comparable_cells(c).alias(c.name) for c in frame).rle_id()).to_series()
    content = same.to_numpy().astype(np.int64)
    persons, inverse = np.unique(person, return_inverse=True)
    by_person = np.lexsort((content, inverse))
    ends = np.cumsum(np.bincount(inverse))
    shown = [part.tobytes() for part in np.split(content[by_person].astype(">i8"), ends[:-1])]
    chance = np.random.default_rng().permutation(len(persons)).tolist()
    number = np.empty(len(persons), np.int64)
    number[sorted(range(len(persons)), key=lambda p: (shown[p], chance[p]))] = np.arange(1, len(persons) + 1)
    return number[inverse], np.lexsort((number[inverse], content))
