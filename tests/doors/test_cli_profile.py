"""profile: proposes a plan that anonymize accepts, with reasons, and shows no value."""

from __future__ import annotations

import datetime as dt
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from tests.conftest import PEOPLE


def roles(profile: Any) -> dict[str, str]:
    return {column["name"]: column["role"] for column in profile["columns"]}


def profiled(command: Any, folder: Path, data: str | bytes, name: str = "people.csv", **options: str) -> Any:
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    extra = [part for key, value in options.items() for part in (f"--{key}", value)]
    return command("profile", folder / name, "--json", *extra).json


def table(**columns: list[Any]) -> str:
    return pl.DataFrame(columns).write_csv()


MANY = 60
PROPOSALS: dict[str, tuple[list[Any], str, str]] = {
    "mail": ([f"user{n}@mail.example" for n in range(MANY)], "identifier", "nominal"),
    "ssn": ([f"{n:09d}x" for n in range(MANY)], "identifier", "nominal"),
    "surname": ([f"Name{n % 40}" for n in range(MANY)], "identifier", "nominal"),
    "city": ([f"City{n % 5}" for n in range(MANY)], "quasi", "nominal"),
    "age": ([20 + n % 30 for n in range(MANY)], "quasi", "numeric"),
    "born": ([f"19{50 + n % 40}-01-{1 + n % 28:02d}" for n in range(MANY)], "quasi", "date"),
    "income": ([n % 7 * 1000 for n in range(MANY)], "sensitive", "numeric"),
    "country": (["CH"] * MANY, "plain", "nominal"),
    "empty": ([None] * MANY, "plain", "nominal"),
    "zip": ([f"8{n % 9}00" for n in range(MANY)], "quasi", "nominal"),
    "story": (
        [f"I went to town number {n} and had a very long walk around there" for n in range(MANY)],
        "text",
        "nominal",
    ),
    "codes": (
        [" ".join("ABCDE"[i] for i in range(5) if (n % 31 + 1) >> i & 1) for n in range(MANY)],
        "items",
        "nominal",
    ),
}


@pytest.mark.parametrize("name", PROPOSALS)
def test_a_column_is_proposed_by_what_it_looks_like(name: str, command: Any, tmp_path: Path) -> None:
    values, role, scale = PROPOSALS[name]
    found = profiled(command, tmp_path, table(**{name: values, "other": [n % 4 for n in range(MANY)]}))
    column = next(c for c in found["columns"] if c["name"] == name)
    assert (column["role"], column["scale"]) == (role, scale)
    assert column["reason"]


