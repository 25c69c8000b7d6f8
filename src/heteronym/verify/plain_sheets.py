"""Sheets of plain cells, all columns at once: what most programs write, and this one.

A sheet is plain if every cell is one value and nothing else: no formulas, no text inside the sheet, no empty
cells with a style, no entities. Whatever does not look exactly so is left to the reader that knows XML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.limits import MOST_SHEET_ROWS

# row, column letters, style, kind and value of a cell without its end tag
_CELL = (
    r'^(?:<row(?: r="[0-9]+")?(?: spans="[0-9:]+")?>)?'
    r'<c(?: r="([A-Z]+)[0-9]+")?(?: s="([0-9]+)")?(?: t="([a-z]+)")?><v>([^<]*)</v>$'
)
_ODD = ("<!", "<?", "&", "<is>", "<f", "/>")


class PlainCells(NamedTuple):
    """Cells in the order of the file: row and column from 0, style, kind and value as written."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    style: pl.Series
    kind: pl.Series
    value: pl.Series

    def only(self, rows: NDArray[np.bool_]) -> PlainCells:
        mask = pl.Series(rows)
        kept = (series.filter(mask) for series in (self.style, self.kind, self.value))
        return PlainCells(self.row[rows], self.column[rows], *kept)

    def at(self, places: NDArray[np.int64]) -> PlainCells:
        taken = (series.gather(places) for series in (self.style, self.kind, self.value))
        return PlainCells(self.row[places], self.column[places], *taken)


def plain_cells(xml: str) -> PlainCells | None:
    """The cells of a plain sheet; None if it is not one."""
    start, end = xml.find("<sheetData>"), xml.find("</sheetData>")
    if start < 0 or end < 0 or any(mark in xml[start + 11 : end] for mark in _ODD):
        return None
    if xml.count("<row", start, end) > MOST_SHEET_ROWS:
        raise ValueError("more rows than an Excel sheet has")
    rows = pl.Series([xml[start + 11 : end]]).str.split("</row>").explode()
    pieces = pl.DataFrame({"cell": rows.str.split("</c>")}).with_row_index("row").explode("cell")
    pieces = pieces.filter(pl.col("cell") != "")  # behind the last cell of a row there is nothing
    found = pieces["cell"].str.extract_groups(_CELL).struct.unnest()
    letters, style, kind, value = (found[name] for name in found.columns)
    if not found.height or value.null_count():
        return None
    row = pieces["row"].to_numpy().astype(np.int64)
    column = _columns(letters, row)
    return None if column is None else PlainCells(row, column, style, kind.fill_null("n"), value)


def _columns(letters: pl.Series, row: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Numbers of columns by their letters, or by counting where no cell has any."""
    if letters.null_count() == len(letters):
        first = np.flatnonzero(np.r_[True, row[1:] != row[:-1]])
        return np.arange(len(row)) - np.repeat(first, np.diff(np.r_[first, len(row)]))
    # a sheet whose first row alone tells letters has them counted all the same
    known = letters.is_not_null().to_numpy()
    if not known.all():
        counted = _columns(pl.Series([None] * len(letters), dtype=pl.String), row)
        assert counted is not None
        columns = _columns(letters.filter(pl.Series(known)), row[known])
        return counted if columns is not None and (columns == counted[known]).all() else None
    names = letters.unique()
    place = {name: _number(name) for name in names}
    return letters.replace_strict(place, return_dtype=pl.Int64).to_numpy()


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def plain_columns(
    cells: PlainCells,
    width: int,
    shared: Sequence[str],
    value_of: Callable[[str, str, str], Any],
    typed: Callable[[str, list[Any]], pl.Series],
    names: Mapping[int, str],
) -> pl.DataFrame:
    """A frame of cells below the header; rows without any are left out.

    `value_of` reads one cell by kind, style and text, `typed` makes a column of values; both are asked only
    where a column holds more than texts or plain numbers.
    """
    numbers, row = np.unique(cells.row, return_inverse=True)
    texts = pl.Series(shared, dtype=pl.String)
    # Sorted once: to look through all cells for each column is quadratic in wide sheets.
    order = np.argsort(cells.column, kind="stable")
    ends = np.searchsorted(cells.column[order], np.arange(width + 1))
    columns = []
    for place in range(width):
        mine = PlainCells(row, *cells[1:]).at(order[ends[place] : ends[place + 1]])
        kinds = set(mine.kind.unique())
        where = pl.Series(mine.row)
        if kinds == {"s"}:
            text = texts.gather(mine.value.cast(pl.Int64))
            value = text.set(text == "", None)
        elif kinds == {"n"} and not mine.style.drop_nulls().len():
            value = _numbers(mine.value)
        else:
            parts = zip(mine.kind.to_list(), mine.style.fill_null("").to_list(), mine.value.to_list())
            cell_values: list[Any] = [None] * len(numbers)
            for at, part in zip(mine.row.tolist(), parts, strict=True):
                cell_values[at] = value_of(*part)
            columns.append(typed(names[place], cell_values))
            continue
        full = pl.DataFrame({"row": np.arange(len(numbers))}).join(
            pl.DataFrame({"row": where, "value": value}), on="row", how="left", maintain_order="left"
        )
        columns.append(_whole(full["value"]).alias(names[place]))
    frame = pl.DataFrame(columns)
    return frame.filter(~pl.all_horizontal(pl.all().is_null()))


def _numbers(values: pl.Series) -> pl.Series:
    whole = values.cast(pl.Int64, strict=False)
    return whole if not whole.null_count() else values.cast(pl.Float64, strict=False)


def _whole(cells: pl.Series) -> pl.Series:
    """Floats that are all whole are whole numbers."""
    if cells.dtype != pl.Float64 or not (cells.drop_nulls() == cells.drop_nulls().round()).all():
        return cells
    whole = cells.cast(pl.Int64, strict=False)
    return whole if whole.null_count() == cells.null_count() else cells
