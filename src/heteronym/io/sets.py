"""Set-valued cells: lists, JSON lists, or entries between separators; read and written alike."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.io.values import text_cells


def split_cells(cells: pl.Series, separator: str | None) -> tuple[NDArray[np.int32], pl.DataFrame]:
    """A set-valued column as distinct cells: which one each row has, and the entries of each, trimmed."""
    is_list = isinstance(cells.dtype, (pl.List, pl.Array))
    flat = cells.cast(pl.List(pl.String)).list.join("\x00", ignore_nulls=True) if is_list else cells
    # A joined column repeats long cells on every row of a person: whatever is done to text is done once.
    frame = flat.rename("flat").to_frame()
    distinct = frame.unique(maintain_order=True).with_row_index("cell").cast({"cell": pl.Int32})
    number = frame.join(distinct, on="flat", how="left", nulls_equal=True, maintain_order="left")["cell"]
    text = text_cells(distinct["flat"])
    if not is_list and separator is None and _looks_like_json(text):
        try:
            lists = text.str.json_decode(pl.List(pl.String))
        except pl.exceptions.PolarsError:
            raise InputError(f"column '{cells.name}': not all cells are JSON lists") from None
    else:  # without a separator, one entry per row
        lists = text.str.split("\x00" if is_list or separator is None else separator)
    entries = (
        pl.DataFrame({"cell": distinct["cell"], "entry": lists})
        .drop_nulls("entry")
        .explode("entry")
        .with_columns(pl.col("entry").str.strip_chars())
    )
    return number.to_numpy(), entries.filter(pl.col("entry").is_not_null() & (pl.col("entry") != ""))


def _looks_like_json(text: pl.Series) -> bool:
    known = text.drop_nulls().str.strip_chars()
    return bool(len(known)) and bool((known.str.starts_with("[") & known.str.ends_with("]")).all())


def holds_json_lists(cells: pl.Series) -> bool:
    """Whether a set-valued column without separator is written as JSON lists."""
    return not cells.dtype.is_nested() and _looks_like_json(text_cells(cells))


def join_cells(lists: pl.Series, column: pl.Series, separator: str | None) -> pl.Series:
    """Lists of entries (null: none) written as the cells of `column` are."""
    if isinstance(column.dtype, (pl.List, pl.Array)):
        return lists.fill_null([])
    if separator is None and holds_json_lists(column):
        written = [json.dumps(entries or [], ensure_ascii=False) for entries in lists.to_list()]
        return pl.Series(lists.name, written, pl.String)
    return lists.list.join(separator or " ")
