"""Do `profile`, `anonymize` and `verify` pass on messy and real records, and what does the audit cost?

    python -m benchmarks.three_commands [--kinds visits ... vaers hotel] [--persons 300 1200] [--seed 5]

The commands are run as processes of their own, as a new user would: the draft is released as it is. Told are
the exit codes, CPU seconds of each (start and children included) and `verify` as a share of the run. What a
failing command said is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).parents[2] / "shared"))
MADE = ("visits", "survey", "tickets", "chats", "orders", "incidents")
REAL = ("vaers", "hotel")


class Ran(NamedTuple):
    """A command that has ended."""

    code: int
    seconds: float
    said: str


def ran(*arguments: str | Path) -> Ran:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "heteronym", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ran(done.returncode, seconds, done.stderr.strip() + done.stdout.strip())


def data_of(kind: str, persons: int, seed: int, folder: Path) -> Path:
    if kind in REAL:
        return SHARED / "data" / kind / "data.csv"
    tool = SHARED / "tools" / "make_trial.py"
    options = ["--kind", kind, "--persons", str(persons), "--seed", str(seed), "--out", str(folder)]
    subprocess.run([sys.executable, str(tool), *options], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("data.*"))


def three_commands(data: Path, folder: Path, options: list[str]) -> list[Ran]:
    """Those that were run: nothing follows a command that failed."""
    plan, out, own = folder / "plan.yaml", folder / "release", folder / "own"
    commands: list[list[str | Path]] = [
        ["profile", data, "-o", plan, *options],
        ["anonymize", data, "-c", plan, "-o", out, "--private", own],
        ["verify", out, "--against", data, "--private", own],
    ]
    found: list[Ran] = []
    for command in commands:
        found.append(ran(*command))
        if found[-1].code:
            break
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.three_commands")
    parser.add_argument("--kinds", nargs="+", default=[*MADE, *REAL])
    parser.add_argument("--persons", nargs="+", type=int, default=[300, 1_200])
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    print(f"{'data':<16}{'exit':<8}{'profile':>9}{'run':>9}{'verify':>9}{'share':>7}")
    for kind in args.kinds:
        for persons in args.persons if kind in MADE else [0]:
            with tempfile.TemporaryDirectory() as folder:
                data = data_of(kind, persons, args.seed, Path(folder))
                done = three_commands(data, Path(folder), ["--person", "VAERS_ID"] if kind == "vaers" else [])
            codes = " ".join(str(one.code) for one in done)
            seconds = "".join(f"{one.seconds:>9.1f}" for one in done)
            share = f"{done[2].seconds / done[1].seconds:>7.2f}" if len(done) > 2 else ""
            print(f"{kind} {persons or '':<{15 - len(kind)}}{codes:<8}{seconds}{share}", flush=True)
            if done[-1].code:
                print(done[-1].said[-2_000:], flush=True)


if __name__ == "__main__":
    main()
