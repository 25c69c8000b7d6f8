"""Risk figures against plain counting, and estimates against simulated populations."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from tests.naive.risk import chances, figures, minimal_uniques, unique_on

from heteronym.risk.class_sizes import advice_on_k, class_sizes, merged, risk_of
from heteronym.risk.combinations import unique_combinations
from heteronym.risk.population import pitman, pitman_parameters, population_uniques, zayatz


@pytest.mark.parametrize("seed", range(60))
def test_unique_combinations_are_those_that_counting_finds(seed: int) -> None:
    rng = random.Random(seed)
    width, count = rng.randint(1, 6), rng.randint(1, 25)
    rows = [tuple(rng.randint(0, rng.choice([1, 3, 9])) for _ in range(width)) for _ in range(count)]
    names = [f"c{c}" for c in range(width)]
    largest = rng.randint(1, 4)
    found = unique_combinations(
        names, [np.array(column) for column in zip(*rows, strict=True)], largest=largest
    )
    naive = minimal_uniques(rows, min(largest, width))
    named = {tuple(names[c] for c in chosen): persons for chosen, persons in naive.items()}
    assert found.minimal == {label: len(persons) for label, persons in named.items()}
    assert found.unique == {tuple(names[c] for c in chosen): len(unique_on(rows, chosen)) for chosen in naive}
    for person in range(count):
        sizes = [len(label) for label, persons in named.items() if person in persons]
        assert found.smallest[person] == min(sizes, default=0)
        worth = sum(
            math.prod(width - i for i in range(size, found.largest + 1) if width - i > 0) for size in sizes
        )
        assert found.score[person] == worth


def test_columns_that_single_out_are_called_drivers() -> None:
    keys, same = np.arange(50), np.zeros(50, np.int64)
    found = unique_combinations(["key", "same"], [keys, same])
    assert list(found.drivers.items()) == [("key", 1.0), ("same", 0.0)]
    assert found.worst(1) == [(("key",), 50)]
    assert found.special == 50


def test_many_columns_are_looked_at_in_smaller_combinations() -> None:
    found = unique_combinations([str(n) for n in range(60)], [np.arange(5) % 2] * 60)
    assert found.largest == 2


def test_wide_numbers_do_not_overflow() -> None:
    codes = [np.random.default_rng(n).integers(0, 1 << 40, 2000) for n in range(4)]
    assert unique_combinations(list("abcd"), codes).unique[("a",)] == 2000


@pytest.mark.parametrize("seed", range(20))
def test_the_three_attackers_have_the_chances_that_counting_finds(seed: int) -> None:
    rng = random.Random(seed)
    classes = [rng.randint(0, 6) for _ in range(rng.randint(1, 30))]
    naive = chances(classes)
    risk = risk_of(np.array(classes))
    assert risk.prosecutor == risk.journalist == max(naive)
    assert risk.marketer == pytest.approx(sum(naive) / len(naive))
    assert risk.unique == naive.count(1.0)
    assert risk.at_risk == pytest.approx(sum(c > 0.2 + 1e-12 for c in naive) / len(naive))


def test_a_population_makes_the_journalist_less_sure_than_the_prosecutor() -> None:
    classes = np.array([0, 0, 1])
    assert risk_of(classes, population=np.array([10.0, 10.0, 4.0])).journalist == 1 / 4
    assert risk_of(classes, weights=np.array([5.0, 5.0, 8.0])).journalist == 1 / 8
    assert risk_of(classes, weights=np.array([0.1, 0.1, 0.1])).journalist == 1.0  # never fewer than are here


def test_nobody_has_no_risk() -> None:
    assert risk_of(np.empty(0)).prosecutor == 0
    assert population_uniques(np.empty(0), 100).count == 0
    assert advice_on_k(risk_of(np.empty(0)))


def test_risk_before_and_after_have_the_shape_of_the_facts() -> None:
    both = merged(risk_of(np.arange(4)), risk_of(np.zeros(4)))
    assert both["prosecutor"] == {"before": 1.0, "after": 0.25}
    assert both["marketer"] == {"before": 1.0, "after": 0.25}


def restaurant(people: int, alpha: float, theta: float, seed: int) -> np.ndarray:
    """Classes of people who sit down by Pitman's rule."""
    rng = np.random.default_rng(seed)
    sizes: list[int] = []
    seats = np.empty(people, np.int64)
    for person in range(people):
        if rng.random() * (person + theta) < theta + alpha * len(sizes):
            sizes.append(0)
            seats[person] = len(sizes) - 1
        else:  # a table in proportion to its size less alpha, by rejection
            while True:
                other = int(seats[rng.integers(person)])
                if rng.random() * sizes[other] < sizes[other] - alpha:
                    break
            seats[person] = other
        sizes[seats[person]] += 1
    return seats


