"""A server of `heteronym serve` in a process of its own, as people start it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit


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
        out, err = self.process.communicate(timeout=60)
        return out, err

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *details: object) -> None:
        self.end(signal.SIGINT)
