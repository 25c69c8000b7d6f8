"""Frames of a caller that a plan joins: one table for us, and what leads back to columns of their kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import narwhals as nw
import polars as pl

from heteronym.errors import InputError
from heteronym.io.tables import Table, in_one
from heteronym.model.plan import DataPlan


class JoinedFrames:
    """Several frames as the one that joining them would make; its columns are gathered when asked for."""

    def __init__(self, frames: Sequence[Any], rows: Sequence[pl.Series]) -> None:
        self.implementation = frames[0].implementation
        # a key stands in several tables: it is that of the first
        self._home = {
            name: (frame, of) for frame, of in reversed([*zip(frames, rows)]) for name in frame.columns
        }
        self.columns = list(self._home)

    def __getitem__(self, name: str) -> Any:
        frame, rows = self._home[name]
        return _gathered(frame[name], rows)


def joined_frames(
    tables: Sequence[Table], frames: Sequence[Any], plan: DataPlan
) -> tuple[Table, JoinedFrames]:
    """The joined table, and the frames seen as one: numbers of rows go through the join with their rows."""
    if len({frame.implementation for frame in frames}) > 1:
        raise InputError("data: the frames are of different kinds; give all of them as one kind")
    numbers = [f"\0{place}" for place in range(len(tables))]  # called as no column is
    numbered = [replace(t, frame=t.frame.with_row_index(n)) for t, n in zip(tables, numbers, strict=True)]
    table = in_one(numbered, plan)
    whole = replace(table, frame=table.frame.drop(numbers))
    return whole, JoinedFrames(frames, [table.frame[number].alias("row") for number in numbers])


def _gathered(cells: Any, rows: pl.Series) -> Any:
    """Cells of these rows, missing where there is no row, as a left join leaves them."""
    if not rows.null_count():
        return cells[rows.to_list()]
    native, kind = nw.to_native(cells), cells.implementation
    if kind.is_polars():
        found = native.gather(rows)
    elif kind.is_pyarrow():
        found = native.take(rows.to_arrow())
    else:
        found = native.reset_index(drop=True).reindex(rows.cast(pl.Int64).fill_null(-1).to_list())
        found = found.reset_index(drop=True)
    return nw.from_native(found, series_only=True).alias(cells.name)
