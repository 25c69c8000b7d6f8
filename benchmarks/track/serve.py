"""How fast the review of words answers, and what memory the server needs.

    python -m benchmarks.track.serve [--notes 50000] [--mentions 10] [--calls 200] [--write PAGE]

Makes notes with so many made-up places, names and jobs each (found by pattern, without a model), runs
the release once for its groups, starts the server as a process, and asks on loopback: the page, the
next terms, a decision, an effect, alone and while a run is under way. Prints milliseconds (median, 95th
percentile, largest), CPU milliseconds of the server per call, and its memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.figures import show
from heteronym.web.jobs import look_after
from heteronym.web.project import Project
from heteronym.web.scans import scan_if_needed, scan_of
from heteronym.web.server import Settings, prepare

KINDS = ("GPE", "PERSON", "JOB")
PLAN = """
data: {person: id}
attributes:
  id: {role: identifier}
  age: {role: quasi, scale: numeric}
  zip: {role: quasi, recode: prefix}
  note: {role: text}
text:
  model: none
  entities: [GPE, PERSON, JOB]
  patterns: {GPE: '\\bGpe[a-z]+', PERSON: '\\bPer[a-z]+', JOB: '\\bJob[a-z]+'}
privacy: [{model: k-anonymity, k: 5}]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=50_000)
    parser.add_argument("--mentions", type=int, default=10)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = found(folder, given.notes, given.mentions)
        told = measured(folder, project, given.calls)
    show(told, name="serve", page=given.write)


def found(folder: Path, notes: int, mentions: int) -> Project:
    """A project whose words were found, with one run."""
    write_notes(folder, notes, mentions)
    project = Project.open(folder / "project")
    prepare(project, Settings(project.folder, (str(folder / "notes.csv"),), folder / "plan.yaml"))
    wait_for(project, "look")
    scan_if_needed(project)
    wait_for(project, "scan")
    scan = scan_of(project)
    assert scan is not None
    assert scan.result is not None
    print(f"{notes:,} notes, {scan.result['mentions']:,} mentions", flush=True)
    return project


def write_notes(folder: Path, notes: int, mentions: int) -> None:
    """Terms are drawn by Zipf's law: a few that many hold, and a long tail."""
    rng = np.random.default_rng(7)
    drawn = rng.zipf(1.3, (notes, mentions)) % 60_000
    words = "Seen again and told that all is well since".split()
    texts = [
        " ".join(
            f"{words[n % len(words)]} {KINDS[n % 3].capitalize()}{spelt(one)}," for n, one in enumerate(row)
        )
        for row in drawn.tolist()
    ]
    columns = {
        "id": range(notes),
        "age": rng.integers(18, 90, notes),
        "zip": rng.integers(10_000, 10_400, notes),
    }
    pl.DataFrame({**columns, "note": texts}).write_csv(folder / "notes.csv")
    (folder / "plan.yaml").write_text(PLAN)


def spelt(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def wait_for(project: Project, kind: str) -> None:
    while True:
        jobs = project.jobs(kind)
        job = look_after(project, jobs[0].id) if jobs else None
        if job is not None and job.is_over:
            if job.state != "done":
                raise SystemExit(f"{kind}: {job.state}: {job.message}")
            return
        time.sleep(0.5)


def environment() -> dict[str, str]:
    paths = os.pathsep.join(path for path in sys.path if path)
    return {**os.environ, "PYTHONPATH": paths, "PYTHONUNBUFFERED": "1"}


class Steward:
    """Somebody's browser, without one."""

    def __init__(self, address: str) -> None:
        self.base = address.split("/start")[0]
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        self._open(address).read()
        page = self._open(f"{self.base}/data").read().decode()
        token = re.search(r'name="write-token" content="([^"]+)"', page)
        assert token is not None
        self._headers = {"x-heteronym-token": token[1], "content-type": "application/json"}

    def get(self, path: str) -> bytes:
        answer: bytes = self._open(self.base + path).read()
        return answer

    def call(self, path: str, **what: Any) -> Any:
        request = urllib.request.Request(self.base + path, json.dumps(what).encode(), self._headers)
        return json.load(self._open(request))


def measured(folder: Path, project: Project, calls: int) -> list[dict[str, object]]:
    call = [sys.executable, "-m", "heteronym", "serve", "--project", str(project.folder), "--no-browser"]
    server = subprocess.Popen(
        [*call, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, text=True, env=environment()
    )
    try:
        assert server.stdout is not None
        steward = Steward(server.stdout.readline().split()[-1])
        started = time.perf_counter()
        steward.call("/do/run")
        wait_for(project, "run")
        print(f"a run took {time.perf_counter() - started:.0f} s", flush=True)
        started = time.perf_counter()
        steward.get("/words")
        rows: list[dict[str, object]] = [
            one("first opening of the review", [1000 * (time.perf_counter() - started)], cpu_ms(server.pid))
        ]
        rows += timed(steward, calls, "", server.pid)
        steward.call("/do/run")
        rows += timed(steward, calls, ", while a run is under way", server.pid)
        print(f"memory of the server: {memory_mb(server.pid):,} MB", flush=True)
        return rows
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def timed(steward: Steward, calls: int, when: str, server: int) -> list[dict[str, object]]:
    terms = steward.call("/words/terms", state="open", most=200)["terms"]
    more = steward.call("/words/terms", state="open", most=200, after=len(terms) * 5)["terms"]
    names = [one["term"] for one in (terms + more)]
    stamp = str(time.time())

    def decide(n: int) -> None:
        step = {"do": "decide", "term": names[n % len(names)], "decision": "mask", "id": f"{stamp}-{n}"}
        steward.call("/do/words", steps=[step])

    asked: dict[str, Callable[[int], Any]] = {
        "queue page": lambda n: steward.get("/words"),
        "next 120 terms": lambda n: steward.call("/words/terms", state="open", most=120, after=n * 100),
        "effect on k": lambda n: steward.call("/words/effect", term=names[n % len(names)]),
        "decision": decide,
        "search": lambda n: steward.call(
            "/words/terms", state="all", contains=names[n % len(names)][:4], most=8
        ),
    }
    rows: list[dict[str, object]] = []
    for what, ask in asked.items():
        took, spent = [], cpu_ms(server)
        for n in range(calls):
            started = time.perf_counter()
            ask(n)
            took.append(1000 * (time.perf_counter() - started))
        rows.append(one(what + when, took, (cpu_ms(server) - spent) / calls))
        print(rows[-1], flush=True)
    return rows


def one(what: str, took: list[float], cpu: float) -> dict[str, object]:
    return {
        "what": what,
        "median ms": round(float(np.median(took)), 1),
        "95th percentile ms": round(float(np.quantile(took, 0.95)), 1),
        "largest ms": round(max(took), 1),
        "CPU ms": round(cpu, 1),
    }


def cpu_ms(process: int) -> float:
    """That a process has spent so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // 1024
    return os.sysconf("SC_PAGE_SIZE") // 1024


if __name__ == "__main__":
    main()
