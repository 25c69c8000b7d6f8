"""A run tells how far it is and ends within a second of being told to, leaving nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym import publish
from heteronym.errors import CancelledError
from heteronym.run import Run, current

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


def stopped_after(start: threading.Event, run: Run) -> list[float]:
    """Cancels the run soon after its search began; when it did."""
    at: list[float] = []

    def cancel() -> None:
        start.wait(60)
        time.sleep(0.3)
        at.append(time.monotonic())
        run.cancel()

    threading.Thread(target=cancel, daemon=True).start()
    return at


@pytest.mark.parametrize("plan", PLANS)
def test_cancelling_from_another_thread_ends_a_compiled_search_within_a_second(plan: str) -> None:
    hn.anonymize(MANY.head(500), PLANS[plan])  # compilation is not counted
    begun = threading.Event()
    run = Run(lambda step, share: begun.set() if step == "partition" else None)
    at = stopped_after(begun, run)
    with pytest.raises(CancelledError):
        hn.anonymize(MANY, PLANS[plan], run=run)
    assert time.monotonic() - at[0] < 1.5  # a busy machine


@pytest.mark.parametrize("texts", [300, 6_000], ids=["one process", "all cores"])
def test_cancelling_ends_the_reading_of_texts_within_a_second(texts: int) -> None:
    line = "My name is Pedro Gomez and I live in Mexico City with my sister Ana since 2004. " * 5
    posts = pl.DataFrame({"text": [f"{number} {line}" for number in range(texts)]})
    plan = {
        "attributes": {"text": {"role": "text"}},
        "text": {"model": "accurate"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    begun = threading.Event()
    run = Run(lambda step, share: begun.set() if step == "scan" else None)
    at = stopped_after(begun, run)
    with pytest.raises(CancelledError):
        hn.anonymize(posts, plan, run=run)
    assert time.monotonic() - at[0] < 1.5


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
        "import sys\nfrom heteronym.run import Run\nfrom heteronym import cli\n"
        "tell = Run.tell\n"
        "def told(self, share, step=None):\n"
        "    if (step or self.step_now) == 'partition': print('searching', flush=True)\n"
        "    tell(self, share, step)\n"
        "Run.tell = told\n"
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
    assert work.stdout is not None
    assert "searching" in work.stdout.readline()
    time.sleep(0.2)
    begin = time.monotonic()
    os.kill(work.pid, number)
    _, said = work.communicate(timeout=30)
    assert time.monotonic() - begin < 2.5  # with the end of the program
    assert work.returncode == 130
    assert "Nothing was released" in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["many.parquet", "plan.yaml"]


@pytest.mark.parametrize("to_a_folder", [False, True])
def test_a_run_that_is_cancelled_while_it_is_audited_releases_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to_a_folder: bool
) -> None:
    run, audit = hn.Run(), publish.audit

    def cancelled(*args: Any, **kwargs: Any) -> Any:
        verdict = audit(*args, **kwargs)
        run.cancel()  # too late for anything inside to notice
        return verdict

    monkeypatch.setattr(publish, "audit", cancelled)
    frame = pl.DataFrame({"age": [1, 1, 2, 2]})
    plan = {"attributes": {"age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(CancelledError):
        hn.anonymize(frame, plan, run=run, output=tmp_path / "out" if to_a_folder else None)
    assert list(tmp_path.iterdir()) == []
