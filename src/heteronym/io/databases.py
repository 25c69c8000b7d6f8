"""Tables and queries of a database as tables: read in batches, by types that lose nothing.

What has an exact counterpart comes as it is: whole numbers, floats, booleans, days, moments, texts, lists.
Numbers of any length (`numeric`), enumerations, JSON and the like come as the texts that the database writes
for them; binary columns are refused. Rows have no order there: they are put into that of their content.

Cost        O(rows) in batches, and a sort
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.databases.address import DUCKDB, OTHER, POSTGRESQL, SQLITE, Address, quoted
from heteronym.databases.connections import (
    answering,
    check_file,
    needed,
    open_duckdb,
    open_other,
    open_postgresql,
)
from heteronym.databases.relations import rows_of, source_sql, table_meant, tables_in
from heteronym.errors import InputError, row_list
from heteronym.io.values import comparable_cells
from heteronym.run import current

_BATCH = 65_536
_BINARY = re.compile(r"bytea|blob|bit\b|varbit|binary|struct|map|union|record|\[\]\[\]|\[\d+\]", re.I)
_AS_IT_IS = re.compile(
    r"(?:small|big|tiny|u\w*)?int(?:eger)?|real|float|double(?: precision)?|bool(?:ean)?|date|text|varchar|"
    r"character varying|timestamp(?: without time zone| with time zone|_[sm]s?)?",
    re.I,
)
_LIST = re.compile(r"(.+)\[\]")


def read_relation(address: Address) -> tuple[pl.DataFrame, dict[str, str]]:
    """All rows of a table or a query, and what the database calls the types of its columns."""
    reads: Mapping[str, Callable[[Address], tuple[pl.DataFrame, dict[str, str]]]] = {
        POSTGRESQL: _from_postgresql,
        DUCKDB: _from_duckdb,
        SQLITE: _from_sqlite,
        OTHER: _from_other,
    }
    with answering(address):
        frame, types = reads[address.kind](address)
    if frame.height:
        _check_days(frame, address)
    return sorted_by_content(frame), types


def sorted_by_content(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows by their cells, column by column, missing ones last: an order that every reader finds again."""
    keys = [comparable_cells(cells).alias(str(n)) for n, cells in enumerate(frame)]
    if not keys:
        return frame
    order = pl.DataFrame(keys).select(
        pl.arg_sort_by([str(n) for n in range(frame.width)], nulls_last=True, maintain_order=True)
    )
    return frame[order.to_series()]


