"""`explain`: what it says of a row is what the run decided, and no original is told unless asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

import heteronym as hn

PLACES = ("Berlin", "Rome", "Oslo", "Paris")
CANARY = "zqcanary"


def table(persons: int = 24) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "id": f"key{p}",
                "age": 20 + (p * 7) % 30,
                "town": f"town{p % 5}",
                "codes": " ".join(sorted({f"c{p % 4}", f"c{(p + n) % 4}", "c9"})),
                "text": f"I am {20 + (p * 7) % 30} years old, from {PLACES[p % 4]} near Oslo, "
                f"mail p{p}@x.example.",
            }
            for p in range(persons)
            for n in range(1 + p % 2)
        ]
    )


PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "town": {"role": "quasi"},
        "codes": {"role": "items", "separator": " "},
        "text": {"role": "text"},
    },
    "text": {"model": "none", "patterns": {"AGE": r"\d+ years old", "GPE": "|".join(PLACES)}},
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "kkm-anonymity", "k": 3, "m": 1}],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explain")
    table().write_csv(folder / "data.csv")
    hn.anonymize(folder / "data.csv", PLAN, output=folder / "release", private=folder / "own")
    return folder


def explained(made: Path, row: int, **options: Any) -> dict[str, Any]:
    return hn.explain(made / "release", private=made / "own", row=row, **options).to_dict()


def released(made: Path) -> pl.DataFrame:
    return pl.read_csv(made / "release" / "data.csv", infer_schema=False)


def persons_like(made: Path, row: int) -> set[str]:
    """The persons of a row's group, by the owner's files alone."""
    rows = pl.read_csv(made / "own" / "rows.csv")
    person = rows.filter(pl.col("released_row") == row)["person"][0]
    groups = pl.read_parquet(made / "own" / "partition.parquet")
    group = groups.filter(pl.col("person") == person)["group"][0]
    return set(groups.filter(pl.col("group") == group)["person"].to_list())


def test_every_label_has_the_spread_of_its_group(made: Path) -> None:
    data, shown = table(), released(made)
    for row in range(1, shown.height + 1):
        told, people = explained(made, row, values=True), persons_like(made, row)
        group = data.filter(pl.col("id").is_in(list(people)))
        assert told["group"]["persons"] == len(people)
        for column in told["columns"]:
            name = column["column"]
            held = group.unique(["id", name]).group_by(name).len()["len"].to_list()
            assert column["label"] == shown[name][row - 1]
            assert column["held_by"] == sorted(held, reverse=True)
            assert set(column["values"]) == set(map(str, group[name].to_list()))
            assert column["fate"] == ("kept" if len(held) == 1 else "generalized")


def test_every_mention_has_its_holders_and_what_it_became(made: Path) -> None:
    data, shown = table(), released(made)
    seen = set()
    for row in range(1, shown.height + 1):
        told, people = explained(made, row), persons_like(made, row)
        text = data["text"][told["source_row"] - 1]
        rebuilt, done = "", 0
        for mention in told["mentions"]:
            original = text[mention["start"] : mention["end"]]
            rebuilt += text[done : mention["start"]] + (mention["shown"] or original)
            done = mention["end"]
            seen.add((mention["type"], mention["fate"]))
            if mention["holders"] is not None:
                holders = {
                    i for i, t in data.select("id", "text").iter_rows() if i in people and original in t
                }
                assert mention["holders"] == len(holders)
                if mention["fate"] == "kept":
                    assert holders == people
        assert rebuilt + text[done:] == shown["text"][row - 1]
    assert {("GPE", "kept"), ("GPE", "suppressed"), ("MAIL", "suppressed"), ("AGE", "follows_column")} <= seen


def test_every_item_entry_tells_who_holds_what_it_stands_for(made: Path) -> None:
    data = table()
    for row in range(1, released(made).height + 1):
        told, people = explained(made, row, values=True), persons_like(made, row)
        group = data.filter(pl.col("id").is_in(list(people)))
        assert told["sets"]
        for entry in told["sets"]:
            counts = [
                group.filter(pl.col("codes").str.split(" ").list.contains(item))["id"].n_unique()
                for item in entry["values"]
            ]
            assert sorted(counts, reverse=True) == entry["held_by"]
            assert all(counts)


def test_no_original_is_told_unless_asked_for(tmp_path: Path, command: Callable[..., Any]) -> None:
    frame = table().with_columns(
        town=pl.lit(f"town{CANARY}") + pl.col("town"),
        text=pl.col("text").str.replace("Berlin", f"Berlin{CANARY}"),
    )
    attributes = {**PLAN["attributes"], "town": {"role": "quasi", "recode": "suppress"}}
    patterns = {"GPE": rf"\w+{CANARY}|" + "|".join(PLACES)}
    plan = {**PLAN, "attributes": attributes, "text": {"model": "none", "patterns": patterns}}
    plan["privacy"] = [{"model": "k-anonymity", "k": 6}, {"model": "kkm-anonymity", "k": 6, "m": 1}]
    frame.write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", plan, output=tmp_path / "release", private=tmp_path / "own")
    asked, shown = False, pl.read_csv(tmp_path / "release" / "data.csv", infer_schema=False)
    for row in range(1, frame.height + 1):
        call = ("explain", tmp_path / "release", "--private", tmp_path / "own", "--row", row)
        for options in ((), ("--json",)):
            outcome = command(*call, *options)
            assert outcome.exit_code == 0
            assert CANARY not in outcome.out or CANARY in str(shown.row(row - 1))
        asked = asked or CANARY in command(*call, "--values").out
        explanation = hn.explain(tmp_path / "release", private=tmp_path / "own", row=row, values=True)
        assert CANARY not in repr(explanation)
    assert asked


@pytest.mark.parametrize("row", [0, -1, 10_000])
def test_a_row_that_is_not_there_is_refused(made: Path, row: int, command: Callable[..., Any]) -> None:
    outcome = command("explain", made / "release", "--private", made / "own", "--row", row)
    assert outcome.exit_code == 2
    assert "--row must be from 1 to" in outcome.err


def test_the_files_of_another_release_explain_nothing(
    made: Path, tmp_path: Path, command: Callable[..., Any]
) -> None:
    table(30).write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", PLAN, output=tmp_path / "release", private=tmp_path / "own")
    outcome = command("explain", made / "release", "--private", tmp_path / "own", "--row", 1)
    assert outcome.exit_code == 2


def test_a_release_that_was_changed_is_not_explained(tmp_path: Path, command: Callable[..., Any]) -> None:
    table().write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", PLAN, output=tmp_path / "release", private=tmp_path / "own")
    data = tmp_path / "release" / "data.csv"
    data.write_text("\n".join(data.read_text().splitlines()[::-1]))
    outcome = command("explain", tmp_path / "release", "--private", tmp_path / "own", "--row", 1)
    assert outcome.exit_code == 2
    assert "not as it was" in outcome.err


def test_rows_are_persons_where_the_plan_names_none(tmp_path: Path) -> None:
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    pl.DataFrame({"age": [1, 2, 30, 40]}).write_csv(tmp_path / "data.csv")
    hn.anonymize(tmp_path / "data.csv", plan, output=tmp_path / "release", private=tmp_path / "own")
    told = hn.explain(tmp_path / "release", private=tmp_path / "own", row=1, values=True)
    assert told.columns[0]["values"] == ["1", "2"]
    assert "2 different values" in told.text


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("visits")
    example = Path(str(files("heteronym"))) / "examples" / "visits"
    data = pl.read_csv(example / "visits.csv", infer_schema=False).with_columns(ward=pl.lit("A"))
    data.write_csv(folder / "data.csv")
    plan = yaml.safe_load((example / "plan.yaml").read_text("utf-8"))
    plan["attributes"]["ward"] = {"role": "plain"}
    hn.anonymize(folder / "data.csv", plan, output=folder / "release", private=folder / "own")
    return folder


def test_events_items_and_broader_terms_of_a_joint_release_are_explained(visits: Path) -> None:
    shown = released(visits)
    seen: set[str] = set()
    for row in range(1, shown.height + 1):
        told = hn.explain(visits / "release", private=visits / "own", row=row)
        content = told.to_dict()
        cells = {name: [e for e in content["sets"] if e["column"] == name] for name in ("visit", "codes")}
        assert [e["shown"] for e in cells["visit"]] == [shown["visit"][row - 1]]
        assert "|".join(e["shown"] for e in cells["codes"]) == shown["codes"][row - 1]
        assert f"column visit shows {shown['visit'][row - 1]}: it stands for " in told.text
        assert "items or terms" not in told.text
        assert "stands for 0 " not in told.text
        assert "column ward is released as it was" in told.text
        for mention in content["mentions"]:
            seen.add(mention["fate"])
            if mention["fate"] == "generalized":
                assert mention["shown"].split()[-1] in shown["note"][row - 1]
                assert f"generalized to '{mention['shown']}'" in told.text
    assert {"generalized", "suppressed", "follows_column"} <= seen


def test_what_enough_members_hold_is_not_called_too_few(tmp_path: Path) -> None:
    """Codes have enough holders alone; pairs of them do not, which is why they are joined."""
    codes = [f"c{p % 6} c{(p % 6 + 1 + p // 6) % 6}" for p in range(12)]
    data = pl.DataFrame({"sex": ["f", "m"] * 6, "codes": [*codes, "rare", "odd"][2:]})
    data.write_csv(tmp_path / "data.csv")
    plan = {
        "attributes": {"sex": {"role": "quasi"}, "codes": {"role": "items", "separator": " "}},
        "privacy": [{"model": "kkm-anonymity", "k": 3, "m": 2}],
    }
    hn.anonymize(tmp_path / "data.csv", plan, output=tmp_path / "release", private=tmp_path / "own")
    told = [explained(tmp_path, row) for row in range(1, data.height + 1)]
    entries = [(min(e["held_by"]), e["why"]) for row in told for e in row["sets"] if e["fate"] != "kept"]
    assert {holders >= 3 for holders, _ in entries} == {True, False}
    assert all(("too few" in why) == (holders < 3) for holders, why in entries)
    assert all(("beside what else they show" in why) == (holders >= 3) for holders, why in entries)


def test_only_models_that_decide_are_named(made: Path) -> None:
    for row in range(1, released(made).height + 1):
        told = explained(made, row)
        assert all("k-anonymity" not in e["why"].replace("kkm-anonymity", "") for e in told["sets"])
        assert all("kkm-anonymity" not in m["why"] for m in told["mentions"])
