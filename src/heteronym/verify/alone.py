"""How many people of a population are alone with their values, estimated from the class sizes of a sample.

Written from docs/risk.md and the papers it names; shares nothing with the producer's estimate. Sums are taken
term by term, and the likeliest parameters are found by where the likelihood stops to rise.

Reference   Hoshino 2001 (Pitman's sampling formula), Zayatz 1991; which one when: Dankar et al. 2012
Guarantee   none: an estimate
Cost        O(largest class) for the sums, then some thousand evaluations on the different sizes
Randomness  none
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

_SMALL = 0.1  # of the population: up to here Pitman's formula is taken
_STEPS, _ROUNDS = 16, 12


def alone_in_population(sizes: Sequence[int], population: int) -> float:
    """Share of the population, by the persons of each class of a sample."""
    counts = Counter(sizes)
    persons, single = sum(sizes), counts[1]
    if not single or population <= 0:
        return 0.0  # nobody is alone among few, so nobody is taken to be among many
    if population <= persons:
        return single / persons
    if persons / population <= _SMALL and single < len(sizes):
        alpha, theta = _likeliest(counts)  # alpha near 0 is Ewens' formula
        log = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + (alpha - 1) * math.log(population)
        return min(math.exp(log), 1.0)
    return _by_bayes(counts, persons, population)


def _by_bayes(counts: Counter[int], persons: int, population: int) -> float:
    """Zayatz: how likely a single of the sample comes from a class of one, sizes spread as in the sample."""
    seen = {size: times * _one_shows(size, persons, population) for size, times in counts.items()}
    likely = seen[1] / sum(seen.values())
    return counts[1] * likely / persons


def _one_shows(size: int, persons: int, population: int) -> float:
    """Chance that a sample holds exactly one of a class: the others are all among those not drawn."""
    if population - persons < size - 1:
        return 0.0
    undrawn = np.log(population - persons - np.arange(size - 1.0)).sum()
    anybody = np.log(population - np.arange(float(size))).sum()
    return math.exp(math.log(persons) + math.log(size) + float(undrawn - anybody))


def _likeliest(counts: Counter[int]) -> tuple[float, float]:
    """Alpha between 0 and 1 by ever finer grids, and for each the theta at which the likelihood is level."""
    persons, low, high = sum(size * times for size, times in counts.items()), 1e-6, 1 - 1e-6
    first, last, best = low, high, (low, 1.0)
    for _ in range(_ROUNDS):
        step = (last - first) / _STEPS
        points = [(a, _level(counts, persons, a)) for a in (first + step * i for i in range(_STEPS + 1))]
        best = max(points, key=lambda point: _likelihood(counts, persons, *point))
        first, last = max(best[0] - step, low), min(best[0] + step, high)
    return best


def _level(counts: Counter[int], persons: int, alpha: float) -> float:
    """Theta by halving: below it the likelihood rises, above it falls."""
    classes, low, high = sum(counts.values()), -12.0, math.log(100.0 * persons)
    for _ in range(50):
        theta = math.exp((low + high) / 2)
        rises = (_psi(theta / alpha + classes) - _psi(theta / alpha + 1)) / alpha
        rises -= _psi(theta + persons) - _psi(theta + 1)
        low, high = ((low + high) / 2, high) if rises > 0 else (low, (low + high) / 2)
    return math.exp((low + high) / 2)


def _psi(x: float) -> float:
    """The derivative of the logarithm of Gamma: step by step up to 8, from there by its series."""
    found = 0.0
    while x < 8:
        found, x = found - 1 / x, x + 1
    inverse = 1 / (x * x)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    return found + math.log(x) - 0.5 / x - series


def _likelihood(counts: Counter[int], persons: int, alpha: float, theta: float) -> float:
    """Logarithm of Pitman's formula, without what does not depend on the parameters."""
    classes = sum(counts.values())
    new = (classes - 1) * math.log(alpha)
    new += math.lgamma(theta / alpha + classes) - math.lgamma(theta / alpha + 1)
    joined = sum(n * (math.lgamma(size - alpha) - math.lgamma(1 - alpha)) for size, n in counts.items())
    return new + joined - math.lgamma(theta + persons) + math.lgamma(theta + 1)
