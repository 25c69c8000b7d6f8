"""A release bears no trace of its source; broken classes are broken for anybody; --debug changes no code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn

PEOPLE = pl.DataFrame({"age": [31, 31, 32, 32, 47, 47, 48, 48], "illness": ["flu", "gout"] * 4})
PLAN: dict[str, Any] = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "illness": {"role": "sensitive"}},
    "privacy": [
        {"model": "k-anonymity", "k": 2},
        {"model": "l-diversity", "l": 2, "attribute": "illness"},
    ],
}


def test_all_files_of_a_release_are_of_the_same_moment(tmp_path: Path) -> None:
    hn.anonymize(PEOPLE, PLAN, output=tmp_path / "out")
    times = {path.stat().st_mtime for path in (tmp_path / "out").iterdir()}
    assert len(times) == 1
    assert times.pop() % 86_400 == 0


def test_a_released_workbook_and_its_plan_do_not_name_the_sheet(tmp_path: Path) -> None:
    PEOPLE.write_excel(tmp_path / "people.xlsx", worksheet="Ward 7 Smith")
    plan = {**PLAN, "data": {"sheet": "Ward 7 Smith"}}
    hn.anonymize(tmp_path / "people.xlsx", plan, output=tmp_path / "out", private=tmp_path / "own")
    for path in (tmp_path / "out").iterdir():
        assert b"Ward 7" not in path.read_bytes()
    found = hn.verify(tmp_path / "out", private=tmp_path / "own", against=tmp_path / "people.xlsx")
    assert found.holds is True


@pytest.mark.parametrize("kind", ["distinct", "entropy", "recursive"])
def test_a_class_with_one_sensitive_value_is_broken_for_a_recipient(kind: str, tmp_path: Path) -> None:
    frame = PEOPLE.with_columns(id=pl.Series([1, 2, 3, 4, 5, 6, 7, 8]))
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, **PLAN["attributes"]},
        "privacy": [{"model": "l-diversity", "l": 2, "c": 3.0, "attribute": "illness", "kind": kind}],
    }
    if kind != "recursive":
        del plan["privacy"][0]["c"]  # type: ignore[attr-defined]
    frame.write_csv(tmp_path / "people.csv")
    hn.anonymize(tmp_path / "people.csv", plan, output=tmp_path / "out")
    assert hn.verify(tmp_path / "out").models[0].holds is None
    path = tmp_path / "out" / "data.csv"
    cells = pl.read_csv(path, infer_schema=False)
    first = pl.col("age") == cells["age"][0]
    cells.with_columns(illness=pl.when(first).then(pl.lit("flu")).otherwise("illness")).write_csv(path)
    assert hn.verify(tmp_path / "out").models[0].holds is False


@pytest.mark.parametrize("debug", [False, True])
def test_debug_changes_no_exit_code_and_quotes_no_value(debug: bool, command: Any, tmp_path: Path) -> None:
    data, plan = tmp_path / "people.csv", tmp_path / "plan.yaml"
    data.write_text("age\n31\ncanary\n32\n")
    plan.write_text(json.dumps({**PLAN, "attributes": {"age": PLAN["attributes"]["age"]}}))
    more = ["--debug"] if debug else []
    outcome = command("anonymize", data, "-c", plan, "-o", tmp_path / "out", *more)
    assert outcome.exit_code == 2
    assert "canary" not in outcome.out + outcome.err
    assert ("raised at" in outcome.err) == debug