@pytest.mark.parametrize(("alpha", "theta"), [(0.3, 200.0), (0.6, 50.0)])
def test_uniques_of_a_population_are_estimated_from_a_small_sample(alpha: float, theta: float) -> None:
    people = 20_000
    truth, guesses = [], []
    for seed in range(3):
        seats = restaurant(people, alpha, theta, seed)
        truth.append(float((class_sizes(seats) == 1).sum()))
        sample = np.random.default_rng(seed).permutation(seats)[:1500]
        found = population_uniques(class_sizes(sample), people)
        assert found.model == "pitman"
        assert "random sample" in found.assumption
        guesses.append(found.count)
    assert np.mean(guesses) == pytest.approx(np.mean(truth), rel=0.25)


def test_the_parameters_of_a_population_are_found_again() -> None:
    sizes = class_sizes(restaurant(20_000, 0.5, 100.0, 7))
    values, counts = np.unique(sizes.astype(int), return_counts=True)
    alpha, theta = pitman_parameters(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    assert alpha == pytest.approx(0.5, abs=0.05)
    assert theta == pytest.approx(100, rel=0.35)


def test_large_samples_are_estimated_by_zayatz_between_nothing_and_all_uniques() -> None:
    seats = restaurant(5000, 0.5, 100.0, 1)
    truth = float((class_sizes(seats) == 1).sum())
    sample = np.random.default_rng(1).permutation(seats)[:4000]
    found = population_uniques(class_sizes(sample), 5000)
    assert found.model == "zayatz"
    assert found.count == pytest.approx(truth, rel=0.25)
    assert population_uniques(class_sizes(seats), 5000).count == truth


ODD = {"nobody alone": {5: 10}, "everybody alone": {1: 50}, "one class": {7: 1}}


@pytest.mark.parametrize("case", ODD)
def test_samples_that_no_model_fits_still_have_an_estimate(case: str) -> None:
    sizes = np.repeat(*zip(*ODD[case].items(), strict=True)).astype(float)
    assert pitman(ODD[case], 1_000_000) is None
    found = population_uniques(sizes, 1_000_000)
    assert 0 <= found.share <= 1
    assert zayatz(ODD[case], 1_000_000) == pytest.approx(found.count)


@pytest.mark.parametrize("seed", range(30))
def test_figures_are_those_of_plain_counting(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(1, 40)
    classes = [rng.randint(0, rng.choice([1, 5, 20])) for _ in range(count)]
    homes = [rng.randint(0, rng.choice([0, 6, 30])) for _ in range(count)]
    weights = [rng.choice([0.5, 1.0, 3.25, 40.0]) for _ in range(count)]
    values: list[list[set[object]]] = [
        [{rng.randint(0, 3) for _ in range(rng.randint(0, 2))} for _ in range(count)] for _ in range(2)
    ]
    held = [
        (
            np.array([p for p, mine in enumerate(column) for _ in mine], np.int64),
            np.array([v for mine in column for v in mine], np.int64),
        )
        for column in values
    ]
    found = risk_of(
        np.array(classes), weights=np.array(weights), households=np.array(homes), held=held
    ).to_dict()
    truth = figures(classes, values=values, households=homes, weights=weights)
    assert {name: found[name] for name in truth} == pytest.approx(truth)
