"""Common crowds of several releases against looking at every pair of persons."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.naive.attacks import common_crowd, value_is_told

from heteronym.overlap import common_crowds, values_revealed


@pytest.mark.parametrize("seed", range(80))
def test_crowds_are_those_of_looking_at_every_pair(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(0, 30)
    new = [rng.randint(0, 4) for _ in range(count)]
    earlier = [
        [-1 if rng.random() < rng.choice([0.0, 0.4]) else rng.randint(0, 4) for _ in range(count)]
        for _ in range(rng.randint(0, 3))
    ]
    found = common_crowds(np.array(new, np.int64), [np.array(one, np.int64) for one in earlier])
    assert found.tolist() == [common_crowd(person, new, earlier) for person in range(count)]


@pytest.mark.parametrize("seed", range(40))
def test_values_are_told_where_two_groups_have_one_in_common(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(0, 20)
    new = [rng.randint(0, 3) for _ in range(count)]
    before = [rng.randint(-1, 3) for _ in range(count)]
    shown, shown_before = (
        {
            (group, column): frozenset(rng.randint(0, 5) for _ in range(rng.randint(0, 3)))
            for group in range(4)
            for column in range(2)
        }
        for _ in range(2)
    )
    found = values_revealed(np.array(new, np.int64), np.array(before, np.int64), shown, shown_before)
    truth = [value_is_told(a, b, shown, shown_before) for a, b in zip(new, before, strict=True)]
    assert found.tolist() == truth
