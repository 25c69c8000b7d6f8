"""Set-valued cells as the auditor reads them: a whole column at once, its entries as numbers.

Cells of text are divided at the separator all together. Only where that may have cut a generalized item
`(a,b)` is a cell read by itself (`labels.split_entries`); so is every cell that is a list.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.verify.labels import split_entries
from heteronym.verify.values import coded


@dataclass(frozen=True, repr=False, eq=False)
class Entries:
    """The entries of a column: row and number of each, and what the numbers mean."""

    row: NDArray[np.int64]
    code: NDArray[np.int64]
    texts: Sequence[str]

    def __repr__(self) -> str:
        return f"Entries({len(self.row)} entries, {len(self.texts)} different)"


def read_entries(cells: pl.Series, separator: str | None, *, held: bool = False) -> Entries:
    """The entries of every cell; `held` where it is data, which knows no blocks."""
    texts = cells.cast(pl.String) if isinstance(cells.dtype, (pl.Categorical, pl.Enum)) else cells
    if separator is None or texts.dtype != pl.String:
        return _one_by_one(cells, np.arange(len(cells)), separator, held=held)
    parts = texts.str.split(separator)
    row = np.repeat(np.arange(len(cells)), parts.list.len().fill_null(1).to_numpy())
    entries = parts.explode()
    alone = np.zeros(len(cells), np.bool_)
    if not held:
        cut = entries.str.starts_with("(") & ~entries.str.contains(")", literal=True)
        alone |= texts.str.contains("\\", literal=True).fill_null(False).to_numpy() | ("(" in separator)
        alone &= texts.str.contains("(", literal=True).fill_null(False).to_numpy()
        alone[row[cut.fill_null(False).to_numpy()]] = True
    there = (entries != "").fill_null(False).to_numpy() & ~alone[row]
    known = coded(entries.filter(there))
    found = Entries(row[there], known.code, known.values[:-1])  # behind them stands the missing cell
    if not alone.any():
        return found
    more = _one_by_one(texts.filter(alone), np.flatnonzero(alone), separator, held=held)
    number = {text: place for place, text in enumerate(found.texts)}
    place = np.array([number.setdefault(text, len(number)) for text in more.texts], np.int64)
    return Entries(np.r_[found.row, more.row], np.r_[found.code, place[more.code]], list(number))


def _one_by_one(cells: pl.Series, rows: NDArray[np.int64], separator: str | None, *, held: bool) -> Entries:
    """Of cells that stand in these rows; equal ones are read once."""
    column = coded(cells)
    read = [cell_entries(cell, separator, held=held) for cell in column.values]
    number: dict[str, int] = {}
    codes = [[number.setdefault(entry, len(number)) for entry in entries] for entries in read]
    lengths = np.array([len(entries) for entries in read], np.int64)[column.code]
    flat = [code for cell in column.code.tolist() for code in codes[cell]]
    return Entries(np.repeat(rows, lengths), np.array(flat, np.int64), list(number))


def entries_of(cells: pl.Series, separator: str | None, *, held: bool = False) -> list[list[str]]:
    """The entries of every cell of a set-valued column."""
    return coded(cells).mapped(lambda cell: cell_entries(cell, separator, held=held)).by_row()


def cell_entries(value: object, separator: str | None, *, held: bool = False) -> list[str]:
    """The entries of a released cell, in which a block of items is one entry; or of one that is `held` in the
    data, which knows no blocks: an item may begin with a bracket."""
    if value is None:
        return []
    if isinstance(value, list):
        return [str(v) for v in value if v is not None]
    cell = str(value)
    if separator is not None:
        return [entry for entry in cell.split(separator) if entry] if held else split_entries(cell, separator)
    if cell.startswith("[") and cell.endswith("]"):
        try:
            return [str(v) for v in json.loads(cell)]
        except ValueError:
            pass
    return [cell] if cell.strip() else []
