"""A project: the owner's private folder with the plan, the uploads, the runs, and what was done so far.

State lies in SQLite (WAL), so that whoever closes, crashes or kills the server goes on where it was. The data
stays where it is unless it is uploaded.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from heteronym.errors import InputError, UsageError

STATE_FILE = "state.sqlite"
PLAN_FILE = "plan.yaml"
DECISIONS_FILE = "decisions.jsonl"
UPLOADS = "uploads"
RUNS = "runs"
_TABLES = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS job (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, step TEXT NOT NULL DEFAULT '',
  share REAL, step_began REAL, message TEXT NOT NULL DEFAULT '', given TEXT NOT NULL, result TEXT,
  pid INTEGER, began REAL NOT NULL, ended REAL);
"""


@dataclass(frozen=True)
class Job:
    """Work in a process of its own: a look at the data, a run, an audit."""

    id: int
    kind: str  # look, scan, preview, compare, run, verify, attack, utility
    state: str  # running, done, failed, cancelled, interrupted
    step: str
    share: float | None
    step_began: float | None
    message: str
    given: Mapping[str, Any]
    result: Mapping[str, Any] | None
    pid: int | None
    began: float
    ended: float | None

    @property
    def is_over(self) -> bool:
        return self.state != "running"

    @property
    def seconds(self) -> float:
        return (self.ended or time.time()) - self.began

    @property
    def seconds_left(self) -> float | None:
        """Of this step, where it is known how far it is."""
        if self.is_over or not self.share or self.step_began is None:
            return None
        return (time.time() - self.step_began) * (1 - self.share) / self.share


class Project:
    """The folder, and what lies in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"Project({self.folder.name!r})"

    @classmethod
    def open(cls, folder: Path) -> Project:
        """The project of this folder, which is made if there is none; only its owner may enter it."""
        folder = folder.absolute()
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder.name}: a project is a folder, and this is a file")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / STATE_FILE).exists():
            raise UsageError(f"{folder.name}: holds other files and no project; name an empty or new folder")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        project = cls(folder)
        for name in (UPLOADS, RUNS):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        with project.database() as database:
            database.executescript(_TABLES)
        (folder / STATE_FILE).chmod(0o600)
        return project

    @contextmanager
    def database(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
        made = sqlite3.connect(self.folder / STATE_FILE, timeout=30)
        try:
            made.row_factory = sqlite3.Row
            made.execute("PRAGMA journal_mode=WAL")
            made.execute("PRAGMA synchronous=NORMAL")
            with made:
                yield made
        finally:
            made.close()

    # --- settings -------------------------------------------------------------------------------------

    def get(self, name: str) -> Any:
        with self.database() as database:
            row = database.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row["value"])

    def put(self, name: str, value: Any) -> None:
        with self.database() as database:
            statement = (
                "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            )
            database.execute(statement, (name, json.dumps(value)))

    # --- data and plan --------------------------------------------------------------------------------

    @property
    def data(self) -> list[str]:
        return self.get("data") or []

    def use_data(self, paths: list[str]) -> None:
        """Other data: what was found in the former, and chosen for it, no longer counts."""
        with self.database() as database:
            settings = "'profile', 'preview', 'layouts', 'spreads', 'promised', 'agreement'"
            database.execute(f"DELETE FROM setting WHERE name IN ({settings})")
        if paths != self.data:  # what was said of the words of one file may be wrong of another's
            self._put_decisions_aside()
        self.put("data", paths)

    @property
    def decisions_path(self) -> Path:
        """What was decided about words."""
        return self.folder / DECISIONS_FILE

    def former_decisions(self) -> list[Path]:
        """About other data, the latest last."""
        return sorted(self.folder.glob("decisions-*.jsonl"), key=lambda path: path.stat().st_mtime)

    def _put_decisions_aside(self) -> None:
        number = len(self.former_decisions()) + 1
        if self.decisions_path.exists():
            self.decisions_path.rename(self.folder / f"decisions-{number}.jsonl")

    @property
    def plan_path(self) -> Path:
        return self.folder / PLAN_FILE

    @property
    def plan_text(self) -> str | None:
        return self.plan_path.read_text("utf-8") if self.plan_path.exists() else None

    def write_plan(self, text: str) -> None:
        """Replaces the plan in one step, so that a crash leaves the former or the new one."""
        draft = self.folder / f".{PLAN_FILE}.{uuid4().hex}"  # many may write at once
        self.write_private(draft, text)
        draft.replace(self.plan_path)

    def write_private(self, path: Path, text: str) -> None:
        """A file that only its owner can read."""
        place = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(place, "w", encoding="utf-8", errors="surrogatepass") as out:
            out.write(text)

    def take_plan(self, path: Path) -> None:
        """A plan from elsewhere, with the word lists and hierarchies that it names beside it."""
        import yaml

        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{path}: no plan can be read there") from None
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError:
            content = None  # the plan page says what is wrong with it, and where
        for name in _texts_in(content):
            source, target = path.parent / name, self.folder / name
            inside = not Path(name).is_absolute() and target.resolve().is_relative_to(self.folder.resolve())
            if inside and "\0" not in name and source.is_file():
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        self.write_plan(text)

    def run_folder(self, job: int) -> Path:
        return self.folder / RUNS / str(job)

    # --- jobs -----------------------------------------------------------------------------------------

    def new_job(self, kind: str, given: Mapping[str, Any]) -> int:
        with self.database() as database:
            statement = "INSERT INTO job (kind, state, given, began) VALUES (?, 'running', ?, ?)"
            made = database.execute(statement, (kind, json.dumps(given), time.time()))
            number = made.lastrowid
        assert number is not None
        self.run_folder(number).mkdir(mode=0o700)
        return number

    def job(self, number: int) -> Job | None:
        with self.database() as database:
            row = database.execute("SELECT * FROM job WHERE id = ?", (number,)).fetchone()
        return None if row is None else _job(row)

    def jobs(self, kind: str | None = None) -> list[Job]:
        """The latest first."""
        where, given = ("WHERE kind = ?", (kind,)) if kind else ("", ())
        with self.database() as database:
            return [
                _job(row) for row in database.execute(f"SELECT * FROM job {where} ORDER BY id DESC", given)
            ]

    def change_job(self, number: int, **values: Any) -> None:
        stored = {name: json.dumps(value) if name == "result" else value for name, value in values.items()}
        names = ", ".join(f"{name} = ?" for name in stored)
        with self.database() as database:
            database.execute(f"UPDATE job SET {names} WHERE id = ?", (*stored.values(), number))


def _job(row: sqlite3.Row) -> Job:
    job = dict(row)
    job["given"] = json.loads(job["given"])
    job["result"] = None if job["result"] is None else json.loads(job["result"])
    return Job(**job)


def _texts_in(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        if content and "\n" not in content and len(content) < 255:
            yield content
    elif isinstance(content, Mapping):
        for value in content.values():
            yield from _texts_in(value)
    elif isinstance(content, list):
        for value in content:
            yield from _texts_in(value)
