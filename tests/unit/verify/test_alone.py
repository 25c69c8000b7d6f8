"""The auditor's estimate of who is alone in a population is the producer's, found in another way."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.risk.population import population_uniques
from heteronym.verify.alone import alone_in_population
from heteronym.verify.risk import risk_check


@pytest.mark.parametrize("seed", range(25))
def test_both_estimates_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind = seed % 3
    sizes = np.bincount(
        rng.zipf(1.3 + rng.random(), 400) % 500 if kind == 0 else rng.integers(0, 40 + 40 * kind * seed, 300)
    )
    sizes = sizes[sizes > 0]
    for times in (0.5, 1.2, 3, 15, 200):
        population = int(sizes.sum() * times)
        theirs = population_uniques(sizes.astype(np.float64), population).share
        assert alone_in_population(sizes.tolist(), population) == pytest.approx(theirs, rel=5e-3, abs=1e-9)


def test_nobody_is_alone_where_nobody_is_single() -> None:
    assert alone_in_population([2, 3, 9], 1000) == 0.0
    assert alone_in_population([], 1000) == 0.0


def test_a_release_with_weights_is_told_and_checked() -> None:
    frame = pl.DataFrame({"age": [20, 20, 21, 22, 40, 41], "w": [50.0] * 6})
    plan = {
        "data": {"weight": "w"},
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "w": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.risk["population_unique"] == 0.0
    [check] = risk_check({"population_unique": 0.2}, {"population_unique": 0.1})
    assert check.holds is False
    [check] = risk_check({"population_unique": 0.1001}, {"population_unique": 0.1})
    assert check.holds is True
