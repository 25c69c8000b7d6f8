"""Ordered categories of callers' frames: their order counts, and labels of them stay ordered categories."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl


def ordered_categories(column: Any) -> list[str]:
    """The ordered categories of a narwhals column, lowest first; none where it has no such."""
    if column.dtype == nw.Enum:
        return list(column.dtype.categories)
    native = nw.to_native(column)
    if not column.implementation.is_pyarrow() or not getattr(native.type, "ordered", False):
        return []
    names = native.unify_dictionaries().chunk(0).dictionary.to_pylist()
    return names if all(isinstance(name, str) for name in names) else []


def as_categories(labels: pl.Series, original: Any) -> Any:
    """The labels of a narwhals column with ordered categories, in the order of what they stand for.

    Only labels that are used become categories: the original's list would tell what was suppressed.
    """
    place = {name: number for number, name in enumerate(ordered_categories(original))}

    def order(label: str) -> tuple[int, int, str]:
        inside = label[1:-1].split(",") if label.startswith("{") and label.endswith("}") else [label]
        places = sorted(place.get(name, len(place)) for name in inside if name != "*" or inside == ["*"])
        return places[0], places[-1], label

    used = sorted(labels.drop_nulls().unique().to_list(), key=order)
    if original.implementation.is_pyarrow():
        return _dictionary(labels, used)
    texts = nw.new_series(labels.name, labels.to_list(), nw.String, backend=original.implementation)
    return texts.cast(nw.Enum(used))


def _dictionary(cells: pl.Series, names: list[str]) -> Any:
    """Texts as pyarrow's ordered dictionary of these names."""
    import pyarrow as pa

    numbers = cells.cast(pl.Enum(names)).to_physical().cast(pl.Int32).to_arrow()
    array = pa.DictionaryArray.from_arrays(numbers, pa.array(names, pa.string()), ordered=True)
    return nw.from_native(pa.chunked_array([array]), series_only=True).alias(cells.name)


def used_categories(column: Any) -> Any:
    """A column without the categories that no row has."""
    if column.dtype not in (nw.Categorical, nw.Enum):
        return column
    native = nw.to_native(column)
    if column.implementation.is_polars():
        native = with_used(native)
    elif column.implementation.is_pyarrow():
        texts = native.cast(native.type.value_type)
        if names := ordered_categories(column):
            held = set(texts.unique().to_pylist())
            return _dictionary(pl.Series(column.name, texts), [name for name in names if name in held])
        native = texts.dictionary_encode()
    else:
        native = native.cat.remove_unused_categories()
    return nw.from_native(native, series_only=True).alias(column.name)


def with_used_categories(frame: pl.DataFrame) -> pl.DataFrame:
    """Without the categories that no row has: a file's schema names all of them."""
    enums = [column for column in frame if isinstance(column.dtype, (pl.Enum, pl.Categorical))]
    return frame.with_columns([with_used(column) for column in enums])


def with_used(column: pl.Series) -> pl.Series:
    text = column.cast(pl.String)
    if not isinstance(column.dtype, pl.Enum):
        return text.cast(pl.Categorical)
    used = set(text.drop_nulls().unique())
    return text.cast(pl.Enum([name for name in column.dtype.categories if name in used]))
