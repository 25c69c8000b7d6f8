"""The command on tables with items: good input releases, bad input says what is wrong and no value."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from heteronym.cli import main

SECRET = "Zyx-secret-item"
Run = Callable[..., tuple[int, str]]


def table(persons: int = 60, seed: int = 0) -> list[dict[str, str]]:
    rng = random.Random(seed)
    return [
        {
            "id": f"p{n}",
            "age": str(rng.randint(18, 70)),
            "codes": " ".join(rng.sample("ABCDEFG", rng.randint(1, 4))),
        }
        for n in range(persons)
    ]


def plan(**more: object) -> dict[str, object]:
    return {
        "version": 1,
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "codes": {"role": "items", "separator": " "},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 4, "m": 2}],
        "partition": {"method": "rum-bound"},
        **more,
    }


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(rows: list[dict[str, str]], content: dict[str, object], *options: str) -> tuple[int, str]:
        data, config = tmp_path / "data.csv", tmp_path / "plan.yaml"
        names = list(rows[0])
        lines = [",".join(names)] + [
            ",".join(f'"{row[n].replace(chr(34), chr(34) * 2)}"' for n in names) for row in rows
        ]
        data.write_text("\n".join(lines) + "\n")
        config.write_text(yaml.safe_dump(content, sort_keys=False))
        command = [
            "anonymize",
            str(data),
            "-c",
            str(config),
            "-o",
            str(tmp_path / "out"),
            "--overwrite",
            *options,
        ]
        monkeypatch.setattr(sys, "argv", ["heteronym", *command])
        with pytest.raises(SystemExit) as end:
            main()
        caught = capsys.readouterr()
        return int(end.value.code or 0), caught.out + caught.err

    return call


def test_items_beside_columns_are_released_and_verified(run: Run, tmp_path: Path) -> None:
    code, output = run(table(), plan())
    assert code == 0, output
    facts = json.loads((tmp_path / "out" / "facts.json").read_text())
    assert facts["verdict"]["holds"]
    assert 0 <= facts["measures"]["transaction"]["tncp"] <= 1
    assert facts["measures"]["query_error"]["both"]["queries"] >= 1000


def test_one_row_per_person_and_item_needs_no_separator(run: Run) -> None:
    rows = [{**row, "codes": item} for row in table() for item in row["codes"].split()]
    content = plan(data={"person": "id"})
    content["attributes"] = {**content["attributes"], "codes": {"role": "items"}}  # type: ignore[dict-item]
    code, output = run(rows, content)
    assert code == 0, output


def test_json_lists_stay_json_lists(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "codes": json.dumps([f"item {c}" for c in row["codes"].split()])} for row in table()]
    content = plan()
    content["attributes"] = {**content["attributes"], "codes": {"role": "items"}}  # type: ignore[dict-item]
    code, output = run(rows, content)
    assert code == 0, output
    assert "[" in (tmp_path / "out" / "data.csv").read_text().splitlines()[1]


def test_several_item_columns_are_one_transaction(run: Run) -> None:
    rows = [
        {**row, "visits": " ".join(sorted({"XYZ"[ord(c) % 3] for c in row["codes"].split()}))}
        for row in table()
    ]
    content = plan()
    content["attributes"] = {**content["attributes"], "visits": {"role": "items", "separator": " "}}  # type: ignore[dict-item]
    code, output = run(rows, content)
    assert code == 0, output


def test_duplicate_items_and_empty_sets_are_fine(run: Run) -> None:
    rows = table()
    rows[3]["codes"], rows[4]["codes"], rows[5]["codes"] = "A A A", "", " "
    code, output = run(rows, plan())
    assert code == 0, output


def test_items_without_separator_are_refused(run: Run) -> None:
    content = plan()
    content["attributes"] = {**content["attributes"], "codes": {"role": "items"}}  # type: ignore[dict-item]
    code, output = run(table(), content)
    assert code == 2
    assert "separator" in output


def test_k_larger_than_the_number_of_persons_is_refused_before_the_run(run: Run) -> None:
    for model in ("kkm-anonymity", "km-anonymity"):
        code, output = run(
            table(10), plan(privacy=[{"model": "kkm-anonymity", "k": 2}, {"model": model, "k": 11}])
        )
        assert code == 2
        assert "11" in output


def test_a_hierarchy_that_misses_an_item_is_named_by_row_not_by_value(run: Run, tmp_path: Path) -> None:
    rows = table()
    rows[7]["codes"] = f"A {SECRET}"
    (tmp_path / "tree.csv").write_text("".join(f"{c},low{c in 'ABC'},*\n" for c in "ABCDEFG"))
    content = plan(recode={"items": "hierarchy"})
    content["attributes"] = {  # type: ignore[dict-item]
        **content["attributes"],  # type: ignore[dict-item]
        "codes": {"role": "items", "separator": " ", "hierarchy": "tree.csv"},
    }
    code, output = run(rows, content)
    assert code == 2
    assert "row 8" in output
    assert SECRET not in output


def test_infeasible_diversity_leaves_no_release(run: Run, tmp_path: Path) -> None:
    rows = [{**row, "codes": row["codes"] + f" {SECRET}"} for row in table()]
    content = plan(privacy=[{"model": "lm-diversity", "k": 3, "l": 2, "m": 2}])
    content["attributes"] = {  # type: ignore[dict-item]
        **content["attributes"],  # type: ignore[dict-item]
        "codes": {"role": "items", "separator": " ", "sensitive": [SECRET]},
    }
    code, output = run(rows, content)
    assert code == 1
    assert not (tmp_path / "out").exists()
    assert SECRET not in output


def test_an_unreachable_delta_names_the_smallest_reachable(run: Run) -> None:
    code, output = run(table(), plan(partition={"method": "rum-bound", "delta": 0.001}))
    assert code == 1
    assert "smallest" in output


def test_m_larger_than_any_set_is_fine(run: Run) -> None:
    code, output = run(table(), plan(privacy=[{"model": "kkm-anonymity", "k": 4, "m": 40}]))
    assert code == 0, output


@pytest.mark.parametrize("method", ["k-member", "r-first", "t-first", "tum-bound", "rum-bound", "mondrian"])
def test_every_method_releases_items(run: Run, method: str) -> None:
    code, output = run(table(), plan(partition={"method": method}))
    assert code == 0, output


def test_items_columns_are_united_so_that_blocks_may_cross_them(desk: Any) -> None:
    rows = ["A,x;y", "A,x", "B,x", "B,y;x", "C,y", "C,y", "D,x", "E,y"]
    plan = {
        "data": {"unite": [{"into": "all", "columns": {"codes": " ", "drugs": ";"}}]},
        "attributes": {"all": {"role": "items", "separator": " "}},
        "privacy": [{"model": "km-anonymity", "k": 2, "m": 2}],
    }
    at = desk("codes,drugs\n" + "\n".join(rows) + "\n", plan)
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    released = at.released.read_text()
    assert released.splitlines()[0] == "all"
    assert "codes." in released
    assert "drugs." in released
    assert at.verify("--private", at.folder / "own", "--against", at.folder / "people.csv").exit_code == 0


def test_an_item_that_holds_the_separator_of_the_united_column_is_refused(desk: Any) -> None:
    plan = {
        "data": {"unite": [{"into": "all", "columns": {"codes": ";", "drugs": ";"}}]},
        "attributes": {"all": {"role": "items", "separator": " "}},
        "privacy": [{"model": "km-anonymity", "k": 2, "m": 2}],
    }
    outcome = desk("codes,drugs\nA,x\nB b,y\n", plan).anonymize()
    assert (outcome.exit_code, "'codes'" in outcome.err, "row 2" in outcome.err) == (2, True, True)
