"""heteronym compare: a grid on the same data, tables, a page, and the plan of a run."""

from __future__ import annotations

import copy
import os
import re
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from benchmarks.generators.blog_like import blog_like
from benchmarks.generators.notes_like import notes_like
from benchmarks.track.blogs import PLAN

import heteronym as hn
from heteronym.comparing import runs
from heteronym.io.plans import read_plan

GRID = ("--k", "2,4", "--relational-weight", "0,0.5,1", "--method", "mondrian,gdf")


@pytest.fixture
def at(desk: Any) -> Any:
    blogs = blog_like(60, 3)
    return desk(blogs.write_csv(), PLAN)


def compare(at: Any, *options: object) -> Any:
    return at.command(
        "compare", at.folder / at.name, "-c", at.folder / "plan.yaml", "-o", at.folder / "grid", *options
    )


def test_every_run_is_what_anonymize_would_measure(at: Any) -> None:
    assert compare(at, *GRID).exit_code == 0
    table = pl.read_csv(at.folder / "grid" / "comparison.csv")
    typed = pl.read_parquet(at.folder / "grid" / "comparison.parquet")
    assert typed.columns == table.columns
    assert typed["loss.total"].to_list() == pytest.approx(table["loss.total"].to_list())
    runs = table.filter(pl.col("kind") == "run")
    assert runs.height == 2 * 3 + 2
    for row in runs.sample(3, seed=1).iter_rows(named=True):
        options = {
            n: row[f"set.{n}"] for n in ("method", "k", "relational_weight") if row[f"set.{n}"] is not None
        }
        release = hn.anonymize(at.folder / at.name, at.folder / "plan.yaml", **options)
        assert row["ncp.total"] == pytest.approx(release.measures["ncp"]["total"])
        assert row["ncp.by_entity.LANGUAGE"] == pytest.approx(
            release.measures["ncp"]["by_entity"]["LANGUAGE"]
        )
        assert row["groups.count"] == release.measures["groups"]["count"]
        assert row["chance.mean"] == pytest.approx(row["groups.count"] / row["data.persons"])


def test_the_baseline_is_columns_alone_with_every_term_gone(at: Any) -> None:
    compare(at, *GRID)
    table = pl.read_csv(at.folder / "grid" / "comparison.csv")
    for row in table.filter(pl.col("kind") == "baseline").iter_rows(named=True):
        plan = copy.deepcopy(PLAN)
        del plan["attributes"]["found"]  # type: ignore[attr-defined]
        frame = pl.read_csv(at.folder / at.name).drop("found")
        columns = hn.anonymize(frame, plan, k=row["set.k"], relational_weight=1.0)
        assert row["ncp.relational"] == pytest.approx(columns.measures["ncp"]["relational"])
        held = pl.read_csv(at.folder / at.name).group_by("id").agg(pl.col("found").drop_nulls().len())
        with_terms = (held["found"] > 0).sum() / held.height
        assert row["ncp.textual"] == pytest.approx(with_terms)


