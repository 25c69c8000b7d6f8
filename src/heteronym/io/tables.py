"""Tables in and out: CSV with any delimiter, quoting and encoding, JSON lines, Parquet, Excel, data frames.

CSV cells are read as text and stay text, so that what is not anonymized comes out as it went in.
Errors name the file, the column and row numbers (data rows count from 1), never a value.
"""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, UsageError, nearest, row_list
from heteronym.io.typed import in_their_type
from heteronym.io.values import text_cells
from heteronym.model.plan import DataPlan, Join

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "xlsx",
}
DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class Format:
    """How a table lay on disk, so that the release can be written alike."""

    kind: str = "csv"
    ending: str = ".csv"
    delimiter: str = ","
    encoding: str = "utf-8"


@dataclass(frozen=True, repr=False)
class Table:
    frame: pl.DataFrame
    format: Format
    name: str  # the file's name without folder and ending, for joins
    source: str  # what messages call it

    def __repr__(self) -> str:
        return f"Table({self.source!r}, {self.frame.height} rows, columns {self.frame.columns})"


def read_tables(paths: Sequence[str | Path], plan: DataPlan | None = None) -> Table:
    """One table from one or several files, joined as the plan says."""
    plan = plan or DataPlan()
    if not paths:
        raise UsageError("name at least one data file, or - for standard input")
    tables = [read_table(path, delimiter=plan.delimiter, encoding=plan.encoding) for path in paths]
    return join_tables(tables, plan.join)


def read_table(path: str | Path, *, delimiter: str | None = None, encoding: str | None = None) -> Table:
    if str(path) == "-":
        return _from_bytes(
            sys.stdin.buffer.read(), "standard input", ".csv", delimiter=delimiter, encoding=encoding
        )
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"{path.name}: unknown kind of file '{ending}'. Known: {', '.join(ENDINGS)}")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or 'input error'})") from None
    return _from_bytes(content, path.name, ending, delimiter=delimiter, encoding=encoding)


def _from_bytes(
    content: bytes, source: str, ending: str, *, delimiter: str | None, encoding: str | None
) -> Table:
    if not content.strip():
        raise InputError(f"{source}: the file is empty")
    kind = ENDINGS[ending]
    layout = Format(kind, ending)
    if kind == "csv":
        frame, layout = _read_csv(content, source, layout, delimiter=delimiter, encoding=encoding)
    else:
        try:
            if kind == "jsonl":
                lines = content.removeprefix(b"\xef\xbb\xbf")
                frame = pl.read_ndjson(io.BytesIO(lines), infer_schema_length=None)
            elif kind == "parquet":
                frame = pl.read_parquet(io.BytesIO(content))
            else:
                frame = _read_excel(content, source)
        except InputError:
            raise
        except Exception:  # noqa: BLE001 - every reader has its own kinds, and their texts may quote cells
            raise InputError(f"{source}: not a readable {kind} file") from None
    if frame.width == 0:
        raise InputError(f"{source}: no columns")
    _check_names(frame.columns, source)
    if frame.height == 0:
        raise InputError(f"{source}: no data rows")
    return Table(frame, layout, Path(source).stem, source)


def _check_names(names: Sequence[str], source: str) -> None:
    blank = [number for number, name in enumerate(names, 1) if not str(name).strip()]
    if blank:
        raise InputError(f"{source}: column {blank[0]} has no name")
    pattern = next((name for name in names if name.startswith("^") and name.endswith("$")), None)
    if pattern is not None:  # polars would take it for a pattern over column names
        raise InputError(f"{source}: column name '{pattern}': a name between ^ and $ cannot be used")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{source}: column name '{twice[0]}' occurs {Counter(names)[twice[0]]} times")


# --- CSV ------------------------------------------------------------------------------------------


def _read_csv(
    content: bytes, source: str, layout: Format, *, delimiter: str | None, encoding: str | None
) -> tuple[pl.DataFrame, Format]:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise UsageError("a delimiter is one character, and no quote or line end")
    content, encoding = _as_utf8(content, source, encoding)
    if delimiter is None:
        delimiter = "\t" if layout.ending in (".tsv", ".tab") else _detect_delimiter(content)
    header = next(csv.reader(io.StringIO(_head(content), newline=""), delimiter=delimiter), [])
    _check_names(header, source)
    rows = _rows_if_even(content, delimiter, len(header))
    frame = None if rows is None else _parse_fast(content, delimiter, rows, header)
    if frame is None:
        frame = _parse_carefully(content, delimiter, header, source)
    return frame, replace(layout, delimiter=delimiter, encoding=encoding)


