"""heteronym attack: exit 1 where an attacker gets more than was promised."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from tests.conftest import PEOPLE


@pytest.fixture
def released(desk: Any) -> Any:
    at = desk()
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    return at


def attack(at: Any, *options: object) -> Any:
    return at.command("attack", at.release, "--against", at.folder / at.name, *options)


def test_a_release_of_ours_stands(released: Any) -> None:
    outcome = attack(released, "--private", released.folder / "own", "--json")
    assert outcome.exit_code == 0
    assert outcome.json["holds"] is True
    assert outcome.json["unit"] == "persons"
    for result in outcome.json["attacks"]:
        assert result["holds"] is not False


def test_a_broken_release_is_told_with_exit_1(released: Any) -> None:
    frame = pl.read_csv(released.folder / released.name, infer_schema=False)
    frame.write_csv(released.released)
    outcome = attack(released)
    assert outcome.exit_code == 1
    assert "linkage-columns: BROKEN" in outcome.out


def test_one_attack_can_be_chosen_and_set(released: Any) -> None:
    outcome = attack(released, "--only", "linkage-columns", "--targets", 2, "--json")
    [result] = outcome.json["attacks"]
    assert (result["attack"], result["targets"]) == ("linkage-columns", 2)


def test_no_output_shows_a_value(desk: Any) -> None:
    secret = PEOPLE.replace(",a\n", ",zqcanary1\n").replace(",m,", ",zqcanary2,")
    at = desk(secret)
    at.anonymize("--private", at.folder / "own")
    outcome = attack(at, "--private", at.folder / "own", "-v")
    assert "zqcanary" not in outcome.out + outcome.err


WRONG = {
    "no release": lambda at: at.command("attack", at.folder, "--against", at.folder / at.name),
    "no such attack": lambda at: attack(at, "--only", "linkage"),
    "another map": lambda at: attack(at, "--private", at.folder),
    "other data": lambda at: at.command("attack", at.release, "--against", at.folder / "plan.yaml"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_are_refused(case: str, released: Any) -> None:
    outcome = WRONG[case](released)
    assert outcome.exit_code == 2
    assert outcome.err.startswith("heteronym:")
