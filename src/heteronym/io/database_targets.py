"""A release as a table of a database: written in one transaction, visible once it was audited, or never.

Until then the table has a name of its own, so that nobody who reads an earlier release waits. Columns that
are released as they came keep the type that they had in a database of the same kind; labels are texts.

Cost        O(rows), in slices
Randomness  the name of the table before it takes its place
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.databases.address import (
    DUCKDB,
    OTHER,
    POSTGRESQL,
    SQLITE,
    Address,
    is_address,
    names_in,
    parse_address,
    quoted,
)
from heteronym.databases.connections import answering, open_database
from heteronym.databases.relations import rows_of, sql_name, tables_in
from heteronym.errors import OutputError, UsageError
from heteronym.io.bundles import Target, check_target
from heteronym.io.repeated import as_texts
from heteronym.io.tables import Format
from heteronym.run import current

_SLICE = 65_536
_NOTHING = ". Nothing was released"
_BEGIN = {SQLITE: "BEGIN IMMEDIATE", DUCKDB: "BEGIN TRANSACTION"}
_HOME = {POSTGRESQL: "SELECT current_schema()", SQLITE: "SELECT 'main'", DUCKDB: "SELECT current_schema()"}
_LONGEST_NAME = 63  # bytes of a name in PostgreSQL, which cuts the rest off
# Types with names of their own could list values that are not released; those of a fixed length cut off.
_KEPT = re.compile(
    r"(?:numeric|decimal)(?:\(\d+,\d+\))?|(?:small|big|tiny|huge|u\w*)?int(?:eger)?|real|float|text|"
    r"double(?: precision)?|bool(?:ean)?|date(?:time)?|time(?:stamp)?(?: with(?:out)? time zone|_m?s|_ns)?|"
    r"interval|uuid|jsonb?|inet|cidr|macaddr|money|character(?: varying)?|varchar|(?:var)?char\(\d+\)",
    re.I,
)


@dataclass(frozen=True, repr=False)
class TableTarget:
    """The table that a release shall become, and whether it takes the place of an earlier one."""

    address: Address
    schema: str
    table: str
    replaces: bool = False

    @property
    def fact(self) -> dict[str, str]:
        """What facts.json says of it: neither host nor user."""
        return {"database": self.address.kind, "schema": self.schema, "name": self.table}

    @property
    def shown(self) -> str:
        return self.address.shown

    def __repr__(self) -> str:
        return f"TableTarget({self.shown!r})"


def default_folder(output: str) -> Path:
    """Where report, facts and plan of a released table go if nobody says."""
    table = parse_address(output).table
    name = names_in(table)[-1] if table else "table"
    plain = re.sub(r"[^\w.-]+", "-", name).strip(".-") or "table"
    return Path(f"{plain}-release")


def check_output(
    output: str | Path | None,
    report_folder: str | Path | None,
    *,
    overwrite: bool,
    private: Path | None,
    metadata: bool = False,
) -> Target | None:
    """Where a release shall go: a folder, a table of a database with a folder beside it, or nowhere."""
    into = output if isinstance(output, str) and is_address(output) else None
    if into is None and report_folder is not None:
        raise UsageError("report_folder belongs to a release that goes into a database")
    if into is not None and metadata:
        raise UsageError("metadata describes files for catalogues; a table of a database is none")
    if output is None:
        if private is not None or metadata:
            raise UsageError(
                "private, registry and metadata belong to a release folder; name it with `output`"
            )
        return None
    folder = Path(output) if into is None else Path(report_folder or default_folder(into))
    target = check_target(folder, overwrite, private=private, metadata=metadata)
    if into is None:
        return target
    table = check_table_target(into, folder, overwrite=overwrite)
    if target.state is not None and _told_by(folder) != table.fact:
        raise OutputError(f"{folder}: tells of another release than this table; name another folder")
    return replace(target, table=table)


def check_table_target(output: str, folder: Path, *, overwrite: bool) -> TableTarget:
    """Refuse before any work is done what would fail at its end: the table is made once, and taken back."""
    address = parse_address(output)
    if address.kind == OTHER:
        kinds = "PostgreSQL, SQLite or DuckDB"
        raise UsageError(
            f"{address.database}: a release goes to {kinds}, where a table that fails its audit is never seen"
        )
    names = names_in(address.table) if address.table else []
    if len(names) not in (1, 2) or not all(names):
        raise UsageError(f"{address.database}: say which table to make, as {address.database}#SCHEMA.TABLE")
    if address.kind != POSTGRESQL and not Path(address.url).exists():
        _check_new_file(address)
        home = "main"
        target = TableTarget(address, *(names if len(names) == 2 else (home, names[0])))
        _check_names(target, target.schema, target.table)
        return target
    with answering(address, OutputError, _NOTHING):
        connection = open_database(address, write=True)
        try:
            _begin(address, connection)
            home = (
                names[0] if len(names) == 2 else str(rows_of(address, connection, _HOME[address.kind])[0][0])
            )
            target = TableTarget(address, home, names[-1])
            _check_names(target, target.schema, target.table)
            known = {(own, table) for _, table, own in tables_in(address, connection)}
            if (target.schema, target.table) in known:
                _check_replaceable(target, folder, overwrite)
                target = replace(target, replaces=True)
            _make(target, connection, _hidden_name(), f"{quoted('a')} integer")
        finally:
            with suppress(Exception):
                _rollback(address, connection)
            connection.close()
    return target


def _check_new_file(address: Address) -> None:
    parent = Path(address.url).absolute().parent
    if not parent.is_dir():
        raise OutputError(f"{address.database}: there is no folder for it")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError(f"{address.database}: no permission to write there")


def _check_replaceable(target: TableTarget, folder: Path, overwrite: bool) -> None:
    if not overwrite:
        raise OutputError(f"{target.shown}: exists. Use --overwrite to replace it")
    if _told_by(folder) != target.fact:
        raise OutputError(
            f"{target.shown}: exists, and {folder} tells of no release in it; it will not be overwritten"
        )


def _told_by(folder: Path) -> Any:
    """The table that the facts of a folder name."""
    with suppress(OSError, ValueError, AttributeError):
        return json.loads((folder / "facts.json").read_bytes()).get("table")
    return None


def _check_names(target: TableTarget, *names: str) -> None:
    kind = target.address.kind
    if kind == SQLITE and target.schema != "main":
        raise UsageError(f"{target.shown}: SQLite has no schemas; a name with a dot stands in double quotes")
    for name in names:
        quoted(name)
        if kind == POSTGRESQL and len(name.encode()) > _LONGEST_NAME:
            raise OutputError(
                f"{target.shown}: '{name}' is longer than the {_LONGEST_NAME} bytes of a PostgreSQL name"
            )


def _check_columns(target: TableTarget, columns: Sequence[str]) -> None:
    _check_names(target, *columns)
    if target.address.kind != POSTGRESQL and len({name.casefold() for name in columns}) < len(columns):
        alike = "two columns differ in capitals alone, which this database takes for one"
        raise OutputError(f"{target.shown}: {alike}")


def _begin(address: Address, connection: Any) -> None:
    if address.kind in _BEGIN:  # the driver of PostgreSQL begins by itself
        connection.execute(_BEGIN[address.kind])


def _rollback(address: Address, connection: Any) -> None:
    if address.kind != SQLITE or connection.in_transaction:
        connection.rollback()


def _execute(target: TableTarget, connection: Any, sql: str) -> None:
    if target.address.kind == POSTGRESQL:
        with connection.cursor() as cursor:
            cursor.execute(sql)
    else:
        connection.execute(sql)


def _hidden_name() -> str:
    return f"heteronym_{secrets.token_hex(8)}"


def _make(target: TableTarget, connection: Any, name: str, columns: str) -> None:
    if target.address.kind != SQLITE:
        schemas = rows_of(
            target.address,
            connection,
            f"SELECT 1 FROM information_schema.schemata WHERE schema_name = {_literal(target.schema)}",
        )
        if not schemas:
            _execute(target, connection, f"CREATE SCHEMA {quoted(target.schema)}")
    _execute(target, connection, f"CREATE TABLE {sql_name(target.schema, name)} ({columns})")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class TableInTransaction:
    """A release that is in the database, and that only this connection sees."""

    def __init__(self, target: TableTarget, layout: Format, unchanged: Collection[str]) -> None:
        self.target = target
        self._types = _types_to_keep(layout, unchanged, target.address.kind)
        self._is_new = target.address.kind != POSTGRESQL and not Path(target.address.url).exists()
        self._hidden = _hidden_name()
        self._connection: Any = None
        self._committed = False

    def __enter__(self) -> TableInTransaction:
        return self

    @property
    def connection(self) -> Any:
        """For the auditor, who reads back what was written."""
        return self._connection

    @property
    def source(self) -> str:
        """The table as SQL calls it until it takes its place."""
        return sql_name(self.target.schema, self._hidden)

    def write(self, frame: pl.DataFrame) -> None:
        """The table of a draft; one that was written before is taken back."""
        address = self.target.address
        with answering(address, OutputError, _NOTHING):
            if self._connection is None:
                self._connection = open_database(address, write=True)
            else:
                _rollback(address, self._connection)
            _begin(address, self._connection)
            frame = as_texts(frame)
            _check_columns(self.target, frame.columns)
            if address.kind == POSTGRESQL:
                self._into_postgresql(frame)
            elif address.kind == SQLITE:
                self._into_sqlite(frame)
            else:
                self._into_duckdb(frame)

    def _into_postgresql(self, frame: pl.DataFrame) -> None:
        wire = pl.DataFrame([_plain(cells) for cells in frame])
        kinds = {cells.name: _POSTGRESQL_TYPES.get(str(cells.dtype.base_type()), "text") for cells in wire}
        kinds |= {
            name: "timestamp with time zone"
            for name, kind in wire.schema.items()
            if isinstance(kind, pl.Datetime) and kind.time_zone is not None
        }
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
        _make(self.target, self._connection, self._hidden, columns)
        oldest = pl.CompatLevel.oldest()
        with self._connection.cursor() as cursor:
            for part in wire.iter_slices(_SLICE):
                current().poll()
                cursor.adbc_ingest(
                    self._hidden,
                    part.to_arrow(compat_level=oldest),
                    mode="append",
                    db_schema_name=self.target.schema,
                )
        changed = [
            f"ALTER COLUMN {quoted(name)} TYPE {kind} USING {quoted(name)}::{kind}"
            for name, kind in self._types.items()
            if name in kinds and kind != kinds[name]
        ]
        if changed:
            _execute(self.target, self._connection, f"ALTER TABLE {self.source} {', '.join(changed)}")

    def _into_sqlite(self, frame: pl.DataFrame) -> None:
        kinds = {
            cells.name: self._types.get(cells.name) or _SQLITE_TYPES.get(str(cells.dtype.base_type()), "TEXT")
            for cells in frame
        }
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
        _make(self.target, self._connection, self._hidden, columns)
        marks = ", ".join("?" * frame.width)
        for part in frame.iter_slices(_SLICE):
            current().poll()
            rows = pl.DataFrame([_for_sqlite(cells) for cells in part]).iter_rows()
            self._connection.executemany(f"INSERT INTO {self.source} VALUES ({marks})", rows)

    def _into_duckdb(self, frame: pl.DataFrame) -> None:
        wire = pl.DataFrame([_plain(cells) for cells in frame])
        kinds = {
            cells.name: self._types.get(cells.name)
            or _DUCKDB_TYPES.get(str(cells.dtype.base_type()), "VARCHAR")
            for cells in wire
        }
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
        _make(self.target, self._connection, self._hidden, columns)
        cast = ", ".join(f"CAST({quoted(name)} AS {kind})" for name, kind in kinds.items())
        for part in wire.iter_slices(_SLICE):
            current().poll()
            self._connection.register(
                self._hidden + "_rows", part.to_arrow(compat_level=pl.CompatLevel.oldest())
            )
            self._connection.execute(f"INSERT INTO {self.source} SELECT {cast} FROM {self._hidden}_rows")
            self._connection.unregister(self._hidden + "_rows")

    def commit(self) -> None:
        """The table takes its place, for everybody to see."""
        with answering(self.target.address, OutputError, _NOTHING):
            place = sql_name(self.target.schema, self.target.table)
            if self.target.replaces:
                _execute(self.target, self._connection, f"DROP TABLE {place}")
            _execute(
                self.target,
                self._connection,
                f"ALTER TABLE {self.source} RENAME TO {quoted(self.target.table)}",
            )
            self._connection.commit()
        self._committed = True

    def __exit__(self, *failure: object) -> None:
        if self._connection is not None:
            with suppress(Exception):  # a server that is gone has taken it back by itself
                if not self._committed:
                    _rollback(self.target.address, self._connection)
            with suppress(Exception):
                self._connection.close()
        if self._is_new and not self._committed:
            for ending in ("", "-journal", "-wal", "-shm", ".wal"):
                Path(f"{self.target.address.url}{ending}").unlink(missing_ok=True)


_WHOLE = dict.fromkeys(("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32"), "bigint")
_POSTGRESQL_TYPES = {
    **_WHOLE,
    "Float32": "real",
    "Float64": "double precision",
    "Boolean": "boolean",
    "Date": "date",
    "Datetime": "timestamp without time zone",
    "List": "text[]",
}
_SQLITE_TYPES = {
    **dict.fromkeys(_WHOLE, "INTEGER"),
    "Float32": "REAL",
    "Float64": "REAL",
    "Boolean": "BOOLEAN",
}
_DUCKDB_TYPES = {
    **dict.fromkeys(_WHOLE, "BIGINT"),
    "Float32": "FLOAT",
    "Float64": "DOUBLE",
    "Boolean": "BOOLEAN",
    "Date": "DATE",
    "Datetime": "TIMESTAMP",
    "List": "VARCHAR[]",
}


def _types_to_keep(layout: Format, unchanged: Collection[str], kind: str) -> dict[str, str]:
    """The types of columns that are released as they came, where the database calls them alike."""
    if layout.dialect != kind:
        return {}
    kept = {
        name: found for name, found in layout.types.items() if name in unchanged and _KEPT.fullmatch(found)
    }
    # PostgreSQL says `character` of char(n), and takes it for char(1)
    return {name: "bpchar" if found == "character" else found for name, found in kept.items()}


def _plain(cells: pl.Series) -> pl.Series:
    """A column in the few types that drivers write."""
    kind = cells.dtype
    if kind.is_integer() and kind != pl.UInt64:
        return cells.cast(pl.Int64)
    if isinstance(kind, pl.Datetime):
        return cells.dt.cast_time_unit("us")
    if isinstance(kind, (pl.List, pl.Array)):
        return cells.cast(pl.List(pl.String))
    if kind in (pl.Float32, pl.Float64, pl.Boolean, pl.Date, pl.String):
        return cells
    return cells.cast(pl.String)


def _for_sqlite(cells: pl.Series) -> pl.Series:
    """A column in the types that cells of SQLite have; sets as JSON lists."""
    kind = cells.dtype
    if isinstance(kind, (pl.List, pl.Array)):
        lists = [
            None if one is None else json.dumps(list(one), ensure_ascii=False) for one in cells.to_list()
        ]
        return pl.Series(cells.name, lists, pl.String)
    return cells if kind.is_numeric() or kind in (pl.Boolean, pl.String) else cells.cast(pl.String)
