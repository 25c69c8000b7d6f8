"""A server of `heteronym serve` in a process of its own, as people start it, and one that is slow."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn

from heteronym.web.guard import Keys
from heteronym.web.project import Project
from heteronym.web.server import make_app


class Server:
    """Started with these arguments; ends with the test."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        call = [sys.executable, "-m", "heteronym", "serve", *arguments, "--no-browser"]
        if "--port" not in arguments:
            call += ["--port", "0"]
        paths = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            call,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            assert self.process.stderr is not None
            raise AssertionError(self.process.stderr.read())
        self.address = line.split()[-1]
        parts = urlsplit(self.address)
        self.base = f"{parts.scheme}://{parts.netloc}"

    def end(self, sign: int = signal.SIGINT) -> tuple[str, str]:
        """What it said until it ended."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        out, err = self.process.communicate(timeout=600)
        return out, err

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *details: object) -> None:
        self.end(signal.SIGINT)


class SlowServer:
    """The same application in a thread of the test; every call but pages and files takes so much longer."""

    def __init__(self, project: Path, *, seconds: float, look: str | None = None) -> None:
        self.project = Project.open(project)
        self._bound = socket.create_server(("127.0.0.1", 0))
        keys = Keys(self._bound.getsockname()[1], look=look)
        app = make_app(self.project, keys)
        self.seconds = seconds
        self.address, self.base = keys.address_to_look or keys.address, f"http://127.0.0.1:{keys.port}"
        self.calls = 0

        async def slow(scope: Any, receive: Any, send: Any) -> None:
            if scope.get("method") == "POST":
                self.calls += 1
                await asyncio.sleep(self.seconds)
            await app(scope, receive, send)

        self._server = uvicorn.Server(uvicorn.Config(slow, log_level="critical", lifespan="off"))
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._bound]})

    def __enter__(self) -> SlowServer:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *details: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._bound.close()
