"""Items columns made one (`data.unite`), so that a block may hold items of several columns.

Errors name the file, the column and row numbers (data rows count from 1), never a value.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from heteronym.errors import InputError, nearest, row_list
from heteronym.io.values import text_cells
from heteronym.model.plan import Unite


def united(frame: pl.DataFrame, unions: Sequence[Unite], source: str) -> pl.DataFrame:
    """Items columns made one: `codes` A and `drugs` B become `codes.A` and `drugs.B` of one."""
    for union in unions:
        lists = []
        for name, separator in union.columns.items():
            if name not in frame.columns:
                raise InputError(f"{source}: no column '{name}' to unite.{nearest(name, frame.columns)}")
            entry, cells = pl.element().str.strip_chars(), text_cells(frame[name]).fill_null("")
            items = cells.str.split(separator).list.eval(entry.filter(entry != ""))
            bad = items.list.eval(pl.element().str.contains(union.separator, literal=True)).list.any()
            if bad.any():
                rows = row_list((bad.arg_true() + 1).to_list())
                raise InputError(
                    f"{source}: column '{name}': items of {rows} hold the separator of '{union.into}'"
                )
            lists.append(items.list.eval(pl.lit(f"{name}.") + pl.element()).alias(name))
        whole = pl.DataFrame(lists).select(
            pl.concat_list(pl.all()).list.join(union.separator).alias(union.into)
        )
        kept = frame.drop(list(union.columns))
        if union.into in kept.columns:
            raise InputError(f"{source}: column '{union.into}' is there already; name another for data.unite")
        frame = kept.with_columns(whole[union.into])
    return frame
