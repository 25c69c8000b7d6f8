"""A PostgreSQL server of our own: a folder, a port on the loopback, an end by its own process number."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

ADMIN, PASSWORD = "admin", "sec:ret@/9%"
_ACCESS = "local all all trust\nhost all admin 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not found:
        pytest.skip("no PostgreSQL here; `make test` installs it for root, else: apt-get install postgresql")
    return found[-1].parent


def _unprivileged() -> tuple[Sequence[str], int]:
    """How to run a program as somebody who is not root, and who that is; PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return (), os.geteuid()
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not here: a PostgreSQL server is not started by root")
    user = pwd.getpwnam("nobody")
    return ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"), user.pw_uid


class Server:
    """A server that runs; `url` names a database in it."""

    def __init__(self) -> None:
        self.programs, (self.as_user, uid) = _programs(), _unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="heteronym-pg-"))
        os.chown(self.folder, uid, -1)
        self._run(
            "initdb", "-D", self.data, "-U", ADMIN, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"
        )
        with closing(socket.socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._run("sh", "-c", f"printf '{_ACCESS}' > {self.data}/pg_hba.conf")
        self.start()

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: object) -> None:
        found = self.programs / program
        call = [*self.as_user, str(found) if found.exists() else program, *map(str, arguments)]
        done = subprocess.run(call, cwd="/", capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        settings = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories= -c fsync=off"
        )
        log = self.folder / "log"
        self._run("pg_ctl", "start", "-w", "-D", self.data, "-l", log, "-o", settings)

    def stop(self) -> None:
        """At once, as a crash would, by the number that the server wrote down."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        while (self.data / "postmaster.pid").exists():
            time.sleep(0.02)

    def url(self, database: str = "postgres", who: str = ADMIN) -> str:
        return f"postgresql://{who}@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def connected(self, database: str = "postgres") -> Iterator[Any]:
        from adbc_driver_postgresql import dbapi

        with closing(dbapi.connect(self.url(database))) as connection, closing(connection.cursor()) as cursor:
            yield cursor
            connection.commit()

    def sql(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Carry out what is said; the rows of the last."""
        with self.connected(database) as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def put(self, table: str, frame: pl.DataFrame, database: str = "postgres") -> None:
        with self.connected(database) as cursor:
            cursor.adbc_ingest(table, frame.to_arrow(compat_level=pl.CompatLevel.oldest()), mode="create")

    def end(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def server() -> Iterator[Server]:
    pytest.importorskip("adbc_driver_postgresql", reason="the driver is in the extra `test`")
    running = Server()
    try:
        yield running
    finally:
        running.end()
