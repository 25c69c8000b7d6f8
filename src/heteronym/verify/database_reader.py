"""Tables of databases for the auditor: cells as the texts that the database writes, read by rules of its own.

The producer takes what a driver makes of the cells; here the database writes them out itself, or, of SQLite,
another driver reads them. Rows are put in the order of their content, because a table has none. A release is
read by the connection that wrote it, before anybody else can see it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import polars as pl

from heteronym.databases.address import DUCKDB, OTHER, POSTGRESQL, SQLITE, Address, quoted
from heteronym.databases.connections import answering, open_database, open_other
from heteronym.databases.relations import source_sql
from heteronym.errors import InputError

_MANY = 50_000
_OFTEN = 8  # so often stands a text of which it pays to hold one
_HELD_ONCE = pl.Categorical(pl.Categories("auditor"))


def read_database(address: Address) -> pl.DataFrame:
    """All rows of a table or a query, by a connection of the auditor's own."""
    with answering(address):
        if address.kind == OTHER:
            return _in_order(_by_alchemy(address))
        with closing(open_database(address)) as connection:
            if address.kind == POSTGRESQL:
                _ask(address, connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            return read_by(connection, address, source_sql(address, connection))


def read_by(connection: Any, address: Address, source: str) -> pl.DataFrame:
    """All rows of a table, by a connection that sees it."""
    with answering(address):
        read = _from_sqlite if address.kind == SQLITE else _from_texts
        return _in_order(read(connection, address, source))


def content_of(frame: pl.DataFrame) -> bytes:
    """A table as bytes: for digests, and to be searched."""
    flat = frame.select(
        pl.col(name) if not kind.is_nested() else pl.struct(pl.col(name)).struct.json_encode().alias(name)
        for name, kind in frame.schema.items()
    )
    out = io.BytesIO()
    flat.write_csv(out)
    return out.getvalue()


def _in_order(frame: pl.DataFrame) -> pl.DataFrame:
    """By the cells of the first column, then of the next; lists as JSON, missing ones last."""
    if not frame.width:
        return frame
    keys = [
        cells.alias(str(n)) if not cells.dtype.is_nested() else _as_json(cells).alias(str(n))
        for n, cells in enumerate(frame)
    ]
    row = pl.int_range(frame.height, eager=True).alias("row")
    ordered = pl.DataFrame([*keys, row]).sort(
        [str(n) for n in range(frame.width)], nulls_last=True, maintain_order=True
    )
    found = frame[ordered["row"]]
    return found.with_columns(map(_held_once, found))


def _held_once(cells: pl.Series) -> pl.Series:
    """A column of few different texts with each of them in memory once."""
    repeats = cells.dtype == pl.String and _OFTEN * cells.n_unique() <= len(cells)
    return cells.cast(_HELD_ONCE) if repeats else cells


def _as_json(cells: pl.Series) -> pl.Series:
    written = [
        None if one is None else json.dumps(one, ensure_ascii=False, separators=(",", ":"))
        for one in cells.to_list()
    ]
    return pl.Series(cells.name, written, pl.String)


# --- PostgreSQL and DuckDB, which write their cells as texts ----------------------------------------


def _ask(address: Address, connection: Any, sql: str) -> list[Any]:
    if address.kind == DUCKDB:
        return list(connection.execute(sql).fetchall())
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall()) if cursor.description else []


def _types(connection: Any, address: Address, source: str) -> dict[str, str]:
    """The columns with the types that the database says they have."""
    if address.kind == DUCKDB:
        found = connection.sql(f"SELECT * FROM {source} AS r LIMIT 0")
        return dict(zip(map(str, found.columns), map(str, found.types), strict=True))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {source} AS r LIMIT 0")
        names = [str(column[0]) for column in cursor.description]
    said = ", ".join(f"pg_typeof(a_row.{quoted(n)})::text" for n in names)
    a_row = f"(VALUES (1)) AS one(x) LEFT JOIN LATERAL (SELECT * FROM {source} AS r LIMIT 1) AS a_row ON true"
    return dict(zip(names, _ask(address, connection, f"SELECT {said} FROM {a_row}")[0], strict=True))


def _from_texts(connection: Any, address: Address, source: str) -> pl.DataFrame:
    types = _types(connection, address, source)
    text = "varchar" if address.kind == DUCKDB else "text"
    asked = ", ".join(f"{_written(f'r.{quoted(n)}', kind, text)} AS {quoted(n)}" for n, kind in types.items())
    sql = f"SELECT {asked} FROM {source} AS r"
    if address.kind == DUCKDB:
        import pyarrow as pa

        batches = pa.RecordBatchReader.from_stream(connection.sql(sql))
        parts = [pl.DataFrame(pl.from_arrow(batch)) for batch in batches]
    else:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            parts = [pl.DataFrame(pl.from_arrow(batch)) for batch in cursor.fetch_record_batch()]
    typed = [
        pl.DataFrame([_typed(part[name], kind, address) for name, kind in types.items()]) for part in parts
    ]
    empty = pl.DataFrame([_typed(pl.Series(n, [], pl.String), kind, address) for n, kind in types.items()])
    return pl.concat([empty, *typed])


