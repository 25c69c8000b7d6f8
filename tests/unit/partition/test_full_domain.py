"""Global recoding: the search against all vectors of levels, and releases that recode every value alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.naive.levels import all_or_nothing, best_loss, nodes, ranges

import heteronym as hn
from heteronym.encode import encode
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition._column_levels import levels_of

JOBS = [
    ["cook", "food", "work", "*"],
    ["baker", "food", "work", "*"],
    ["nurse", "health", "work", "*"],
    ["doctor", "health", "work", "*"],
    ["none", "home", "home", "*"],
]


def people(seed: int, persons: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "job": rng.choice([path[0] for path in JOBS], persons, p=[0.4, 0.2, 0.2, 0.1, 0.1]),
            "age": np.r_[0, 64, rng.integers(0, 65, persons - 2)],
            "sex": rng.choice(["f", "m"], persons),
            "ill": rng.choice(["a", "b", "c"], persons, p=[0.6, 0.3, 0.1]),
        }
    )


def plan(share: float, *models: dict[str, Any]) -> dict[str, Any]:
    return {
        "attributes": {
            "job": {"role": "quasi", "hierarchy": "job.csv"},
            "age": {"role": "quasi", "scale": "numeric"},
            "sex": {"role": "quasi"},
            "ill": {"role": "sensitive"},
        },
        "privacy": list(models) or [{"model": "k-anonymity", "k": 3}],
        "partition": {"method": "full-domain"},
        "release": {"suppress_up_to": share},
    }


def released(frame: pl.DataFrame, made: dict[str, Any], folder: Path) -> Any:
    (folder / "job.csv").write_text("".join(";".join(path) + "\n" for path in JOBS), "utf-8")
    return hn.anonymize(frame, made, run=hn.Run(folder=folder))


def by_hand(frame: pl.DataFrame, share: float, k: int, least_values: int = 1) -> float:
    ages = sorted(set(frame["age"]))
    levels = [nodes(JOBS), ranges(ages, [2, 4, 8, 16, 32]), all_or_nothing(["f", "m"])]
    ill = frame["ill"].to_list()

    def loss(column: int, label: frozenset[object]) -> float:
        if len(label) == 1:
            return 0.0
        span = max(label) - min(label) if column == 1 else 0  # type: ignore[operator,type-var]
        return [len(label) / len(JOBS), span / 64, 1.0][column]

    def admits(group: list[int]) -> bool:
        return len(group) >= k and len({ill[p] for p in group}) >= least_values

    records = list(frame.select("job", "age", "sex").iter_rows())
    return best_loss(records, levels, loss, admits, int(share * frame.height + 1e-9))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_no_vector_of_levels_loses_less(seed: int, share: float, tmp_path: Path) -> None:
    frame = people(seed, 60)
    release = released(frame, plan(share), tmp_path)
    assert release.verdict.holds
    assert release.measures["ncp"]["relational_published"] == pytest.approx(by_hand(frame, share, 3))


@pytest.mark.parametrize("seed", range(3))
def test_nor_under_a_model_about_sensitive_values(seed: int, tmp_path: Path) -> None:
    frame = people(seed, 60)
    models = {"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "l": 2}
    release = released(frame, plan(0.1, *models), tmp_path)
    assert release.verdict.holds
    assert release.measures["ncp"]["relational_published"] == pytest.approx(by_hand(frame, 0.1, 3, 2))


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_equal_values_have_equal_labels_everywhere(share: float, tmp_path: Path) -> None:
    frame = people(11, 300)
    release = released(frame, plan(share), tmp_path)
    rows = frame[release.source_row.tolist()]
    for name in ("job", "age", "sex"):
        pairs = set(zip(rows[name].to_list(), release.data[name].to_list(), strict=True))
        assert len(pairs) == rows[name].n_unique()
    assert release.facts["data"]["persons_left_out"] <= share * 300


def test_missing_values_and_dates(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    days = np.datetime64("2020-01-01") + rng.integers(0, 900, 80)
    known = [None if rng.random() < 0.1 else str(day) for day in days]
    frame = pl.DataFrame({"day": known, "n": rng.integers(0, 3, 80)})
    made = {
        "attributes": {"day": {"role": "quasi", "scale": "date"}, "n": {"role": "quasi"}},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "partition": {"method": "full-domain"},
        "release": {"suppress_up_to": 0.1},
    }
    assert hn.anonymize(frame, made).verdict.holds


@pytest.mark.parametrize("shift", [0, -150, -299, 1_000_000])
def test_ranges_are_as_many_wherever_zero_lies(shift: int) -> None:
    """Below and above zero, no range of numbers that starts at a multiple of its width holds all values."""
    schema = Schema({"age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC)})
    [column] = encode(Dataset(schema, pl.DataFrame({"age": np.arange(300) + shift}))).columns
    levels = levels_of(column)
    assert 5 <= len(levels) <= 8
    wide = [column.sets.widened(level.nodes) for level in levels]
    for level, codes in zip(levels, wide):  # a range loses what lies between its ends, by the plain formula
        ends = [(values.min(), min(values.max(), 299)) for values in (codes[n] for n in range(len(codes)))]
        assert level.loss == pytest.approx([(high - low) / 299 for low, high in ends])
