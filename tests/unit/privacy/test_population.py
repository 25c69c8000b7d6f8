"""k-map and delta-presence beside plain counting, on random people of a random population."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PlanError, PromiseError

ATTRIBUTES = {"age": {"role": "quasi", "scale": "numeric"}, "city": {"role": "quasi"}}


def drawn(seed: int, tmp_path: Path, persons: int = 40, population: int = 200) -> pl.DataFrame:
    """People of a population whose table lies in the folder."""
    rng = random.Random(seed)
    rows = [(rng.randint(20, 60), rng.choice("abcd")) for _ in range(population)]
    table = pl.DataFrame(rows, schema=["age", "city"], orient="row")
    table.write_csv(tmp_path / "people.csv")
    return table.sample(persons, seed=seed)


def plan(tmp_path: Path, *models: dict[str, Any]) -> Path:
    import json

    path = tmp_path / "plan.yaml"
    path.write_text(json.dumps({"version": 1, "attributes": ATTRIBUTES, "privacy": list(models)}))
    return path


def meant(label_age: str, label_city: str, population: pl.DataFrame) -> list[int]:
    """Rows of the population that a record may be, read off its labels."""
    low, high = (label_age.strip("[]").split("-") * 2)[:2]
    cities = label_city.strip("{}").split(",")
    return [
        n
        for n, (age, city) in enumerate(population.iter_rows())
        if int(low) <= age <= int(high) and city in cities
    ]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("k", [3, 10])
def test_every_record_may_be_that_of_k_persons_of_the_population(seed: int, k: int, tmp_path: Path) -> None:
    data = drawn(seed, tmp_path)
    population = pl.read_csv(tmp_path / "people.csv")
    release = hn.anonymize(data, plan(tmp_path, {"model": "k-map", "k": k, "population": "people.csv"}))
    found = [len(meant(*row, population)) for row in release.data.iter_rows()]
    assert min(found) >= k
    assert release.verdict.models[0].smallest_group == min(found)
    assert release.data.n_unique() > 1


def test_a_population_allows_smaller_groups_than_the_data_alone(tmp_path: Path) -> None:
    data = drawn(1, tmp_path, persons=30, population=2000)
    model = {"model": "k-map", "k": 5, "population": "people.csv"}
    mapped = hn.anonymize(data, plan(tmp_path, model)).measures["ncp"]["total"]
    alone = hn.anonymize(data, plan(tmp_path, {"model": "k-anonymity", "k": 5})).measures["ncp"]["total"]
    assert mapped < alone


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("high", [0.25, 0.4, 0.8])
def test_nobody_is_present_more_surely_than_was_promised(seed: int, high: float, tmp_path: Path) -> None:
    data = drawn(seed, tmp_path)
    population = pl.read_csv(tmp_path / "people.csv")
    model = {"model": "delta-presence", "presence_high": high, "population": "people.csv"}
    release = hn.anonymize(data, plan(tmp_path, model))
    likely = [0.0] * population.height
    for *labels, persons in release.data.group_by(release.data.columns).len().iter_rows():
        crowd = meant(*labels, population)
        for n in crowd:
            likely[n] += persons / len(crowd)
    assert max(likely) <= high + 1e-9


def test_bounds_that_all_persons_together_miss_are_refused(tmp_path: Path) -> None:
    data = drawn(0, tmp_path)
    for bounds in ({"presence_high": 0.1}, {"presence_high": 0.9, "presence_low": 0.5}):
        with pytest.raises(PromiseError, match=r"present with 0\.2"):
            hn.anonymize(
                data, plan(tmp_path, {"model": "delta-presence", "population": "people.csv", **bounds})
            )
    with pytest.raises(PromiseError, match="200 of the population"):
        hn.anonymize(data, plan(tmp_path, {"model": "k-map", "k": 500, "population": "people.csv"}))


def test_a_population_without_a_column_is_refused(tmp_path: Path) -> None:
    data = drawn(0, tmp_path)
    pl.DataFrame({"age": [30] * 50}).write_csv(tmp_path / "ages.csv")
    with pytest.raises(PlanError, match="city"):
        hn.anonymize(data, plan(tmp_path, {"model": "k-map", "k": 5, "population": "ages.csv"}))


def test_without_the_population_it_cannot_be_told(tmp_path: Path) -> None:
    data = drawn(0, tmp_path)
    told = plan(tmp_path, {"model": "k-map", "k": 5, "population": "people.csv"})
    hn.anonymize(data, told, output=tmp_path / "release")
    verdict = hn.verify(tmp_path / "release")
    assert verdict.models[0].holds is None
    assert verdict.holds is None


def test_attackers_who_know_who_is_in_the_data_are_promised_nothing(tmp_path: Path) -> None:
    data = drawn(0, tmp_path)
    data.write_csv(tmp_path / "data.csv")
    told = plan(tmp_path, {"model": "k-map", "k": 5, "population": "people.csv"})
    hn.anonymize(tmp_path / "data.csv", told, output=tmp_path / "release", private=tmp_path / "owner")
    siege = hn.attack(
        tmp_path / "release",
        against=tmp_path / "data.csv",
        private=tmp_path / "owner",
        only=["linkage-columns"],
    )
    assert siege.results[0].holds is None
