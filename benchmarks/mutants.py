"""Do the tests notice? Small errors are put into the code one at a time, and the tests of that place are run.

    python -m benchmarks.mutants [--list] [--only TEXT...] [--again] [--workers 1] [--write PAGE]

`mutants.toml` names the errors: a file, the text to replace (it occurs once), the text put in its place,
and what is wrong then. A mutant is killed if a test fails or hangs that passes without it: each runs in a
copy of the project, and at the end all tests that noticed something run in a copy without any error.
`mutants.json` keeps the results with the test that noticed and the state of the code they were found in: a
run that was stopped goes on where it was, and when the code has changed, each mutant first meets the test
that noticed it last time. `--again` runs survivors once more.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import multiprocessing
import multiprocessing.connection
import os
import resource
import shutil
import sys
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import table, write

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_name("mutants.toml")
RESULTS = Path(__file__).with_name("mutants.json")
STORE = ROOT / ".mutants"
PATIENCE = 300  # CPU seconds: the clock on the wall would kill mutants on a busy machine
FORK = multiprocessing.get_context("fork")
# what tests load before they begin; loaded once here, as it takes longer than most tests
LIBRARIES = ("numpy", "polars", "pydantic", "yaml", "typer", "pytest", "narwhals", "rapidfuzz")
SURVIVED = "survived"
LARGE = {"knowledge", "text"}  # rooms that no mutant touches: linked, not copied
UNTIMED = "not in_one_pass and not in_seconds"  # a busy machine must not be taken for a test that noticed


@dataclass(frozen=True)
class Mutant:
    file: str
    old: str
    new: str
    wrong: str
    tests: tuple[str, ...]
    excuse: str = ""  # why no test can notice

    @property
    def is_kernel(self) -> bool:
        """Its tests run kernels in Python: compiled ones would not notice."""
        return "_kernels" in self.file

    @property
    def key(self) -> str:
        return hashlib.sha256("\0".join((self.file, self.old, self.new)).encode()).hexdigest()[:16]

    @property
    def place(self) -> str:
        return self.file.removeprefix("src/heteronym/")


@dataclass(frozen=True)
class Result:
    """What became of a mutant, by which test, in which state of the code."""

    place: str
    wrong: str
    result: str
    by: str
    state: str


def state_of_code() -> str:
    """The rooms that mutants touch, in one number."""
    package, found = ROOT / "src" / "heteronym", hashlib.sha256()
    for room in sorted({m.place.partition("/")[0] for m in listed()}):
        files = sorted((package / room).rglob("*.py")) or [package / room]
        for path in files:
            found.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def known_results() -> dict[str, Result]:
    stored = json.loads(RESULTS.read_text("utf-8")) if RESULTS.is_file() else {}
    return {key: Result(**result) for key, result in stored.items()}


def keep(known: dict[str, Result], mutants: list[Mutant]) -> None:
    """In the order of the list; results of mutants that are no longer listed go."""
    stored = {m.key: asdict(known[m.key]) for m in mutants if m.key in known}
    RESULTS.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


def listed() -> list[Mutant]:
    found = []
    for place in tomllib.loads(LIST.read_text("utf-8"))["place"]:
        for old, new, wrong, *excuse in place["mutants"]:
            found.append(
                Mutant(
                    place["file"],
                    old.replace("\\n", "\n"),
                    new.replace("\\n", "\n"),
                    wrong,
                    tuple(place["tests"]),
                    excuse[0] if excuse else "",
                )
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
        self._away = path.read_bytes(), path.stat().st_mtime_ns
        path.write_text(path.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")

    def mend(self, mutant: Mutant) -> None:
        path = self.root / mutant.file
        content, time = self._away
        path.write_bytes(content)
        os.utime(path, ns=(time, time))


def _large(folder: str, names: list[str]) -> set[str]:
    return LARGE & set(names) if Path(folder) == ROOT / "src" / "heteronym" else set()


@dataclass
class Trial:
    """A mutant in its copy, and the process that runs its tests, the likeliest to notice first."""

    copy: Copy
    mutant: Mutant
    before: str  # the test that noticed it last time

    def start(self) -> None:
        self.copy.put(self.mutant)
        rounds = [(self.before,)] if self.before.partition("::")[0] in files(self.mutant.tests) else []
        self.noticed = self.copy.root / "noticed"
        self.noticed.write_text("")
        self.process = FORK.Process(
            target=run_tests,
            args=(self.copy.root, [*rounds, self.mutant.tests]),
            kwargs={"in_python": self.mutant.is_kernel},
        )
        self.process.start()

    def end(self, state: str) -> Result:
        self.copy.mend(self.mutant)
        code = self.process.exitcode or 0
        # 1: tests failed, 2: they could not even be read, below 0: a kernel wrote where it must not, or hangs
        if code > 2 or code == -9:
            raise SystemExit(f"pytest ended with {code} for {self.mutant.tests}")
        by = self.noticed.read_text().partition("\n")[0] or ("it hangs or crashes" if code < 0 else "")
        if code and not by:
            raise SystemExit(f"pytest ended with {code} before any test of {self.mutant.tests}")
        return Result(self.mutant.place, self.mutant.wrong, "killed" if code else SURVIVED, by, state)


def files(tests: tuple[str, ...]) -> set[str]:
    found = [path for test in tests for path in ((ROOT / test).rglob("*.py"), [ROOT / test])]
    return {str(path.relative_to(ROOT)) for paths in found for path in paths}


class Notice:
    """Tells the parent process which tests failed."""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            with Path("noticed").open("a") as out:
                out.write(report.nodeid + "\n")

    pytest_collectreport = pytest_runtest_logreport


def run_tests(
    root: Path,
    rounds: list[tuple[str, ...]],
    *,
    in_python: bool,
    patience: int = PATIENCE,
    to_the_end: bool = False,
) -> None:
    """In a child of a process that has loaded all libraries, but nothing of the project."""
    os.chdir(root)
    sys.path[:0] = [str(root / "src"), str(root)]
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])
    # a mutant of the same second and length must not be taken for the one before
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CPU, (patience, patience + 5))
    options = [*([] if to_the_end else ["-x"]), "-q", "-p", "no:cacheprovider", "-k", UNTIMED]
    if in_python:  # tests/conftest.py heeds it
        os.environ["HETERONYM_KERNELS"] = "python"
    for name in [n for n in sys.modules if n.partition(".")[0] in ("benchmarks", "tests", "heteronym")]:
        del sys.modules[name]
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        import pytest

        code = 0
        for tests in rounds:
            code = int(pytest.main([*options, *tests], plugins=[Notice()]))
            if code in (1, 2):  # others: the test that noticed last time is no longer there
                break
        os._exit(code)


def run(mutants: list[Mutant], known: dict[str, Result], workers: int) -> None:
    state, all_ = state_of_code(), listed()
    waiting = list(reversed(mutants))
    free = [Copy(number) for number in range(min(workers, max(len(waiting), 1)))]
    trials: list[Trial] = []
    while waiting or trials:
        while waiting and free:
            mutant = waiting.pop()
            before = known[mutant.key].by if mutant.key in known else ""
            trials.append(Trial(free.pop(), mutant, before))
            trials[-1].start()
        multiprocessing.connection.wait([trial.process.sentinel for trial in trials])
        for trial in [t for t in trials if not t.process.is_alive()]:
            trials.remove(trial)
            free.append(trial.copy)
            known[trial.mutant.key] = found = trial.end(state)
            keep(known, all_)
            print(f"{found.result:9}{found.place}: {found.wrong} <- {found.by}", flush=True)


def confirm(known: dict[str, Result], mutants: list[Mutant]) -> None:
    """Without an error every test that noticed one must pass; results by a test that does not are dropped."""
    for in_python in (False, True):
        noticed = {m.key: m for m in mutants if m.is_kernel == in_python}
        noticed = {key: m for key, m in noticed.items() if known[key].result != SURVIVED}
        # of a mutant that hangs no test is known: all of its place
        by = {key: {known[key].by} if "::" in known[key].by else set(m.tests) for key, m in noticed.items()}
        tests = tuple(sorted(set().union(*by.values())))
        copy = Copy(0)
        process = FORK.Process(
            target=run_tests,
            args=(copy.root, [tests]),
            kwargs={"in_python": in_python, "patience": 3600, "to_the_end": True},
        )
        if not tests:
            continue
        process.start()
        process.join()
        told = copy.root / "noticed"
        failed = told.read_text().split() if told.is_file() else []
        print(f"{len(tests)} tests without a mutant: {len(failed)} failed", flush=True)
        if process.exitcode:
            wrong = {key for key in by if any(f.startswith(test) for f in failed for test in by[key])}
            keep({key: result for key, result in known.items() if key not in wrong}, listed())
            sys.exit(f"without any mutant, pytest ended with {process.exitcode}: {failed}")


def summary(mutants: list[Mutant], known: dict[str, Result]) -> str:
    rows: list[dict[str, object]] = []
    rooms = sorted({_room(m) for m in mutants})
    for room in [*rooms, "all"]:
        mine = [known[m.key] for m in mutants if room in ("all", _room(m)) and m.key in known]
        killed = sum(found.result != SURVIVED for found in mine)
        rows.append({"room": room, "mutants": len(mine), "killed": killed, "survived": len(mine) - killed})
    states = sorted({known[m.key].state for m in mutants if m.key in known})
    run_ = sum(m.key in known for m in mutants)
    ran = f"{run_} of {len(mutants)} were run, in {len(states)} state{'s' * (len(states) > 1)} of the code"
    lines = [table(rows), "", f"{ran}. Survivors:", ""]
    left = [m for m in mutants if m.key in known and known[m.key].result == SURVIVED]
    lines += [f"- `{m.file}`: {m.wrong}. {m.excuse or 'Not noticed.'}" for m in left] or ["- none"]
    return "\n".join(lines)


def _room(mutant: Mutant) -> str:
    return Path(mutant.file).relative_to("src/heteronym").parts[0].removesuffix(".py")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="show the mutants; fails if one has no place")
    parser.add_argument("--only", nargs="+", default=[""], help="mutants whose file or description holds one")
    parser.add_argument("--again", action="store_true", help="run survivors once more")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    mutants = listed()
    if lost := stale(mutants):
        sys.exit("\n".join(f"no place, or more than one: {m.file}: {m.old!r}" for m in lost))
    chosen = [m for m in mutants if any(text in m.file or text in m.wrong for text in args.only)]
    if args.list:
        print("\n".join(f"{m.file}: {m.wrong}" for m in chosen))
        print(f"{len(chosen)} mutants")
        return
    STORE.mkdir(exist_ok=True)
    known, state = known_results(), state_of_code()
    open_ = [
        m
        for m in chosen
        if m.key not in known
        or known[m.key].state != state
        or (args.again and known[m.key].result == SURVIVED)
    ]
    for name in LIBRARIES:
        importlib.import_module(name)
    open_.sort(key=lambda m: "_kernels" in m.file)  # those that have to be compiled come last
    run(open_, known, args.workers)
    confirm(known, chosen)
    text = summary(mutants, known)
    print(text)
    if args.write:
        write(args.write, "mutants", text)


if __name__ == "__main__":
    main()