def _as_utf8(content: bytes, source: str, encoding: str | None) -> tuple[bytes, str]:
    if encoding is None:
        if content.startswith(b"\xef\xbb\xbf"):
            return _as_utf8(content, source, "utf-8-sig")
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            return _as_utf8(content, source, "utf-16")
        try:
            content.decode("utf-8")
            return content, "utf-8"
        except UnicodeDecodeError:
            encoding = _detect_encoding(content, source)
    try:
        return content.decode(encoding).encode("utf-8"), encoding
    except LookupError:
        raise InputError(f"{source}: unknown encoding '{encoding}'") from None
    except UnicodeDecodeError as error:
        row = content.count(b"\n", 0, error.start)
        where = f"row {row}" if row else "the header"
        raise InputError(
            f"{source}: {where} holds bytes that are not {encoding}. Name the file's encoding with --encoding"
        ) from None


def _detect_encoding(content: bytes, source: str) -> str:
    """An 8-bit encoding for what is not UTF-8, only where the text itself speaks for it."""
    from charset_normalizer import from_bytes

    if b"\x00" in content[:100_000]:
        raise InputError(f"{source}: not a text file. Name its encoding with --encoding if it is one")
    lines = [line for line in content.splitlines() if not line.isascii()][:5_000]
    sample = b"\n".join(lines)[: 1 << 20]
    as_utf8 = sample.decode("utf-8", errors="replace")
    broken = as_utf8.count("\ufffd")
    if sum(not c.isascii() for c in as_utf8) < 2 * broken:  # mostly not UTF-8, rather than damaged UTF-8
        best = from_bytes(sample).best()
        if best is not None and best.coherence > 0:
            return str(best.encoding)
        if _reads_as_western(sample):
            return "cp1252"
    first = next(line for line in lines if not _is_utf8(line))
    row = content.count(b"\n", 0, content.index(first))
    raise InputError(
        f"{source}: {f'row {row}' if row else 'the header'} holds bytes that are not UTF-8, and no other "
        "encoding is certain. Name the file's encoding with --encoding"
    )


# Letters and signs of Western texts in cp1252, of which latin-1 is a part.
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŠšŽžŒœŸ€£–—‘’‚“”„…•™©®°§«»¡¿´·"
)


def _reads_as_western(sample: bytes) -> bool:
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    high = [character for character in text if not character.isascii()]
    return set(high) <= _WESTERN and 2 * len(high) <= sum(c.isalnum() for c in text)


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _head(content: bytes, size: int = 1 << 16) -> str:
    return content[:size].decode("utf-8", errors="ignore")


def _detect_delimiter(content: bytes) -> str:
    """The delimiter that gives the first rows one common width larger than 1."""
    head = _head(content)
    best, best_width = ",", 1
    for candidate in DELIMITERS:
        widths = [len(row) for row in csv.reader(io.StringIO(head, newline=""), delimiter=candidate) if row][
            :200
        ]
        if len(content) > len(head.encode()):
            widths = widths[:-1]
        if widths and min(widths) == max(widths) and widths[0] > best_width:
            best, best_width = candidate, widths[0]
    if best_width == 1:
        counts = {d: head.split("\n", 1)[0].count(d) for d in DELIMITERS}
        best = max(counts, key=lambda d: counts[d]) if any(counts.values()) else ","
    return best


def _rows_if_even(content: bytes, delimiter: str, width: int) -> int | None:
    """Number of data rows if every row plainly has `width` fields; None where only a full parse can tell."""
    if len(delimiter.encode()) != 1 or (b"\r" in content and b"\r" in content.replace(b"\r\n", b"")):
        return None
    data = np.frombuffer(content, np.uint8)
    line_ends, separators = data == ord("\n"), data == ord(delimiter)
    if b'"' in content:
        quotes = data == ord('"')
        if not _quotes_whole_fields(data, np.flatnonzero(quotes), ord(delimiter)):
            return None
        outside = np.bitwise_xor.accumulate(quotes.view(np.uint8)) == 0
        line_ends &= outside
        separators &= outside
    stops = np.flatnonzero(line_ends)
    if not len(stops) or stops[-1] != len(data) - 1:
        stops = np.append(stops, len(data))
    found = np.flatnonzero(separators)
    if len(found) != len(stops) * (width - 1):
        return None
    if width > 1:
        by_row = found.reshape(len(stops), width - 1)
        if (by_row[:, -1] > stops).any() or (by_row[1:, 0] < stops[:-1]).any():
            return None
    return len(stops) - 1


def _quotes_whole_fields(data: NDArray[np.uint8], quotes: NDArray[np.int64], delimiter: int) -> bool:
    """Whether quotes only stand around fields, or twice inside: about others, parsers differ."""
    if len(quotes) % 2:
        return False
    opening, closing = quotes[0::2], quotes[1::2]
    edges = np.array([delimiter, ord("\n"), ord('"')], np.uint8)
    before = data[opening[opening > 0] - 1]
    after = data[closing[closing + 1 < len(data)] + 1]
    return bool(np.isin(before, edges).all() and np.isin(after, np.append(edges, np.uint8(ord("\r")))).all())


