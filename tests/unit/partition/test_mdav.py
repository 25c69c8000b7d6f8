"""Microaggregation: the compiled search against one by hand, sizes, means, other models."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.mdav import microaggregate
from tests.naive.tables import random_dataset

import heteronym as hn
from heteronym.encode import encode
from heteronym.partition.mdav import Mdav, points_of
from heteronym.privacy.k_anonymity import KAnonymity

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("persons", "k"), [(7, 2), (23, 3), (40, 5), (9, 5)])
def test_groups_are_those_made_by_hand(seed: int, persons: int, k: int) -> None:
    view = encode(random_dataset(seed, persons=persons, rows_per_person=2))
    found = Mdav().partition(view, models=[KAnonymity(k)], rng=RNG)
    points = points_of(view)
    people = [
        (tuple(None if np.isnan(x) else x for x in numbers), tuple(names))
        for numbers, names in zip(points.numbers.tolist(), points.names.tolist(), strict=True)
    ]
    weights = [*points.number_weight.tolist(), *points.name_weight.tolist()]
    members = found.members()
    groups = {tuple(members[number].tolist()) for number in range(found.count)}
    assert groups == {tuple(group) for group in microaggregate(people, k, weights)}
    assert found.sizes().min() >= k
    assert found.sizes().max() < 2 * k


def test_equal_persons_are_no_trouble() -> None:
    frame = pl.DataFrame({"age": [30] * 17, "sex": ["f"] * 17})
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "sex": {"role": "quasi"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "partition": {"method": "mdav"},
    }
    release = hn.anonymize(frame, plan)
    assert release.measures["ncp"]["relational"] == 0
    assert release.measures["groups"]["count"] == 5


@pytest.mark.parametrize("numeric", ["label", "bounds", "mean"])
def test_numbers_are_released_as_the_plan_says(numeric: str) -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"age": rng.integers(18, 80, 60), "pay": rng.lognormal(8, 1, 60).round(2)})
    plan = {
        "attributes": {name: {"role": "quasi", "scale": "numeric"} for name in frame.columns},
        "privacy": [{"model": "k-anonymity", "k": 5}],
        "partition": {"method": "mdav"},
        "release": {"numeric": numeric},
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    if numeric == "mean":
        assert release.data["pay"].mean() == pytest.approx(frame["pay"].mean(), rel=1e-6)


def test_models_about_sensitive_values_join_groups() -> None:
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"age": rng.integers(18, 80, 90), "ill": rng.choice(["a", "b"], 90, p=[0.9, 0.1])})
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "ill": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "l": 2}],
        "partition": {"method": "mdav"},
    }
    assert hn.anonymize(frame, plan).verdict.holds
