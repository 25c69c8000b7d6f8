"""Databases as sources and targets, real ones: PostgreSQL, SQLite, DuckDB, and others by SQLAlchemy."""

from __future__ import annotations

import hashlib
import json
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import OutputError, PromiseError
from tests.conftest import Desk
from tests.postgresql import PASSWORD, Server, server

KINDS = ("postgresql", "sqlite", "duckdb")
PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "zip": {"role": "quasi"},
        "born": {"role": "quasi", "scale": "date"},
        "ill": {"role": "sensitive"},
        "paid": {"role": "plain"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
}


@pytest.fixture
def desk(tmp_path: Path, command: Any) -> Desk:
    made = tmp_path / "desk"
    made.mkdir()
    return Desk(made, command)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with server() as running:
        yield running


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Base]:
    """An empty database of a kind."""

    def made(kind: str) -> Base:
        if kind != "postgresql":
            return Base(kind, f"{kind}:///{tmp_path / 'base.db'}", tmp_path / "base.db", None)
        running: Server = request.getfixturevalue("postgres")
        name = f"d{hashlib.sha256(str(tmp_path).encode()).hexdigest()[:12]}"
        _create_database(running, name)
        return Base(kind, running.url(name), None, running, name)

    return made


def _create_database(running: Server, name: str) -> None:
    from adbc_driver_postgresql import dbapi

    with closing(dbapi.connect(running.url(), autocommit=True)) as connection, connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')


class Base:
    """A database to fill and to look into, beside what is tested."""

    def __init__(
        self, kind: str, url: str, path: Path | None, running: Server | None, name: str = ""
    ) -> None:
        self.kind, self.url, self.path, self.running, self.name = kind, url, path, running, name

    def sql(self, *statements: str) -> list[Any]:
        if self.running is not None:
            return self.running.sql(*statements, database=self.name)
        if self.kind == "sqlite":
            assert self.path is not None
            with closing(sqlite3.connect(self.path)) as connection:
                rows = [connection.execute(statement).fetchall() for statement in statements]
                connection.commit()
            return rows[-1]
        duckdb = pytest.importorskip("duckdb", reason="the driver is in the extra `test`")
        with closing(duckdb.connect(str(self.path))) as connection:
            return [connection.execute(statement).fetchall() for statement in statements][-1]

    def put(self, table: str, frame: pl.DataFrame) -> None:
        """By statements of SQL: what a driver would make of a frame is not what is tested."""
        types = {pl.Int64: "bigint", pl.Float64: "double precision", pl.Date: "date", pl.Boolean: "boolean"}
        name = '"' + table.replace('"', '""') + '"'
        columns = ", ".join(
            '"' + c.replace('"', '""') + f'" {types.get(k.base_type(), "text")}'
            for c, k in frame.schema.items()
        )
        rows = ", ".join("(" + ", ".join(map(_literal, row)) + ")" for row in frame.iter_rows())
        self.sql(f"CREATE TABLE {name} ({columns})", f"INSERT INTO {name} VALUES {rows}")

    def tables(self) -> list[str]:
        catalog = {
            "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
            "duckdb": "SELECT table_name FROM information_schema.tables",
        }
        ours = "SELECT table_name FROM information_schema.tables WHERE table_schema NOT LIKE 'pg\\_%'"
        ours += " AND table_schema <> 'information_schema'"
        return sorted(row[0] for row in self.sql(catalog.get(self.kind, ours)))


def _literal(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, (int, float)):
        return str(value)
    return "'" + str(value).replace("'", "''") + "'"


def people(rows: int = 60) -> pl.DataFrame:
    places = [f"{10 + n % 7}{100 + n % 3}" for n in range(rows)]
    return pl.DataFrame(
        {
            "age": [20 + (7 * n) % 41 for n in range(rows)],
            "zip": [None if n % 19 == 0 else place for n, place in enumerate(places)],
            "born": [f"19{60 + n % 30}-0{1 + n % 9}-11" for n in range(rows)],
            "ill": [("flu", "asthma", "Müller's")[n % 3] for n in range(rows)],
            "paid": [None if n % 11 == 0 else 1000 + n % 5 for n in range(rows)],
        }
    ).with_columns(pl.col("born").str.to_date())


