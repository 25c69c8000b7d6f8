"""`utility`: both tables side by side, for the owner alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from tests.doors.test_explain import CANARY, PLAN, table


@pytest.fixture
def made(tmp_path: Path) -> Path:
    table().write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", PLAN, output=tmp_path / "release", private=tmp_path / "own")
    return tmp_path


def call(made: Path, *options: object) -> tuple[object, ...]:
    data = ("--against", made / "data.csv", "--private", made / "own")
    return ("utility", made / "release", *data, *options)


def test_the_command_tells_all_of_it_and_writes_the_owners_page(
    made: Path, command: Callable[..., Any]
) -> None:
    before = {path.name for path in (made / "release").iterdir()}
    told = command(*call(made, "--query", "age < 30 and codes has c1", "--target", "town", "--json"))
    assert told.exit_code == 0
    figures = told.json
    assert set(figures["columns"]) == {"age", "town"}
    data = table()
    true = data.filter((pl.col("age") < 30) & pl.col("codes").str.split(" ").list.contains("c1"))
    assert figures["queries"][0]["rows"]["before"] == true.height
    assert figures["queries"][0]["persons"]["before"] == true["id"].n_unique() < true.height
    assert figures["persons"] == {"before": 24, "after": 24}
    assert figures["learning"]["target"] == "town"
    assert figures["columns"]["age"]["before"]["mean"] == pytest.approx(data["age"].mean())
    assert figures["terms"]["GPE"]["pairs"] > 0
    assert figures["texts"]["words"]["text"]["words"] > 0
    page = made / "own" / "utility.html"
    assert "Do not pass this page on" in page.read_text("utf-8")
    assert oct(page.stat().st_mode)[-3:] == "600"
    assert json.loads((made / "own" / "utility.json").read_text("utf-8")) == figures
    assert {path.name for path in (made / "release").iterdir()} == before


def test_the_owners_folder_still_belongs_to_the_release(made: Path, command: Callable[..., Any]) -> None:
    assert command(*call(made)).exit_code == 0
    assert hn.verify(made / "release", private=made / "own", against=made / "data.csv").holds


def test_python_says_the_same(made: Path, command: Callable[..., Any]) -> None:
    found = hn.utility(
        made / "release", against=made / "data.csv", private=made / "own", queries=["age < 30"]
    )
    assert found.to_dict() == command(*call(made, "--query", "age < 30", "--json")).json
    assert "<table>" in found._repr_html_()
    assert "age < 30: " in found.text
    assert " persons, from the release " in found.text
    assert " rows, from the release " in found.text
    frame = hn.utility(made / "release", against=table(), private=made / "own")
    assert frame.to_dict()["columns"] == found.to_dict()["columns"]


@pytest.mark.parametrize(
    "options",
    [("--target", "nothing"), ("--query", "age ~ 3"), ("--query", "unknown < 3"), ("--target", "text")],
)
def test_wrong_questions_are_refused(
    made: Path, options: tuple[str, ...], command: Callable[..., Any]
) -> None:
    assert command(*call(made, *options)).exit_code == 2


def test_neither_screen_nor_repr_tell_values(tmp_path: Path, command: Callable[..., Any]) -> None:
    frame = table().with_columns(town=pl.lit(CANARY) + pl.col("town"))
    frame.write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", PLAN, output=tmp_path / "release", private=tmp_path / "own")
    told = command(*call(tmp_path, "--target", "town"))
    assert told.exit_code == 0
    assert CANARY not in told.out + told.err
    found = hn.utility(tmp_path / "release", against=tmp_path / "data.csv", private=tmp_path / "own")
    assert CANARY not in repr(found) + found.text + json.dumps(found.to_dict())


def test_a_column_with_one_label_for_everybody_is_lost(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [30, 31, 32, 33], "town": ["x", "x", "y", "y"], "ward": ["a"] * 4})
    frame.write_csv(tmp_path / "data.csv")
    quasi = {name: {"role": "quasi"} for name in frame.columns}
    plan = {"attributes": quasi, "privacy": [{"model": "k-anonymity", "k": 4}]}
    hn.anonymize(tmp_path / "data.csv", plan, output=tmp_path / "release", private=tmp_path / "own")
    found = hn.utility(tmp_path / "release", against=tmp_path / "data.csv", private=tmp_path / "own")
    assert "town: lost, one label for everybody" in found.text
    assert "ward: distance 0.000" in found.text  # as it was
    assert "lost: one label for everybody" in (tmp_path / "own" / "utility.html").read_text("utf-8")
