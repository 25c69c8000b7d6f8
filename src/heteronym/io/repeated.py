"""Texts that repeat, each held once: what a join or a column of few values needs in memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

# Texts that repeat, each held once, told apart from categories that the data itself came with.
REPEATED = pl.Categorical(pl.Categories("heteronym"))

_SAMPLE, _OFTEN = 4096, 8  # cells that are looked at; a text stands so often on average


def held_once(cells: pl.Series) -> pl.Series:
    """A column of few different texts with each of them held once; any other column as it is."""
    if cells.dtype != pl.String or not len(cells):
        return cells
    sample = cells.gather_every(max(len(cells) // _SAMPLE, 1))
    return cells.cast(REPEATED) if _OFTEN * sample.n_unique() <= len(sample) else cells


def as_texts(frame: pl.DataFrame, *, without: Sequence[str] = ()) -> pl.DataFrame:
    """The frame with texts that are held once written out on every row, but for some columns."""
    return frame.with_columns(pl.col(REPEATED).exclude(without).cast(pl.String))


def distinct_cells(cells: pl.Series) -> tuple[pl.Series, NDArray[np.int32]]:
    """The different texts of a column that holds each once, and which of them every row has.

    Rows without a text have the number after the last.
    """
    different = cells.unique().drop_nulls()
    physical, known = cells.to_physical(), different.to_physical().to_numpy()
    nothing = int(known.max(initial=0)) + 1
    number = np.full(nothing + 1, len(different), np.int32)
    number[known] = np.arange(len(different), dtype=np.int32)
    return different.cast(pl.String), number[physical.fill_null(nothing).to_numpy()]


LONG = 64  # characters on average


def with_long_texts_once(side: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Long texts of a table without double keys held once: a join copies texts for every row it makes."""
    if side.select(keys).is_duplicated().any():
        return side
    texts = [name for name, kind in side.schema.items() if kind == pl.String and name not in keys]
    long = [name for name in texts if side[name].str.len_bytes().sum() > LONG * side.height]
    return side.with_columns(pl.col(long).cast(REPEATED))