def _parse_fast(content: bytes, delimiter: str, rows: int, header: list[str]) -> pl.DataFrame | None:
    try:
        frame = pl.read_csv(io.BytesIO(content), separator=delimiter, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == rows and frame.columns == header else None


def _parse_carefully(content: bytes, delimiter: str, header: list[str], source: str) -> pl.DataFrame:
    """Python's parser, row by row: slower, but it knows every quoting and counts rows."""
    csv.field_size_limit(1 << 30)
    reader = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), delimiter=delimiter)
    next(reader)
    rows: list[list[str]] = []
    ragged: list[int] = []
    try:
        for row in reader:
            if not row and len(header) > 1:
                continue
            if len(row) != len(header) and not (not row and len(header) == 1):
                ragged.append(len(rows) + len(ragged) + 1)
            else:
                rows.append(row or [""])
    except csv.Error:
        raise InputError(f"{source}: row {len(rows) + len(ragged) + 1} cannot be parsed") from None
    if ragged:
        raise InputError(
            f"{source}: {row_list(ragged)} do not have {len(header)} fields as the header says"
            if len(ragged) > 1
            else f"{source}: row {ragged[0]} does not have {len(header)} fields as the header says"
        )
    columns = zip(*rows, strict=True) if rows else ([] for _ in header)
    return pl.DataFrame(
        {
            name: pl.Series(name, [cell or None for cell in column], pl.String)
            for name, column in zip(header, columns, strict=True)
        }
    )


def _read_excel(content: bytes, source: str) -> pl.DataFrame:
    import fastexcel

    book = fastexcel.read_excel(content)
    top = book.load_sheet(0, header_row=None, n_rows=1, dtypes="string").to_polars()
    if top.height == 0:
        raise InputError(f"{source}: the first sheet is empty")
    header = ["" if name is None else str(name) for name in top.row(0)]
    _check_names(header, source)
    cells = book.load_sheet(0, header_row=0).to_polars()
    return cells.rename(dict(zip(cells.columns, header, strict=True)))


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
    frame = first.frame
    for join in joins:
        if join.table not in by_name:
            raise InputError(f"data.join: no file is called '{join.table}'.{nearest(join.table, by_name)}")
        other = by_name[join.table]
        for side, source in ((frame, first.source), (other.frame, other.source)):
            if join.on not in side.columns:
                raise InputError(
                    f"{source}: no column '{join.on}' to join on.{nearest(join.on, side.columns)}"
                )
        frame = _joined(frame, other, join.on, first.source)
    return replace(first, frame=frame, name=first.name, source=first.source)


def join_for_profile(paths: Sequence[str], *, delimiter: str | None, encoding: str | None) -> Table:
    """Several files without a plan: each further one is joined on the one column name it shares."""
    tables = [read_table(path, delimiter=delimiter, encoding=encoding) for path in paths]
    joins, seen = [], set(tables[0].frame.columns)
    for table in tables[1:]:
        common = sorted(seen & set(table.frame.columns))
        if len(common) != 1:
            raise InputError(
                f"{table.source}: shares {len(common)} column names with the tables before it, not one"
            )
        joins.append(Join(table=table.name, on=common[0]))
        seen |= set(table.frame.columns)
    return join_tables(tables, joins)


def _joined(left: pl.DataFrame, other: Table, key: str, left_source: str) -> pl.DataFrame:
    right = other.frame
    clash = (set(left.columns) & set(right.columns)) - {key}
    if clash:
        raise InputError(f"{other.source}: column '{sorted(clash)[0]}' is also in another table")
    for side, source in ((left, left_source), (right, other.source)):
        empty = side[key].is_null()
        if empty.any():
            raise InputError(
                f"{source}: no key in column '{key}', {row_list((empty.arg_true() + 1).to_list())}"
            )
    if left[key].is_duplicated().any() and right[key].is_duplicated().any():
        raise InputError(
            f"{other.source}: joining on '{key}' is many-to-many; one side must have each key once"
        )
    if left[key].dtype != right[key].dtype:
        left, right = (side.with_columns(text_cells(side[key])) for side in (left, right))
    for side, with_, source in ((left, right, left_source), (right, left, other.source)):
        alone = ~side[key].is_in(with_[key].unique().implode())
        if alone.any():
            rows = row_list((alone.arg_true() + 1).to_list())
            raise InputError(f"{source}: column '{key}': the other table lacks the key of {rows}")
    return left.join(right, on=key, how="inner", maintain_order="left_right")


# --- data frames ----------------------------------------------------------------------------------


