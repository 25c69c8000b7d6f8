"""Bad input: exit 2, a message that names the place and never a value, and nothing left behind."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.conftest import PEOPLE, PEOPLE_PLAN

SECRET = "Xq7secret"
TWO = {"model": "k-anonymity", "k": 2}


def plan(**changes: Any) -> dict[str, Any]:
    return {**PEOPLE_PLAN, **changes}


def columns(**changes: Any) -> dict[str, Any]:
    attributes = {**PEOPLE_PLAN["attributes"], **changes}
    return plan(attributes={name: a for name, a in attributes.items() if a is not None})


BAD_DATA = {
    "no column name": (PEOPLE.replace("sex", ""), ["people.csv", "column 2 has no name", "titles"]),
    "column name twice": (PEOPLE.replace("sex", "age"), ["'age'", "2 times"]),
    "column name that reads as a pattern": (PEOPLE.replace("sex", "^s$"), ["'^s$'"]),
    "text in a numeric column": (PEOPLE.replace("32", SECRET), ["'age'", "numeric", "row 2"]),
    "text in many numeric cells": (
        "age,sex,note\n" + f"{SECRET},m,x\n" * 9,
        ["'age'", "rows 1, 2, 3 and 6 others"],
    ),
    "infinite number": (PEOPLE.replace("32", "inf"), ["'age'", "row 2"]),
    "row too long": (PEOPLE.replace(",b", f",b,{SECRET}"), ["row 2", "3 fields"]),
    "row too short": (PEOPLE.replace("32,f,b", SECRET), ["row 2", "3 fields"]),
    "rows whose widths even out": (
        PEOPLE.replace(",f,b", ",f").replace(",c", ",c,c"),
        ["rows 2, 3", "3 fields"],
    ),
    "ragged row behind blank lines": (PEOPLE.replace("\n", "\n\n").replace(",f,b", ""), ["row 2"]),
    "bytes of no encoding": (
        PEOPLE.encode().replace(b",b", b",\xff\xfe\x81\x8d"),
        ["people.csv", "row 2", "--encoding"],
    ),
    "damaged UTF-8": (
        PEOPLE.replace(",a", ",Zürich, Köln".replace(", ", " ")).encode().replace(b",c", b",\xfc"),
        ["row 3", "UTF-8"],
    ),
    "binary data": (b"\x89PNG\x00\x00\xff\x81", ["people.csv", "not a text file"]),
    "nothing": ("", ["people.csv", "empty"]),
    "white space": (" \n\n", ["people.csv", "empty"]),
    "only a header": ("age,sex,note\n", ["people.csv", "no data rows"]),
    "only a header without line end": ("age,sex,note", ["no data rows"]),
    "a column that the plan lacks": (
        "age,sex,note,shoe\n1,m,a,2\n2,f,b,3\n",
        ["'shoe'", "no role", "profile"],
    ),
    "fewer persons than k": ("age,sex,note\n31,m,a\n", ["k = 2", "number of persons, 1"]),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_is_refused_by_place(case: str, desk: Any) -> None:
    data, words = BAD_DATA[case]
    at = desk(data)
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert outcome.out == ""
    assert [word for word in words if word not in outcome.err] == []
    assert len(outcome.err.splitlines()) == 1
    assert SECRET not in outcome.err
    assert at.left_behind() == []


BAD_PLANS: dict[str, tuple[Any, list[str]]] = {
    "unknown key": (plan(partion={}), ["partion", "'partition'"]),
    "unknown key of a column": (columns(age={"role": "quasi", "scal": "numeric"}), ["age.scal", "'scale'"]),
    "unknown key of data": (plan(data={"persn": "id"}), ["data.persn", "'person'"]),
    "unknown role": (columns(age={"role": "quazi"}), ["age.role", "'quasi'"]),
    "unknown scale": (columns(age={"role": "quasi", "scale": "numerc"}), ["age.scale", "'numeric'"]),
    "unknown model": (plan(privacy=[{"model": "k-anonimity", "k": 2}]), ["'k-anonymity'"]),
    "unknown parameter": (plan(privacy=[{**TWO, "kk": 2}]), ["'kk'", "'k'"]),
    "parameter left out": (plan(privacy=[{"model": "k-anonymity"}]), ["needs 'k'"]),
    "unknown method": (plan(partition={"method": "mondrain"}), ["'mondrian'"]),
    "unknown choice": (plan(partition={"method": "mondrian", "cut": "gian"}), ["'gain'"]),
    "parameter out of range": (
        plan(partition={"method": "mondrian", "relational_weight": 2}),
        ["between 0 and 1"],
    ),
    "unknown recoder": (columns(sex={"role": "quasi", "recode": "prefx"}), ["'prefix'"]),
    "column that the data lacks": (columns(agee={"role": "plain"}), ["attributes.agee", "'age'"]),
    "person key that the data lacks": (plan(data={"person": "nota"}), ["data.person", "'note'"]),
    "person key that is released": (plan(data={"person": "note"}), ["note", "identifier"]),
    "nothing to anonymize": (columns(age={"role": "plain"}, sex={"role": "plain"}), ["nothing to anonymize"]),
    "k of 1": (plan(privacy=[{"model": "k-anonymity", "k": 1}]), ["'k'", "at least 2"]),
    "k of 0": (plan(privacy=[{"model": "k-anonymity", "k": 0}]), ["'k'", "at least 2"]),
    "k of a half": (plan(privacy=[{"model": "k-anonymity", "k": 2.5}]), ["'k'", "whole number"]),
    "k of true": (plan(privacy=[{"model": "k-anonymity", "k": True}]), ["'k'", "whole number"]),
    "k larger than the data": (plan(privacy=[{"model": "k-anonymity", "k": 5}]), ["k = 5", "4"]),
    "no model": (plan(privacy=[]), ["privacy"]),
    "no privacy": ({"attributes": PEOPLE_PLAN["attributes"]}, ["privacy", "missing"]),
    "no attributes": ({"privacy": [TWO]}, ["attributes", "missing"]),
    "weight of nothing": (columns(age={"role": "quasi", "weight": 0}), ["age.weight", "greater than 0"]),
    "seed below zero": (plan(seed=-1), ["seed"]),
    "ordinal without order": (columns(sex={"role": "quasi", "scale": "ordinal"}), ["sex", "order"]),
    "order that lacks a value": (
        columns(sex={"role": "quasi", "scale": "ordinal", "order": ["m"]}),
        ["'sex'", "rows 2, 4"],
    ),
    "order that names a value twice": (
        columns(sex={"role": "quasi", "scale": "ordinal", "order": ["m", "f", "m"]}),
        ["sex", "order", "twice"],
    ),
    "pseudonyms without persons": (plan(release={"person_key": "pseudonym"}), ["person_key", "data.person"]),
    "date column of numbers": (columns(age={"role": "quasi", "scale": "date"}), ["'age'", "format"]),
    "format that is none": (columns(note={"role": "quasi", "scale": "date", "format": "%Q"}), ["'note'"]),
    "hierarchy that is not there": (columns(sex={"role": "quasi", "hierarchy": "no.csv"}), ["no.csv"]),
    "interval of names": (
        columns(sex={"role": "quasi", "recode": "interval"}),
        ["sex", "interval", "numeric"],
    ),
    "prefix of numbers": (
        columns(age={"role": "quasi", "scale": "numeric", "recode": "prefix"}),
        ["age", "prefix", "nominal"],
    ),
    "delimiter of two characters": (plan(data={"delimiter": ";;"}), ["delimiter"]),
    "delimiter that is a quote": (plan(data={"delimiter": '"'}), ["delimiter"]),
    "delimiter that ends lines": (plan(data={"delimiter": "\n"}), ["delimiter"]),
    "encoding of no name": (plan(data={"encoding": "utf-99"}), ["utf-99"]),
    "encoding that is no encoding": (plan(data={"encoding": "hex"}), ["hex"]),
    "encoding that does not fit": (plan(data={"encoding": "utf-16"}), ["utf-16"]),
    "empty": ("", ["plan.yaml", "attributes"]),
    "a list": ("- a\n- b\n", ["plan.yaml", "attributes"]),
    "indented by tabs": ("attributes:\n\tage: {role: plain}\n", ["plan.yaml", "line 2", "YAML"]),
    "key given twice": ("seed: 1\nseed: 2\n", ["plan.yaml", "line 2", "'seed'", "twice"]),
    "column given twice": (
        "attributes:\n  a: {role: plain}\n  b: {role: plain}\n  a: {role: quasi}\n",
        ["line 4", "'a'", "twice"],
    ),
    "column name that YAML reads as a number": (
        "attributes: {1: {role: plain}}\nprivacy: [{model: k-anonymity, k: 2}]\n",
        ["attributes", "1", "quotes"],
    ),
    "bytes that are no text": (b"\xff\xfe\x00", ["plan.yaml", "UTF-8"]),
    "a NUL": ("seed: \x00", ["plan.yaml", "YAML"]),
    "a tag that builds objects": ("!!python/object/apply:os.getcwd []\n", ["plan.yaml", "YAML"]),
}


@pytest.mark.parametrize("case", BAD_PLANS)
def test_a_bad_plan_is_refused_by_place(case: str, desk: Any) -> None:
    content, words = BAD_PLANS[case]
    at = desk(PEOPLE, content)
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert [word for word in words if word not in outcome.err] == []
    assert "fault of the program" not in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert at.left_behind() == []


def parquet(frame: pl.DataFrame) -> bytes:
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


BAD_FILES = {
    "people.parquet": (b"PAR1 this is none", "people.parquet"),
    "people.xlsx": (b"PK this is none", "people.xlsx"),
    "people.jsonl": (f'{{"age": 1}}\n{SECRET}\n'.encode(), "people.jsonl"),
    "people.ndjson": (b"[1, 2]\n", "people.ndjson"),
    "people.doc": (b"some text", "unknown kind of file"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_of_another_kind_is_refused_by_name(name: str, desk: Any) -> None:
    content, word = BAD_FILES[name]
    at = desk(content, name=name)
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert word in outcome.err
    assert SECRET not in outcome.err
    assert "fault of the program" not in outcome.err


ODD_COLUMNS = {
    "lists": pl.Series("sex", [[1], [2], [3]]),
    "objects": pl.Series("sex", [{"a": 1}, {"a": 2}, {"a": 3}]),
    "bytes": pl.Series("sex", [b"\xff", b"\xfe", b"\xfd"]),
    "durations": pl.Series("sex", [1, 2, 3]).cast(pl.Duration),
}


@pytest.mark.parametrize("kind", ODD_COLUMNS)
def test_a_quasi_column_of_what_has_no_text_is_refused_by_name(kind: str, desk: Any) -> None:
    frame = pl.DataFrame([pl.Series("age", [1, 2, 3]), ODD_COLUMNS[kind], pl.Series("note", ["a", "b", "c"])])
    at = desk(parquet(frame), name="people.parquet")
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert "'sex'" in outcome.err
    assert "fault of the program" not in outcome.err


@pytest.mark.parametrize(("command_name", "remedy"), [("profile", "heteronym sanitize"), ("scan", "notes/*")])
def test_a_folder_of_notes_is_refused_with_what_to_do(
    command_name: str, remedy: str, tmp_path: Path, command: Any
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.txt").write_text(SECRET)
    outcome = command(command_name, tmp_path / "notes", *(["-o", tmp_path / "p"] if remedy[0] == "h" else []))
    assert (outcome.exit_code, "a folder" in outcome.err, remedy in outcome.err) == (2, True, True)


def test_a_missing_file_is_named(desk: Any) -> None:
    at = desk()
    outcome = at.anonymize(data=at.folder / "nobody.csv")
    assert (outcome.exit_code, "nobody.csv: no such file" in outcome.err) == (2, True)


def test_a_missing_plan_is_named(desk: Any) -> None:
    at = desk()
    (at.folder / "plan.yaml").unlink()
    outcome = at.anonymize()
    assert (outcome.exit_code, "plan.yaml: no such plan. Draft one: heteronym profile" in outcome.err) == (
        2,
        True,
    )


def test_a_folder_in_place_of_a_file_is_refused(desk: Any) -> None:
    at = desk()
    (at.folder / "folder.csv").mkdir()
    assert at.anonymize(data=at.folder / "folder.csv").exit_code == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(desk: Any) -> None:
    at = desk()
    (at.folder / at.name).chmod(0)
    outcome = at.anonymize()
    assert (outcome.exit_code, "cannot be read" in outcome.err) == (2, True)


BAD_OPTIONS = [
    (("--k", "1"), "at least 2"),
    (("--k", "x"), "--k"),
    (("--k", "5"), "number of persons"),
    (("--method", "mondrain"), "'mondrian'"),
    (("--seed", "-1"), "seed"),
    (("--cut", "wide"), "'widest'"),
    (("--delimiter", ";;"), "delimiter"),
    (("--nonsense",), "--nonsense"),
]


@pytest.mark.parametrize(("options", "word"), BAD_OPTIONS, ids=lambda value: str(value))
def test_a_bad_option_is_refused(options: tuple[str, ...], word: str, desk: Any) -> None:
    at = desk()
    outcome = at.anonymize(*options)
    assert outcome.exit_code == 2
    assert word in outcome.err
    assert at.left_behind() == []


PERSONS = "id,age\n1,31\n2,32\n3,47\n"
JOIN_PLAN = {
    "data": {"person": "id", "join": [{"table": "posts", "on": "id"}]},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "post": {"role": "plain"},
    },
    "privacy": [TWO],
}
BAD_JOINS = {
    "many-to-many": (
        PERSONS + "1,33\n",
        "id,post\n1,a\n1,b\n2,c\n3,d\n",
        ["posts.csv", "'id'", "many-to-many"],
    ),
    "key that the first lacks": (PERSONS, "id,post\n1,a\n2,b\n3,c\n4,d\n", ["posts.csv", "'id'", "row 4"]),
    "key that the second lacks": (PERSONS, "id,post\n1,a\n3,c\n", ["people.csv", "'id'", "row 2"]),
    "no key in a row": (PERSONS, "id,post\n1,a\n,b\n3,c\n", ["posts.csv", "'id'", "row 2"]),
    "no such key": (PERSONS, "ident,post\n1,a\n", ["posts.csv", "'id'"]),
    "column in both": (PERSONS, "id,age\n1,a\n2,b\n3,c\n", ["posts.csv", "'age'"]),
}


@pytest.mark.parametrize("case", BAD_JOINS)
def test_a_bad_join_is_refused_by_place(case: str, desk: Any) -> None:
    persons, posts, words = BAD_JOINS[case]
    at = desk(persons, JOIN_PLAN)
    at.put(posts, "posts.csv")
    outcome = at.anonymize(data=[at.folder / "people.csv", at.folder / "posts.csv"])
    assert outcome.exit_code == 2
    assert [word for word in words if word not in outcome.err] == []


@pytest.mark.parametrize("files", [["people.csv"], ["people.csv", "posts.csv", "posts.csv"]])
def test_files_and_joins_must_match(files: list[str], desk: Any) -> None:
    at = desk(PERSONS, JOIN_PLAN)
    at.put("id,post\n1,a\n2,b\n3,c\n", "posts.csv")
    outcome = at.anonymize(data=[at.folder / name for name in files])
    assert (outcome.exit_code, "data.join" in outcome.err) == (2, True)


def test_a_row_without_person_key_is_refused_by_number(desk: Any) -> None:
    at = desk(
        "id,age\n1,31\n,32\n3,47\n",
        {
            **JOIN_PLAN,
            "data": {"person": "id"},
            "attributes": {k: JOIN_PLAN["attributes"][k] for k in ("id", "age")},
        },
    )
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert "'id', row 2" in outcome.err


def test_two_parents_in_a_hierarchy_are_refused_by_row(desk: Any) -> None:
    at = desk(PEOPLE, columns(sex={"role": "quasi", "hierarchy": "sex.csv"}))
    at.put("m;x;*\nf;y;*\nm;y;*\n", "sex.csv")
    outcome = at.anonymize()
    assert (outcome.exit_code, "rows 1 and 3" in outcome.err) == (2, True)


def test_a_fault_of_the_program_tells_its_kind_and_no_data(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any, **options: Any) -> None:
        raise ValueError(f"could not convert {SECRET}")

    monkeypatch.setattr("heteronym.pipeline.encode", broken)
    at = desk()
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert "ValueError" in outcome.err
    assert SECRET not in outcome.err
    assert at.left_behind() == []


def test_scan_does_not_write_over_a_reviewed_file(command: Any, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Mail ann@mail.example")
    (tmp_path / "found.jsonl").write_text("reviewed")
    call = ("scan", tmp_path / "note.txt", "-o", tmp_path / "found.jsonl", "--model", "none")
    outcome = command(*call)
    assert (outcome.exit_code, "--overwrite" in outcome.err) == (2, True)
    assert (tmp_path / "found.jsonl").read_text() == "reviewed"
    assert command(*call, "--overwrite").exit_code == 0
    assert "MAIL" in (tmp_path / "found.jsonl").read_text()


@pytest.mark.parametrize(("type_", "code"), [("GPE", 2), ("PERSON", 0), ("MAIL", 0)])
def test_reviewed_mentions_of_a_type_that_does_not_count_are_refused(
    type_: str, code: int, desk: Any
) -> None:
    content = {
        "attributes": {"age": {"role": "quasi"}, "t": {"role": "text"}},
        "text": {"entities": ["PERSON"], "model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    at = desk("age,t\n1,Bath is far\n1,Bath is far\n", content)
    line = f'{{"row": 0, "column": "t", "start": 0, "end": 4, "type": "{type_}"}}\n'
    (at.folder / "m.jsonl").write_text(line + line.replace('"row": 0', '"row": 1'))
    outcome = at.anonymize("--mentions", at.folder / "m.jsonl")
    assert outcome.exit_code == code
    assert ("not among text.entities" in outcome.err) == (code == 2)