_EPOCH = date(1970, 1, 1).toordinal()
_FIRST_DAY, _LAST_DAY = date.min.toordinal() - _EPOCH, date.max.toordinal() - _EPOCH
_IN_A_DAY = {"ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def _check_days(frame: pl.DataFrame, address: Address) -> None:
    """Infinite days and those before the year 1 are numbers that no date has."""
    for cells in frame:
        kind = cells.dtype
        if kind != pl.Date and not isinstance(kind, pl.Datetime):
            continue
        in_a_day = _IN_A_DAY[kind.time_unit] if isinstance(kind, pl.Datetime) else 1
        bad = ~(cells.to_physical() // in_a_day).is_between(_FIRST_DAY, _LAST_DAY).fill_null(True)
        if bad.any():
            rows = row_list((bad.arg_true() + 1).to_list())
            said = f"column '{cells.name}': {rows} lie beyond the years 1 to 9999"
            raise InputError(f"{address.shown}: {said}")


def _refuse(address: Address, name: str, type_name: str) -> InputError:
    return InputError(
        f"{address.shown}: column '{name}' is of type {type_name}, which cannot be read; "
        "leave it out with a query"
    )


# --- PostgreSQL and DuckDB ------------------------------------------------------------------------


def _from_postgresql(address: Address) -> tuple[pl.DataFrame, dict[str, str]]:
    with closing(open_postgresql(address)) as connection, connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        source = source_sql(address, connection)
        names = [field.name for field in cursor.adbc_execute_schema(f"SELECT * FROM {source} AS q")]
        _check_once(names, address)
        asked = ", ".join(f"pg_typeof(q.{quoted(name)})::text" for name in names)
        empty = f"(SELECT * FROM {source} AS inner_q LIMIT 0)"
        # of a row in which all is missing: types are known without any row
        typed = rows_of(
            address, connection, f"SELECT {asked} FROM (SELECT 1) AS one LEFT JOIN {empty} AS q ON true"
        )
        types = dict(zip(names, map(str, typed[0]), strict=True)) if names else {}
        chosen = ", ".join(_chosen(address, name, types[name], "text") for name in names)
        for name in (name for name in names if _LIST.fullmatch(types[name])):
            nested = f"SELECT coalesce(max(array_ndims(q.{quoted(name)})), 1) FROM {source} AS q"
            if int(rows_of(address, connection, nested)[0][0]) > 1:
                raise _refuse(address, name, f"{types[name]} with arrays inside")
        cursor.execute(f"SELECT {chosen} FROM {source} AS q")
        return _of_batches(cursor.fetch_record_batch()), types


def _from_duckdb(address: Address) -> tuple[pl.DataFrame, dict[str, str]]:
    def arrow() -> Any:
        import pyarrow

        return pyarrow

    pyarrow = needed(address, arrow)
    with closing(open_duckdb(address)) as connection:
        source = source_sql(address, connection)
        described = connection.execute(f"DESCRIBE SELECT * FROM {source} AS q").fetchall()
        types = {str(row[0]): str(row[1]) for row in described}
        _check_once([str(row[0]) for row in described], address)
        chosen = ", ".join(_chosen(address, name, kind, "VARCHAR") for name, kind in types.items())
        found = connection.sql(f"SELECT {chosen} FROM {source} AS q")
        return _of_batches(pyarrow.RecordBatchReader.from_stream(found)), types


def _check_once(names: Sequence[str], address: Address) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(
                f"{address.shown}: column '{name}' is there twice; give one another name with AS"
            )
        seen.add(name)


def _chosen(address: Address, name: str, type_name: str, text: str) -> str:
    """A column as it is selected: as it is, or as the text that the database writes for it."""
    column = f"q.{quoted(name)}"
    inside = _LIST.fullmatch(type_name)
    plain = type_name if inside is None else inside[1]
    if _BINARY.search(plain) or (inside is not None and _LIST.fullmatch(plain)):
        raise _refuse(address, name, type_name)
    if inside is not None:
        return f"CAST({column} AS {text}[]) AS {quoted(name)}"
    if _AS_IT_IS.fullmatch(plain):
        return column
    return f"CAST({column} AS {text}) AS {quoted(name)}"


def _of_batches(reader: Any) -> pl.DataFrame:
    frames = []
    for batch in reader:
        current().poll()
        frames.append(pl.DataFrame(pl.from_arrow(batch)))
    if not frames:
        frames = [pl.DataFrame(pl.from_arrow(reader.schema.empty_table()))]
    return pl.concat(frames, rechunk=True)


# --- SQLite ---------------------------------------------------------------------------------------


def _from_sqlite(address: Address) -> tuple[pl.DataFrame, dict[str, str]]:
    """Each cell of SQLite has a type of its own: what all cells of a column are is asked first."""

    def load() -> Any:
        import pyarrow  # noqa: F401 - the driver hands batches over in it
        from adbc_driver_sqlite import dbapi

        return dbapi

    driver = needed(address, load)
    check_file(address)
    opened = driver.connect(f"{Path(address.url).absolute().as_uri()}?mode=ro")
    with closing(opened) as connection, connection.cursor() as cursor:
        source = source_sql(address, connection)
        cursor.execute(f"SELECT * FROM {source} AS q LIMIT 0")
        names = [str(column[0]) for column in cursor.description]
        _check_once(names, address)
        held = _kinds_of_cells(address, cursor, source, names)
        first = ", ".join(f"{_EXAMPLE[kind]} AS {quoted(name)}" for name, kind in held.items())
        rest = ", ".join(
            f"CAST(q.{quoted(name)} AS {_CAST[kind]})" if kind in _CAST else f"q.{quoted(name)}"
            for name, kind in held.items()
        )
        # the driver takes types from the first rows: one that has all of them leads, and is dropped
        cursor.execute(f"SELECT {first} UNION ALL SELECT {rest} FROM {source} AS q")
        frame = _of_batches(cursor.fetch_record_batch())[1:]
        return frame, _declared(address, connection)


_EXAMPLE = {"integer": "1", "real": "0.5", "number": "0.5", "text": "'x'"}
_CAST = {"number": "REAL", "text": "TEXT"}
_MOST_EXACT = 2**53
_DECLARED = re.compile(r"[A-Za-z][A-Za-z0-9 ]*(?:\([0-9 ]+(?:,[0-9 ]+)?\))?")


def _kinds_of_cells(address: Address, cursor: Any, source: str, names: Sequence[str]) -> dict[str, str]:
    """What the cells of each column are: integer, real, number (both), text (anything beside text)."""
    kinds = {}
    for name in names:
        n = f"q.{quoted(name)}"
        cursor.execute(
            f"SELECT max(typeof({n}) = 'integer'), max(typeof({n}) = 'real'), max(typeof({n}) = 'text'),"
            f" max(typeof({n}) = 'blob'), max(typeof({n}) = 'integer' AND abs({n} / 2) >= {_MOST_EXACT // 2})"
            f" FROM {source} AS q"
        )
        whole, real, text, blob, long = map(bool, cursor.fetchone())
        if blob:
            raise _refuse(address, name, "blob")
        if text or not (whole or real) or (whole and real and long):
            kinds[name] = "text"  # beside fractions, long whole numbers would be rounded
        else:
            kinds[name] = ("number" if real else "integer") if whole else "real"
    return kinds


def _declared(address: Address, connection: Any) -> dict[str, str]:
    """The types that a table declares; a query has none."""
    if address.query is not None:
        return {}
    _, table = table_meant(address, tables_in(address, connection))
    found = rows_of(address, connection, f"PRAGMA table_info({quoted(table)})")
    return {str(row[1]): str(row[2]) for row in found if _DECLARED.fullmatch(str(row[2] or ""))}


# --- other databases ------------------------------------------------------------------------------


def _from_other(address: Address) -> tuple[pl.DataFrame, dict[str, str]]:
    with closing(open_other(address)) as connection:
        import sqlalchemy

        quote = connection.dialect.identifier_preparer.quote_identifier
        source = source_sql(address, connection, quote)
        found = connection.execute(sqlalchemy.text(f"SELECT * FROM {source.replace(':', chr(92) + ':')} q"))
        names = [str(name) for name in found.keys()]  # noqa: SIM118 - the names of a result, not of a mapping
        _check_once(names, address)
        columns: list[list[Any]] = [[] for _ in names]
        for rows in found.partitions(_BATCH):
            current().poll()
            for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
                column.extend(cells)
        made = [_series(address, name, cells) for name, cells in zip(names, columns, strict=True)]
        return pl.DataFrame(made), {}


_EXACT = (bool, int, float, datetime, date, str, list)


def _series(address: Address, name: str, cells: Sequence[Any]) -> pl.Series:
    """A column of Python objects; what has no exact counterpart as text."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds & {bytes, bytearray, memoryview}:
        raise _refuse(address, name, "binary")
    if kinds <= {int, float} and len(kinds) == 2:
        fits = all(abs(cell) < _MOST_EXACT for cell in cells if isinstance(cell, int))
        return pl.Series(name, cells, pl.Float64 if fits else pl.String, strict=False)
    if len(kinds) == 1 and kinds <= set(_EXACT):
        if kinds == {list}:
            lists = [None if c is None else [None if e is None else str(e) for e in c] for c in cells]
            return pl.Series(name, lists, pl.List(pl.String))
        if kinds != {int} or all(abs(cell) < 2**63 for cell in cells if cell is not None):
            return pl.Series(name, cells)
    return pl.Series(name, [None if cell is None else str(cell) for cell in cells], pl.String)
