"""Released labels in the types that the data had, where nothing of a column was generalized."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl


def in_their_type(labels: pl.Series, original: Any) -> Any | None:
    """A released column as values of the original narwhals column's type; None where a label is none.

    Categories that are not used are left out: the original's list would tell what was suppressed.
    """
    dtype = original.dtype
    backend = original.implementation
    texts = nw.new_series(labels.name, labels.to_list(), nw.String, backend=backend)
    if dtype in (nw.Enum, nw.Categorical):
        known = dtype.categories if dtype == nw.Enum else original.drop_nulls().unique().to_list()
        used = set(labels.drop_nulls())
        if not used <= set(known):
            return None
        return texts.cast(nw.Enum([name for name in known if name in used]) if dtype == nw.Enum else dtype)
    if not (dtype.is_numeric() or dtype in (nw.Date, nw.Datetime, nw.Boolean)):
        return None
    values = _parsed(labels, dtype)
    if values is None:
        return None
    return nw.new_series(labels.name, values.to_list(), _holding_nulls(dtype, values), backend=backend)


def _parsed(labels: pl.Series, dtype: Any) -> pl.Series | None:
    if dtype in (nw.Date, nw.Datetime):
        values = labels.str.to_date("%Y-%m-%d", strict=False)
        return values if values.null_count() == labels.null_count() and dtype == nw.Date else None
    if dtype == nw.Boolean:
        return None
    values = labels.cast(pl.Int64 if dtype.is_integer() else pl.Float64, strict=False)
    return values if values.null_count() == labels.null_count() else None


def _holding_nulls(dtype: Any, values: pl.Series) -> Any:
    """numpy's whole numbers, behind pandas, cannot be missing."""
    return nw.Float64 if dtype.is_integer() and values.null_count() else dtype
