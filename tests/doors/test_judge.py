"""`heteronym judge` on releases that other tools might have made: what is found, and where."""

from __future__ import annotations

import base64
import codecs
import hashlib
import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

import heteronym as hn

PLAN = {
    "attributes": {
        "id": {"role": "identifier"},
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "town": {"role": "quasi"},
        "seen": {"role": "quasi", "scale": "date"},
        "illness": {"role": "sensitive"},
        "note": {"role": "text"},
    },
    "text": {"model": "none", "entities": ["AGE", "PERSON", "MAIL"]},
    "privacy": [{"model": "k-anonymity", "k": 3}],
}
NAMES = ["Zoltan Quirke", "Wilma Obradovic", "Yusuf Tembo", "Ottoline Varga", "Ingmar Sosa", "Petra Zaleski"]


def _case(number: int) -> str:
    return hashlib.md5(str(number).encode()).hexdigest()[:6]


@pytest.fixture
def original() -> pl.DataFrame:
    """Thirty people in groups of six who share decade, town and month."""
    rows: list[dict[str, Any]] = []
    for n in range(30):
        group, name = n // 6, f"{NAMES[n % 6].split()[0]} {NAMES[(n + n // 6) % 6].split()[1]}"
        age = 20 + 10 * group + n % 6
        rows.append(
            {
                "id": f"K-{7919 * (n + 3)}",
                "name": name,
                "age": age,
                "town": ["Oslo", "Leeds", "Ghent", "Turin", "Porto"][group],
                "seen": f"2024-0{group + 1}-{10 + n % 6}",
                "illness": ["asthma", "migraine", "gout"][n % 3],
                "note": f"{name} is {age} years old and sleeps badly, case {_case(n)}.",
            }
        )
    return pl.DataFrame(rows)


@pytest.fixture
def sound(original: pl.DataFrame) -> pl.DataFrame:
    """Generalized and masked so that six look alike."""
    decade = pl.col("age") // 10 * 10
    return original.select(
        pl.format("[{}, {}[", decade, decade + 10).alias("age"),
        "town",
        pl.col("seen").str.slice(0, 7),
        "illness",
        pl.lit("<PERSON> is <AGE> and sleeps badly, case <ID>.").alias("note"),
    )


def kinds(found: Any) -> set[str]:
    return {one.kind for one in found.findings if one.counts}


def judged(released: pl.DataFrame, original: pl.DataFrame, **more: Any) -> Any:
    return hn.judge(released, against=original, plan=PLAN, **more)