def from_frame(native: Any) -> tuple[Table, Any]:
    """A pandas, polars or pyarrow table as ours, beside the narwhals frame that leads back to its kind."""
    if hasattr(native, "set_axis") and not all(isinstance(name, str) for name in native.columns):
        native = native.set_axis([str(name) for name in native.columns], axis=1)  # pandas: numbers as names
    try:
        frame = nw.from_native(native, eager_only=True)
        names = frame.columns
    except TypeError:
        raise InputError("data must be a pandas or polars DataFrame or a pyarrow Table") from None
    except nw.exceptions.DuplicateError:
        raise InputError("data: a column name occurs twice") from None
    _check_names(names, "data")
    if len(frame) == 0:
        raise InputError("data: no data rows")
    if frame.implementation.is_polars():
        table = nw.to_native(frame)
    elif frame.implementation.is_pyarrow():
        table = pl.DataFrame(pl.from_arrow(nw.to_native(frame)))
    else:
        table = pl.DataFrame(
            [_series(frame[name]) for name in names],
        )
    return Table(table, Format("frame", ""), "data", "data"), frame


def _series(cells: Any) -> pl.Series:
    name, clean = cells.name, [None if _is_missing(v) else v for v in cells.to_list()]
    if cells.dtype == nw.Enum and all(isinstance(v, str) for v in clean if v is not None):
        return pl.Series(name, clean, pl.Enum(cells.dtype.categories))
    try:
        return pl.Series(name, clean)
    except (TypeError, pl.exceptions.PolarsError):
        return pl.Series(name, [None if v is None else str(v) for v in clean], pl.String)


def _is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas' NA; a list of values
        return type(value).__name__ == "NAType"


def to_frame(released: pl.DataFrame, original: Any, order: np.ndarray[Any, Any], same: Iterable[str]) -> Any:
    """Released columns in the caller's kind of frame; those in `same`, and those of which nothing was
    generalized, keep their type."""
    kept = set(same)
    backend = original.implementation
    columns = []
    for name in released.columns:
        if name in kept:
            columns.append(original[name][order.tolist()])
            continue
        typed = in_their_type(released[name], original[name]) if name in original.columns else None
        columns.append(_native_series(released[name], backend) if typed is None else typed)
    if backend.is_pandas_like():
        # a caller's index would tell the original row numbers
        columns = [nw.maybe_reset_index(column) for column in columns]
    return nw.to_native(nw.concat([column.to_frame() for column in columns], how="horizontal"))


def _native_series(cells: pl.Series, backend: Any) -> Any:
    dtype: Any = nw.String
    if cells.dtype.is_nested():
        dtype = None if backend.is_pandas_like() else nw.List(nw.String)
    return nw.new_series(cells.name, cells.to_list(), dtype, backend=backend)


# --- out ------------------------------------------------------------------------------------------


def render(frame: pl.DataFrame, layout: Format) -> tuple[bytes, Format]:
    """A frame as the bytes of a file in the given format, and the format that it has in the end."""
    out = io.BytesIO()
    if layout.kind == "csv":
        flat = frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))
        if layout.delimiter.isascii():
            flat.write_csv(out, separator=layout.delimiter, quote_style="necessary")
            text = out.getvalue()
        else:
            text = _written_slowly(flat, layout.delimiter).encode()
        if layout.encoding in ("utf-8", "ascii"):
            return text, replace(layout, encoding="utf-8")
        try:
            return text.decode("utf-8").encode(layout.encoding), layout
        except UnicodeEncodeError:
            # a value from another file that the first one's code page lacks
            return text, replace(layout, encoding="utf-8")
    if layout.kind == "jsonl":
        frame.write_ndjson(out)
    elif layout.kind == "parquet":
        frame.write_parquet(out)
    elif layout.kind == "xlsx":
        _write_excel(frame, out)
    return out.getvalue(), layout


def _write_excel(frame: pl.DataFrame, out: io.BytesIO) -> None:
    """A workbook without the time it was made, so that equal releases are equal bytes."""
    import xlsxwriter

    # in memory, because temporary files could survive us; nothing that looks like a link becomes one
    options = {"in_memory": True, "nan_inf_to_errors": True}
    options |= {"strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as workbook:
        workbook.set_properties({"created": datetime(2000, 1, 1)})
        frame.write_excel(workbook)


def _written_slowly(frame: pl.DataFrame, delimiter: str) -> str:
    """For delimiters of several bytes, which polars does not write."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(frame.columns)
    writer.writerows(frame.cast(pl.String).iter_rows())
    return out.getvalue()


def parse_released(content: bytes, layout: Format) -> pl.DataFrame:
    """A written table back as a frame, read like any input."""
    table = _from_bytes(
        content,
        f"data{layout.ending}",
        layout.ending,
        delimiter=layout.delimiter,
        encoding=layout.encoding or None,
    )
    return table.frame
