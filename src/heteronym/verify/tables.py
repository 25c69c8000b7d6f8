"""Tables for the auditor: files of every kind, frames, and their joins, read by code of its own.

Shares nothing with the readers of the producer, so that a cell lost there is missed here. Messages name
files, columns and row numbers, never a value.
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from heteronym.databases.address import Address, with_relations
from heteronym.errors import InputError, UsageError, reading
from heteronym.model.plan import DataPlan, Join, Plan, Unite
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.csv_reader import read_csv
from heteronym.verify.forms import key_form
from heteronym.verify.plain_json import read_json
from heteronym.verify.sav_reader import read_sav
from heteronym.verify.values import cell_text, nested_text
from heteronym.verify.workbook_reader import read_sheet

_CSV = (".csv", ".tsv", ".tab", ".txt")
_STATISTICS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_MOST_PLACES = 8  # docs/data.md
KNOWN = (*_CSV, ".jsonl", ".ndjson", ".json", ".parquet", ".pq", ".xlsx", *_STATISTICS)


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """Data as the auditor read it, with the digest of each file that it came from."""

    frame: pl.DataFrame
    digests: tuple[str, ...] = ()
    name: str = "data"
    shared: tuple[str, ...] = ()  # files that the producer's library had to read, or nobody could read again

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {self.frame.height} rows)"


def read_data(data: Any, plan: DataPlan) -> Source:
    """One table from a file, a frame, or several of either, joined and united as the plan says."""
    if isinstance(data, Source):
        return data
    if isinstance(data, Mapping):
        named: list[tuple[str | None, Any]] = [(str(name), one) for name, one in data.items()]
    else:
        named = [(None, one) for one in (data if isinstance(data, (list, tuple)) else [data])]
    given = with_relations(named, plan)
    if not given:
        raise UsageError("against: name at least one data file")
    tables, digests = [], []
    shared: list[str] = []
    for place, (name, one) in enumerate(given):
        if isinstance(one, Address):
            tables.append((name or one.name, _from_database(one)))
        elif isinstance(one, (str, Path)):
            known = name or Path(one).stem
            content, source, ending = _content(one)
            digests.append(hashlib.sha256(content).hexdigest())
            tables.append((known, _parsed(content, source, ending, plan, shared)))
        else:
            # frames have no names: they come in the order of the joins
            known = name or (plan.join[place - 1].table if 0 < place <= len(plan.join) else "data")
            tables.append((known, _from_frame(one)))
    frame = _united(_with_plain_numbers(_joined(tables, plan.join), plan), plan.unite)
    complete = tuple(digests) if len(digests) == len(given) else ()
    return Source(frame, complete, tables[0][0], tuple(shared))


def _from_database(address: Address) -> pl.DataFrame:
    from heteronym.verify.database_reader import read_database

    frame = read_database(address)
    if frame.width == 0 or frame.height == 0:
        raise InputError(f"{address.shown}: no data rows")
    return frame


def read_table(
    content: bytes, name: str, *, delimiter: str | None = None, encoding: str | None = None
) -> pl.DataFrame:
    """A single file by its name's ending."""
    plan = DataPlan(delimiter=delimiter, encoding=encoding)
    return _parsed(content, name, Path(name).suffix.lower(), plan, [])


def with_numbers_that_stay(released: pl.DataFrame, plan: Plan) -> pl.DataFrame:
    """A released table whose unchanged columns are compared as numbers, where the data were read so."""
    stay = [name for name in plan.named(Role.PLAIN, Role.SENSITIVE) if name in released.columns]
    return released.with_columns(_with_plain_numbers(released.select(stay), plan.data)) if stay else released


def _content(path: str | Path) -> tuple[bytes, str, str]:
    if str(path) == "-":
        return sys.stdin.buffer.read(), "standard input", ".csv"
    path = Path(path)
    with reading(path):
        return path.read_bytes(), path.name, path.suffix.lower()