def _written(column: str, kind: str, text: str) -> str:
    if kind.endswith("[]"):
        return f"CAST(to_json(CAST({column} AS {text}[])) AS {text})"
    if text == "varchar" and kind.upper() == "TIMESTAMP WITH TIME ZONE":
        return f"CAST(make_timestamp(epoch_us({column})) AS varchar)"
    return f"CAST({column} AS {text})"


def _typed(cells: pl.Series, kind: str, address: Address) -> pl.Series:
    """Texts of one type as values; whatever is no number, day, moment or truth value stays text."""
    name = kind.lower()
    try:
        if name.endswith("[]"):
            return _lists(cells)
        if re.fullmatch(r"(small|big|tiny)?int(eger)?|u(small|tiny)?int(eger)?", name):
            return cells.cast(pl.Int64)
        if name == "ubigint":
            return cells.cast(pl.UInt64)
        if name in ("real", "float", "double", "double precision"):
            return cells.str.replace("Infinity", "inf", literal=True).cast(pl.Float64)
        if name == "boolean":
            return cells == "true"
        if name == "date":
            return cells.str.to_date("%Y-%m-%d")
        if name.startswith("timestamp"):
            moments = cells.str.replace(r"\+00$", "").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
            return moments.dt.replace_time_zone("UTC") if name.endswith("with time zone") else moments
    except pl.exceptions.PolarsError:
        raise InputError(
            f"{address.shown}: column '{cells.name}': not all cells can be read as {kind}"
        ) from None
    return cells


def _lists(cells: pl.Series) -> pl.Series:
    different = {text: json.loads(text) for text in cells.drop_nulls().unique().to_list()}
    lists = [None if text is None else different[text] for text in cells.to_list()]
    return pl.Series(cells.name, lists, pl.List(pl.String))


# --- SQLite, whose cells have types of their own ------------------------------------------------------


def _from_sqlite(connection: Any, address: Address, source: str) -> pl.DataFrame:
    described = connection.execute(f"SELECT * FROM {source} AS r LIMIT 0").description
    names = [str(column[0]) for column in described]
    asked, kinds = [], []
    for name in names:
        column = f"r.{quoted(name)}"
        found = connection.execute(
            f"SELECT typeof({column}), max(abs({column} / 2)) FROM {source} AS r"
            f" WHERE {column} IS NOT NULL GROUP BY 1"
        ).fetchall()
        held = dict(found)
        long = "integer" in held and held["integer"] >= 2**52
        as_text = ("text" in held and len(held) > 1) or (long and "real" in held)
        asked.append(f"CAST({column} AS TEXT)" if as_text else column)
        kinds.append(pl.String if as_text or not held.keys() - {"text"} else _number_kind(held.keys()))
    rows = connection.execute(f"SELECT {', '.join(asked)} FROM {source} AS r")
    parts: list[list[Any]] = [[] for _ in names]
    while some := rows.fetchmany(_MANY):
        for part, cells in zip(parts, zip(*some, strict=True), strict=True):
            part.extend(cells)
    return pl.DataFrame(
        [
            pl.Series(name, part, kind, strict=False)
            for name, part, kind in zip(names, parts, kinds, strict=True)
        ]
    )


def _number_kind(held: Any) -> Any:
    return pl.Int64 if set(held) == {"integer"} else pl.Float64


# --- other databases ----------------------------------------------------------------------------------


def _by_alchemy(address: Address) -> pl.DataFrame:
    with closing(open_other(address)) as connection:
        from sqlalchemy import text

        source = source_sql(address, connection, connection.dialect.identifier_preparer.quote_identifier)
        sql = f"SELECT * FROM {source} r"
        answer = connection.execute(text(re.sub(r"(?<!\\):", r"\\:", sql)))
        names = list(map(str, answer.keys()))
        rows = answer.fetchall()
    return pl.DataFrame([_objects(name, [row[n] for row in rows]) for n, name in enumerate(names)])


def _objects(name: str, cells: Sequence[Any]) -> pl.Series:
    known = {type(cell) for cell in cells if cell is not None}
    if known == {list}:
        lists = [None if c is None else [None if one is None else str(one) for one in c] for c in cells]
        return pl.Series(name, lists, pl.List(pl.String))
    whole = [cell for cell in cells if type(cell) is int]
    if known == {int, float} and all(-(2**53) < cell < 2**53 for cell in whole):
        return pl.Series(name, [None if cell is None else float(cell) for cell in cells], pl.Float64)
    fits = len(known) == 1 and (known != {int} or all(-(2**63) < cell < 2**63 for cell in whole))
    if fits and next(iter(known)).__name__ in ("bool", "int", "float", "date", "datetime", "str"):
        return pl.Series(name, cells)
    return pl.Series(name, [None if cell is None else str(cell) for cell in cells], pl.String)
