"""Which tables a database has, and which of them an address means; as SQL with all names in quotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

from heteronym.databases.address import DUCKDB, OTHER, POSTGRESQL, SQLITE, Address, names_in, quoted
from heteronym.errors import InputError, nearest

Named = tuple[str | None, str]  # schema and table
_MOST = 12  # tables that a message lists
_CATALOGS = {
    POSTGRESQL: """
        SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE n.nspname END, c.relname, n.nspname
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition
          AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp)'""",
    SQLITE: "SELECT NULL, name, 'main' FROM sqlite_master WHERE type IN ('table', 'view')"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    DUCKDB: "SELECT CASE WHEN table_schema = 'main' THEN NULL ELSE table_schema END, table_name, table_schema"
    " FROM information_schema.tables WHERE table_catalog = current_database()",
}


def source_sql(address: Address, connection: Any, quote: Callable[[str], str] = quoted) -> str:
    """What is read: a table by its name, a query in brackets."""
    if address.query is not None:
        inside = address.query.strip().rstrip(";").rstrip()
        return f"(\n{inside}\n)"
    return sql_name(*table_meant(address, tables_in(address, connection)), quote)


def sql_name(schema: str | None, table: str, quote: Callable[[str], str] = quoted) -> str:
    return quote(table) if schema is None else f"{quote(schema)}.{quote(table)}"


def tables_in(address: Address, connection: Any) -> list[tuple[str | None, str, str | None]]:
    """Schema (None where it need not be named), table and schema as it is called."""
    if address.kind == OTHER:
        import sqlalchemy

        found = sqlalchemy.inspect(connection)
        names = [*found.get_table_names(), *found.get_view_names()]
        schemas = [s for s in found.get_schema_names() if s != found.default_schema_name]
        system = ("information_schema", "performance_schema", "sys", "mysql", "main")
        others = [
            (s, t, s) for s in schemas if s.lower() not in system for t in found.get_table_names(schema=s)
        ]
        return [*((None, name, found.default_schema_name) for name in names), *others]
    return rows_of(address, connection, _CATALOGS[address.kind])


def rows_of(address: Address, connection: Any, sql: str, given: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The few rows of a question to the catalog."""
    if address.kind == DUCKDB:  # its cursors are connections of their own
        return [tuple(row) for row in connection.execute(sql, list(given)).fetchall()]
    with closing(connection.cursor()) as cursor:
        if given:
            cursor.execute(sql, list(given))
        else:
            cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()]


def table_meant(address: Address, tables: Sequence[tuple[str | None, str, str | None]]) -> Named:
    """The table of an address; without one, the only table that there is."""
    called = {(table if schema is None else f"{schema}.{table}") for schema, table, _ in tables}
    if address.table is None:
        if len(tables) == 1:
            return tables[0][2], tables[0][1]
        if not tables:
            raise InputError(f"{address.database}: has no tables that this user may see")
        some = ", ".join(sorted(called)[:_MOST]) + (", ..." if len(called) > _MOST else "")
        raise InputError(
            f"{address.database}: say which table, as {address.database}#TABLE. There are {some}"
        )
    names = names_in(address.table)
    wants: list[Callable[[str | None, str, str | None], bool]] = [
        lambda schema, table, _: schema is None and table == address.table,
        lambda schema, table, own: len(names) == 2 and table == names[1] and own == names[0],
        lambda schema, table, _: len(names) == 1 and table == names[0],
    ]
    for fits in wants:
        found = [(own, table) for schema, table, own in tables if fits(schema, table, own)]
        if len(found) == 1:
            return found[0]
        if found:
            schemas = ", ".join(sorted(str(schema) for schema, _ in found))
            raise InputError(f"{address.shown}: is in several schemas ({schemas}); write SCHEMA.TABLE")
    close = nearest(address.table, called, surely=len(called) > _MOST)
    raise InputError(f"{address.shown}: there is no such table, or no right to see it.{close}")
