"""A run tells how far it is and ends where it stands when it is told to, leaving nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym import publish
from heteronym.errors import CancelledError
from heteronym.model.mention import Span
from heteronym.run import Run, current
from heteronym.text.parallel import Parallel

RNG = np.random.default_rng(0)
MANY = pl.DataFrame(
    {f"q{n}": RNG.integers(0, 5000, 400_000) for n in range(5)}
    | {"codes": [" ".join(map(str, row)) for row in RNG.integers(0, 60, (400_000, 3))]}
)
QUASI: dict[str, Any] = {f"q{n}": {"role": "quasi", "scale": "numeric"} for n in range(5)}
PLANS: dict[str, dict[str, Any]] = {
    "mondrian": {
        "attributes": {**QUASI, "codes": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
    },
    "k-member": {
        "attributes": {**QUASI, "codes": {"role": "items", "separator": " "}},
        "privacy": [{"model": "kkm-anonymity", "k": 5}],
        "partition": {"method": "k-member"},
    },
}


class CancelledIn(Run):
    """Another thread cancels the run as soon as a step has begun; remembers what was told after."""

    def __init__(self, step: str) -> None:
        super().__init__(self.heard)
        self.awaited = step
        self.after: list[str] = []

    def heard(self, step: str, share: float | None) -> None:
        if self.cancelled:
            self.after.append(step)
        elif step == self.awaited:
            cancel_elsewhere(self)

    @property
    def cancelled(self) -> bool:
        return bool(self.stop[0])


class CancelledInKernels(Run):
    """Another thread cancels the run when a kernel is already entered; remembers what the kernel had done."""

    entered = 0

    def call(self, kernel: Callable[..., Any], *args: Any) -> Any:
        def cancelled(*args: Any) -> Any:
            self.entered += 1
            cancel_elsewhere(self)
            return kernel(*args)

        return super().call(cancelled, *args)

    @contextmanager
    def watching(self, done: Any, total: int) -> Iterator[None]:
        self.done, self.total = done, total
        with super().watching(done, total):
            yield


def cancel_elsewhere(run: Run) -> None:
    thread = threading.Thread(target=run.cancel)
    thread.start()
    thread.join()


@pytest.mark.parametrize("plan", PLANS)
def test_a_run_that_another_thread_cancels_goes_no_further(plan: str) -> None:
    run = CancelledIn("partition")
    with pytest.raises(CancelledError):
        hn.anonymize(MANY, PLANS[plan], run=run)
    assert run.cancelled
    assert run.after == []


@pytest.mark.parametrize("plan", PLANS)
def test_a_compiled_search_that_is_cancelled_does_no_more_work(plan: str) -> None:
    run = CancelledInKernels()
    with pytest.raises(CancelledError):
        hn.anonymize(MANY.head(20_000), PLANS[plan], run=run)
    assert run.entered == 1
    if plan == "mondrian":
        assert run.done[0] < run.total / 10


@pytest.mark.parametrize("texts", [300, 6_000], ids=["one process", "all cores"])
def test_a_reading_of_texts_that_is_cancelled_goes_no_further(texts: int) -> None:
    line = "My name is Pedro Gomez and I live in Mexico City with my sister Ana since 2004. " * 5
    posts = pl.DataFrame({"text": [f"{number} {line}" for number in range(texts)]})
    plan = {
        "attributes": {"text": {"role": "text"}},
        "text": {"model": "accurate"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    run = CancelledIn("scan")
    with pytest.raises(CancelledError):
        hn.anonymize(posts, plan, run=run)
    assert run.cancelled
    assert run.after == []


@dataclass(frozen=True, eq=False)
class Counting:
    """A recognizer that counts the texts it reads, and during which another thread cancels the run."""

    run: Run
    read: list[str]

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        self.read.extend(texts)
        cancel_elsewhere(self.run)
        return [[] for _ in texts]


def test_texts_behind_those_under_way_stay_unread() -> None:
    run, texts = Run(), [f"{number} " * 200 for number in range(2_000)]
    part = Counting(run, [])
    with run.active(), pytest.raises(CancelledError):
        Parallel(part, processes=1).recognize(texts)
    assert 0 < len(part.read) < len(texts) / 10


def test_a_search_tells_how_far_it_is() -> None:
    told: list[tuple[str, float]] = []
    run = Run(lambda step, share: told.append((step, share)) if share is not None else None)
    hn.anonymize(MANY, PLANS["mondrian"], run=run)
    shares = [share for step, share in told if step == "partition"]
    assert len(shares) > 3
    assert shares == sorted(shares)


def test_what_was_cancelled_before_it_began_does_nothing() -> None:
    run = Run()
    run.cancel()
    with pytest.raises(CancelledError):
        hn.anonymize(MANY, PLANS["mondrian"], run=run)


def test_work_finds_the_run_it_belongs_to() -> None:
    run = Run()
    with run.active():
        assert current() is run
    assert current() is not run


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_during_a_compiled_search_leaves_nothing(number: signal.Signals, tmp_path: Path) -> None:
    MANY.write_parquet(tmp_path / "many.parquet")
    (tmp_path / "plan.yaml").write_text(str(PLANS["mondrian"]), "utf-8")  # YAML takes Python's braces
    program = (
        "import os, sys\nfrom heteronym.run import Run\nfrom heteronym import cli\n"
        "tell, call_kernel = Run.tell, Run.call\n"
        "def told(self, share, step=None):\n"
        "    now = step or self.step_now\n"
        "    if now in ('partition', 'recode'): print(now, flush=True)\n"
        "    tell(self, share, step)\n"
        "def interrupted(self, kernel, *args):\n"
        "    def run(*given):\n"
        f"        os.kill(os.getpid(), {int(number)})\n"
        "        return kernel(*given)\n"
        "    return call_kernel(self, run, *args)\n"
        "Run.tell, Run.call = told, interrupted\n"
        "call = 'anonymize many.parquet -c plan.yaml -o out --private own'\n"
        "sys.argv = ['heteronym', *call.split()]\n"
        "cli.main()\n"
    )
    work = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    steps, said = work.communicate(timeout=600)
    assert "partition" in steps
    assert "recode" not in steps  # no later step began
    assert work.returncode == 130
    assert "Nothing was released" in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["many.parquet", "plan.yaml"]


@pytest.mark.parametrize("to_a_folder", [False, True])
def test_a_run_that_is_cancelled_while_it_is_audited_releases_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to_a_folder: bool
) -> None:
    run, examine = hn.Run(), publish.examine

    def cancelled(*args: Any, **kwargs: Any) -> Any:
        examined = examine(*args, **kwargs)
        run.cancel()  # too late for anything inside to notice
        return examined

    monkeypatch.setattr(publish, "examine", cancelled)
    frame = pl.DataFrame({"age": [1, 1, 2, 2]})
    plan = {"attributes": {"age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(CancelledError):
        hn.anonymize(frame, plan, run=run, output=tmp_path / "out" if to_a_folder else None)
    assert list(tmp_path.iterdir()) == []