def _parsed(content: bytes, source: str, ending: str, plan: DataPlan, shared: list[str]) -> pl.DataFrame:
    """The table of a file; into `shared` goes its name where only the producer's library can read it."""
    if not content or content.isspace():
        raise InputError(f"{source}: the file is empty")
    if ending in _CSV:
        tabs = "\t" if ending in (".tsv", ".tab") else None
        frame = read_csv(content, source, delimiter=plan.delimiter or tabs, encoding=plan.encoding)
    elif ending == ".xlsx":
        frame = read_sheet(content, source, plan.sheet)
    elif ending in _STATISTICS:
        frame = _read_statistics(content, source, ending, shared)
    elif ending in (".parquet", ".pq"):
        frame = _read_parquet(content, source, shared)
    elif ending in (".jsonl", ".ndjson", ".json"):
        frame = _read_json(content, source, lines=ending != ".json")
    else:
        raise InputError(f"{source}: unknown kind of file '{ending}'. Known: {', '.join(KNOWN)}")
    if frame.width == 0 or frame.height == 0:
        raise InputError(f"{source}: no data rows")
    return frame


# --- kinds of files -------------------------------------------------------------------------------


def _read_parquet(content: bytes, source: str, shared: list[str]) -> pl.DataFrame:
    try:
        from pyarrow import parquet
    except ImportError:  # no second reader is installed, and that is told
        shared.append(source)
        try:
            return pl.read_parquet(io.BytesIO(content))
        except pl.exceptions.PolarsError:
            raise InputError(f"{source}: not a readable parquet file") from None
    try:
        # `read_table` would import pandas for the sake of folders of files
        return pl.DataFrame(pl.from_arrow(parquet.ParquetFile(io.BytesIO(content)).read()))
    except Exception:  # noqa: BLE001 - the reader's own kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable parquet file") from None


def _read_json(content: bytes, source: str, *, lines: bool) -> pl.DataFrame:
    try:
        text = content.decode("utf-8-sig")
        rows = [read_json(line) for line in text.split("\n") if line.strip()] if lines else read_json(text)
    except (ValueError, RecursionError):
        raise InputError(f"{source}: not readable as JSON") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{source}: not made of objects")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [part for name in names for part in _by_path(name, [row.get(name) for row in rows])]
    if len({name for name, _ in columns}) < len(columns):
        columns = [(name, [row.get(name) for row in rows]) for name in names]
    return pl.DataFrame([_column(name, cells) for name, cells in columns])


def _by_path(name: str, cells: Sequence[Any]) -> list[tuple[str, Sequence[Any]]]:
    """A column of objects as one per path; of lists of objects as one per place, or in lines if many."""
    known = [cell for cell in cells if cell is not None]
    if known and all(isinstance(cell, dict) for cell in known):
        inner = list(dict.fromkeys(key for cell in known for key in cell))
        each = [(key, [None if cell is None else cell.get(key) for cell in cells]) for key in inner]
        return [part for key, values in each for part in _by_path(f"{name}.{key}", values)]
    lists = known and all(isinstance(cell, list) for cell in known)
    objects = [one for cell in known for one in cell if one is not None] if lists else []
    if not objects or not all(isinstance(one, dict) for one in objects):
        return [(name, cells)]
    longest = max(len(cell) for cell in known)
    if longest <= _MOST_PLACES:
        places = [[cell[n] if cell and n < len(cell) else None for cell in cells] for n in range(longest)]
        return [part for n, found in enumerate(places) for part in _by_path(f"{name}.{n}", found)]
    length = [len(cell or ()) for cell in cells]
    parts = _by_path(name, [one for cell in cells for one in cell or ()])
    return [(path, _in_lines(found, length)) for path, found in parts]


def _in_lines(values: Sequence[Any], length: Sequence[int]) -> list[str | None]:
    """The values of each row, `length` of them, below each other."""
    rest, joined = iter(values), []
    for count in length:
        lines = [cell_text(value) for value in (next(rest) for _ in range(count)) if _is_plain(value)]
        joined.append("\n".join(line for line in lines if line is not None) or None)
    return joined


def _is_plain(value: Any) -> bool:
    return value is not None and not isinstance(value, (list, dict))


def _read_statistics(content: bytes, source: str, ending: str, shared: list[str]) -> pl.DataFrame:
    columns: Mapping[str, Sequence[Any]] | None = None
    if ending == ".sav":
        columns = read_sav(content)
    elif ending == ".dta":
        columns = _read_stata(content)
    if columns is None:
        shared.append(source)
        columns = _read_as_the_producer_does(content, source, ending)
    return pl.DataFrame(
        [_column(name, [None if cell == "" else cell for cell in cells]) for name, cells in columns.items()]
    )


