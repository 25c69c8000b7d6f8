"""No cell value, person key, item, term or text leaves by another way than the released table."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from heteronym.encode import encode
from heteronym.io.hierarchies import build_hierarchy
from heteronym.io.plans import make_plan
from heteronym.io.tables import read_table
from heteronym.pipeline import find, make_dataset, make_draft
from heteronym.publish import originals_of, release_in_memory
from heteronym.run import Run
from heteronym.verify.groups import rebuild

# every secret holds this word, so that one search finds them all
CANARY = "zqcanary"
TERMS = {"GPE": f"{CANARY}land", "PERSON": f"{CANARY}son"}


def rows() -> list[dict[str, Any]]:
    return [
        {
            "id": f"key{CANARY}{n // 2}",
            "mail": f"mail{CANARY}{n}@x.example",
            "age": 20 + n // 2,
            "day": f"19{60 + n // 2}-01-01",
            "town": f"town{CANARY}{n // 2 % 6}",
            "level": f"level{CANARY}{n % 2}",
            "job": f"job{CANARY}{n % 3}",
            "found": f"GPE:term{CANARY}{n}|JOB:work{CANARY}{n}",
            "text": f"I am Rita{CANARY}{n} from Place{CANARY}{n}, write to rita{n}@{CANARY}.example.",
        }
        for n in range(24)
    ]


PLAN: dict[str, Any] = {
    "data": {"person": "id", "missing": [f"none{CANARY}"]},
    "attributes": {
        "id": {"role": "identifier"},
        "mail": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "day": {"role": "quasi", "scale": "date"},
        "town": {"role": "quasi", "recode": "suppress"},
        "level": {
            "role": "quasi",
            "scale": "ordinal",
            "order": [f"level{CANARY}0", f"level{CANARY}1"],
            "recode": "suppress",
        },
        "job": {"role": "quasi", "hierarchy": "job.csv"},
        "found": {"role": "terms", "separator": "|"},
        "text": {"role": "text"},
    },
    "text": {
        "model": "none",
        "patterns": {"PERSON": rf"Rita{CANARY}\d+"},
        "words": {"GPE": "places.txt"},
        "synonyms": {f"Place{CANARY}0": [f"Ort{CANARY}"]},
    },
    "privacy": [{"model": "k-anonymity", "k": 4}],
}


def put_files(folder: Path) -> None:
    (folder / "job.csv").write_text("".join(f"job{CANARY}{n};trade;*\n" for n in range(3)))
    (folder / "places.txt").write_text("".join(f"Place{CANARY}{n}\n" for n in range(24)))


@pytest.fixture
def at(desk: Any) -> Any:
    made = desk(pl.DataFrame(rows()).write_csv(), PLAN)
    put_files(made.folder)
    return made


def told(folder: Path) -> list[str]:
    return [
        str(path) for path in folder.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()
    ]


def test_a_release_holds_no_value_that_is_not_released(at: Any) -> None:
    outcome = at.anonymize("--json", "-v", "--private", at.folder / "own")
    assert outcome.exit_code == 0
    assert CANARY not in outcome.out + outcome.err
    released = [
        value for row in pl.read_csv(at.released, infer_schema=False).rows() for value in row if value
    ]
    assert [value for value in released if CANARY in value] == []
    assert told(at.release) == []


def test_the_owner_finds_keys_only_in_the_owners_folder(at: Any) -> None:
    at.anonymize("--private", at.folder / "own")
    assert f"key{CANARY}" in (at.folder / "own" / "rows.csv").read_text()
    assert told(at.release) == []


@pytest.mark.parametrize("options", [(), ("--json",), ("-v",)])
def test_verify_and_profile_tell_no_value(options: tuple[str, ...], at: Any) -> None:
    at.anonymize("--private", at.folder / "own")
    seen = at.verify(*options, "--private", at.folder / "own", "--against", at.folder / at.name)
    looked = at.command("profile", at.folder / at.name, *(o for o in options if o != "-v"))
    assert looked.exit_code == 0
    assert CANARY not in seen.out + seen.err + looked.out + looked.err


def test_scan_tells_offsets_and_no_text(at: Any) -> None:
    outcome = at.command("scan", at.folder / at.name, "-c", at.folder / "plan.yaml")
    assert outcome.exit_code == 0
    assert len(outcome.out.splitlines()) >= 24
    assert CANARY not in outcome.out + outcome.err


def changed(frame: pl.DataFrame, **columns: Any) -> bytes:
    return frame.with_columns(**columns).write_csv().encode()


FRAME = pl.DataFrame(rows())
SECRET = pl.lit(f"secret{CANARY}")
FAILURES: dict[str, tuple[bytes, dict[str, Any]]] = {
    "text in a numeric column": (changed(FRAME, age=SECRET), {}),
    "no dates": (changed(FRAME, day=SECRET), {}),
    "one wrong date": (changed(FRAME, day=pl.when(pl.col("age") == 22).then(SECRET).otherwise("day")), {}),
    "format that fits not": (
        FRAME.write_csv().encode(),
        {"day": {"role": "quasi", "scale": "date", "format": "%d.%m.%Y"}},
    ),
    "value that the order lacks": (changed(FRAME, level=SECRET), {}),
    "value that the hierarchy lacks": (changed(FRAME, job=SECRET), {}),
    "terms without a type": (changed(FRAME, found=SECRET), {}),
    "no person key": (changed(FRAME, id=pl.when(pl.col("age") == 22).then(None).otherwise("id")), {}),
    "ragged rows": (FRAME.write_csv().encode() + f"secret{CANARY}\n".encode(), {}),
    "broken bytes": (FRAME.write_csv().encode() + f"secret{CANARY}".encode() + b"\xff\x81\x8d\n", {}),
    "too few persons": (FRAME.head(4).write_csv().encode(), {}),
    "prefix of numbers": (
        FRAME.write_csv().encode(),
        {"age": {"role": "quasi", "scale": "numeric", "recode": "prefix"}},
    ),
    "interval of towns": (FRAME.write_csv().encode(), {"town": {"role": "quasi", "recode": "interval"}}),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_tells_no_value_and_leaves_none(case: str, at: Any) -> None:
    data, attributes = FAILURES[case]
    at.put(data, at.name)
    at.plan({**PLAN, "attributes": {**PLAN["attributes"], **attributes}})
    outcome = at.anonymize("--private", at.folder / "own", "--json")
    assert outcome.exit_code in (1, 2)
    assert "fault of the program" not in outcome.err
    assert CANARY not in outcome.out + outcome.err
    assert not at.release.exists()
    assert not (at.folder / "own").exists()


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "xlsx"])
def test_a_file_that_cannot_be_read_tells_no_value(kind: str, at: Any) -> None:
    at.put(f'{{"age": "secret{CANARY}" "x"\n', f"people.{kind}")
    outcome = at.anonymize(data=at.folder / f"people.{kind}")
    assert outcome.exit_code == 2
    assert CANARY not in outcome.out + outcome.err


def test_a_failed_audit_tells_no_value(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heteronym.recode.apply.rewritten", lambda texts, *_, **__: texts)
    outcome = at.anonymize()
    assert outcome.exit_code == 1
    assert "text" in outcome.err
    assert CANARY not in outcome.out + outcome.err
    assert not at.release.exists()


def test_hierarchy_errors_tell_no_value(at: Any) -> None:
    at.put(f"job{CANARY}0;a;*\njob{CANARY}0;b;*\n", "job.csv")
    outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert CANARY not in outcome.err


def test_no_repr_shows_a_value(tmp_path: Path) -> None:
    put_files(tmp_path)
    (tmp_path / "people.csv").write_text(FRAME.write_csv())
    plan = make_plan(PLAN)
    table = read_table(tmp_path / "people.csv")
    dataset = make_dataset(table, plan, folder=tmp_path)
    mentions = find(dataset, plan, run=Run(folder=tmp_path))
    view = encode(dataset, mentions)
    draft = make_draft(dataset, plan, run=Run(folder=tmp_path))

    everything = [
        table,
        dataset,
        mentions,
        view,
        view.columns,
        view.columns[0].domain,
        view.elements,
        view.elements.of_person,
        draft,
        originals_of(draft),
        release_in_memory(draft, plan, Run()),
        dataset.schema,
        rebuild(draft.frame, plan, person=draft.person),
        build_hierarchy([[f"a{CANARY}", "*"]]),
    ]
    assert len(mentions) >= 24
    leaks = [type(thing).__name__ for thing in everything if CANARY in repr(thing)]
    # the owner's order of an ordinal column is part of the plan, and so of the schema
    assert [name for name in leaks if name != "Schema"] == []


def test_the_release_object_shows_no_value() -> None:
    import heteronym as hn

    columns = ["id", "age", "town"]
    plan = {**PLAN, "attributes": {name: PLAN["attributes"][name] for name in columns}, "text": {}}
    release = hn.anonymize(FRAME.select(columns), plan)
    assert CANARY not in repr(release)
    assert CANARY not in json.dumps(release.facts)


def test_messages_of_the_program_quote_no_values_by_their_making() -> None:
    """No error is made from a variable that is called value, cell, text or term."""
    root = Path(__import__("heteronym").__file__).parent
    suspicious = re.compile(r"raise \w*Error\([^)]*\{(?:value|cell|cells|text|surface|term|item)\}")
    assert [str(p.name) for p in root.rglob("*.py") if suspicious.search(p.read_text("utf-8"))] == []


def test_rows_do_not_come_out_in_the_order_they_went_in() -> None:
    import heteronym as hn

    plan = {**PLAN, "data": {}, "attributes": {"age": {"role": "quasi", "scale": "numeric"}}, "text": {}}
    frame = FRAME.select("age").with_columns(pl.col("age").reverse())
    release = hn.anonymize(frame, plan)
    assert not (release.source_row == np.arange(24)).all()
