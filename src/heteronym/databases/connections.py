"""Connections to databases, and what goes wrong with them in our words.

What a driver says may quote cells, queries and pieces of a password: it is sorted, and never repeated.
"""

from __future__ import annotations

import getpass
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heteronym.databases.address import DUCKDB, OTHER, POSTGRESQL, SQLITE, Address, options_of
from heteronym.errors import HeteronymError, InputError, UsageError

_SECONDS = 15  # to wait for a server that does not answer
_BY_STATE = {  # beginnings of SQLSTATE
    "08": "the server ended the connection",
    "57P": "the server ended the connection",
    "28": "the server refused this user or password",
    "3D": "there is no such database",
    "42501": "this user has no right to that",
    "42601": "the query is not valid SQL",
    "42P01": "there is no such table",
    "42703": "the query names a column that is not there",
    "42P07": "the table exists already",
    "3F": "there is no such schema",
    "42": "the query is not valid SQL for these tables",
    "22021": "a text holds a character that the database cannot store",
    "22P05": "a text holds a character that the encoding of the database lacks",
    "25006": "the query would change the database",
    "53100": "the disk of the server is full",
    "53300": "the server has too many connections",
    "53": "the server lacks memory or disk",
    "54": "the server cannot hold so many columns or so long a row",
    "57014": "the server cancelled the statement, or its time was up",
    "55": "the database is in use by somebody else",
    "40": "somebody else worked on the same table",
}
_BY_WORDS = (  # where a driver gives no state; looked for in what it says
    ("no password supplied", "the server wants a password: set PGPASSWORD, write ~/.pgpass, or let us ask"),
    ("authentication failed", "the server refused this user or password"),
    ("pg_hba.conf", "the server lets nobody in from here as this user"),
    ("could not translate host", "there is no such host"),
    ("connection refused", "no server answers there"),
    ("timeout expired", "no server answers there"),
    ("too many", "the server has too many connections"),
    ("starting up", "the server is starting up or shutting down"),
    ("shutting down", "the server is starting up or shutting down"),
    ("role ", "the server does not know this user"),
    ('database "', "there is no such database"),
    ("server closed", "the server ended the connection"),
    ("terminating connection", "the server ended the connection"),
    ("no connection to the server", "the server ended the connection"),
    ("connection not open", "the server ended the connection"),
    ("connection pointer is null", "the server ended the connection"),
    ("no such table", "there is no such table"),
    ("no such column", "the query names a column that is not there"),
    ("syntax error", "the query is not valid SQL"),
    ("parser error", "the query is not valid SQL"),
    ("binder error", "the query is not valid SQL for these tables"),
    ("catalog error", "the query names what is not there"),
    ("not a database", "the file is no such database"),
    ("not a valid duckdb", "the file is no such database"),
    ("lock", "the database is in use by somebody else"),
    ("readonly", "there is no right to write there"),
    ("read-only", "the query would change the database"),
    ("permission denied", "there is no right to open the file"),
    ("unable to open", "the file cannot be opened"),
    ("full", "the disk is full"),
    ("no space left", "the disk is full"),
    ("one statement", "the query is not one statement"),
    ("malformed", "the file is damaged"),
)
_typed: dict[tuple[str, str], str] = {}  # passwords that somebody typed, for the further connections of a run


def in_words(error: BaseException) -> str:
    """What a driver's error means; its own text is read and not repeated."""
    state = str(getattr(error, "sqlstate", None) or "")
    states = sorted((begin for begin in _BY_STATE if state.startswith(begin)), key=len)
    if states:
        return _BY_STATE[states[-1]]
    said = str(error).lower()
    for words, meaning in _BY_WORDS:
        if words in said:
            return meaning
    return f"the database refused it ({f'SQLSTATE {state}' if state else type(error).__name__})"


