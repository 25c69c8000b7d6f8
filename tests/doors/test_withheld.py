"""Withheld cells from the plan to the verdict: labels, texts, facts, report, owner's files, tampering."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import heteronym as hn
from heteronym.cli import app
from heteronym.verify.label_forms import is_starred, unstarred
from heteronym.verify.shown import short_label

RUNNER = CliRunner()
JOBS = "".join(f"{a}{b};{a};*\n" for a in "xyz" for b in range(6))


def people(seed: int, *, persons: int = 60, rows: int = 1) -> pl.DataFrame:
    """Persons of whom a few have one far value, in one column or another."""
    rng = np.random.default_rng(seed)
    found: list[dict[str, Any]] = []
    for person in range(persons):
        base = {
            "id": f"p{person:03}",
            "age": int(rng.choice([rng.integers(20, 30), rng.integers(20, 30), rng.integers(20, 99)])),
            "born": f"{rng.choice([1990, 1990, 1991, 1940])}-0{rng.integers(1, 10)}-{rng.integers(10, 28)}",
            "zip": str(rng.choice(["88101", "88102", "88103", "10115"], p=[0.3, 0.3, 0.3, 0.1])),
            "job": str(rng.choice(["x0", "x1", "x2", "y3", "z5"], p=[0.3, 0.3, 0.3, 0.05, 0.05])),
            "team": str(rng.choice(["red", "*", "blue, {x}"], p=[0.8, 0.1, 0.1])),
            "ill": str(rng.choice(["flu", "cold", "gout"])),
        }
        for number in range(int(rng.integers(1, rows + 1))):
            one = dict(base)
            if number and rng.random() < 0.3:
                one["age"] = int(rng.integers(20, 99))
            if rng.random() < 0.05:
                one[str(rng.choice(["age", "born", "zip", "team"]))] = None
            found.append(one)
    return pl.DataFrame(found, infer_schema_length=None)


def plan_for(share: float, *, texts: bool = False, k: int = 4) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "weight": 2.0},
        "born": {"role": "quasi", "scale": "date", "recode": "calendar"},
        "zip": {"role": "quasi", "recode": "prefix"},
        "job": {"role": "quasi", "hierarchy": "job.csv"},
        "team": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    }
    plan: dict[str, Any] = {
        "data": {"person": "id"},
        "attributes": attributes,
        "privacy": [{"model": "k-anonymity", "k": k}, {"model": "l-diversity", "l": 2, "attribute": "ill"}],
        "release": {"suppress_cells_up_to": share},
    }
    if texts:
        attributes["age"]["entities"] = ["AGE"]
        attributes["note"] = {"role": "text"}
        plan["text"] = {"model": "none"}
    return plan


def released(folder: Path, frame: pl.DataFrame, plan: dict[str, Any]) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "job.csv").write_text(JOBS, "utf-8")
    frame.write_csv(folder / "people.csv")
    (folder / "plan.yaml").write_text(json.dumps(plan), "utf-8")
    return hn.anonymize(
        folder / "people.csv", folder / "plan.yaml", output=folder / "out", private=folder / "own"
    )


def verified(folder: Path) -> Any:
    return hn.verify(folder / "out", against=folder / "people.csv", private=folder / "own")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rows", [1, 3])
def test_cells_of_every_kind_are_withheld_and_the_auditor_counts_them(
    tmp_path: Path, seed: int, rows: int
) -> None:
    frame = people(seed, rows=rows)
    plain = released(tmp_path / "plain", frame, plan_for(0.0))
    release = released(tmp_path / "some", frame, plan_for(0.1))
    assert "withheld" not in plain.measures
    told = release.measures["withheld"]
    assert 0 < told["cells"] <= 0.1 * 60 * 5
    assert release.measures["ncp"]["relational_published"] < plain.measures["ncp"]["relational_published"]
    assert release.measures["groups"] == plain.measures["groups"]
    assert release.verdict.holds
    assert any(c.name == "withheld" and c.holds for c in release.verdict.checks)
    assert verified(tmp_path / "some").holds
    cells = release.facts["fates"]["cells"]
    assert sum(one["withheld"] for one in cells.values()) >= told["cells"]
    for one in cells.values():
        assert sum(one.values()) == frame.height
    report = (tmp_path / "some" / "out" / "report.html").read_text("utf-8")
    assert "withheld, or what stands behind the star" in report
    # members of a group show one label, whoever withholds
    data = pl.read_csv(tmp_path / "some" / "out" / "data.csv", infer_schema=False)
    quasi = ["age", "born", "zip", "job", "team"]
    assert data.group_by(quasi).len()["len"].min() >= 4
    assert any(is_starred(label) for name in quasi for label in data[name].to_list())


def test_the_plan_decides_how_many(tmp_path: Path) -> None:
    frame, before = people(1), 1.0
    for share in (0.0, 0.004, 0.02, 0.1):
        release = released(tmp_path / str(share), frame, plan_for(share))
        assert release.measures.get("withheld", {"cells": 0})["cells"] <= share * 60 * 5
        assert release.measures["ncp"]["relational_published"] <= before
        before = release.measures["ncp"]["relational_published"]


def test_who_withholds_an_age_does_not_tell_it_in_a_text(tmp_path: Path) -> None:
    ages = [21, 22, 22, 24, 90, 30, 31, 31, 31, 33]
    frame = pl.DataFrame({"id": range(10), "age": ages, "town": ["Ulm"] * 5 + ["Rom"] * 5}).with_columns(
        ill=pl.Series(["flu", "cold"] * 5),
        note=pl.format("At {} years old she wrote about 12 hens.", "age"),
    )
    plan = plan_for(0.1, texts=True, k=5)
    plan["attributes"] = {name: plan["attributes"].get(name, {"role": "quasi"}) for name in frame.columns}
    release = released(tmp_path, frame, plan)
    assert release.measures["withheld"]["by_attribute"] == {"age": 1}
    data = pl.read_csv(tmp_path / "out" / "data.csv", infer_schema=False)
    starred = data.filter(pl.col("age") == "{*,[21-24]}")
    assert starred["note"].to_list() == ["At {*,[21-24]} years old she wrote about 12 hens."] * 5
    assert verified(tmp_path).holds
    # one of them tells it, whoever it is: noticed
    row = next(i for i, age in enumerate(data["age"]) if age and age.startswith("{*,"))
    source = pl.read_csv(tmp_path / "own" / "rows.csv")["source_row"][row] - 1
    notes = data["note"].to_list()
    notes[row] = frame["note"][source]
    data.with_columns(pl.Series("note", notes)).write_csv(tmp_path / "out" / "data.csv")
    assert verified(tmp_path).holds is False


def _tamper(folder: Path, change: Any, facts: Any = None) -> list[str]:
    path = folder / "out" / "data.csv"
    data = pl.read_csv(path, infer_schema=False)
    change(data).write_csv(path)
    if facts is not None:
        told = json.loads((folder / "out" / "facts.json").read_text("utf-8"))
        facts(told["measures"])
        (folder / "out" / "facts.json").write_text(json.dumps(told), "utf-8")
    return [check.detail for check in verified(folder).checks if check.name == "withheld" and not check.holds]


def _narrowed(data: pl.DataFrame) -> pl.DataFrame:
    """Labels of one group narrowed to one value, beside a star."""
    label = next(age for age in data["age"] if age and age.startswith("["))
    low = label[1:].split("-")[0]
    return data.with_columns(pl.col("age").replace({label: "{*," + low + "}"}))


def test_a_label_that_is_narrower_than_what_is_withheld_allows_is_refused(tmp_path: Path) -> None:
    released(tmp_path, people(2), plan_for(0.1))
    [detail] = _tamper(tmp_path, _narrowed)
    assert "facts.json tells of" in detail


def test_facts_that_tell_of_more_or_other_cells_are_refused(tmp_path: Path) -> None:
    released(tmp_path, people(2), plan_for(0.1))

    def more(measures: dict[str, Any]) -> None:
        measures["withheld"]["by_attribute"]["age"] += 1

    [detail] = _tamper(tmp_path, lambda data: data, more)
    assert "facts.json tells of" in detail
    [detail] = _tamper(tmp_path, lambda data: data, lambda measures: measures.pop("withheld"))
    assert "facts.json tells of 0" in detail


def test_labels_that_are_true_of_too_few_are_refused_whatever_facts_tell(tmp_path: Path) -> None:
    release = released(tmp_path, people(2), plan_for(0.9))
    data = pl.read_csv(tmp_path / "out" / "data.csv", infer_schema=False)
    quasi = ["age", "born", "zip", "job", "team"]
    group = data.group_by(quasi).len().filter(pl.col("age").str.starts_with("[")).row(0, named=True)
    mine = pl.all_horizontal(pl.col(name).eq_missing(group[name]) for name in quasi)
    there = release.measures["withheld"]["by_attribute"].get("age", 0)

    def change(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.with_columns(age=pl.when(mine).then(pl.lit("{*,1000}")).otherwise(pl.col("age")))

    def told(measures: dict[str, Any]) -> None:
        measures["withheld"]["by_attribute"]["age"] = there + group["len"]

    [detail] = _tamper(tmp_path, change, told)
    assert "no more than half" in detail


def test_more_than_the_plan_allows_is_refused(tmp_path: Path) -> None:
    released(tmp_path, people(2), plan_for(0.1))
    for file in (tmp_path / "out" / "plan.yaml", tmp_path / "own" / "plan.json"):
        file.write_text(file.read_text("utf-8").replace("0.1", "0.001"), "utf-8")
    assert any("the plan allows a share of 0.001" in c.detail for c in verified(tmp_path).checks)


PRESENCE = {"model": "delta-presence", "presence_low": 0.0, "presence_high": 0.9}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "joint": ({"privacy": [{"model": "joint", "k": 2}]}, "joint counts what labels tell together"),
    "bounds": ({"release": {"suppress_cells_up_to": 0.1, "numeric": "bounds"}}, "released in numbers"),
    "mean": ({"release": {"suppress_cells_up_to": 0.1, "numeric": "mean"}}, "released in numbers"),
    "full-domain": ({"partition": {"method": "full-domain"}}, "alike everywhere"),
    "k-map": (
        {"privacy": [{"model": "k-map", "k": 2, "population": "all.csv"}, {"model": "k-anonymity", "k": 2}]},
        "a withheld cell means anybody",
    ),
    "delta-presence": (
        {"privacy": [{**PRESENCE, "population": "all.csv"}, {"model": "k-anonymity", "k": 2}]},
        "a withheld cell means anybody",
    ),
    "no quasi": ({"attributes": {"codes": {"role": "items"}}}, "no cell to withhold"),
    "more than all": ({"release": {"suppress_cells_up_to": 1.5}}, "less than or equal to 1"),
    "less than none": ({"release": {"suppress_cells_up_to": -0.1}}, "greater than or equal to 0"),
    "misspelt": ({"release": {"suppress_cell_up_to": 0.1}}, "suppress_cells_up_to"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_say_withheld_is_refused_before_the_run(tmp_path: Path, kind: str) -> None:
    change, reason = REFUSED[kind]
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "release": {"suppress_cells_up_to": 0.1},
    } | change
    (tmp_path / "people.csv").write_text("age\n" + "".join(f"{a}\n" for a in range(20)))
    (tmp_path / "all.csv").write_text("age\n" + "".join(f"{a}\n" for a in range(40)))
    (tmp_path / "plan.yaml").write_text(json.dumps(plan), "utf-8")
    given = [str(tmp_path / "people.csv"), "-c", str(tmp_path / "plan.yaml"), "-o", str(tmp_path / "out")]
    result = RUNNER.invoke(app, ["anonymize", *given])
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())
    assert not (tmp_path / "out").exists()


def test_the_option_of_the_plans_name(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n21\n22\n22\n24\n90\n")
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
    }
    (tmp_path / "plan.yaml").write_text(json.dumps(plan), "utf-8")
    given = [str(tmp_path / "people.csv"), "-c", str(tmp_path / "plan.yaml"), "-o", str(tmp_path / "out")]
    given += ["--private", str(tmp_path / "own"), "--suppress-cells-up-to", "0.2"]
    result = RUNNER.invoke(app, ["anonymize", *given])
    assert result.exit_code == 0, result.output
    assert "withheld: 1 cells of single persons (age 1)" in result.output
    explained = [hn.explain(tmp_path / "out", private=tmp_path / "own", row=row) for row in range(1, 6)]
    fates = [one.columns[0]["fate"] for one in explained]
    assert sorted(fates) == ["generalized"] * 4 + ["withheld"]
    assert "true of all but 1" in explained[0].text
    found = hn.attack(tmp_path / "out", against=tmp_path / "people.csv", private=tmp_path / "own")
    assert not any(one.holds is False for one in found.results)


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("{*,[21-24]}", "[21-24]"),
        ("{*,a,b}", "{a,b}"),
        ("{,*,[21-24]}", "{,[21-24]}"),
        ("{,*}", None),
        (r"{*,\*}", "*"),
        (r"{*,blue\, \{x\}}", "blue, {x}"),
        (r"{\*,a}", r"{\*,a}"),
        ("*", "*"),
        ("{,a}", "{,a}"),
        (None, None),
    ],
)
def test_what_stands_behind_a_star(label: str | None, told: str | None) -> None:
    assert unstarred(label) == told
    assert is_starred(label) == (label != told)


def test_long_sets_beside_a_star_are_short_in_texts() -> None:
    from heteronym.recode._in_texts import short_label as written

    for label, text in [
        ("{*," + ",".join(f"hospital {n}" for n in range(9)) + "}", "[one of 9 towns or withheld]"),
        ("{,*," + ",".join(f"hospital {n}" for n in range(9)) + "}", "[one of 9 towns or none or withheld]"),
        ("{*," + "a" * 50 + "}", "{*," + "a" * 50 + "}"),
        ("{*,[21-24]}", "{*,[21-24]}"),
    ]:
        assert written(label, "town") == short_label(label, "town") == text