def test_a_repeated_key_that_fixes_other_columns_is_the_person(command: Any, tmp_path: Path) -> None:
    data = table(
        user=[n // 3 for n in range(30)],
        age=[20 + n // 3 % 4 for n in range(30)],
        post=[f"t{n}" for n in range(30)],
    )
    found = profiled(command, tmp_path, data)
    assert (found["person"], found["persons"], found["rows"]) == ("user", 10, 30)
    assert roles(found)["user"] == "identifier"


def test_the_person_can_be_named(command: Any, tmp_path: Path) -> None:
    found = profiled(command, tmp_path, PEOPLE, person="sex")
    assert (found["person"], found["persons"]) == ("sex", 2)


def test_an_unknown_person_is_refused_with_the_nearest_name(command: Any, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    outcome = command("profile", tmp_path / "people.csv", "--person", "sexx")
    assert (outcome.exit_code, "'sex'" in outcome.err) == (2, True)


def test_unique_persons_are_counted_on_one_two_and_three_columns(command: Any, tmp_path: Path) -> None:
    found = profiled(command, tmp_path, "a,b,c\n1,1,1\n1,2,1\n2,1,1\n2,2,2\n2,2,2\n")
    assert {n: round(share["worst"], 2) for n, share in found["unique"].items()} == {
        "1": 0.0,
        "2": 0.6,
        "3": 0.6,
    }


def test_no_value_is_shown(command: Any, tmp_path: Path) -> None:
    secrets = [f"Zq{n}canary" for n in range(30)]
    data = table(name=secrets, town=[s[:3] + "canary" for s in secrets], n=list(range(30)))
    (tmp_path / "people.csv").write_text(data)
    plain = command("profile", tmp_path / "people.csv")
    as_json = command("profile", tmp_path / "people.csv", "--json")
    assert "canary" not in plain.out + plain.err + as_json.out + as_json.err


def test_the_plan_is_written_once_unless_told_otherwise(command: Any, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    call = ("profile", tmp_path / "people.csv", "-o", tmp_path / "plan.yaml")
    assert command(*call).exit_code == 0
    (tmp_path / "plan.yaml").write_text("edited")
    assert command(*call).exit_code == 2
    assert (tmp_path / "plan.yaml").read_text() == "edited"
    assert command(*call, "--overwrite").exit_code == 0


def test_a_folder_that_is_not_there_is_refused(command: Any, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    outcome = command("profile", tmp_path / "people.csv", "-o", tmp_path / "no" / "plan.yaml")
    assert (outcome.exit_code, "cannot be written" in outcome.err) == (2, True)


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "xlsx", "csv"])
def test_every_kind_of_file_is_looked_at(kind: str, command: Any, tmp_path: Path) -> None:
    out = io.BytesIO()
    frame = pl.DataFrame(
        {"age": [1, 2, 2, None], "word": ["a", "b", "b", None], "truth": [True, False, True, None]}
    )
    frame = frame.with_columns(row=pl.Series([1, 2, 3, 4]))
    writer = {"parquet": "write_parquet", "jsonl": "write_ndjson", "xlsx": "write_excel", "csv": "write_csv"}[
        kind
    ]
    getattr(frame, writer)(out)
    found = profiled(command, tmp_path, out.getvalue(), f"people.{kind}")
    assert [column["missing"] for column in found["columns"]] == [1, 1, 1, 0]


ODD_KINDS: dict[str, tuple[Any, str]] = {
    "objects": ([{"a": 1}], "identifier"),
    "bytes": ([b"\xff"], "identifier"),
    "spans": ([dt.timedelta(1)], "identifier"),
    "lists of lists": ([[["a"]]], "identifier"),
    "lists": ([["a", "b"]], "items"),
    "times": ([dt.time(1), dt.time(2)], "quasi"),
    "moments": ([dt.datetime(2000, 1, 1, 3), dt.datetime(2000, 1, 2, 3)], "quasi"),
    "truths": ([True, False], "quasi"),
    "nothing": ([None], "plain"),
}


@pytest.mark.parametrize("kind", ODD_KINDS)
def test_columns_of_every_kind_get_a_role(kind: str, command: Any, tmp_path: Path) -> None:
    values, role = ODD_KINDS[kind]
    frame = pl.DataFrame({"odd": (values * 40)[:40], "age": [n % 9 for n in range(40)]})
    out = io.BytesIO()
    frame.write_parquet(out)
    found = profiled(command, tmp_path, out.getvalue(), "people.parquet")
    assert roles(found)["odd"] == role
    if role != "items":
        (tmp_path / "plan.yaml").write_text(yaml.safe_dump(found["plan"]))
        call = (
            "anonymize",
            tmp_path / "people.parquet",
            "-c",
            tmp_path / "plan.yaml",
            "-o",
            tmp_path / "release",
        )
        assert command(*call).exit_code == 0


@pytest.mark.parametrize("rows", [1, 2])
def test_tiny_tables_are_looked_at(rows: int, command: Any, tmp_path: Path) -> None:
    assert profiled(command, tmp_path, "\n".join(PEOPLE.splitlines()[: 1 + rows]))["rows"] == rows


def test_the_draft_for_the_bundled_example_is_accepted(command: Any, tmp_path: Path) -> None:
    posts = Path(str(files("heteronym"))) / "examples" / "blog" / "posts.csv"
    assert command("profile", posts, "-o", tmp_path / "plan.yaml").exit_code == 0
    call = ("anonymize", posts, "-c", tmp_path / "plan.yaml", "-o", tmp_path / "release", "--k", "2")
    assert command(*call, "--language-model", "none").exit_code == 0


@pytest.mark.shared
def test_the_draft_for_adult_is_accepted(command: Any, tmp_path: Path, shared_data: Path) -> None:
    adult = next(
        path
        for path in sorted((shared_data / "adult").iterdir())
        if path.suffix == ".csv" and "hier" not in path.name
    )
    assert command("profile", adult, "-o", tmp_path / "plan.yaml").exit_code == 0
    outcome = command("anonymize", adult, "-c", tmp_path / "plan.yaml", "-o", tmp_path / "release", "--json")
    assert outcome.exit_code == 0
    assert outcome.json["verdict"]["models"][0]["smallest_group"] >= 5
    draft = yaml.safe_load((tmp_path / "plan.yaml").read_text())
    assert set(draft["attributes"]) == set(outcome.json["method"]["attributes"])


def test_json_is_one_object(command: Any, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    outcome = command("profile", tmp_path / "people.csv", "--json")
    assert isinstance(json.loads(outcome.out), dict)


@pytest.mark.parametrize(
    ("name", "columns", "kind", "words"),
    [
        (
            "visits",
            ["patient_name", "doctor_name", "room"],
            "compound",
            "ties a patient and a doctor together",
        ),
        ("patients", ["name", "phone", "age"], "atomic", "about one person, a patient"),
        ("survey", ["age", "sex", "answer"], "atomic", "about one person, a person (by age, sex)"),
        ("test", ["number", "description"], "zero", "no column refers to a person"),
    ],
)
def test_a_table_is_told_by_whom_its_rows_are_about(
    name: str, columns: list[str], kind: str, words: str, command: Any, tmp_path: Path
) -> None:
    rows = {column: [f"v{n % 7}" for n in range(20)] for column in columns}
    found = profiled(command, tmp_path, table(**rows), name=f"{name}.csv")
    (relation,) = found["relations"]
    assert relation["class"] == kind
    assert words in relation["explanation"]
    shown = command("profile", tmp_path / f"{name}.csv").out
    # that a table is about nobody cannot be said from names of columns alone
    assert (f"# {kind.capitalize()} by its names: {name}: " in shown) == (kind != "zero")
    assert yaml.safe_load(shown)["version"] == 1


def test_every_joined_table_is_told(command: Any, tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("id,name\n1,Ann Lee\n2,Bo Ray\n")
    (tmp_path / "test.csv").write_text("id,result\n1,x\n2,y\n")
    found = command("profile", tmp_path / "patients.csv", tmp_path / "test.csv", "--json").json
    assert [r["name"] for r in found["relations"]] == ["patients", "test"]
    assert found["relations"][0]["class"] == "atomic"


def test_risk_is_told_with_households_weights_and_special_uniques(command: Any, tmp_path: Path) -> None:
    rows = 60
    data = table(
        home=[f"h{n // 3}" for n in range(rows)],
        survey_weight=[20.0] * rows,
        age=[20 + n // 3 for n in range(rows)],
        city=[f"City{n % 5}" for n in range(rows)],
        income=[n % 7 * 1000 for n in range(rows)],
    )
    found = profiled(command, tmp_path, data, household="home", weight="survey_weight")
    risk = found["risk"]
    assert found["plan"]["data"] == {"household": "home", "weight": "survey_weight"}
    assert {roles(found)[name] for name in ("home", "survey_weight")} == {"identifier"}
    assert risk["prosecutor"] == 1
    assert risk["journalist"] == 1 / 20
    assert risk["household"] == 1
    assert risk["singling_out"] == risk["unique"] / rows == 1
    assert risk["population"].keys() == {"0.05"}
    assert risk["combinations"]["largest"] == 2
    text = command("profile", tmp_path / "people.csv").out
    assert "singling out 1, linkability 1, inference" in text
    assert "can be singled out by only some of the columns" in text
    assert "assuming that the data is a simple random sample" in text
    assert "k = 5 (0.2)" in text


def test_weights_that_are_none_are_refused(command: Any, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(table(age=[20, 30, 40], w=[1.0, 0.0, 2.0], city=["a", "b", "c"]))
    outcome = command("profile", tmp_path / "people.csv", "--weight", "w")
    assert outcome.exit_code == 2
    assert "must be numbers above 0" in outcome.err
