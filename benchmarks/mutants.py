"""Do the tests notice? Small errors are put into the code one at a time, and the tests of that place are run.

    python -m benchmarks.mutants [--list] [--only TEXT] [--again] [--workers 2] [--write PAGE]

`mutants.toml` names the errors: a file, the text to replace (it occurs once), the text put in its place,
and what is wrong then. A mutant is killed if a test fails or hangs. Each runs in a copy of the project;
results are kept in `.mutants/`, so that a run that was stopped goes on where it was. `--again` runs
survivors once more.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import multiprocessing
import multiprocessing.connection
import os
import shutil
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import table, write

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_name("mutants.toml")
STORE = ROOT / ".mutants"
PATIENCE = 400  # seconds
FORK = multiprocessing.get_context("fork")
# what tests load before they begin; loaded once here, as it takes longer than most tests
LIBRARIES = ("numpy", "numba", "polars", "pydantic", "yaml", "typer", "pytest", "narwhals")
SURVIVED = "survived"
LARGE = {"knowledge", "text"}  # rooms that no mutant touches: linked, not copied


@dataclass(frozen=True)
class Mutant:
    file: str
    old: str
    new: str
    wrong: str
    tests: tuple[str, ...]
    excuse: str = ""  # why no test can notice

    @property
    def key(self) -> str:
        source = (ROOT / self.file).read_text("utf-8")
        return hashlib.sha256("\0".join((self.file, source, self.old, self.new)).encode()).hexdigest()[:16]


def listed() -> list[Mutant]:
    found = []
    for place in tomllib.loads(LIST.read_text("utf-8"))["place"]:
        for old, new, wrong, *excuse in place["mutants"]:
            texts = (text.replace("\\n", "\n") for text in (old, new))
            found.append(
                Mutant(place["file"], *texts, wrong, tuple(place["tests"]), excuse[0] if excuse else "")
            )
    return found


def stale(mutants: list[Mutant]) -> list[Mutant]:
    """Mutants whose text does not occur exactly once, or that change nothing."""
    return [
        m
        for m in mutants
        if not (ROOT / m.file).is_file()
        or (ROOT / m.file).read_text("utf-8").count(m.old) != 1
        or m.old == m.new
    ]


class Copy:
    """A copy of the project in which one mutant at a time lives."""

    def __init__(self, number: int) -> None:
        self.root = STORE / f"copy{number}"
        shutil.rmtree(self.root, ignore_errors=True)
        package = ROOT / "src" / "heteronym"
        shutil.copytree(
            package, self.root / "src" / "heteronym", ignore=lambda folder, names: _large(folder, names)
        )
        for name in LARGE:
            (self.root / "src" / "heteronym" / name).symlink_to(package / name)
        for name in ("tests", "benchmarks", "docs"):
            shutil.copytree(ROOT / name, self.root / name)
        for name in ("pyproject.toml", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
            shutil.copy2(ROOT / name, self.root / name)

    def put(self, mutant: Mutant) -> None:
        path = self.root / mutant.file
        self._forget_kernels(path)
        path.write_text((ROOT / mutant.file).read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")

    def mend(self, mutant: Mutant) -> None:
        path = self.root / mutant.file
        shutil.copy2(ROOT / mutant.file, path)
        self._restore_kernels(path)

    # Compiled kernels are kept beside their source and do not notice that one they call has changed:
    # those of the file and of all that call it, directly or not, are compiled again.
    def _forget_kernels(self, path: Path) -> None:
        for caller in callers(path):
            for kept in (path.parent / "__pycache__").glob(f"{caller}.*.nb?"):
                kept.unlink()

    def _restore_kernels(self, path: Path) -> None:
        there = ROOT / path.relative_to(self.root).parent / "__pycache__"
        self._forget_kernels(path)
        for caller in callers(path):
            for kept in there.glob(f"{caller}.*.nb?"):
                shutil.copy2(kept, path.parent / "__pycache__")


def callers(path: Path) -> set[str]:
    """The module, if it holds kernels, and the modules of its room whose kernels reach it."""
    if "_kernels" not in path.name:
        return set()
    names = {kernels.stem: kernels.read_text("utf-8") for kernels in path.parent.glob("*_kernels.py")}
    found = {path.stem}
    while more := {n for n, text in names.items() if any(f".{f} import" in text for f in found)} - found:
        found |= more
    return found


def _large(folder: str, names: list[str]) -> set[str]:
    return LARGE & set(names) if Path(folder) == ROOT / "src" / "heteronym" else set()


@dataclass
class Trial:
    """A mutant in its copy, and the process that runs its test files, the likeliest to notice first."""

    copy: Copy
    mutant: Mutant

    def start(self) -> None:
        self.process = FORK.Process(target=run_tests, args=(self.copy.root, self.mutant.tests))
        self.process.start()
        self.deadline = time.monotonic() + PATIENCE

    def result(self) -> str | None:
        """None while nothing is decided."""
        if self.process.is_alive():
            if time.monotonic() < self.deadline:
                return None
            self.process.kill()
            self.process.join()
            return "timeout"
        # 1: tests failed, 2: they could not even be read, below 0: a kernel wrote where it must not
        if (self.process.exitcode or 0) > 2:
            raise SystemExit(f"pytest ended with {self.process.exitcode} for {self.mutant.tests}")
        return "killed" if self.process.exitcode else SURVIVED


def run_tests(root: Path, tests: tuple[str, ...]) -> None:
    """In a child of a process that has loaded all libraries, but nothing of the project."""
    os.chdir(root)
    sys.path[:0] = [str(root / "src"), str(root)]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    for name in [n for n in sys.modules if n.partition(".")[0] in ("benchmarks", "tests", "heteronym")]:
        del sys.modules[name]
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        import pytest

        os._exit(int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests])))


def run(mutants: list[Mutant], known: dict[str, str], workers: int) -> None:
    waiting = list(reversed(mutants))
    free = [Copy(number) for number in range(min(workers, max(len(waiting), 1)))]
    trials: list[Trial] = []
    while waiting or trials:
        while waiting and free:
            trial = Trial(free.pop(), waiting.pop())
            trial.copy.put(trial.mutant)
            trial.start()
            trials.append(trial)
        multiprocessing.connection.wait([trial.process.sentinel for trial in trials], timeout=1.0)
        for trial in list(trials):
            result = trial.result()
            if result is None:
                continue
            mutant = trial.mutant
            trial.copy.mend(mutant)
            trials.remove(trial)
            free.append(trial.copy)
            known[mutant.key] = result
            (STORE / "results.json").write_text(json.dumps(known, indent=1))
            print(f"{result:9}{mutant.file.removeprefix('src/heteronym/')}: {mutant.wrong}", flush=True)


def check_baseline(mutants: list[Mutant]) -> None:
    """Without an error all tests must pass in a copy: otherwise every mutant would seem killed."""
    tests = tuple(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
    if not tests:
        return
    process = FORK.Process(target=run_tests, args=(Copy(0).root, tests))
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"one of {', '.join(tests)} fails without any mutant")


def summary(mutants: list[Mutant], known: dict[str, str]) -> str:
    rows: list[dict[str, object]] = []
    rooms = sorted({_room(m) for m in mutants})
    for room in [*rooms, "all"]:
        mine = [m for m in mutants if room in ("all", _room(m)) and m.key in known]
        killed = sum(known[m.key] != SURVIVED for m in mine)
        rows.append({"room": room, "mutants": len(mine), "killed": killed, "survived": len(mine) - killed})
    lines = [table(rows), "", "Survivors:", ""]
    left = [m for m in mutants if known.get(m.key) == SURVIVED]
    lines += [f"- `{m.file}`: {m.wrong}. {m.excuse or 'Not noticed.'}" for m in left] or ["- none"]
    return "\n".join(lines)


def _room(mutant: Mutant) -> str:
    return Path(mutant.file).relative_to("src/heteronym").parts[0].removesuffix(".py")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="show the mutants; fails if one has no place")
    parser.add_argument("--only", default="", help="mutants whose file or description holds this text")
    parser.add_argument("--again", action="store_true", help="run survivors once more")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    mutants = listed()
    if lost := stale(mutants):
        sys.exit("\n".join(f"no place, or more than one: {m.file}: {m.old!r}" for m in lost))
    chosen = [m for m in mutants if args.only in m.file or args.only in m.wrong]
    if args.list:
        print("\n".join(f"{m.file}: {m.wrong}" for m in chosen))
        print(f"{len(chosen)} mutants")
        return
    STORE.mkdir(exist_ok=True)
    results = STORE / "results.json"
    known: dict[str, str] = json.loads(results.read_text()) if results.is_file() else {}
    open_ = [m for m in chosen if m.key not in known or (args.again and known[m.key] == SURVIVED)]
    for name in LIBRARIES:
        importlib.import_module(name)
    check_baseline(open_)
    open_.sort(key=lambda m: "_kernels" in m.file)  # those that have to be compiled come last
    run(open_, known, args.workers)
    text = summary(mutants, known)
    print(text)
    if args.write:
        write(args.write, "mutants", text)


if __name__ == "__main__":
    main()
