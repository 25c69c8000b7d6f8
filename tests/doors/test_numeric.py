"""`release.numeric`: ends or means in the place of labels; the auditor notices what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PlanError

AGES = [20, 22, 30, 31, 40, 44, 50, 53]
AGE = {"role": "quasi", "scale": "numeric", "entities": ["AGE"]}
PLAN: dict[str, Any] = {
    "attributes": {"age": AGE, "text": {"role": "text"}},
    "text": {"model": "none"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def people(ages: list[Any]) -> pl.DataFrame:
    texts = ["" if age is None else f"I am {age} years old." for age in ages]
    return pl.DataFrame({"age": ages, "text": texts})


def plan(how: str) -> dict[str, Any]:
    return {**PLAN, "release": {"numeric": how}}


def test_bounds_are_two_columns_of_numbers_and_texts_show_the_label() -> None:
    data = hn.anonymize(people(AGES), plan("bounds")).data
    assert data.columns == ["age_low", "age_high", "text"]
    assert data["age_low"].dtype.is_integer()
    for low, high, text in data.iter_rows():
        assert text == f"I am [{low}-{high}] years old."
    assert set(zip(data["age_low"], data["age_high"], strict=True)) == {
        (20, 22),
        (30, 31),
        (40, 44),
        (50, 53),
    }


def test_means_are_those_of_their_groups() -> None:
    data = hn.anonymize(people(AGES), plan("mean")).data
    assert data.columns == ["age", "text"]
    assert sorted(set(data["age"])) == [21.0, 30.5, 42.0, 51.5]
    assert "I am [20-22] years old." in data["text"].to_list()


@pytest.mark.parametrize("how", ["bounds", "mean"])
def test_a_missing_value_beside_others_hides_them(how: str) -> None:
    release = hn.anonymize(people([20, None, 30, 31]), plan(how))
    assert release.data[release.data.columns[0]].null_count() in (2, 4)
    assert release.verdict.holds


def test_groups_with_one_mean_are_one_group() -> None:
    """Two groups of two, both with mean 25, would have fewer persons than the text's labels let expect."""
    frame = pl.DataFrame({"age": [10, 40, 20, 30], "city": ["a"] * 4})
    frame = pl.concat([frame, pl.DataFrame({"age": [90, 99], "city": ["b"] * 2})])
    attributes = {"age": {"role": "quasi", "scale": "numeric"}, "city": {"role": "quasi"}}
    told = {"attributes": attributes, "privacy": PLAN["privacy"], "release": {"numeric": "mean"}}
    assert hn.anonymize(frame, told).verdict.holds


@pytest.mark.parametrize(("how", "column"), [("bounds", "age_low"), ("bounds", "age_high"), ("mean", "age")])
def test_a_number_that_was_changed_is_noticed(how: str, column: str, tmp_path: Path) -> None:
    source, release, owner = tmp_path / "people.csv", tmp_path / "r", tmp_path / "o"
    people(AGES).write_csv(source)
    hn.anonymize(source, plan(how), output=release, private=owner)
    assert hn.verify(release, private=owner, against=source).holds
    table = pl.read_csv(release / "data.csv")
    step = -4 if column == "age_high" else 3
    first = pl.col(column) == table[column][0]
    moved = table.with_columns(pl.when(first).then(pl.col(column) + step).otherwise(pl.col(column)))
    moved.write_csv(release / "data.csv")
    verdict = hn.verify(release, private=owner, against=source)
    assert {check.name for check in verdict.checks if check.holds is False} & {"truth", "mean"}


@pytest.mark.parametrize("how", ["bounds", "mean"])
def test_an_attacker_reads_numbers(how: str, tmp_path: Path) -> None:
    source = tmp_path / "people.csv"
    people(AGES).write_csv(source)
    hn.anonymize(source, plan(how), output=tmp_path / "r", private=tmp_path / "o")
    siege = hn.attack(tmp_path / "r", against=source, private=tmp_path / "o", only=["linkage-columns"])
    assert siege.holds
    assert siege.results[0].targets == len(AGES)


def test_a_column_of_that_name_is_refused() -> None:
    frame = pl.DataFrame({"age": [1, 2], "age_low": ["x", "x"]})
    attributes = {"age": {"role": "quasi", "scale": "numeric"}, "age_low": {"role": "plain"}}
    told = {"attributes": attributes, "privacy": PLAN["privacy"], "release": {"numeric": "bounds"}}
    with pytest.raises(PlanError, match="age_low"):
        hn.anonymize(frame, told)


def test_a_text_counts_long_lists() -> None:
    names = [f"Saint Someone Hospital {n}" for n in "ABCD"]
    frame = pl.DataFrame({"hospital": names, "text": [f"Seen at the {name} in May." for name in names]})
    told = {
        "attributes": {"hospital": {"role": "quasi", "entities": ["ORG"]}, "text": {"role": "text"}},
        "text": {"model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 4}],
    }
    data = hn.anonymize(frame, told).data
    assert all("[one of 4 hospitals]" in text for text in data["text"])
    assert all("Someone" not in text for text in data["text"])
