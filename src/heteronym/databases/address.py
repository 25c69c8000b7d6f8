"""Addresses of tables in databases: postgresql://host/db#schema.table, sqlite:///file.db#table, duckdb:///file#table.

An address may hold a password. It is handed to the driver and to nobody else: messages, `repr` and facts
see `shown`, and an address that cannot be taken apart is not repeated at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from heteronym.errors import InputError, UsageError
from heteronym.model.plan import DataPlan

POSTGRESQL, SQLITE, DUCKDB, OTHER = "postgresql", "sqlite", "duckdb", "other"
_KINDS = {"postgres": POSTGRESQL, "postgresql": POSTGRESQL, "sqlite": SQLITE, "duckdb": DUCKDB}
_FILES = (SQLITE, DUCKDB)
_ADDRESS = re.compile(r"(?:postgres(?:ql)?|sqlite|duckdb)(?:\+\w+)?:|[A-Za-z][A-Za-z0-9+_-]*://")
_SECRETS = {"password", "sslpassword"}


@dataclass(frozen=True, repr=False)
class Address:
    """A database, and a table or a query in it; one alone has neither."""

    kind: str
    url: str  # for the driver; of SQLite and DuckDB the path of the file
    database: str  # without passwords and options
    has_password: bool = False
    table: str | None = None
    query: str | None = None
    called: str | None = None  # by what a plan joins it

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"{self.database}#{self.table}" if self.table else self.database

    @property
    def name(self) -> str:
        """By what a plan joins it: what it is called, or the table without its schema."""
        return self.called or (names_in(self.table)[-1] if self.table else "data")

    def with_password(self, password: str) -> Address:
        parts = urlsplit(self.url)
        user, _, host = parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}:{quote(password, safe='')}@{host}"
        return replace(self, url=parts._replace(netloc=netloc).geturl(), has_password=True)

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def is_address(given: Any) -> bool:
    """Whether this names a database and not a file."""
    return isinstance(given, Address) or (isinstance(given, str) and bool(_ADDRESS.match(given)))


def parse_address(text: str) -> Address:
    """An address from what somebody typed. A refusal repeats nothing of it but the kind of database."""
    scheme, _, rest = text.partition(":")
    kind = _KINDS.get(scheme.lower(), OTHER)
    whole, hash_sign, fragment = text.partition("#")
    table = unquote(fragment) if hash_sign else None
    if table == "":
        raise UsageError(f"{scheme} address: there is no table behind '#'")
    if kind in _FILES:
        if not rest.startswith("///") or len(whole) <= len(scheme) + 4:
            form = f"{scheme}:///FILE, or {scheme}:////FOLDER/FILE for a path from the root"
            raise UsageError(f"{scheme} address: write {form}")
        path = whole[len(scheme) + 4 :]
        return Address(kind, path, f"{scheme}:///{path}", table=table)
    try:
        parts = urlsplit(whole)
        _ = parts.port
    except ValueError:
        raise _unreadable(scheme) from None
    outside = f"{parts.path}?{parts.query}#{fragment}"
    misplaced = "@" in outside and ":" in parts.netloc  # a password may hold the sign that ends it
    if not rest.startswith("//") or parts.netloc.count("@") > 1 or misplaced:
        raise _unreadable(scheme)
    who, _, where = parts.netloc.rpartition("@")
    user, colon, _ = who.partition(":")
    secret = bool(colon) or any(name in _SECRETS for name, _ in parse_qsl(parts.query))
    database = f"{scheme}://{f'{unquote(user)}@' if user else ''}{where}{parts.path}"
    return Address(kind, whole, database, secret, table)


def _unreadable(scheme: str) -> UsageError:
    remedy = f"write {scheme}://USER@HOST:PORT/DATABASE#TABLE; @ : / ? # in a password as %40 %3A %2F %3F %23"
    return UsageError(f"{scheme} address: cannot be read; {remedy}")


def names_in(table: str) -> list[str]:
    """The names of a table's name as SQL has it: schema.table, "a name"."and ""another""" " in quotes." ""
    found = re.findall(r'"((?:[^"]|"")*)"(?:\.|$)|([^."]*)(?:\.|$)', table)
    names = [quoted.replace('""', '"') or plain for quoted, plain in found]
    names = names[:-1] if names and names[-1] == "" else names
    return names or [table]


def with_relations(given: Sequence[tuple[str | None, Any]], plan: DataPlan) -> list[tuple[str | None, Any]]:
    """What a caller gave, with the tables and queries of the plan where it is a database.

    `data.table` or `data.query` is what is read first. Where one database is all that is given, tables that
    the plan joins are read from it, too.
    """
    made = [
        (name, parse_address(one) if is_address(one) and isinstance(one, str) else one) for name, one in given
    ]
    if not made or not isinstance(made[0][1], Address):
        if plan.table is not None or plan.query is not None:
            raise UsageError(
                "data.table and data.query name what is read from a database, but none was given"
            )
        return made
    name, first = made[0]
    if plan.query is not None and first.table is None:
        first = replace(first, query=plan.query)
    elif first.table is None:
        first = replace(first, table=plan.table)
    joined: list[tuple[str | None, Any]] = []
    if len(made) == 1:
        alone = replace(first, table=None, query=None)
        for join in plan.join:
            what = {"table": join.table} if join.query is None else {"query": join.query}
            joined.append((None, replace(alone, called=join.table, **what)))
    return [(name, first), *made[1:], *joined]


def passwords_in(given: Iterable[Any]) -> bool:
    """Whether one of these is an address that holds a password."""
    found = [parse_address(one) for one in given if isinstance(one, str) and is_address(one)]
    return any(address.has_password for address in found)


def without_secrets(given: Any) -> str:
    """What may be said of a table that somebody named: of an address, the part without a password."""
    return parse_address(given).shown if isinstance(given, str) and is_address(given) else str(given)


def quoted(name: str) -> str:
    """A name in SQL."""
    if "\0" in name:
        raise InputError("a name in a database cannot hold a zero character")
    return '"' + name.replace('"', '""') + '"'


def options_of(address: Address) -> Mapping[str, str]:
    """What stands behind the question mark."""
    return dict(parse_qsl(urlsplit(address.url).query))