def test_a_sound_release_is_called_sound(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    found = judged(sound, original)
    assert (found.is_sound, found.exit_code, found.matched["how"]) == (True, 0, "order")
    assert found.smallest("columns", 0) == 6


def test_one_strange_cell_makes_no_codes_of_a_column(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    towns = ["see the other file", *sound["town"].to_list()[1:]]
    found = judged(sound.with_columns(pl.Series("town", towns)), original)
    assert "counted-back" not in kinds(found)
    assert not found.to_dict()["columns"]["town"]["coded"]


def test_a_text_that_tells_a_secret_number(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    wages = [18_250 + 731 * n for n in range(30)]
    plan = {**PLAN, "attributes": {**PLAN["attributes"], "wage": {"role": "sensitive", "scale": "numeric"}}}  # type: ignore[dict-item]
    notes = [*sound["note"].to_list()[:29], f"<PERSON> earns {wages[29]} and sleeps badly."]
    released = sound.with_columns(
        pl.Series(
            "wage", [f"{wage // 25_000 * 25_000}-{wage // 25_000 * 25_000 + 24_999}" for wage in wages]
        ),
        pl.Series("note", notes),
    )
    found = hn.judge(released, against=original.with_columns(pl.Series("wage", wages)), plan=plan)
    told = [one for one in found.findings if one.kind == "text-tells-column"]
    assert [(one.columns, one.rows) for one in told] == [(("wage", "note"), (30,))]


def damage(sound: pl.DataFrame, original: pl.DataFrame) -> dict[str, tuple[pl.DataFrame, str, int | None]]:
    """By name: a damaged release, what must be found, and the released row it must name."""

    def cell(column: str, row: int, value: Any) -> pl.DataFrame:
        cells = sound[column].to_list()
        cells[row] = value
        return sound.with_columns(pl.Series(column, cells))

    note, ages = original["note"].to_list(), original["age"].to_list()
    masked, base32 = (
        sound["note"].to_list(),
        [base64.b32encode(one.encode()).decode() for one in original["name"]],
    )

    def town_told(words: str) -> pl.DataFrame:
        return sound.with_columns(
            pl.lit("*").alias("town"), pl.Series("note", [*masked[:19], words, *masked[20:]])
        )

    keys, surname = original["id"].to_list(), original["name"][8].split()[1]
    hashed = [hashlib.sha256(one.encode()).hexdigest() for one in original["id"]]
    shifted = [str(date.fromisoformat(day) + timedelta(days=41)) for day in original["seen"]]
    aged = [f"<PERSON> is {age} years old and sleeps badly, case <ID>." for age in ages]
    spelt = f"<PERSON>, {original['name'][9].upper()}."
    return {
        "exact cell": (cell("age", 4, str(ages[4])), "alone-by-columns", 5),
        "name left": (cell("note", 9, note[9].replace(str(ages[9]), "<AGE>")), "identifier-in-text", 10),
        "name of a spelling": (cell("note", 9, spelt), "identifier-in-text", 10),
        "age beside a range": (
            cell("note", 7, note[7].replace(original["name"][7], "<PERSON>")), "text-tells-column", 8,
        ),
        "identifiers kept": (sound.with_columns(original["id"]), "identifier-in-column", 1),
        "hashes": (sound.with_columns(pl.Series("key", hashed)), "unkeyed-hash", 1),
        "short hashes": (sound.with_columns(pl.Series("key", [h[:12] for h in hashed])), "unkeyed-hash", 1),
        "a hash among values": (cell("town", 3, hashed[3]), "unkeyed-hash", 4),
        "a surname in a masked name": (cell("town", 8, f"Q*** {surname}"), "identifier-in-cells", 9),
        "town in capitals": (town_told("<PERSON> is from TURIN."), "text-tells-column", 20),
        "town in small letters": (town_told("<PERSON> (turin)"), "text-tells-column", 20),
        "base32": (sound.with_columns(pl.Series("h", base32)), "encoded", 1),
        "surname backwards": (cell("note", 8, surname[::-1]), "encoded", 9),
        "surname in rot13": (cell("note", 8, codecs.encode(surname, "rot13")), "encoded", 9),
        "hex of figures": (
            sound.with_columns(pl.Series("h", [one[2:].encode().hex() for one in keys])), "encoded", 1,
        ),
        "identifiers in their order": (
            sound.with_columns(pl.Series("p", [f"P{sorted(keys).index(one):03d}" for one in keys])),
            "ordered-pseudonyms", 1,
        ),
        "identifiers backwards": (
            sound.with_columns(pl.Series("p", [one[::-1] for one in keys])), "encoded", 1,
        ),
        "a copy": (sound.with_columns(pl.Series("years", [str(age) for age in ages])), "copied-column", 1),
        "one shift": (
            sound.with_columns(pl.Series("seen", shifted)), "shifted-by-constant", 1,
        ),
        "one value": (
            sound.with_columns(pl.Series("illness", ["gout"] * 6 + original["illness"].to_list()[6:])),
            "group-tells-value", 1,
        ),
        "noise and its text": (
            sound.with_columns(
                pl.Series("age", [str(age + 1 + n % 3) for n, age in enumerate(ages)]),
                pl.Series("note", aged),
            ),
            "text-tells-column", None,
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        "exact cell", "name left", "name of a spelling", "age beside a range", "identifiers kept", "hashes",
        "short hashes", "a copy", "one shift", "one value", "noise and its text",
    ],
)  # fmt: skip
def test_damage_is_found_where_it_is(name: str, sound: pl.DataFrame, original: pl.DataFrame) -> None:
    released, kind, row = damage(sound, original)[name]
    found = judged(released, original)
    assert found.exit_code == 1
    assert kind in kinds(found)
    if row is not None:
        assert any(row in one.rows for one in found.findings if one.kind == kind)


def test_consistent_pseudonyms_are_counted_back(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    towns = ["Oslo"] * 12 + ["Leeds"] * 10 + ["Ghent"] * 8
    data = original.with_columns(pl.Series("town", towns))
    coded = sound.with_columns(
        pl.Series("town", [{"O": "qq1", "L": "zz8", "G": "vv4"}[town[0]] for town in towns])
    )
    assert "counted-back" in kinds(judged(coded, data))


def test_shuffled_rows_are_matched_by_what_is_left(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    notes = [
        note.replace(name, "<PERSON>") for note, name in zip(original["note"], original["name"], strict=True)
    ]
    released = (
        sound.with_columns(pl.Series("note", notes))
        .with_row_index("at")
        .sample(fraction=1.0, shuffle=True, seed=4)
    )
    source = released["at"].to_list()
    found = judged(released.drop("at"), original, private=None)
    assert found.matched["how"] == "content"
    assert found.matched["share"] > 0.9
    by_map = judged(released.drop("at"), original, rows=source)
    assert [one.to_dict() for one in found.levels] == [one.to_dict() for one in by_map.levels]
    assert [one.to_dict() for one in found.findings] == [one.to_dict() for one in by_map.findings]


def test_rows_that_nobody_can_match_are_said_to_be_so(sound: pl.DataFrame, original: pl.DataFrame) -> None:
    found = judged(sound.sample(fraction=1.0, shuffle=True, seed=4), original)
    assert (found.is_sound, found.exit_code) == (None, 3)
    assert any("could not be matched" in one for one in found.not_looked_at)


def test_nothing_that_is_written_holds_a_value(
    sound: pl.DataFrame, original: pl.DataFrame, tmp_path: Path, command: Callable[..., Any]
) -> None:
    released = damage(sound, original)["name left"][0].with_columns(original["id"])
    for name, frame in (("released.csv", released), ("original.csv", original)):
        frame.write_csv(tmp_path / name)
    (tmp_path / "plan.yaml").write_text(json.dumps(PLAN))
    outputs = [tmp_path / name for name in ("page.html", "found.sarif", "found.xml")]
    arguments = ["judge", tmp_path / "released.csv", "--against", tmp_path / "original.csv"]
    arguments += [
        "-c",
        tmp_path / "plan.yaml",
        "-o",
        outputs[0],
        "--sarif",
        outputs[1],
        "--junit",
        outputs[2],
    ]
    outcome = command(*arguments, "--json", "--private", tmp_path / "owner")
    assert outcome.exit_code == 1
    told = [outcome.out, outcome.err, *(path.read_text() for path in outputs)]
    secrets = [*original["id"], *original["name"], *original["illness"], *original["seen"], *original["town"]]
    assert [one for one in secrets for text in told if one in text] == []
    suite = ElementTree.fromstring(outputs[2].read_text())
    assert int(suite.attrib["failures"]) == sum(one["counts"] for one in outcome.json["findings"]) > 0
    [run] = json.loads(outputs[1].read_text())["runs"]
    assert {one["ruleId"] for one in run["results"]} == {one["kind"] for one in outcome.json["findings"]}
    owners = tmp_path / "owner" / "judged.json"
    assert owners.stat().st_mode & 0o777 == 0o600
    assert owners.parent.stat().st_mode & 0o777 == 0o700
    assert 10 in json.loads(owners.read_text())["rows_of_the_data"]["identifier-in-text note"]


@pytest.mark.parametrize(
    ("released", "against", "more", "code"),
    [
        ("age,town\n", "age,town\n30,Oslo\n", [], 2),
        ("", "age,town\n30,Oslo\n", [], 2),
        ("x,y\n1,2\n3,4\n", "age,town\n30,Oslo\n31,Oslo\n", [], 2),
        ("age,town\n" + "70,Rome\n71,Rom\n" * 9, "age,town\n" + "30,Oslo\n31,Bonn\n32,Kiel\n" * 9, [], 2),
        ("age,town\n30,Oslo\n", "age,town\n30,Oslo\n", ["--match", "agee"], 2),
        ("age,town\n30,Oslo\n", "age,town\n30,Oslo\n", ["--rows", "missing.csv"], 2),
        ("age,town\n30,Oslo\n", "age,town\n30,Oslo\n", ["--rows", "released.csv"], 2),
        ("age,town\n30,Oslo\n", "age,town\n30,Oslo\n", ["--k", "0"], 2),
    ],
)
def test_bad_input_is_one_line(
    released: str, against: str, more: list[str], code: int, tmp_path: Path, command: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("released.csv").write_text(released)
    Path("original.csv").write_text(against)
    outcome = command("judge", "released.csv", "--against", "original.csv", *more)
    assert outcome.exit_code == code
    assert len(outcome.err.strip().splitlines()) == 1, outcome.err
    assert "fault of the program" not in outcome.err


def test_another_encoding_is_read(
    sound: pl.DataFrame, original: pl.DataFrame, tmp_path: Path, command: Any
) -> None:
    (tmp_path / "released.csv").write_bytes(sound.write_csv().replace("Oslo", "Malmö").encode("utf-16"))
    (tmp_path / "original.csv").write_bytes(original.write_csv().replace("Oslo", "Malmö").encode("latin-1"))
    (tmp_path / "plan.yaml").write_text(json.dumps(PLAN))
    paths = (tmp_path / name for name in ("released.csv", "original.csv", "plan.yaml"))
    released, against, plan = paths
    outcome = command("judge", released, "--against", against, "-c", plan)
    assert outcome.exit_code == 0, outcome.out + outcome.err


def test_two_tools_leak_where_one_guarantee_does_not(tmp_path: Path, command: Any) -> None:
    told = command("demo", "--example", "two-tools", "-o", tmp_path / "release", "--json").json
    assert told["two_tools"]["sound"] is False
    assert told["heteronym"]["sound"] is True
    found = {one["kind"] for one in told["two_tools"]["findings"] if one["counts"]}
    assert {"alone-with-items", "alone-with-words", "text-tells-column"} <= found
    at_worst = {
        who: {(one["attacker"], one["m"]): one["smallest"] for one in told[who]["attackers"]}
        for who in ("two_tools", "heteronym")
    }
    assert at_worst["two_tools"]["words", 1] == 1
    assert at_worst["heteronym"]["words", 1] >= 5
