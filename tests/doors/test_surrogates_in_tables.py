"""Surrogates of tables through the doors: key, vault, restore, tampering, impossible plans."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import heteronym as hn
from heteronym.errors import UsageError

WOMEN = ["Emma Baker", "Lucy Carter", "Sarah Turner", "Helen Walker", "Karen Parker", "Diane Cooper"]
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier", "entities": ["CODE"], "recode": "surrogate"},
        "name": {"role": "identifier", "entities": ["PERSON"], "recode": "surrogate"},
        "age": {"role": "quasi", "scale": "numeric"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": {"model": "k-anonymity", "k": 3},
}


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    rows = [["id", "name", "age", "note"]]
    for number, name in enumerate(WOMEN):
        first, last = name.split()
        rows.append(
            [f"K{700 + number}", name, str(30 + number), f"{name} (K{700 + number}) came. {last}'s dog."]
        )
        rows.append([f"K{700 + number}", name, str(30 + number), f"{first} came again."])
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    (tmp_path / "data.csv").write_text(out.getvalue())
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(PLAN))
    return tmp_path


def released(folder: Path, name: str = "data.csv") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / name).read_text(encoding="utf-8"))))


def run(command: Any, desk: Path, *more: str) -> Any:
    return command(
        "anonymize", desk / "data.csv", "-c", desk / "plan.yaml", "-o", desk / "r",
        "--private", desk / "own", "-q", *more,
    )  # fmt: skip


def test_the_note_says_what_the_table_says(command: Any, desk: Path) -> None:
    assert run(command, desk).exit_code == 0
    rows = released(desk / "r")
    assert len(rows) == 12
    for row in rows:
        assert row["name"] not in WOMEN
        first, last = row["name"].split()
        key = row["id"]
        assert row["note"] in (f"{row['name']} ({key}) came. {last}'s dog.", f"{first} came again.")
    assert (
        command("verify", desk / "r", "--private", desk / "own", "--against", desk / "data.csv").exit_code
        == 0
    )
    facts = json.loads((desk / "r" / "facts.json").read_text())
    assert not any(name in json.dumps(facts) for name in WOMEN)


def test_restore_brings_the_release_back(command: Any, desk: Path) -> None:
    assert run(command, desk).exit_code == 0
    done = command("restore", desk / "r", "--private", desk / "own", "-o", desk / "back")
    assert done.exit_code == 0
    wanted = {(r["id"], r["name"], r["note"]) for r in released(desk)}
    assert {(r["id"], r["name"], r["note"]) for r in released(desk / "back")} == wanted


def test_another_vault_restores_nothing(command: Any, desk: Path) -> None:
    assert run(command, desk).exit_code == 0
    (desk / "letter.txt").write_text("Dear Mrs Emma Baker,\n")
    given = ("--method", "pseudonyms", "--private", desk / "other", "--model", "fast", "-q")
    assert command("sanitize", desk / "letter.txt", "-o", desk / "clean", *given).exit_code == 0
    done = command("restore", desk / "r", "--private", desk / "other", "-o", desk / "back")
    assert done.exit_code == 2
    assert "knows no cell" in done.err
    assert not (desk / "back").exists()


def test_a_passphrase_seals_the_vault_and_gives_the_key(
    command: Any, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HETERONYM_PASSPHRASE", "correct horse")
    assert run(command, desk).exit_code == 0
    assert b"Baker" not in (desk / "own" / "vault.json").read_bytes()
    assert not (desk / "own" / "pseudonyms.key").exists()
    first = released(desk / "r")
    assert run(command, desk, "--overwrite").exit_code == 0
    assert released(desk / "r") == first
    monkeypatch.setenv("HETERONYM_PASSPHRASE", "wrong horse")
    assert run(command, desk, "--overwrite").exit_code == 2
    done = command("restore", desk / "r", "--private", desk / "own", "-o", desk / "back")
    assert done.exit_code == 2
    assert "passphrase" in done.err
    assert not (desk / "back").exists()


def test_documents_may_share_the_vault_of_a_release(command: Any, desk: Path) -> None:
    assert run(command, desk).exit_code == 0
    (desk / "letter.txt").write_text("Dear Mrs Emma Baker,\n\nMr Tom Whitfield called.\n")
    given = ("--method", "pseudonyms", "--private", desk / "own", "--model", "fast", "-q")
    assert command("sanitize", desk / "letter.txt", "-o", desk / "clean", *given).exit_code == 0
    rows = {r["source_row"]: int(r["released_row"]) for r in released(desk / "own", "rows.csv")}
    shown = released(desk / "r")[rows["1"] - 1]["name"]
    assert shown in (desk / "clean" / "letter.txt").read_text()
    assert hn.verify(desk / "r", private=desk / "own", against=desk / "data.csv").holds
    assert command("restore", desk / "r", "--private", desk / "own", "-o", desk / "back", "-q").exit_code == 0


def test_python_has_the_same_door(desk: Path) -> None:
    given = {"output": desk / "r", "private": desk / "own", "passphrase": "p"}
    release = hn.anonymize(desk / "data.csv", desk / "plan.yaml", **given)
    assert release.verdict.holds
    assert not set(release.data["name"]) & set(WOMEN)
    plan = {**PLAN, "attributes": _dropped()}
    with pytest.raises(UsageError, match="asks for none"):
        hn.anonymize(desk / "data.csv", plan, output=desk / "s", passphrase="p")


def _dropped() -> dict[str, Any]:
    return {n: {k: v for k, v in a.items() if k != "recode"} for n, a in PLAN["attributes"].items()}


def test_a_number_of_the_table_stands_in_the_note(command: Any, desk: Path) -> None:
    plan = {**PLAN, "attributes": _dropped(), "release": {"person_key": "pseudonym"}}
    (desk / "plan.yaml").write_text(yaml.safe_dump(plan))
    assert run(command, desk).exit_code == 0
    rows = released(desk / "r")
    assert {row["id"] for row in rows} == {f"P{n}" for n in range(1, 7)}
    assert sum(f"({row['id']})" in row["note"] for row in rows) == 6
    assert (
        command("verify", desk / "r", "--private", desk / "own", "--against", desk / "data.csv").exit_code
        == 0
    )


@pytest.mark.parametrize(
    ("find", "put", "check"),
    [
        ("name", "original", "surrogates"),
        ("name", "another", "surrogates"),
        ("note", "original", "sweep"),
        ("note", "family", "edits"),
        ("id", "original", "surrogates"),
        ("name", "unlike", "surrogates"),
    ],
)
def test_an_original_that_is_left_is_noticed(
    command: Any, desk: Path, find: str, put: str, check: str
) -> None:
    assert run(command, desk).exit_code == 0
    rows = released(desk / "r")
    order = released(desk / "own", "rows.csv")
    source = released(desk)
    mine = source[int(order[0]["source_row"]) - 1]
    if put == "another":
        rows[0][find] = next(name for name in WOMEN if name != mine["name"])
    elif put == "unlike":
        rows[0][find] = "Zelda Quixworth"
    elif find == "note":
        old = mine["name"] if put == "original" else mine["name"].split()[1]
        rows[0]["note"] += f" {old} said so."
    else:
        rows[0][find] = mine[find]
    with (desk / "r" / "data.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    verdict = hn.verify(desk / "r", private=desk / "own", against=desk / "data.csv")
    failed = {one.name for one in verdict.checks if one.holds is False}
    assert verdict.holds is False
    assert check in failed


def test_a_surrogate_that_tells_more_than_its_group_may_is_counted(tmp_path: Path) -> None:
    """Two women and two men in one group: numbers hold, names of their gender do not."""
    names = ["Emma Baker", "Lucy Carter", "Thomas Turner", "Peter Person"]
    out = io.StringIO()
    csv.writer(out).writerows(
        [["id", "name", "age"], *([f"K{70 + n}", x, "30"] for n, x in enumerate(names))]
    )
    (tmp_path / "data.csv").write_text(out.getvalue())
    plan = {**PLAN, "privacy": {"model": "k-anonymity", "k": 4}, "attributes": {**PLAN["attributes"]}}
    del plan["attributes"]["note"]
    hn.anonymize(tmp_path / "data.csv", plan, output=tmp_path / "r", private=tmp_path / "own")
    rows = released(tmp_path / "r")
    assert all(row["name"].startswith("[PERSON ") for row in rows)
    assert len({row["name"] for row in rows}) == 4
    order = [int(r["source_row"]) - 1 for r in released(tmp_path / "own", "rows.csv")]
    like = ["Jane Foster", "Mary Potter", "James Fisher", "Paul Mason"]
    for row, source in zip(rows, order, strict=True):
        row["name"] = like[source]
    with (tmp_path / "r" / "data.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    verdict = hn.verify(tmp_path / "r", private=tmp_path / "own", against=tmp_path / "data.csv")
    assert [model.holds for model in verdict.models] == [False]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"attributes.name.recode": "prefix"}, "released as `surrogate`"),
        ({"attributes.name.entities": []}, "entities"),
        ({"release": {"person_key": "pseudonym"}}, "names persons already"),
        ({"privacy": {"model": "joint", "k": 3, "m": 1}}, "does not count what surrogates tell"),
        ({"recode": {"surrogates": ["PERSN"]}}, "no type 'PERSN'"),
        ({"attributes.age.recode": "surrogate"}, "surrogate"),
    ],
)
def test_plans_that_ask_for_the_impossible(
    command: Any, desk: Path, change: dict[str, Any], says: str
) -> None:
    plan = json.loads(json.dumps(PLAN))
    for path, value in change.items():
        place, *names = path.split(".")
        part = plan if not names else plan[place][names[0]]
        part[names[-1] if names else place] = value
    (desk / "plan.yaml").write_text(yaml.safe_dump(plan))
    done = run(command, desk)
    assert done.exit_code == 2
    assert says in done.err
    assert not (desk / "r").exists()


def test_dates_are_shifted_only_where_something_is_renamed(command: Any, desk: Path) -> None:
    plan = {**PLAN, "attributes": _dropped(), "release": {"shift": "person"}}
    (desk / "plan.yaml").write_text(yaml.safe_dump(plan))
    done = run(command, desk)
    assert done.exit_code == 2
    assert "no dates are shifted" in done.err


def test_explain_tells_what_stands_there(command: Any, desk: Path) -> None:
    assert run(command, desk).exit_code == 0
    done = command("explain", desk / "r", "--private", desk / "own", "--row", "1")
    assert done.exit_code == 0
    assert "what that column shows for the person stands there" in done.out
    assert not any(name in done.out for name in WOMEN)
