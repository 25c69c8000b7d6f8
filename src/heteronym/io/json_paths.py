"""Objects inside the rows of a JSON file, as columns named by their path.

`customer: {address: {city}}` is the column `customer.address.city`. A list of objects has a column for every
place and path (`messages.0.text`) while no list is longer than `MOST_PLACES`; longer ones have one column per
path (`messages.text`), a line for each object. Lists of plain values stay lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

MOST_PLACES = 8


def with_paths(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with objects as columns; names that meet stay twice, for the reader to refuse."""
    if not any(_holds_objects(column.dtype) for column in frame):
        return frame
    columns = [part for column in frame for part in _parts(column)]
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        return frame  # an object beside a column of its path's name: left as it is, and no plain column
    return pl.DataFrame(columns)


def _holds_objects(dtype: pl.DataType) -> bool:
    return isinstance(dtype, pl.Struct) or (
        isinstance(dtype, (pl.List, pl.Array)) and isinstance(dtype.inner, pl.Struct)
    )


def _parts(column: pl.Series) -> Iterator[pl.Series]:
    if not _holds_objects(column.dtype):
        yield column
    elif isinstance(column.dtype, pl.Struct):
        for field in column.dtype.fields:
            yield from _parts(column.struct.field(field.name).alias(f"{column.name}.{field.name}"))
    else:
        lists = column.cast(pl.List(column.dtype.inner))  # type: ignore[attr-defined]
        longest = int(lists.list.len().max() or 0)  # type: ignore[arg-type]
        if longest <= MOST_PLACES:
            for place in range(longest):
                yield from _parts(lists.list.get(place, null_on_oob=True).alias(f"{column.name}.{place}"))
        else:
            yield from _in_lines(lists)


def _in_lines(lists: pl.Series) -> Iterator[pl.Series]:
    """One column per path: what the objects of a row say there, a line each."""
    counts = lists.list.len().fill_null(0).to_list()
    owner = [row for row, count in enumerate(counts) for _ in range(count)]
    for part in _parts(lists.filter(pl.Series(counts) > 0).explode()):
        lines: list[list[str]] = [[] for _ in counts]
        for row, value in zip(owner, part.to_list(), strict=True):
            if (line := _as_line(value)) is not None:
                lines[row].append(line)
        yield pl.Series(part.name, ["\n".join(found) or None for found in lines], pl.String)


def _as_line(value: Any) -> str | None:
    if value is None or isinstance(value, (list, dict)):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
