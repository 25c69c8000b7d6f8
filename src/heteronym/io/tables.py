"""Tables in and out: CSV, JSON, Parquet, Excel, files of statistics programs, data frames; and their joins.

Errors name the file, the column and row numbers (data rows count from 1), never a value.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl

from heteronym.databases.address import Address
from heteronym.errors import InputError, UsageError, nearest, reading, row_list
from heteronym.io.csv_files import check_names, read_csv, write_csv
from heteronym.io.json_paths import with_paths
from heteronym.io.repeated import as_texts, with_long_texts_once
from heteronym.io.statistics_files import READERS, read_statistics
from heteronym.io.typed import as_categories, ordered_categories, used_categories, with_used_categories
from heteronym.io.values import text_cells, with_plain_numbers
from heteronym.io.workbooks import read_workbook, write_workbook
from heteronym.model.plan import DataPlan, Join, Unite

ENDINGS = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    ".json": "json",
    ".xlsx": "xlsx",
    **dict.fromkeys(READERS, "statistics"),
}
ROW_GROUP = 122_880  # rows of a Parquet file that stand together, however many are written at once


@dataclass(frozen=True)
class Format:
    """How a table lay on disk, so that the release can be written alike."""

    kind: str = "csv"
    ending: str = ".csv"
    delimiter: str = ","
    encoding: str = "utf-8"
    sheet: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)  # of a database: what it calls those of columns
    dialect: str | None = None  # whose names these are


@dataclass(frozen=True, repr=False)
class Table:
    frame: pl.DataFrame
    format: Format
    name: str  # the file's name without folder and ending, for joins
    source: str  # what messages call it
    joins: tuple[Join, ...] = ()  # how further tables were joined to it
    relations: tuple[tuple[str, tuple[str, ...]], ...] = ()  # what was joined, each with its own columns
    written: Mapping[str, pl.Series] = field(default_factory=dict)  # numbers as they came, with signs

    def __repr__(self) -> str:
        return f"Table({self.source!r}, {self.frame.height} rows, columns {self.frame.columns})"


def read_tables(paths: Sequence[str | Path], plan: DataPlan | None = None) -> Table:
    """One table from one or several files, joined as the plan says."""
    plan = plan or DataPlan()
    if not paths:
        raise UsageError("name at least one data file, or - for standard input")
    return in_one([read_table(path, plan) for path in paths], plan)


def in_one(tables: Sequence[Table], plan: DataPlan) -> Table:
    """Tables joined and united as the plan says."""
    table = join_tables(tables, plan.join)
    frame = with_plain_numbers(table.frame, plan.decimal, plan.missing)
    written: dict[str, pl.Series] = {}
    if plan.decimal is not None:
        written = {cells.name: cells for cells in table.frame if not frame[cells.name].equals(cells)}
    return replace(table, frame=_united(frame, plan.unite, table.source), written=written)


def read_table(path: str | Path | Address, plan: DataPlan | None = None) -> Table:
    plan = plan or DataPlan()
    if isinstance(path, Address):
        return _from_database(path)
    if str(path) == "-":
        unnamed = plan.model_copy(update={"sheet": None})
        return parse_table(sys.stdin.buffer.read(), "standard input", ".csv", unnamed)
    path = Path(path)
    ending = path.suffix.lower()
    if path.is_dir():
        raise InputError(
            f"{path}: a folder, not a table. Documents are rewritten by heteronym sanitize; to release texts "
            "together with columns, make each text a cell of the table"
        )
    if ending not in ENDINGS:
        raise InputError(f"{path.name}: unknown kind of file '{ending}'. Known: {', '.join(ENDINGS)}")
    with reading(path):
        content = path.read_bytes()
    return parse_table(content, path.name, ending, plan)


def _from_database(address: Address) -> Table:
    from heteronym.io.databases import read_relation

    frame, types = read_relation(address)
    if frame.width == 0:
        raise InputError(f"{address.shown}: no columns")
    check_names(frame.columns, address.shown)
    if frame.height == 0:
        raise InputError(f"{address.shown}: no data rows")
    layout = Format("database", types=types, dialect=address.kind)
    return Table(frame, layout, address.name, address.shown)


def parse_table(content: bytes, source: str, ending: str, plan: DataPlan) -> Table:
    """A table from the bytes of a file with this ending."""
    if not content or content.isspace():
        raise InputError(f"{source}: the file is empty")
    kind = ENDINGS[ending]
    layout = Format(kind, ending)
    if plan.sheet is not None and kind != "xlsx" and not plan.join:  # else it is that of a workbook beside
        raise InputError(f"{source}: data.sheet names a sheet, but this is no workbook")
    if kind == "csv":
        delimiter = plan.delimiter or ("\t" if ending in (".tsv", ".tab") else None)
        frame, delimiter, encoding = read_csv(content, source, delimiter=delimiter, encoding=plan.encoding)
        layout = replace(layout, delimiter=delimiter, encoding=encoding)
    elif kind == "statistics":
        frame = read_statistics(content, source, ending)
        layout = Format()  # what is released are labels: text
    elif kind == "xlsx":
        frame, sheet = read_workbook(content, source, plan.sheet)
        layout = replace(layout, sheet=sheet)
    else:
        frame = _read_typed(content, source, kind)
    if frame.width == 0:
        raise InputError(f"{source}: no columns")
    check_names(frame.columns, source)
    if frame.height == 0:
        raise InputError(f"{source}: no data rows")
    return Table(frame, layout, Path(source).stem, source)


def _read_typed(content: bytes, source: str, kind: str) -> pl.DataFrame:
    plain = content.removeprefix(b"\xef\xbb\xbf")
    if kind == "json" and not plain.lstrip().startswith(b"["):
        raise InputError(f"{source}: not an array of objects. One object per line is called .jsonl")
    try:
        if kind == "parquet":
            return pl.read_parquet(io.BytesIO(content))
        read = pl.read_ndjson if kind == "jsonl" else pl.read_json
        frame = read(io.BytesIO(plain), infer_schema_length=None)
        # Beside fractions, whole numbers become floats, which hold 53 bits: record numbers would be rounded.
        long = [c.name for c in frame if c.dtype.is_float() and (c.abs() >= 2**53).any()]
        if long:
            texts = dict.fromkeys(long, pl.String)
            frame = read(io.BytesIO(plain), infer_schema_length=None, schema_overrides=texts)
        return with_paths(frame)
    except Exception:  # noqa: BLE001 - every reader has its own kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable {kind} file") from None


# --- joins ----------------------------------------------------------------------------------------


def join_tables(tables: Sequence[Table], joins: Sequence[Join]) -> Table:
    """The first table with every further one joined on its key; one-to-many is fine, many-to-many is not."""
    first, *others = tables
    by_name = {table.name: table for table in others}
    if len(others) != len(joins) or len(by_name) != len(others):
        raise InputError(
            f"{len(tables)} data files and {len(joins)} joins in the plan (data.join): every file after the "
            "first needs one"
        )
    frame, types, dialect = first.frame, dict(first.format.types), first.format.dialect
    for join in joins:
        if join.table not in by_name:
            raise InputError(f"data.join: no file is called '{join.table}'.{nearest(join.table, by_name)}")
        frame = _joined(frame, by_name[join.table], join, first.source)
        types |= by_name[join.table].format.types if by_name[join.table].format.dialect == dialect else {}
    layout = replace(first.format, types=types)
    return replace(first, frame=frame, joins=tuple(joins), format=layout)


def _joined(left: pl.DataFrame, other: Table, join: Join, left_source: str) -> pl.DataFrame:
    right, keys = other.frame, list(join.on)
    named = "', '".join(keys)
    for side, source in ((left, left_source), (right, other.source)):
        for key in keys:
            if key not in side.columns:
                raise InputError(f"{source}: no column '{key}' to join on.{nearest(key, side.columns)}")
            empty = (side[key].is_null().arg_true() + 1).to_list()
            if empty:
                raise InputError(f"{source}: no key in column '{key}', {row_list(empty)}")
    clash = (set(left.columns) & set(right.columns)) - set(keys)
    if clash:
        raise InputError(f"{other.source}: column '{sorted(clash)[0]}' is also in another table")
    for key in keys:
        if left[key].dtype != right[key].dtype:
            left, right = (side.with_columns(text_cells(side[key])) for side in (left, right))
    if left.select(keys).is_duplicated().any() and right.select(keys).is_duplicated().any():
        raise InputError(
            f"{other.source}: joining on '{named}' is many-to-many; one side must have each key once"
        )
    for side, with_, source in ((left, right, left_source), (right, left, other.source)):
        if side is left and join.how == "left":
            continue
        alone = side.with_row_index("row in file").join(with_, on=keys, how="anti")["row in file"]
        if len(alone):
            remedy = "; `how: left` keeps such rows" if side is left else ""
            rows = row_list((alone.sort() + 1).to_list())
            raise InputError(f"{source}: column '{named}': the other table lacks the key of {rows}{remedy}")
    left, right = (with_long_texts_once(side, keys) for side in (left, right))
    return left.join(right, on=keys, how="left", maintain_order="left_right")


def _united(frame: pl.DataFrame, unions: Sequence[Unite], source: str) -> pl.DataFrame:
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


# --- data frames ----------------------------------------------------------------------------------


def from_frame(native: Any, name: str = "data") -> tuple[Table, Any]:
    """A pandas, polars or pyarrow table as ours, beside the narwhals frame that leads back to its kind."""
    if hasattr(native, "set_axis") and not all(isinstance(name, str) for name in native.columns):
        native = native.set_axis([str(name) for name in native.columns], axis=1)  # pandas: numbers as names
    try:
        frame = nw.from_native(native, eager_only=True)
        names = frame.columns
    except TypeError:
        kinds = "a pandas or polars DataFrame or a pyarrow Table"
        raise InputError(f"{name} must be {kinds}, or the path of a file") from None
    except nw.exceptions.DuplicateError:
        raise InputError(f"{name}: a column name occurs twice") from None
    check_names(names, name)
    if len(frame) == 0:
        raise InputError(f"{name}: no data rows")
    if frame.implementation.is_polars():
        table = nw.to_native(frame)
    elif frame.implementation.is_pyarrow():
        table = pl.DataFrame(pl.from_arrow(nw.to_native(frame)))
        ordered = {name: found for name in names if (found := ordered_categories(frame[name]))}
        table = table.with_columns(pl.col(n).cast(pl.String).cast(pl.Enum(c)) for n, c in ordered.items())
    else:
        table = pl.DataFrame([_series(frame[name]) for name in names])
    return Table(table, Format("frame", ""), name, name), frame


def _series(cells: Any) -> pl.Series:
    missing = cells.is_null().to_list()
    name, clean = cells.name, [None if m else v for v, m in zip(cells.to_list(), missing, strict=True)]
    if cells.dtype == nw.Enum and all(isinstance(v, str) for v in clean if v is not None):
        return pl.Series(name, clean, pl.Enum(cells.dtype.categories))
    try:
        made = pl.Series(name, clean)
        return made.fill_nan(None) if made.dtype.is_float() else made
    except (TypeError, pl.exceptions.PolarsError):
        return pl.Series(name, [None if v is None else str(v) for v in clean], pl.String)


def to_frame(released: pl.DataFrame, original: Any, order: np.ndarray[Any, Any], same: Iterable[str]) -> Any:
    """Released columns in the caller's kind of frame. Columns in `same` keep their type; the others hold
    labels, as texts or, where the column had ordered categories, as ordered categories again."""
    kept = set(same)
    backend = original.implementation
    columns = []
    for name in released.columns:
        if name in kept:
            columns.append(used_categories(original[name][order.tolist()]))
            continue
        ordered = name in original.columns and ordered_categories(original[name])
        labels = released[name]
        columns.append(as_categories(labels, original[name]) if ordered else _native_series(labels, backend))
    if backend.is_pandas_like():
        # a caller's index would tell the original row numbers
        columns = [nw.maybe_reset_index(column) for column in columns]
    return nw.to_native(nw.concat([column.to_frame() for column in columns], how="horizontal"))


def _native_series(cells: pl.Series, backend: Any) -> Any:
    dtype: Any = nw.String
    if cells.dtype.is_nested():
        dtype = None if backend.is_pandas_like() else nw.List(nw.String)
    elif cells.dtype.is_numeric():
        whole = cells.dtype.is_integer() and not (backend.is_pandas_like() and cells.null_count())
        dtype = nw.Int64 if whole else nw.Float64
    return nw.new_series(cells.name, cells.to_list(), dtype, backend=backend)


# --- out ------------------------------------------------------------------------------------------


def render(frame: pl.DataFrame, layout: Format) -> tuple[bytes, Format]:
    """A frame as the bytes of a file in the given format, and the format that it has in the end."""
    if layout.kind in ("csv", "database"):
        content, encoding = write_csv(frame, layout.delimiter, layout.encoding)
        return content, replace(layout, encoding=encoding)
    frame = as_texts(frame)
    if layout.kind == "xlsx":
        return write_workbook(frame), layout
    out = io.BytesIO()
    if layout.kind == "jsonl":
        frame.write_ndjson(out)
    elif layout.kind == "json":
        frame.write_json(out)
    elif layout.kind == "parquet":
        with_used_categories(frame).write_parquet(out, row_group_size=ROW_GROUP)
    return out.getvalue(), layout
