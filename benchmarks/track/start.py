"""What a user waits for before anything large is done: import, help, bundled examples, a first small frame.

    python -m benchmarks.track.start [--runs 5] [--write PAGE]

Medians of CPU and wall seconds, each run in a process of its own, after one run that is not counted (byte
code is cached then, and what is compiled at all was compiled). Wall seconds count on an idle machine only.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.figures import show

Row = dict[str, object]
SMALL = """
import time
import polars as pl
import heteronym as hn
ages = [20 + 7 * number % 50 for number in range({rows})]
frame = pl.DataFrame({{"age": ages, "town": [("Ulm", "Bonn", "Trier")[age % 3] for age in ages]}})
roles = {{"age": {{"role": "quasi", "scale": "numeric"}}, "town": {{"role": "quasi"}}}}
begin = time.process_time(), time.perf_counter()
hn.anonymize(frame, {{"attributes": roles, "privacy": [{{"model": "k-anonymity", "k": 3}}]}})
print(time.process_time() - begin[0], time.perf_counter() - begin[1])
"""


def python(*words: str) -> tuple[float, float, str]:
    """CPU and wall seconds of a process, and what it printed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, *words], check=True, capture_output=True, text=True)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, done.stdout


def measured(name: str, bar: float | None, *words: str, runs: int, without: float = 0.0) -> Row:
    """`without`: seconds of what is not meant; figures that a process prints go before those about it."""
    python(*words)
    cpu, wall = [], []
    for _ in range(runs):
        spent, took, printed = python(*words)
        if name.startswith("first"):
            spent, took = map(float, printed.split())
        cpu.append(spent - without)
        wall.append(took - without)
    row: Row = {"what": name, "CPU s": f"{statistics.median(cpu):.2f}"}
    row["wall s"] = f"{statistics.median(wall):.2f}"
    row["bar"] = "" if bar is None else f"{bar:g}"
    return row


def all_rows(runs: int) -> list[Row]:
    bare = statistics.median(python("-c", "pass")[0] for _ in range(runs))
    rows = [
        measured("`import heteronym`", 0.05, "-c", "import heteronym", runs=runs, without=bare),
        measured("`heteronym --help`", 0.5, "-m", "heteronym", "--help", runs=runs),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for example in ("visits", "blog", "clinic"):
            words = ["demo", "--example", example, "-o", f"{folder}/{example}", "--overwrite", "-q"]
            bar = None if example == "clinic" else 1.5
            name = f"`heteronym demo --example {example}`"
            rows.append(measured(name, bar, "-m", "heteronym", *words, runs=runs))
    for size, bar in ((60, 0.5), (300, None)):
        name = f"first `hn.anonymize`, {size} rows"
        rows.append(measured(name, bar, "-c", SMALL.format(rows=size), runs=runs))
    return rows


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    show(all_rows(given.runs), name="start", page=given.write)


if __name__ == "__main__":
    main()
