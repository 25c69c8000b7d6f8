"""Released labels as intervals of pandas and polars: `[24-36]` with both of its ends, to compute with.

Reference   docs/release-format.md (what labels mean)
Guarantee   an interval covers what its label covers; a column with a label that is no range stays as it is
Cost        O(rows) to place them, everything else by distinct label
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.utility.read_cells import SUPPRESSED, Cells, read_labels

_OPEN_ABOVE = re.compile(r"\d\+\Z")
_OPEN_BELOW = re.compile(r"\d or (?:earlier|less)\Z")
_FIRST_DAY, _LAST_DAY = (
    np.datetime64("1678-01-01", "D"),
    np.datetime64("2261-12-31", "D"),
)  # pandas has no more


def with_intervals(data: Any, attributes: Mapping[str, Attribute]) -> Any:
    """The frame with quasi columns and events of numbers and dates as closed intervals, in its own kind.

    pandas: an interval array; polars and pyarrow: a struct of `low` and `high`. Missing stays missing. A
    suppressed cell covers everything: from minus to plus infinity, or the first to the last day known. No
    interval says "or missing": of `{,21}` the 21 is left.
    """
    frame = nw.from_native(data, eager_only=True)
    columns = []
    for name in frame.columns:
        attribute = attributes.get(name)
        found = None if attribute is None else _intervals(frame[name], attribute)
        columns.append(frame[name] if found is None else found)
    return nw.to_native(nw.concat([column.to_frame() for column in columns], how="horizontal"))


def _intervals(column: Any, attribute: Attribute) -> Any:
    if attribute.role not in (Role.QUASI, Role.EVENT) or attribute.scale not in (Scale.NUMERIC, Scale.DATE):
        return None
    if column.dtype != nw.String and not column.dtype.is_numeric():
        return None
    cells = read_labels(pl.Series(column.name, column.to_list(), strict=False), attribute)
    if cells.kind == "names":
        return None
    low, high = _ends(cells)
    is_missing = cells.of_row == len(cells.texts) - 1
    if column.implementation.is_pandas_like():
        return _pandas_intervals(column, low[cells.of_row], high[cells.of_row], is_missing)
    ends = pl.DataFrame({"low": low[cells.of_row], "high": high[cells.of_row]})
    pairs = ends.select(pl.when(~pl.Series(is_missing)).then(pl.struct("low", "high")).alias(column.name))
    native = pairs[column.name]
    if column.implementation.is_pyarrow():
        import pyarrow as pa

        return nw.from_native(pa.chunked_array([native.to_arrow()]), series_only=True).alias(column.name)
    return nw.from_native(native, series_only=True)


def _ends(cells: Cells) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The first and the last value that each label covers; of days as days."""
    low, high = cells.low.copy(), cells.high - (cells.step or 0.0)
    for number, text in enumerate(cells.texts):
        if text == SUPPRESSED or (text is not None and _OPEN_ABOVE.search(text)):
            high[number] = np.inf
        if text == SUPPRESSED or (text is not None and _OPEN_BELOW.search(text)):
            low[number] = -np.inf
    if cells.kind == "numbers":
        return low, high
    return _as_days(low, _FIRST_DAY), _as_days(high, _LAST_DAY)


def _as_days(days: np.ndarray[Any, Any], endless: np.datetime64) -> np.ndarray[Any, Any]:
    known = np.where(np.isfinite(days), days, 0).astype(np.int64).astype("datetime64[D]")
    return np.where(np.isinf(days), endless, known)


def _pandas_intervals(column: Any, low: Any, high: Any, is_missing: Any) -> Any:
    import pandas as pd

    nothing = np.datetime64("NaT") if low.dtype.kind == "M" else np.nan
    unit = "datetime64[s]" if low.dtype.kind == "M" else "float64"
    ends = (np.where(is_missing, nothing, end).astype(unit) for end in (low, high))
    array = pd.arrays.IntervalArray.from_arrays(*ends, closed="both")
    native = pd.Series(array, index=nw.to_native(column).index, name=column.name)
    return nw.from_native(native, series_only=True)