def test_a_comparison_goes_on_where_it_was_and_starts_again_when_the_data_change(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    real = runs.run_one
    monkeypatch.setattr(runs, "run_one", lambda view, s: (done.append(s.number), real(view, s))[1])
    arguments = (*GRID, "--processes", "1")
    compare(at, "--k", "2", "--relational-weight", "0", "--processes", "1")
    assert len(done) == 2  # the run and its baseline
    compare(at, *arguments)
    assert len(done) == 8 + 2  # neither of the two was run again, however they are called now
    compare(at, *arguments)
    assert len(done) == 10
    at.put(blog_like(50, 4).write_csv(), at.name)
    compare(at, *arguments)
    assert len(done) == 20
    compare(at, *arguments, "--overwrite")
    assert len(done) == 30


def test_one_process_and_many_give_the_same(at: Any) -> None:
    told = []
    for count in ("1", "3"):
        compare(at, *GRID, "--processes", count, "--overwrite")
        table = pl.read_csv(at.folder / "grid" / "comparison.csv")
        told.append(table.drop(pl.selectors.starts_with("cpu."), "peak_memory_mb"))
    assert told[0].equals(told[1])


def test_texts_are_scanned_once(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    roles = {"age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]}, "city": {"role": "quasi"}}
    roles |= {"job": {"role": "quasi"}, "date": {"role": "plain"}, "note": {"role": "text"}}
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, **roles},
        "text": {"model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    at = desk(notes_like(12, 1).write_csv(), plan)
    scanned: list[int] = []
    real = runs.recognize_texts
    monkeypatch.setattr(runs, "recognize_texts", lambda *a: (scanned.append(1), real(*a))[1])
    outcome = compare(at, "--k", "2,3", "--set", "attributes.age.weight=1,2", "--processes", "1", "--json")
    assert outcome.exit_code == 0, outcome.err
    assert len(outcome.json["rows"]) == 4 + 4
    assert scanned == [1]


def test_pick_writes_a_plan_that_gives_the_figures_of_its_run(at: Any) -> None:
    compare(at, *GRID)
    table = pl.read_csv(at.folder / "grid" / "comparison.csv")
    for which, number in (("5", 5), ("method=gdf,k=4", 8), ("recommended", None)):
        outcome = at.command(
            "compare", "-c", at.folder / "plan.yaml", "-o", at.folder / "grid", "--pick", which, "--json"
        )
        assert outcome.exit_code == 0, outcome.err
        path = Path(outcome.json["plan"])
        wanted = number or int(re.search(r"plan-(\d+)", path.name)[1])  # type: ignore[index]
        release = hn.anonymize(at.folder / at.name, path)
        loss = table.filter(pl.col("run") == wanted)["ncp.total"].item()
        assert release.measures["ncp"]["total"] == pytest.approx(loss)


def test_a_picked_plan_finds_its_files_from_its_new_place(desk: Any) -> None:
    people = "age,zip\n" + "".join(f"{20 + n},{10000 + 7 * n}\n" for n in range(12))
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "zip": {"role": "quasi", "hierarchy": "zip.csv"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    at = desk(people, plan)
    at.put("".join(f"{10000 + 7 * n},{'low' if n < 6 else 'high'},*\n" for n in range(12)), "zip.csv")
    assert compare(at, "--k", "2,3", "--pick", "k=3").exit_code == 0
    [written] = (at.folder / "grid").glob("plan-*.yaml")
    assert yaml.safe_load(written.read_text())["attributes"]["zip"]["hierarchy"] == "../zip.csv"
    assert hn.anonymize(at.folder / at.name, written).verdict.holds
    assert read_plan(written).privacy[0].parameters["k"] == 3


def test_a_setting_that_cannot_be_met_is_told_and_the_others_go_on(at: Any) -> None:
    outcome = compare(at, "--k", "2,61", "--relational-weight", "1", "--json")
    assert outcome.exit_code == 0
    status = {row["set.k"]: row["status"] for row in outcome.json["rows"] if row["kind"] == "run"}
    assert status == {2: "done", 61: "refused"}
    assert "could not be met" in outcome.json["recommendation"][-1]


def test_items_are_part_of_the_loss() -> None:
    frame = pl.DataFrame(
        {"age": [20, 21, 30, 31, 40, 41, 50, 51], "codes": ["a b", "a c", "b c", "a", "c d", "d", "a d", "b"]}
    )
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "codes": {"role": "items", "separator": " "},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}],
        "partition": {"method": "rum-bound", "delta": 0.9},
    }
    found = hn.compare(frame, plan, k=[2, 4], m=[1, 2], processes=1)
    assert len(found.rows) == 4 + 4
    base = [row for row in found.rows if row["kind"] == "baseline"]
    assert all(row["loss.items"] > 0.9 for row in base)
    for row in found.rows:
        assert row["loss.total"] == pytest.approx((row["ncp.relational"] + row["loss.items"]) / 2)
    assert "The front for every m" in found.report_text()


def test_joint_has_a_front_for_every_m() -> None:
    plan = {**PLAN, "privacy": [{"model": "joint", "k": 2}], "partition": {"method": "joint"}}
    found = hn.compare(blog_like(20, 5), plan, processes=1, k=[2, 4], m="1,all")
    runs = [row for row in found.rows if row["kind"] == "run"]
    assert [(row["set.k"], row["set.m"], row["status"]) for row in runs] == [
        (k, m, "done") for k in (2, 4) for m in (1, "all")
    ]
    page = found.report_text()
    assert "The front for every m" in page
    assert "m = all" in page


def test_no_value_of_the_data_is_in_the_folder(desk: Any) -> None:
    frame = blog_like(40, 3).with_columns(pl.col("topic").replace("indUnk", "zqcanary"))
    frame = frame.with_columns(pl.col("found").str.replace("LANGUAGE:", "LANGUAGE:zqcanary"))
    at = desk(frame.write_csv(), PLAN)
    assert compare(at, *GRID).exit_code == 0
    assert (at.folder / "grid").stat().st_mode & 0o077 == 0
    for path in (at.folder / "grid").rglob("*"):
        assert path.is_dir() or b"zqcanary" not in path.read_bytes()


WRONG: dict[str, Any] = {
    "no data and no pick": lambda at: at.command(
        "compare", "-c", at.folder / "plan.yaml", "-o", at.folder / "g"
    ),
    "no such run": lambda at: compare(at, "--k", "2", "--pick", "77"),
    "several runs": lambda at: compare(at, "--k", "2,3", "--relational-weight", "0,1", "--pick", "k=2"),
    "no word": lambda at: compare(at, "--k", "2", "--pick", "best"),
    "no path": lambda at: compare(at, "--set", "attributes.age.weight"),
    "no number": lambda at: compare(at, "--k", "two"),
    "a folder with other files": lambda at: at.command(
        "compare", at.folder / at.name, "-c", at.folder / "plan.yaml", "-o", at.folder, "--k", "2"
    ),
    "nothing to pick from": lambda at: at.command(
        "compare", "-c", at.folder / "plan.yaml", "-o", at.folder / "g", "--pick", "1"
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_compared_is_told_in_one_line(name: str, at: Any) -> None:
    outcome = WRONG[name](at)
    assert outcome.exit_code == 2
    assert outcome.err.startswith("heteronym: ")
    assert outcome.err.count("\n") == 1


def test_a_plan_that_has_changed_since_is_not_picked_from(at: Any) -> None:
    first = compare(at, "--k", "2,3")
    assert first.exit_code == 0, first.err
    at.plan({**PLAN, "seed": 7})
    outcome = at.command("compare", "-c", at.folder / "plan.yaml", "-o", at.folder / "grid", "--pick", "1")
    assert outcome.exit_code == 2
    assert "another plan" in outcome.err


def test_a_comparison_that_is_interrupted_ends_its_workers_and_keeps_what_was_done(at: Any) -> None:
    at.put(blog_like(900, 3).write_csv(), at.name)
    call = [sys.executable, "-c", "from heteronym.cli import main; main()", "compare", at.folder / at.name]
    call += ["-c", at.folder / "plan.yaml", "-o", at.folder / "grid", "--k", "2:40", "--processes", "2"]
    process = subprocess.Popen(list(map(str, call)), stderr=subprocess.PIPE, text=True)
    place = at.folder / "grid" / "runs"
    children: list[int] = []
    while len(children) < 2 or not any(place.glob("*.json")):
        assert process.poll() is None, "the comparison ended early"
        time.sleep(0.05)
        children = _children(process.pid)
    assert len(children) == 2
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 130, err
    assert "interrupted" in err
    assert not [pid for pid in children if _alive(pid)]
    assert any(place.glob("*.json"))


def _children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent:
            found.append(int(path.parent.name))
    return found


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_comparison_of_everything_together_counts_events_and_draws_a_front_for_every_m(
    tmp_path: Path,
) -> None:
    example = Path(str(files("heteronym"))) / "examples" / "visits"
    grid: dict[str, Any] = {"k": "2,3", "m": "1,2,3,all"}
    found = hn.compare(
        example / "visits.csv", example / "plan.yaml", output=tmp_path / "grid", processes=1, **grid
    )
    assert {row["status"] for row in found.rows} == {"done"}
    alone = {(row["set.k"], row["set.m"]): row for row in found.rows if row["kind"] == "baseline"}
    assert len(alone) == 8
    for row in found.rows:
        parts = [row["ncp.relational"], row["loss.terms"], row["loss.items"], row["loss.events"]]
        assert row["loss.total"] == pytest.approx(sum(parts) / 4)
        assert row["loss.terms"] <= row["ncp.textual"]
        beside = alone[row["set.k"], row["set.m"]]
        assert row["loss.events"] <= beside["loss.events"]
        assert beside["loss.terms"] == beside["loss.items"] == 1.0
    page = (tmp_path / "grid" / "comparison.html").read_text("utf-8")
    front = page.split("The front for every m")[1]
    assert all(f"m = {m}</li>" in front for m in ("1", "2", "3", "all"))
