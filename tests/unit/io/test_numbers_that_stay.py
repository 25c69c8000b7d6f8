"""Columns that stay as they are keep the signs of their numbers, and are still compared as numbers."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl

import heteronym as hn

PLAN = {
    "version": 1,
    "data": {"person": "who", "decimal": ",", "missing": ["unk"]},
    "attributes": {
        "who": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "pay": {"role": "sensitive", "scale": "numeric"},
        "fee": {"role": "plain"},
    },
    "privacy": [
        {"model": "k-anonymity", "k": 3},
        {"model": "t-closeness", "t": 0.5, "attribute": "pay"},
    ],
}


def frame() -> pl.DataFrame:
    rows = range(30)
    return pl.DataFrame(
        {
            "who": [f"P{n}" for n in rows],
            "age": [f"{20 + n % 7}" for n in rows],
            "pay": ["unk" if n == 4 else f"{20 + n % 9}.{n % 5}00,50" for n in rows],
            "fee": [f"{n},25 €" for n in rows],
        }
    )


def test_sensitive_and_plain_numbers_come_back_as_they_were(tmp_path: Path) -> None:
    data, release, own = tmp_path / "data.csv", tmp_path / "release", tmp_path / "own"
    frame().write_csv(data, separator=";")
    made = hn.anonymize(data, PLAN, output=release, private=own)
    for name in ("pay", "fee"):
        assert sorted(made.data[name].to_list()) == sorted(frame()[name].to_list())
    assert hn.verify(release, against=data, private=own).holds
    assert sorted(hn.anonymize(frame(), PLAN).data["pay"].to_list()) == sorted(frame()["pay"].to_list())


def test_another_number_is_no_other_writing(tmp_path: Path) -> None:
    data, release, own = tmp_path / "data.csv", tmp_path / "release", tmp_path / "own"
    frame().write_csv(data, separator=";")
    hn.anonymize(data, PLAN, output=release, private=own)
    path = release / "data.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter=";"))
    rows[1][1] = "27.123,50"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(rows)
    verdict = hn.verify(release, against=data, private=own)
    assert "unchanged" in [check.name for check in verdict.checks if check.holds is False]