def _read_stata(content: bytes) -> Mapping[str, Sequence[Any]] | None:
    """By the reader of pandas, where that is installed and knows all formats of the file."""
    try:
        import pandas
    except ImportError:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what it rounds or cannot convert, it warns of
            frame = pandas.read_stata(io.BytesIO(content), convert_categoricals=False)
    except Exception:  # noqa: BLE001 - whatever it is, the other reader is asked
        return None
    columns: dict[str, list[Any]] = {}
    for name in frame.columns:
        cells = _objects(frame[name])
        if frame[name].dtype.kind == "M" and not any(c is not None and c.time() != time() for c in cells):
            # days and moments are told apart by the unit, which older versions do not have
            unit = np.datetime_data(frame[name].dtype)[0]
            if unit == "ns":
                return None
            cells = [c if c is None or unit != "s" else c.date() for c in cells]
        columns[str(name)] = cells
    return columns


def _read_as_the_producer_does(content: bytes, source: str, ending: str) -> Mapping[str, Sequence[Any]]:
    try:
        import pyreadstat
    except ImportError:
        raise UsageError(f"{source}: needs pip install 'heteronym[statistics]'") from None
    try:
        columns, _ = getattr(pyreadstat, _STATISTICS[ending])(io.BytesIO(content), output_format="dict")
    except Exception:  # noqa: BLE001 - the reader's own kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable {ending[1:]} file") from None
    return dict(columns)


def _column(name: str, cells: Sequence[Any]) -> pl.Series:
    """A column of plain objects; where they are of several kinds, of texts."""
    known = [None if cell is None or cell != cell else cell for cell in cells]
    kinds = {type(cell) for cell in known if cell is not None}
    if kinds <= {int, float} and kinds:
        # beside fractions, whole numbers of more than 53 bits would be rounded
        if float in kinds and any(abs(cell) >= 2**53 for cell in known if cell is not None):
            return pl.Series(name, [cell_text(cell) for cell in known], pl.String)
        whole = all(isinstance(c, int) or c.is_integer() for c in known if c is not None)
        return pl.Series(name, known, pl.Int64 if whole else pl.Float64, strict=False)
    if kinds == {list}:
        lists = [None if cell is None else [cell_text(one) for one in cell] for cell in known]
        return pl.Series(name, lists, pl.List(pl.String))
    if kinds & {list, dict}:
        return pl.Series(name, [None if c is None else nested_text(c) for c in known], pl.String)
    if len(kinds) <= 1:
        return pl.Series(name, known, pl.String if not kinds or kinds == {str} else None)
    return pl.Series(name, [cell_text(cell) for cell in known], pl.String)


# --- frames ---------------------------------------------------------------------------------------


def _from_frame(data: Any) -> pl.DataFrame:
    kind = type(data).__module__.partition(".")[0]
    if isinstance(data, pl.DataFrame):
        return data
    if kind == "pyarrow":
        return pl.DataFrame(pl.from_arrow(data))
    if kind == "pandas":
        return pl.DataFrame([_from_pandas(str(name), data[name]) for name in data.columns])
    raise InputError("against: not a file, nor a pandas or polars DataFrame or a pyarrow Table")


def _from_pandas(name: str, cells: Any) -> pl.Series:
    return _column(name, _objects(cells))


def _objects(cells: Any) -> list[Any]:
    """The cells of a pandas column as plain objects; None where one is missing."""
    gone = cells.isna().tolist()
    known = [None if lost else cell for cell, lost in zip(cells.tolist(), gone, strict=True)]
    return [_plain_object(cell) for cell in known]


def _plain_object(cell: Any) -> Any:
    """Moments as Python's own; what pandas reads of a list in Parquet is an array."""
    if hasattr(cell, "to_pydatetime"):
        return cell.to_pydatetime()
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    return list(cell) if isinstance(cell, tuple) else cell


# --- joins ----------------------------------------------------------------------------------------


