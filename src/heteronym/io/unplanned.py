"""Tables without a plan: on which column they are joined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from heteronym.errors import InputError
from heteronym.io.given import tables_in
from heteronym.io.repeated import as_texts
from heteronym.io.tables import Table, join_tables
from heteronym.io.values import text_cells
from heteronym.model.plan import DataPlan, Join


def join_for_profile(data: Any, plan: DataPlan | None = None) -> Table:
    """Tables without a plan: each further one is joined on the column that it shares as a key."""
    first, *others = [table for table, _ in tables_in(data, plan)]
    joined, joins = first, []
    for other in others:
        common = [name for name in other.frame.columns if name in joined.frame.columns]
        keys = [name for name in common if _is_key(joined.frame[name], other.frame[name])]
        if not common:
            raise InputError(f"{other.source}: shares no column with the tables before it to be joined on")
        if len(common) > 1 and len(keys) != 1:
            raise InputError(
                f"{other.source}: shares {len(common)} columns with the tables before it, and {len(keys)} of "
                "them could be the key; keep one of them, or write data.join yourself"
            )
        joins.append(Join(table=other.name, on=((keys or common)[0],)))
        joined = replace(join_tables([joined, other], joins[-1:]), joins=())
    relations = tuple((table.name, tuple(table.frame.columns)) for table in (first, *others))
    return replace(
        joined,
        frame=as_texts(joined.frame),
        joins=tuple(joins),
        relations=relations,
    )


def _is_key(left: pl.Series, right: pl.Series) -> bool:
    """Whether both sides have the same keys, and one of them each key once."""
    if left.dtype.is_nested() or right.dtype.is_nested():
        return False
    a, b = text_cells(left), text_cells(right)
    if a.null_count() or b.null_count():
        return False
    once = a.n_unique() == len(a) or b.n_unique() == len(b)
    return once and set(a.unique()) == set(b.unique())