@contextmanager
def answering(
    address: Address, refusal: type[HeteronymError] = InputError, remark: str = ""
) -> Iterator[None]:
    """What a driver raises becomes one line that names the database, and nothing that it holds."""
    try:
        yield
    except (HeteronymError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - every driver has its own kinds, and their texts may quote cells
        raise refusal(f"{address.shown}: {in_words(error)}{remark}") from None


def needed(address: Address, load: Callable[[], Any]) -> Any:
    """A driver, or which extra of the package brings it."""
    try:
        return load()
    except ImportError:
        extra = address.kind if address.kind in (POSTGRESQL, SQLITE, DUCKDB) else "databases"
        raise UsageError(f"{address.database}: needs pip install 'heteronym[{extra}]'") from None


def open_database(address: Address, *, write: bool = False) -> Any:
    """A connection; unless somebody wants to write, to a file that is there."""
    if address.kind == POSTGRESQL:
        return open_postgresql(address)
    if address.kind == OTHER:
        return open_other(address)
    return (open_sqlite if address.kind == SQLITE else open_duckdb)(address, write=write)


def open_postgresql(address: Address) -> Any:
    """An ADBC connection whose texts of dates and numbers do not hang on the settings of the server."""

    def load() -> Any:
        import pyarrow  # noqa: F401 - the driver hands batches over in it
        from adbc_driver_postgresql import dbapi

        return dbapi

    driver = needed(address, load)
    known = _typed.get((address.database, address.kind))
    try:
        opened = driver.connect(_url(address if known is None else address.with_password(known)))
    except driver.Error as error:
        if "no password supplied" not in str(error) or not _can_ask():
            raise
        _typed[address.database, address.kind] = given = getpass.getpass(f"password for {address.database}: ")
        opened = driver.connect(_url(address.with_password(given)))
    with opened.cursor() as cursor:
        for setting in ("datestyle TO ISO", "timezone TO 'UTC'", "intervalstyle TO postgres"):
            cursor.execute(f"SET {setting}")
        cursor.execute("SET extra_float_digits TO 1")
    opened.commit()
    return opened


def _url(address: Address) -> str:
    has_limit = "connect_timeout" in options_of(address) or "PGCONNECT_TIMEOUT" in os.environ
    if has_limit:
        return address.url
    return f"{address.url}{'&' if '?' in address.url else '?'}connect_timeout={_SECONDS}"


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def check_file(address: Address) -> None:
    """A database in a file that is to be read must be there; drivers would make it."""
    path = Path(address.url)
    if not path.is_file():
        raise InputError(f"{address.database}: {'not a file' if path.exists() else 'no such file'}")
    if not os.access(path, os.R_OK):
        raise InputError(f"{address.database}: no permission to read it")


def open_sqlite(address: Address, *, write: bool = False) -> sqlite3.Connection:
    """Python's own driver, in which a transaction begins when somebody says so."""
    if not write:
        check_file(address)
    where = f"{Path(address.url).absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
    return sqlite3.connect(where, uri=True, isolation_level=None, timeout=_SECONDS)


def open_duckdb(address: Address, *, write: bool = False) -> Any:
    """DuckDB itself; nothing is fetched from anywhere, and a query reads no files."""

    def load() -> Any:
        import duckdb
        import pyarrow  # noqa: F401 - tables come as batches of it

        return duckdb

    driver = needed(address, load)
    if not write:
        check_file(address)
    settings = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "enable_external_access": "false",
    }
    return driver.connect(address.url, read_only=not write, config=settings)


def open_other(address: Address) -> Any:
    """Any other database, by SQLAlchemy and whatever driver of it is installed."""

    def load() -> Any:
        import sqlalchemy

        return sqlalchemy

    alchemy = needed(address, load)
    try:
        engine = alchemy.create_engine(address.url)
    except ImportError:
        raise UsageError(f"{address.database}: the driver of this database is not installed") from None
    except (alchemy.exc.NoSuchModuleError, alchemy.exc.ArgumentError):
        scheme = address.database.partition(":")[0]
        kinds = "postgresql, sqlite, duckdb, and those that SQLAlchemy knows"
        raise UsageError(f"{scheme}: not a kind of database that can be read. Known: {kinds}") from None
    return engine.connect().execution_options(stream_results=True)
