"""How many people of the population a sample's uniques stand for.

Reference   Pitman's sampling formula as a superpopulation: Hoshino 2001, "Applying Pitman's sampling
            formula to microdata disclosure risk assessment" (Journal of Official Statistics 17);
            Zayatz 1991, "Estimation of the number of unique population elements using a sample"; which
            one when: Dankar et al. 2012 (BMC Medical Informatics and Decision Making 12:66)
Guarantee   none; an estimate that assumes that the data is a simple random sample of the population, and
            that class sizes follow the model
Cost        O(distinct class sizes) per evaluation of a likelihood, some thousand evaluations
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SMALL_SAMPLE = 0.1  # up to this share of the population Pitman's model does better (Dankar et al. 2012)
_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class PopulationUniques:
    """Estimated people of the population who are alone with their values."""

    share: float  # of the population
    count: float
    model: str
    assumption: str


def population_uniques(sizes: NDArray[np.float64], population: int) -> PopulationUniques:
    """From the class sizes of a sample and the number of people it was drawn from."""
    counts = _size_counts(sizes)
    n = sum(size * count for size, count in counts.items())
    if n == 0 or population <= 0:
        return PopulationUniques(0.0, 0.0, "none", "no persons")
    if population <= n:
        alone = counts.get(1, 0)
        return PopulationUniques(alone / n, float(alone), "count", "the data is the whole population")
    said = "the data is a simple random sample, and class sizes follow "
    if n / population <= SMALL_SAMPLE:
        number = pitman(counts, population)
        if number is not None:
            return PopulationUniques(
                number / population, number, "pitman", said + "Pitman's sampling formula"
            )
    number = zayatz(counts, population)
    about = said + "those of the sample (Zayatz)"
    return PopulationUniques(number / population, number, "zayatz", about)


def _size_counts(sizes: NDArray[np.float64]) -> dict[int, int]:
    values, counts = np.unique(np.rint(sizes).astype(np.int64), return_counts=True)
    return {int(v): int(c) for v, c in zip(values, counts, strict=True) if v > 0}


def zayatz(counts: dict[int, int], population: int) -> float:
    """Uniques of the sample times the chance that one is unique in the population, raised to the population.

    The chance is Bayes' rule over class sizes j, spread as in the sample, where a class of j people shows
    exactly one of them in a sample of n from N with hypergeometric probability.
    """
    n = sum(size * count for size, count in counts.items())
    alone = counts.get(1, 0)
    if not alone:
        return 0.0
    classes = sum(counts.values())
    of_one = n / population
    shown = sum(count / classes * _shows_one(size, n, population) for size, count in counts.items())
    return alone * (alone / classes * of_one / shown) / of_one


def _shows_one(size: int, n: int, population: int) -> float:
    """Chance that exactly one of `size` people is among n of the population."""
    if size == 1:
        return n / population
    if population - size < n - 1:
        return 0.0
    log = math.log(size) + _log_choose(population - size, n - 1) - _log_choose(population, n)
    return math.exp(log)


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def pitman(counts: dict[int, int], population: int) -> float | None:
    """Uniques of the population by Pitman's formula with the likeliest parameters; None where there are none.

    Expected uniques of N people: Gamma(theta + 1) / Gamma(theta + alpha) * N^alpha (Hoshino 2001).
    """
    if not counts.get(1) or sum(counts.values()) < 2 or set(counts) == {1}:
        return None  # nobody is alone, or all are: the likelihood has no inner maximum
    alpha, theta = pitman_parameters(counts)
    if not 1e-6 < alpha < 1 - 1e-6:
        return None
    log = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(population)
    return min(math.exp(log), float(population))


def pitman_parameters(counts: dict[int, int]) -> tuple[float, float]:
    """The likeliest alpha in (0, 1) and theta > 0: for each alpha the best theta, then the best alpha."""
    n = sum(size * count for size, count in counts.items())

    def best_theta(alpha: float) -> float:
        return math.exp(
            _highest(lambda log: pitman_likelihood(counts, alpha, math.exp(log)), -12.0, math.log(100.0 * n))
        )

    alpha = _highest(lambda a: pitman_likelihood(counts, a, best_theta(a)), 1e-6, 1 - 1e-6)
    return alpha, best_theta(alpha)


def pitman_likelihood(counts: dict[int, int], alpha: float, theta: float) -> float:
    """Logarithm of the likelihood of class sizes, without what does not depend on the parameters.

    sum over classes l = 1..u-1 of log(theta + l alpha) - sum over i = 1..n-1 of log(theta + i)
    + sum over sizes j of count_j * sum over i = 1..j-1 of log(i - alpha)
    """
    n = sum(size * count for size, count in counts.items())
    u = sum(counts.values())
    ratio = theta / alpha
    rising = (u - 1) * math.log(alpha) + math.lgamma(ratio + u) - math.lgamma(ratio + 1)
    falling = math.lgamma(theta + n) - math.lgamma(theta + 1)
    inner = sum(c * (math.lgamma(j - alpha) - math.lgamma(1 - alpha)) for j, c in counts.items())
    return rising - falling + inner


def _highest(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of one maximum is highest, by golden sections."""
    a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_a, at_b = value(a), value(b)
    for _ in range(60):
        if at_a < at_b:
            low, a, at_a = a, b, at_b
            b = low + _GOLDEN * (high - low)
            at_b = value(b)
        else:
            high, b, at_b = b, a, at_a
            a = high - _GOLDEN * (high - low)
            at_a = value(a)
    return (low + high) / 2
