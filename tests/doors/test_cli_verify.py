"""verify: believes nothing but the files, and says whether rows or persons were counted."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest
import yaml

from tests.conftest import PEOPLE, PEOPLE_PLAN


@pytest.fixture
def released(desk: Any) -> Any:
    at = desk()
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    return at


def owner(at: Any) -> tuple[Any, ...]:
    return ("--private", at.folder / "own", "--against", at.folder / at.name)


def tamper(at: Any, change: Any) -> None:
    path = at.released
    frame = pl.read_csv(path, infer_schema=False)
    change(frame).write_csv(path)


def one_label(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(age=pl.Series(["7", *frame["age"].to_list()[1:]]))


def test_a_sound_release_passes(released: Any) -> None:
    assert released.verify().exit_code == 0
    assert released.verify(*owner(released)).exit_code == 0


BROKEN = {
    "one row's label": one_label,
    "one row gone": lambda frame: frame.tail(3),
    "an identifier more": lambda frame: frame.with_columns(id=pl.Series(list("abcd"))),
    "a column less": lambda frame: frame.drop("note"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_release_that_breaks_the_promise_fails(case: str, released: Any) -> None:
    tamper(released, BROKEN[case])
    outcome = released.verify("--json")
    assert outcome.exit_code == 1
    assert outcome.json["holds"] is False


UNTRUE = {
    "a label narrowed for its whole group": lambda frame: frame.with_columns(
        pl.col("age").str.replace("-47", "-40")
    ),
    "a plain cell": lambda frame: frame.with_columns(note=pl.Series(["z", *frame["note"].to_list()[1:]])),
    "two rows swapped": lambda frame: frame.with_columns(note=frame["note"].reverse()),
    "a row twice": lambda frame: pl.concat([frame, frame.tail(1)]),
    "a label lost": lambda frame: frame.with_columns(sex=pl.lit(None, pl.String)),
}


@pytest.mark.parametrize("case", UNTRUE)
def test_a_release_that_is_not_true_of_the_data_fails_for_the_owner(case: str, released: Any) -> None:
    tamper(released, UNTRUE[case])
    assert released.verify(*owner(released)).exit_code == 1


def test_a_changed_release_is_noticed_without_the_owners_files(released: Any) -> None:
    tamper(released, lambda frame: frame.reverse())
    outcome = released.verify("--json")
    assert outcome.exit_code == 1
    assert {"name": "intact", "holds": False}.items() <= outcome.json["checks"][-1].items()


@pytest.mark.parametrize("case", ["a plain cell", "a row twice"])
def test_the_data_alone_shows_what_was_not_in_it(case: str, released: Any) -> None:
    tamper(released, UNTRUE[case])
    assert released.verify("--against", released.folder / released.name).exit_code == 1


def test_the_data_alone_says_that_labels_need_the_row_map(released: Any) -> None:
    outcome = released.verify("--against", released.folder / released.name)
    assert outcome.exit_code == 0
    assert "--private" in outcome.out


def test_a_larger_k_in_the_plan_is_held_against_the_release(released: Any) -> None:
    path = released.release / "plan.yaml"
    path.write_text(path.read_text().replace("k: 2", "k: 3"))
    assert released.verify().exit_code == 1


# one person with three rows, k = 2 by rows is easy and wrong
PROLIFIC = "id,age\n1,30\n1,30\n1,30\n2,31\n2,31\n3,60\n4,61\n4,61\n"
PROLIFIC_PLAN = {
    "data": {"person": "id"},
    "attributes": {"id": {"role": "identifier"}, "age": {"role": "quasi", "scale": "numeric"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def test_rows_are_counted_without_the_row_map_and_persons_with_it(desk: Any) -> None:
    at = desk(PROLIFIC, PROLIFIC_PLAN)
    at.anonymize("--private", at.folder / "own")
    assert at.verify("--json").json["unit"] == "rows"
    assert at.verify("--json", "--private", at.folder / "own").json["unit"] == "persons"


def test_a_person_with_many_rows_does_not_pass_alone(desk: Any) -> None:
    at = desk(PROLIFIC, PROLIFIC_PLAN)
    at.anonymize("--private", at.folder / "own")
    tamper(at, lambda frame: frame.with_columns(age=pl.Series(["30"] * 3 + frame["age"].to_list()[3:])))
    (at.release / "facts.json").unlink()  # so that only counting can tell
    rows = pl.read_csv(at.folder / "own" / "rows.csv").sort("released_row")["person"].to_list()
    assert rows[:3] == [1, 1, 1]
    assert at.verify().exit_code == 3
    assert at.verify("--private", at.folder / "own").exit_code == 1


def test_pseudonyms_let_anyone_count_persons(desk: Any) -> None:
    at = desk(PROLIFIC, {**PROLIFIC_PLAN, "release": {"person_key": "pseudonym"}})
    assert at.anonymize().exit_code == 0
    assert at.verify("--json").json["unit"] == "persons"
    assert set(pl.read_csv(at.released)["id"]) == {"P1", "P2", "P3", "P4"}


def test_cells_that_mean_missing_are_known_to_the_owner(desk: Any) -> None:
    at = desk(PEOPLE.replace("31", "n/a"), {**PEOPLE_PLAN, "data": {"missing": ["n/a"]}})
    at.anonymize("--private", at.folder / "own")
    assert "n/a" not in (at.release / "plan.yaml").read_text()
    assert at.verify(*owner(at)).exit_code == 0


NO_RELEASES: dict[str, dict[str, str] | None] = {
    "nothing": None,
    "an empty folder": {},
    "no data": {"plan.yaml": yaml.safe_dump(PEOPLE_PLAN), "facts.json": "{}"},
    "no plan": {"data.csv": PEOPLE, "facts.json": "{}"},
    "two data files": {"plan.yaml": yaml.safe_dump(PEOPLE_PLAN), "data.csv": PEOPLE, "data.parquet": ""},
    "data of another kind": {"plan.yaml": yaml.safe_dump(PEOPLE_PLAN), "data.exe": PEOPLE},
    "an empty table": {"plan.yaml": yaml.safe_dump(PEOPLE_PLAN), "data.csv": ""},
    "a table without rows": {"plan.yaml": yaml.safe_dump(PEOPLE_PLAN), "data.csv": "age,sex,note\n"},
    "a plan that is none": {"plan.yaml": "x", "data.csv": PEOPLE},
}


@pytest.mark.parametrize("case", NO_RELEASES)
def test_what_is_no_release_is_refused(case: str, desk: Any) -> None:
    at = desk()
    files = NO_RELEASES[case]
    if files is not None:
        at.release.mkdir()
        for name, content in files.items():
            (at.release / name).write_text(content)
    for options in ((), ("--against", at.folder / at.name)):
        outcome = at.verify(*options)
        assert outcome.exit_code == 2
        assert "fault of the program" not in outcome.err


def test_facts_that_cannot_be_read_are_noticed_by_anybody(released: Any) -> None:
    (released.release / "facts.json").write_text("[not json")
    assert released.verify().exit_code == 1
    assert released.verify(*owner(released)).exit_code == 1


def test_a_row_map_of_another_release_is_refused(released: Any, desk: Any) -> None:
    other = desk("age,sex,note\n" + "1,m,a\n" * 6)
    other.anonymize("--private", other.folder / "own")
    outcome = released.verify("--private", other.folder / "own")
    assert (outcome.exit_code, "does not belong" in outcome.err) == (2, True)


def test_a_private_folder_that_is_not_there_is_refused(released: Any) -> None:
    outcome = released.verify("--private", released.folder / "nowhere")
    assert (outcome.exit_code, "row map" in outcome.err) == (2, True)


def test_the_library_verifies_a_folder(released: Any) -> None:
    import heteronym as hn

    verdict = hn.verify(
        released.release, against=released.folder / released.name, private=released.folder / "own"
    )
    assert (verdict.holds, verdict.unit) == (True, "persons")


def test_json_is_one_object(released: Any) -> None:
    outcome = released.verify("--json")
    assert set(json.loads(outcome.out)) == {"holds", "unit", "models", "checks", "risk"}


def test_blanks_around_a_person_key_do_not_make_another_person(desk: Any) -> None:
    keys = PROLIFIC.replace("1,30\n1,30", "1,30\n 1,30", 1).replace("4,61\n", "4 ,61\n", 1)
    at = desk(keys, PROLIFIC_PLAN)
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    assert at.verify(*owner(at)).exit_code == 0
    assert at.verify("--private", at.folder / "own").exit_code == 0
