"""Texts read by several processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
from heteronym.text import parallel
from heteronym.text.combine import pipeline

parallel._WORTH_IT = 0
parallel._BATCH = 1
texts = [f"On {i + 1} May 2001 Mr Smith came." for i in range(28)] * 2
print(len(pipeline("none", parts=("dates", "names"), processes=2).recognize(texts)))
"""


def test_a_script_without_a_guard_is_not_run_again_by_the_workers(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "56", "")


SLOW = """
import os, time
from dataclasses import dataclass
from pathlib import Path

@dataclass(frozen=True)
class Slow:
    folder: str

    def recognize(self, texts):
        (Path(self.folder) / str(os.getpid())).touch()
        time.sleep(0.2 if os.getpid() == int(os.environ["PARENT"]) else 3600)
        return [[] for _ in texts]
"""
READING = """
import os, sys
os.environ["PARENT"] = str(os.getpid())
from slow import Slow
from heteronym.text import parallel

parallel._WORTH_IT, parallel._BATCH = 0, 1
try:
    parallel.Parallel(Slow(sys.argv[1]), processes=3).recognize([f"text {n}" for n in range(500)])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("group", [False, True])
def test_an_interrupt_ends_workers_in_the_middle_of_a_text(tmp_path: Path, group: bool) -> None:
    """To the process alone, or to all of a terminal: nobody waits, and nothing is left running."""
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "script.py").write_text(READING)
    at_work = tmp_path / "at_work"
    at_work.mkdir()
    script = subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py"), str(at_work)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while len(list(at_work.iterdir())) < 3:
        assert script.poll() is None, "the script ended early"
        time.sleep(0.05)
    (os.killpg if group else os.kill)(script.pid, signal.SIGINT)
    try:
        told = script.communicate(timeout=900)  # a quarter of what a worker sleeps: nobody waited for it
    finally:
        script.kill()
    assert told == ("interrupted\n", "")
    workers = {int(path.name) for path in at_work.iterdir()} - {script.pid}
    assert len(workers) == 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
