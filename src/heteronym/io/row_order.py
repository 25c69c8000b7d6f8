"""The order of released rows and the numbers of pseudonyms follow from what is released alone.

Reference   none
Guarantee   the released table is a function of the multiset of persons, each the multiset of its released
            rows: whatever order the source had, the bytes are the same. Persons who could get each other's
            number have equal rows throughout, so that which of them gets which changes nothing.
Cost        O(n log n)
Randomness  none
"""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import comparable_cells


def row_order(frame: pl.DataFrame) -> NDArray[np.int64]:
    """Rows sorted by all columns from left to right; among equal rows, any order gives the same table."""
    keys = [_sortable(column).alias(str(number)) for number, column in enumerate(frame)]
    names = [key.name for key in keys]
    order = pl.DataFrame(keys).select(pl.arg_sort_by(names, nulls_last=True, maintain_order=True))
    return order.to_series().to_numpy().astype(np.int64)


def _sortable(cells: pl.Series) -> pl.Series:
    """Cells as something that sorts fast in the order of their text."""
    cells = comparable_cells(cells)
    if cells.dtype != pl.String:
        return cells
    distinct = cells.drop_nulls().unique()
    if 8 * len(distinct) > len(cells):
        return cells
    return cells.cast(pl.Enum(distinct.sort())).to_physical()


def _content_rank(frame: pl.DataFrame) -> NDArray[np.int64]:
    """The place of each row among the different rows."""
    order = row_order(frame)
    begins = np.zeros(frame.height, np.bool_)
    for column in frame:
        cells = comparable_cells(column).gather(order)
        begins |= cells.ne_missing(cells.shift(1)).to_numpy()
    rank = np.empty(frame.height, np.int64)
    rank[order] = np.cumsum(begins)
    return rank


def pseudonym_numbers(frame: pl.DataFrame, person: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number from 1 per row: persons are numbered in the order of all their released rows together."""
    rank = _content_rank(frame)
    by_person = np.lexsort((rank, person))
    owners, begins = np.unique(person[by_person], return_index=True)
    contents = [rows.astype(">i8").tobytes() for rows in np.split(rank[by_person], begins[1:])]
    number = np.empty(len(owners), np.int64)
    number[np.array(sorted(range(len(owners)), key=contents.__getitem__), np.int64)] = np.arange(len(owners))
    return number[np.searchsorted(owners, person)] + 1