def quiet_plan(desk: Desk, **data: Any) -> Path:
    return desk.plan({**PLAN, **({"data": data} if data else {})})


# --- in ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*KINDS, "sqlite+pysqlite"])
def test_the_same_data_gives_the_same_rows_wherever_it_comes_from(
    kind: str, database: Any, desk: Desk
) -> None:
    base = database(kind.partition("+")[0])
    base.put("people", people())
    people().write_csv(desk.folder / "people.csv")
    quiet_plan(desk)
    assert desk.anonymize().exit_code == 0
    from_csv = desk.released.read_bytes()
    url = base.url.replace("sqlite:", f"{kind}:") if "+" in kind else base.url
    found = desk.anonymize("--overwrite", data=f"{url}#people")
    assert (found.exit_code, found.err) == (0, "")
    assert desk.released.read_bytes() == from_csv
    again = desk.verify("--against", f"{url}#people")
    assert again.exit_code == 0, again.out


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_or_a_query_is_named_by_option_plan_or_address(kind: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    base.put("people", people())
    base.put("others", people(30))
    quiet_plan(desk)
    which = desk.anonymize(data=base.url)
    assert which.exit_code == 2
    assert "others, people" in which.err
    assert desk.anonymize("--table", "peple", data=base.url).err.endswith("Did you mean 'people'?\n")
    assert desk.anonymize("--table", "people", data=base.url).exit_code == 0
    rows = [json.loads((desk.release / "facts.json").read_text())["data"]["rows"]]
    query = "SELECT * FROM people WHERE age > 30 -- grown up"
    assert desk.anonymize("--query", query, "--overwrite", data=base.url).exit_code == 0
    quiet_plan(desk, query=f"{query}\n;")
    assert desk.anonymize("--overwrite", data=base.url).exit_code == 0
    assert "grown up" not in (desk.release / "plan.yaml").read_text()
    rows.append(json.loads((desk.release / "facts.json").read_text())["data"]["rows"])
    assert rows == [60, people().filter(pl.col("age") > 30).height]


@pytest.mark.parametrize("kind", KINDS)
def test_tables_that_a_plan_joins_come_from_the_database(kind: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    whole = people().with_row_index("id").cast({"id": pl.Int64})
    base.put("people", whole.select("id", "age", "zip", "born"))
    base.put("visits", whole.select("id", "ill", "paid"))
    plan = {**PLAN, "attributes": {"id": {"role": "identifier"}, **PLAN["attributes"]}}
    joined = {"table": "visits", "on": "id"}
    desk.plan({**plan, "data": {"table": "people", "join": [joined]}})
    assert desk.anonymize(data=base.url).exit_code == 0
    first = desk.released.read_bytes()
    two = [f"{base.url}#people", f"{base.url}#visits"]
    assert desk.anonymize("--overwrite", data=two).exit_code == 0
    assert desk.released.read_bytes() == first
    asked = {**joined, "query": "SELECT id, ill, paid FROM visits WHERE 1 = 1"}
    desk.plan({**plan, "data": {"table": "people", "join": [asked]}})
    assert desk.anonymize("--overwrite", data=base.url).exit_code == 0
    assert desk.released.read_bytes() == first
    assert "WHERE" not in (desk.release / "plan.yaml").read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_commands_that_read_data_take_tables(kind: str, database: Any, desk: Desk, tmp_path: Path) -> None:
    base = database(kind)
    base.put("people", people())
    quiet_plan(desk)
    drafted = desk.command(
        "profile", base.url, "--table", "people", "--no-trial", "-o", tmp_path / "draft.yaml"
    )
    assert drafted.exit_code == 0
    assert "table: people" in (tmp_path / "draft.yaml").read_text()
    grid = tmp_path / "grid"
    plan = desk.folder / "plan.yaml"
    compared = desk.command("compare", f"{base.url}#people", "-c", plan, "-o", grid, "--k", "2,3", "-q")
    assert (compared.exit_code, compared.err) == (0, "")
    planned = desk.command("anonymize", f"{base.url}#people", "-c", plan, "-o", tmp_path / "r", "--dry-run")
    assert "60 rows" in planned.out or planned.exit_code == 0
    notes = pl.DataFrame({"note": [f"Mr Smith, aged {n}, saw Dr Jones." for n in range(6)]})
    base.put("notes", notes)
    desk.plan(
        {"attributes": {"note": {"role": "text"}}, "text": {"model": "none"}, "privacy": PLAN["privacy"]}
    )
    scanned = desk.command("scan", f"{base.url}#notes", "-c", plan, "-o", tmp_path / "mentions.jsonl")
    assert scanned.exit_code == 0
    assert (tmp_path / "mentions.jsonl").read_text().count("\n") > 6


# --- out --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_becomes_a_table_that_is_verified_there(kind: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    base.put("people", people())
    quiet_plan(desk)
    target = f"{base.url}#{'people_out' if kind == 'sqlite' else 'open.people_out'}"
    folder, owner = desk.folder / "beside", desk.folder / "owner"
    say = ("-c", desk.folder / "plan.yaml", "-o", target, "--report-folder", folder, "--private", owner)
    made = desk.command("anonymize", f"{base.url}#people", *say)
    assert (made.exit_code, made.err) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == ["facts.json", "plan.yaml", "report.html"]
    people().write_csv(desk.folder / "people.csv")
    assert desk.anonymize().exit_code == 0
    table = '"people_out"' if kind == "sqlite" else '"open"."people_out"'
    rows = sorted(map(str, base.sql(f"SELECT age, zip, born, ill, paid FROM {table}")))
    in_file = pl.read_csv(desk.released, schema_overrides={"paid": pl.Int64, "zip": pl.String})
    assert rows == sorted(map(str, in_file.select("age", "zip", "born", "ill", "paid").rows()))
    known = ("--report-folder", folder, "--private", owner, "--against", f"{base.url}#people")
    assert desk.command("verify", target, *known).exit_code == 0
    assert desk.command("verify", target, "--report-folder", folder).exit_code == 0
    base.sql(f"UPDATE {table} SET age = '20' WHERE ill = 'flu'")
    changed = desk.command("verify", target, "--report-folder", folder)
    assert changed.exit_code == 1
    assert "data.table changed" in changed.out


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_replaced_only_where_it_is_the_release_of_its_folder(
    kind: str, database: Any, desk: Desk
) -> None:
    base = database(kind)
    base.put("people", people())
    quiet_plan(desk)
    target, folder = f"{base.url}#people_out", desk.folder / "beside"
    say = ("-c", desk.folder / "plan.yaml", "--report-folder", folder)
    over = desk.command("anonymize", f"{base.url}#people", *say, "-o", f"{base.url}#people", "--overwrite")
    assert over.exit_code == 2
    assert len(base.sql("SELECT 1 FROM people")) == 60
    assert desk.command("anonymize", f"{base.url}#people", *say, "-o", target).exit_code == 0
    before = base.sql("SELECT age FROM people_out")
    again = desk.command("anonymize", f"{base.url}#people", *say, "-o", target)
    assert (again.exit_code, "--overwrite" in again.err) == (2, True)
    more = desk.command("anonymize", f"{base.url}#people", *say, "-o", target, "--overwrite", "--k", 20)
    assert (more.exit_code, more.err) == (0, "")
    assert base.sql("SELECT age FROM people_out") != before
    assert base.tables() == ["people", "people_out"]
    assert desk.command("verify", target, "--report-folder", folder).exit_code == 0


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_left_of_a_release_that_fails_its_audit(
    kind: str, database: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heteronym import publish

    base = database(kind)
    base.put("people", people())
    seen = []

    def refused(*args: Any, **kwargs: Any) -> Any:
        if kind == "postgresql":
            seen.append(base.tables())  # what another connection sees of what was written
        raise PromiseError("the audit failed")

    monkeypatch.setattr(
        publish, "audit_and_mend", lambda draft, plan, run, known, write: refused(write(draft))
    )
    out = f"{base.url}#people_out"
    with pytest.raises(PromiseError):
        hn.anonymize(f"{base.url}#people", PLAN, output=out, report_folder=desk.folder / "beside")
    assert base.tables() == ["people"]
    assert bool(seen) == (kind == "postgresql")
    assert all(tables == ["people"] for tables in seen)
    assert not (desk.folder / "beside").exists()


def test_a_new_file_is_not_left_by_a_release_that_fails(desk: Desk) -> None:
    quiet_plan(desk)
    people(4).write_csv(desk.folder / "people.csv")
    for kind in ("sqlite", "duckdb"):
        target = f"{kind}:///{desk.folder / 'out.db'}#t"
        made = desk.command(
            "anonymize", desk.folder / "people.csv", "-c", desk.folder / "plan.yaml", "-o", target, "--k", 5
        )
        assert made.exit_code in (1, 2)
        assert not (desk.folder / "out.db").exists()


def test_another_connection_sees_a_table_when_all_is_done(
    postgres: Server, database: Any, desk: Desk
) -> None:
    base = database("postgresql")
    base.put("people", people())
    seen: list[list[str]] = []

    def look(step: str, share: float | None) -> None:
        if step in ("write", "verify", "report") and len(seen) < 40:
            seen.append(base.tables())

    hn.anonymize(
        f"{base.url}#people", PLAN, output=f"{base.url}#out", report_folder=desk.folder / "b", progress=look
    )
    assert seen
    assert {tuple(tables) for tables in seen} == {("people",)}
    assert base.tables() == ["out", "people"]


# --- types and names ----------------------------------------------------------------------------------

TYPED = """CREATE TABLE typed (age integer, n numeric(10,2), b boolean, d date, t timestamp, z timestamptz,
  r real, u uuid, h smallint, x text, items text[], j jsonb)"""
TYPED_PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        **{name: {"role": "plain"} for name in "nbdtzruhxj"},
        "items": {"role": "items"},
    },
    "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}],
}


def _typed_rows() -> str:
    row = "({}, 1.50, true, '2020-02-29', '2020-01-02 03:04:05.6', '2020-01-02 03:04:05+02', 0.2,"
    row += " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 7, 'x', '{{a,b}}', '{{\"a\": [1]}}')"
    nothing = "({}, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
    return ", ".join([row.format(n) for n in range(20, 30)] + [nothing.format(n) for n in range(30, 34)])


@pytest.mark.parametrize("kind", ["postgresql", "duckdb"])
def test_types_come_back_as_they_were(kind: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    rows = _typed_rows() if kind == "postgresql" else _typed_rows().replace("'{a,b}'", "['a', 'b']")
    jsonb = TYPED if kind == "postgresql" else TYPED.replace("jsonb", "json")
    base.sql(jsonb, f"INSERT INTO typed VALUES {rows}")
    desk.plan(TYPED_PLAN)
    target = f"{base.url}#released"
    made = desk.command(
        "anonymize", f"{base.url}#typed", "-c", desk.folder / "plan.yaml", "-o", target,
        "--report-folder", desk.folder / "b", "--private", desk.folder / "o",
    )  # fmt: skip
    assert (made.exit_code, made.err) == (0, "")
    kept = "n, b, d, t, CAST(z AS text), r, u, h, x, CAST(j AS text)"
    before, after = (base.sql(f"SELECT {kept} FROM {table} ORDER BY age") for table in ("typed", "released"))
    assert sorted(map(str, before)) == sorted(map(str, after))
    said = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '{}'"
    types = [dict(base.sql(said.format(table))) for table in ("typed", "released")]
    numeric = "numeric" if kind == "postgresql" else "DECIMAL(10,2)"
    assert types[1]["n"] == numeric
    assert {k: v for k, v in types[1].items() if k not in ("age",)} == {
        k: v for k, v in types[0].items() if k not in ("age",)
    }
    assert {str(row[0]) for row in base.sql("SELECT items FROM released")} <= {"['a', 'b']", "[]", "None"}
    against = ("--private", desk.folder / "o", "--against", f"{base.url}#typed")
    checked = desk.command("verify", target, "--report-folder", desk.folder / "b", *against)
    assert checked.exit_code == 0, checked.out


def test_cells_of_sqlite_have_types_of_their_own(database: Any, desk: Desk) -> None:
    base = database("sqlite")
    base.sql("CREATE TABLE odd (age integer, mixed, late, day DATE, price DECIMAL(10,2), yes BOOLEAN)")
    rows = [
        (20 + n % 9, [1, 2.5, "x", None][n % 4], None if n < 3000 else "end", "2020-01-02", 1.5, n % 2)
        for n in range(3100)
    ]
    with closing(sqlite3.connect(base.path)) as connection:
        connection.executemany("INSERT INTO odd VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
    names = ("mixed", "late", "day", "price", "yes")
    desk.plan(
        {
            "attributes": {
                "age": {"role": "quasi", "scale": "numeric"},
                **{n: {"role": "plain"} for n in names},
            },
            "privacy": PLAN["privacy"],
        }
    )
    say = (
        "-c",
        desk.folder / "plan.yaml",
        "--report-folder",
        desk.folder / "b",
        "--private",
        desk.folder / "o",
    )
    made = desk.command("anonymize", f"{base.url}#odd", "-o", f"{base.url}#released", *say)
    assert (made.exit_code, made.err) == (0, "")
    asked = "SELECT CAST(mixed AS TEXT), late, day, price, yes FROM {}"
    before, after = (sorted(map(str, base.sql(asked.format(t)))) for t in ("odd", "released"))
    assert before == after
    known = (
        "--private",
        desk.folder / "o",
        "--against",
        f"{base.url}#odd",
        "--report-folder",
        desk.folder / "b",
    )
    assert desk.command("verify", f"{base.url}#released", *known).exit_code == 0


HOSTILE = 'x"; DROP TABLE people; --'


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [HOSTILE, "a.b", "Ünï çødé 表", "select", "a'b%20c"])
def test_names_are_names_and_never_sql(kind: str, name: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    base.put("people", people())
    base.put(name, people().rename({"age": name}))
    desk.plan(
        {
            **PLAN,
            "attributes": {
                name: PLAN["attributes"]["age"],
                **{k: v for k, v in PLAN["attributes"].items() if k != "age"},
            },
        }
    )
    in_sql = '"' + name.replace('"', '""') + '"'
    of_copy = in_sql[:-1] + ' out"'
    target = f"{base.url}#{quote(of_copy)}"
    made = desk.command(
        "anonymize", f"{base.url}#{quote(name)}", "-c", desk.folder / "plan.yaml", "-o", target,
        "--report-folder", desk.folder / "b",
    )  # fmt: skip
    assert (made.exit_code, made.err) == (0, "")
    assert len(base.sql(f'SELECT {in_sql} FROM {in_sql[:-1]} out"')) == 60
    assert len(base.tables()) == 3
    assert desk.command("verify", target, "--report-folder", desk.folder / "b").exit_code == 0


PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "databases.md"


def test_the_page_about_databases_is_true(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(desk.folder)
    blocks = [part.split("\n```", 1)[0] for part in PAGE.read_text("utf-8").split("\n```")[1::2]]
    by_kind = {
        kind: [b.partition("\n")[2] for b in blocks if b.partition("\n")[0] == kind]
        for kind in ("python", "yaml", "")
    }
    exec(compile(by_kind["python"][0], "databases.md", "exec"), {})
    desk.plan(by_kind["yaml"][0])
    commands = [shlex.split(line) for block in by_kind[""] for line in block.splitlines()]
    assert [words[1] for words in commands] == ["profile", "anonymize", "verify"]
    for words in commands:
        done = desk.command(*words[1:])
        assert (done.exit_code, done.err) == (0, "")
    assert sorted(path.name for path in Path("visits-release").iterdir()) == [
        "facts.json",
        "plan.yaml",
        "report.html",
    ]


# --- what goes wrong ------------------------------------------------------------------------------------


def _one_line(outcome: Any, desk: Desk) -> str:
    assert outcome.exit_code == 2, outcome.err
    assert outcome.err.startswith("heteronym: ")
    assert outcome.err.count("\n") == 1
    assert not desk.release.exists()
    return str(outcome.err)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_there_is_said_in_one_line(kind: str, database: Any, desk: Desk) -> None:
    base = database(kind)
    base.put("people", people())
    quiet_plan(desk)
    assert "no such table" in _one_line(desk.anonymize(data=f"{base.url}#nobody"), desk)
    assert "not valid SQL" in _one_line(
        desk.anonymize("--query", "SELECT age FROM people WHERE", data=base.url), desk
    )
    gone = _one_line(desk.anonymize("--query", "SELECT nothing FROM people", data=base.url), desk)
    assert "column" in gone or "SQL" in gone
    twice = desk.anonymize("--query", "SELECT age AS a, zip AS a FROM people", data=base.url)
    assert "twice" in _one_line(twice, desk) or kind != "postgresql"  # the others give it another name
    change = _one_line(desk.anonymize("--query", "DELETE FROM people", data=base.url), desk)
    assert "SQL" in change or "change" in change
    assert len(base.sql("SELECT 1 FROM people")) == 60
    blob = "bytea" if kind == "postgresql" else "blob"
    base.sql(
        f"CREATE TABLE photos (age integer, photo {blob})",
        "INSERT INTO photos VALUES (1, CAST('ab' AS " + blob + "))",
    )
    refused = _one_line(desk.anonymize(data=f"{base.url}#photos"), desk)
    assert "'photo'" in refused
    assert "leave it out" in refused
    base.sql("CREATE TABLE empty (age integer)")
    assert "no data rows" in _one_line(desk.anonymize(data=f"{base.url}#empty"), desk)


def test_servers_that_do_not_answer(postgres: Server, desk: Desk) -> None:
    quiet_plan(desk)
    said = _one_line(desk.anonymize(data="postgresql://u@nowhere.invalid/db#t"), desk)
    assert "no such host" in said
    assert "no server answers" in _one_line(desk.anonymize(data="postgresql://u@127.0.0.1:1/db#t"), desk)
    assert "no such database" in _one_line(desk.anonymize(data=f"{postgres.url('nodb')}#t"), desk)
    for address in ("sqlite:///no/such/file.db#t", "duckdb:///no/such/file.db#t"):
        assert "no such file" in _one_line(desk.anonymize(data=address), desk)
    desk.put("this is no database " * 200, "text.db")
    for kind in ("sqlite", "duckdb"):
        assert "no such database" in _one_line(
            desk.anonymize(data=f"{kind}:///{desk.folder / 'text.db'}#t"), desk
        )
    assert "not a kind of database" in _one_line(desk.anonymize(data="gopher://host/db#t"), desk)


def test_a_password_is_used_and_never_repeated(
    postgres: Server, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSFILE", "/nonexistent")
    postgres.sql("DROP TABLE IF EXISTS paid", "DROP ROLE IF EXISTS jane")
    literal = PASSWORD.replace("'", "''")
    postgres.sql(f"CREATE ROLE jane LOGIN PASSWORD '{literal}'")
    postgres.put("paid", people())
    postgres.sql("GRANT SELECT ON paid TO jane")
    quiet_plan(desk)
    good = f"{postgres.url(who='jane:' + quote(PASSWORD, safe=''))}#paid"
    owner = desk.folder / "owner"
    made = desk.anonymize("--private", owner, "--json", data=good)
    assert made.exit_code == 0
    assert made.err.startswith("remark: the address holds a password")
    wrong = _said(desk.anonymize("--overwrite", "--debug", data=good.replace("%2F9%25", "%2F9%24")))
    assert "refused this user or password" in wrong
    unquoted = _said(desk.anonymize("--overwrite", data=f"{postgres.url(who='jane:' + PASSWORD)}#paid"))
    assert "cannot be read" in unquoted
    odd = [
        _said(desk.command(*call))
        for call in (("verify", good), ("scan", good), ("analyze", good), ("judge", good, good))
    ]
    without = _said(desk.anonymize("--overwrite", data=f"{postgres.url(who='jane')}#paid"))
    assert "wants a password" in without
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    fine = desk.anonymize("--overwrite", data=f"{postgres.url(who='jane')}#paid")
    assert (fine.exit_code, fine.err) == (0, "")
    everything = "".join([made.out, made.err, wrong, unquoted, without, *odd])
    for folder in (desk.release, owner):
        everything += "".join(
            path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()
        )
    for piece in (PASSWORD, quote(PASSWORD, safe=""), "sec:ret", "sec%3Aret"):
        assert piece not in everything


def _said(outcome: Any) -> str:
    assert outcome.exit_code in (1, 2)
    return str(outcome.out + outcome.err)


def test_a_target_without_rights_is_refused_before_any_work(postgres: Server, desk: Desk) -> None:
    postgres.sql("DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN PASSWORD 'guest'")
    quiet_plan(desk)
    people().write_csv(desk.folder / "people.csv")
    url = postgres.url(who="guest:guest")
    for target in (f"{url}#fresh.t", f"{url}#t"):
        done = desk.command(
            "anonymize", desk.folder / "people.csv", "-c", desk.folder / "plan.yaml", "-o", target
        )
        assert done.exit_code == 2
        assert "no right" in done.err
    assert not list(desk.folder.glob("*-release"))
    other = desk.command(
        "anonymize", desk.folder / "people.csv", "-c", desk.folder / "plan.yaml", "-o", "mysql://u@h/db#t"
    )
    assert "a release goes to PostgreSQL, SQLite or DuckDB" in other.err


def test_a_server_that_stops_during_the_write_leaves_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heteronym.io import database_targets

    with server() as own:
        own.put("people", people())
        write = database_targets.TableInTransaction._into_postgresql

        def stopped(self: Any, frame: pl.DataFrame) -> None:
            write(self, frame)
            own.stop()
            write(self, frame)

        monkeypatch.setattr(database_targets.TableInTransaction, "_into_postgresql", stopped)
        url = own.url()
        with pytest.raises(OutputError, match="ended the connection"):
            hn.anonymize(f"{url}#people", PLAN, output=f"{url}#out", report_folder=desk.folder / "b")
        own.start()
        assert own.sql("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'") == [
            ("people",)
        ]
        assert not (desk.folder / "b").exists()


def test_a_database_that_is_full_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    path = desk.folder / "small.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE old (a)")
        connection.commit()
    from heteronym.databases import connections

    opened = connections.open_sqlite

    def small(address: Any, *, write: bool = False) -> sqlite3.Connection:
        connection = opened(address, write=write)
        connection.execute("PRAGMA max_page_count = 4")
        return connection

    monkeypatch.setattr(connections, "open_sqlite", small)
    with pytest.raises(OutputError, match="disk is full"):
        hn.anonymize(people(3000), PLAN, output=f"sqlite:///{path}#out", report_folder=desk.folder / "b")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("old",)]


def test_a_missing_driver_names_its_extra(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    load = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith(("adbc_driver", "duckdb", "sqlalchemy")):
            raise ModuleNotFoundError(name)
        return load(name, *args, **kwargs)

    people(3).write_csv(desk.folder / "some.db")
    quiet_plan(desk)
    monkeypatch.setattr(builtins, "__import__", without)
    for kind, extra in (
        ("postgresql", "postgresql"),
        ("sqlite", "sqlite"),
        ("duckdb", "duckdb"),
        ("mysql", "databases"),
    ):
        where = (
            "//u@127.0.0.1:1/db#t" if kind in ("postgresql", "mysql") else f"///{desk.folder / 'some.db'}#t"
        )
        assert f"pip install 'heteronym[{extra}]'" in _one_line(desk.anonymize(data=f"{kind}:{where}"), desk)
