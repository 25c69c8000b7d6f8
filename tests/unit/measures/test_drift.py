"""Drift against the definition, value by value."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.drift import drift
from tests.naive.tables import ROLES, persons_of, random_dataset

from heteronym.encode import encode
from heteronym.measures.drift import DistributionDrift
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.recoding import ElementLabels, Recoding
from heteronym.model.schema import Attribute, Role, Scale, Schema

NOTHING = Recoding({}, ElementLabels.none(1))


@pytest.mark.parametrize("seed", range(40))
def test_drift_is_the_distance_between_what_was_and_what_a_reader_guesses(seed: int) -> None:
    dataset = random_dataset(seed, persons=20, rows_per_person=2, missing=0.1 * (seed % 3))
    view, people = encode(dataset), persons_of(dataset)
    group = np.random.default_rng(seed).integers(-1 if seed % 2 else 0, 4, len(people))
    kept = group >= 0
    group[kept] = np.unique(group[kept], return_inverse=True)[1]
    found = DistributionDrift().measure(view, Partition(group.astype(np.int32)), NOTHING)
    for name in ROLES:
        assert found[name] == pytest.approx(drift(name, people, group.tolist())), name


def test_groups_of_equal_persons_do_not_drift() -> None:
    schema = Schema({"x": Attribute(role=Role.QUASI, scale=Scale.NUMERIC), "y": Attribute(role=Role.QUASI)})
    view = encode(Dataset(schema, pl.DataFrame({"x": [1, 1, 5, 5], "y": ["a", "a", "b", "b"]})))
    found = DistributionDrift().measure(view, Partition(np.array([0, 0, 1, 1], np.int32)), NOTHING)
    assert found == {"x": 0.0, "y": 0.0}


def test_the_whole_way_is_one() -> None:
    """All at the lowest value but one, and a label that covers everything: half the way for nearly all."""
    schema = Schema({"x": Attribute(role=Role.QUASI, scale=Scale.NUMERIC)})
    view = encode(Dataset(schema, pl.DataFrame({"x": [0] * 99 + [10]})))
    found = DistributionDrift().measure(view, Partition(np.zeros(100, np.int32)), NOTHING)
    assert found["x"] == pytest.approx(0.49)
