"""The front, by a plain twin; the knee; what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.comparing.front import Row, front_of, knee_of, recommendation


def row(run: int, chance: float, loss: float, **more: object) -> Row:
    told = {"run": run, "kind": "run", "status": "done", "setting": f"number {run}"}
    return {**told, "chance.mean": chance, "loss.total": loss, **more}


@pytest.mark.parametrize("seed", range(20))
def test_the_front_is_what_no_other_run_beats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [row(n, *rng.integers(1, 8, 2).tolist()) for n in range(25)]

    def beaten(one: Row) -> bool:
        pairs = [(r["chance.mean"], r["loss.total"]) for r in rows]
        mine = (one["chance.mean"], one["loss.total"])
        return any(p[0] <= mine[0] and p[1] <= mine[1] and p != mine for p in pairs)

    wanted = {(r["chance.mean"], r["loss.total"]) for r in rows if not beaten(r)}
    found = front_of(rows)
    assert {(r["chance.mean"], r["loss.total"]) for r in found} == wanted
    assert len(found) == len(wanted)  # of equal runs one
    assert [r["chance.mean"] for r in found] == sorted((r["chance.mean"] for r in found), reverse=True)


def test_the_knee_lies_farthest_below_the_line_between_the_ends() -> None:
    rows = [row(1, 0.5, 0.1), row(2, 0.3, 0.12), row(3, 0.1, 0.2), row(4, 0.05, 0.9)]
    knee = knee_of(front_of(rows))
    assert knee is not None
    assert knee["run"] == 3
    assert knee_of([]) is None


def test_runs_without_a_figure_are_not_on_the_front() -> None:
    refused = {"run": 9, "kind": "run", "status": "refused", "setting": "x"}
    assert [r["run"] for r in front_of([row(1, 0.5, 0.5), refused])] == [1]


def test_the_recommendation_names_the_least_loss_per_promise_and_what_the_baseline_loses() -> None:
    rows = [
        row(1, 0.4, 0.3, **{"set.k": 2}),
        row(2, 0.4, 0.2, **{"set.k": 2}),
        row(3, 0.1, 0.6, **{"set.k": 5}),
        {**row(4, 0.4, 0.5, **{"set.k": 2}), "kind": "baseline"},
        {"run": 5, "kind": "run", "status": "refused", "setting": "x", "set.k": 9},
    ]
    said = recommendation(rows, ["k"])
    assert said[0].startswith("For k = 2, run 2 (number 2) loses least: 0.200")
    assert "0.300 less than columns alone" in said[0]
    assert said[1].startswith("For k = 5, run 3")
    assert "from k = 2 to k = 5: +0.400" in said[2]
    assert said[-1].startswith("1 settings could not be met")
    assert "nothing to recommend" in recommendation(rows[4:], ["k"])[0]