def _joined(tables: Sequence[tuple[str, pl.DataFrame]], joins: Sequence[Join]) -> pl.DataFrame:
    frame = tables[0][1]
    others = dict(tables[1:])
    if len(tables) - 1 != len(joins) or set(others) != {join.table for join in joins}:
        raise InputError(f"{len(tables)} tables were given, and the plan joins {len(joins)} to the first")
    for join in joins:
        right, keys = others[join.table], list(join.on)
        lacking = [key for key in keys if key not in frame.columns or key not in right.columns]
        if lacking:
            raise InputError(f"{join.table}: no column '{lacking[0]}' on both sides to join on")
        clash = set(frame.columns) & set(right.columns) - set(keys)
        if clash:
            raise InputError(f"{join.table}: column '{sorted(clash)[0]}' is also in another table")
        for key in keys:
            if frame[key].dtype != right[key].dtype:
                frame, right = (_with_text_key(side, key) for side in (frame, right))
        rows = frame.height
        frame = frame.join(
            right, on=keys, how="left" if join.how == "left" else "inner", maintain_order="left_right"
        )
        if join.how != "left" and frame.height < rows:
            raise InputError(f"{join.table}: lacks keys of the tables before it")
    return frame


def _with_text_key(side: pl.DataFrame, key: str) -> pl.DataFrame:
    return side.with_columns(pl.Series(key, [cell_text(cell) for cell in side[key].to_list()], pl.String))


_MONEY = r"[€$£¥₹%]|kr\.?|zł|Kč|Fr\."
_APART = "'\u2019\u00a0\u202f "


def _with_plain_numbers(frame: pl.DataFrame, plan: DataPlan) -> pl.DataFrame:
    """Columns that hold nothing but numbers, some of them with signs, as plain numbers."""
    if plan.decimal is None:
        return frame
    gone = {"", *plan.missing}
    changed = []
    for column in frame:
        if not isinstance(column.dtype, (pl.String, pl.Categorical)):  # texts that repeat are held once
            continue
        different = [
            text for text in column.unique().to_list() if text is not None and text.strip() not in gone
        ]
        plain = {text: _plain_number(text, plan.decimal) for text in different}
        if None not in plain.values() and any(_has_signs(text) for text in different):
            cells = [text if text is None else plain.get(text, text) for text in column.to_list()]
            changed.append(pl.Series(column.name, cells, pl.String))
    return frame.with_columns(changed)


@cache
def _edges() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Currencies before and behind a number; a code with a dash right behind it begins a key."""
    listed = files("heteronym.knowledge").joinpath("data", "currencies.txt").read_text(encoding="utf-8")
    held = [line for line in listed.splitlines() if not line.startswith("#")]
    codes = "|".join(" ".join(held).split())
    return (
        re.compile(rf"^(?:(?:{_MONEY})\s*|(?:{codes})(?:\s+|(?=\d)))"),
        re.compile(rf"\s*(?:{_MONEY}|{codes})$"),
    )


def _has_signs(text: str) -> bool:
    return any(not (sign.isdigit() or sign.isspace() or sign in "+-") for sign in text)


def _plain_number(text: str, decimal: str) -> str | None:
    """A number without thousands signs and currency; None if it is no such number."""
    text = text.strip()
    for edge in _edges():
        text = edge.sub("", text, count=1)
    sign = text[:1] if text[:1] in ("+", "-") else ""
    whole, point, rest = text[len(sign) :].partition(decimal)
    apart = _APART + ("," if decimal == "." else ".")
    parts = re.split(f"[{re.escape(apart)}]", whole)
    if not all(part.isascii() and part.isdigit() for part in parts):
        return None
    if len(parts) > 1 and not (len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])):
        return None
    if point and not (rest.isascii() and rest.isdigit()):
        return None
    return sign + "".join(parts) + ("." + rest if point else "")


def _united(frame: pl.DataFrame, unions: Sequence[Unite]) -> pl.DataFrame:
    for union in unions:
        lacking = [name for name in union.columns if name not in frame.columns]
        if lacking:
            raise InputError(f"the data has no column '{lacking[0]}' to unite")
        cells: list[list[str]] = [[] for _ in range(frame.height)]
        for name, separator in union.columns.items():
            for row, value in enumerate(frame[name].to_list()):
                items = map(key_form, (cell_text(value) or "").split(separator))
                cells[row] += [f"{name}.{item}" for item in items if item]
        whole = pl.Series(union.into, [union.separator.join(items) for items in cells], pl.String)
        frame = frame.drop(list(union.columns)).with_columns(whole)
    return frame


def readers_check(source: Source) -> list[Check]:
    """What of the comparison rests on a library that the producer used, too."""
    if not source.shared:
        return []
    named = ", ".join(source.shared)
    detail = f"read by the library that the producer uses, because no other reader knows the file: {named}"
    return [Check("readers", None, detail)]
