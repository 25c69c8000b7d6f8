"""Previews and trials: what the doors show of a draft before anything is released."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn

TOWNS = ["Bonn", "Trier", "Ulm", "Jena", "Kiel"]


def notes(persons: int = 60) -> pl.DataFrame:
    rng = random.Random(5)
    rows = []
    for person in range(persons):
        age, town = 20 + person % 40, TOWNS[person % 5]
        for _ in range(2):
            said = rng.choice(
                ["Came back with a cough.", "Lives in Trier now.", "No pain today, sleeps well."]
            )
            rows.append(
                {"person_id": f"P{person:04}", "age": age, "town": town, "note": f"{said} Age {age}."}
            )
    return pl.DataFrame(rows)


@pytest.fixture(scope="module")
def draft() -> Any:
    return hn.profile(notes())


def test_a_draft_names_what_was_tried_and_what_is_left(draft: Any) -> None:
    assert draft.trial.outcomes[draft.trial.chosen].setup == draft.setup
    weaker = draft.setup.rank == "separate" or draft.setup.known == 1 or bool(draft.setup.only)
    assert ("Not promised" in draft.text) == weaker
    assert "% of the words would be left" in draft.text
    told = draft.to_dict()["trial"]
    assert told["tried"][told["chosen"]]["words"] > 0


def test_the_proposed_plan_is_the_strongest_of_those_that_leave_enough(draft: Any) -> None:
    enough = [number for number, one in enumerate(draft.trial.outcomes) if one.is_enough(draft.trial.enough)]
    assert draft.trial.is_useful == bool(enough)
    if enough:
        promise = draft.trial.outcomes[enough[0]].setup
        assert (draft.setup.rank, draft.setup.known) == (promise.rank, promise.known)


def test_rows_are_shown_on_a_terminal_and_never_in_a_notebook(draft: Any) -> None:
    shown = draft.preview()
    assert shown.text.count("\nrow ") == 5
    assert "(left out)" in shown.text
    for value in ("cough", "Trier", "P00"):
        assert value not in shown._repr_html_() + repr(shown) + repr(draft) + str(shown.to_dict())
    assert "note" in shown._repr_html_()


@pytest.mark.parametrize("purpose", ["partner", "research", "public"])
def test_names_are_masked_whatever_the_release_is_for(purpose: str) -> None:
    plan = hn.profile(notes(), purpose=purpose, trial=False).plan
    assert "PERSON" in plan["text"]["direct"]
    assert {"partner": 3, "research": 5, "public": 11}[purpose] == plan["privacy"][0]["k"]


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(hn.UsageError, match="research"):
        hn.profile(notes(), purpose="reserch")


def test_anonymize_previews_a_plan_and_writes_nothing(tmp_path: Path, command: Any, draft: Any) -> None:
    notes().write_csv(tmp_path / "notes.csv")
    (tmp_path / "plan.yaml").write_text(draft.text)
    call = ("anonymize", tmp_path / "notes.csv", "-c", tmp_path / "plan.yaml", "-o", tmp_path / "release")
    shown = command(*call, "--preview")
    assert shown.exit_code == 0
    assert shown.out.startswith("5 rows before and after")
    assert not (tmp_path / "release").exists()
    assert hn.preview(notes(), draft.plan, rows=2).text.count("\nrow ") == 2
