"""The exact solver against trying everything, and the observations that prune the paper's search."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.naive import plausible as naive

from heteronym.documents import _plausible
from heteronym.documents._plausible import InfeasibleError, optimal, smallest, uniform
from heteronym.documents._plausible_study import exhaustive_uniform, least_upper_bound, multi_step, top_down
from heteronym.knowledge.bases import base

STEPS = [2, 3, 4, 9, 10, 55, 100, 660, 3655, 8528, 64958]


def random_case(rng: random.Random, most: int = 5) -> tuple[list[tuple[int, ...]], int, float]:
    volumes = [
        tuple(sorted({1, *rng.choices(STEPS, k=rng.randint(1, 6))})) for _ in range(rng.randint(1, most))
    ]
    top = math.prod(v[-1] for v in volumes)
    exact = math.prod(rng.choice(v) for v in volumes)
    t = min(top, rng.choice([1, 2, 10, 32, 1000, top, exact, rng.randint(1, top)]))
    return volumes, t, rng.choice([0.0, 0.25, 0.5, 0.75, 0.99, 1.0])


def test_the_exact_search_finds_what_trying_everything_finds() -> None:
    rng = random.Random(5)
    for _ in range(300):
        volumes, t, alpha = random_case(rng, most=4)
        problem = uniform(volumes, t, alpha)
        choice = optimal(problem)
        assert problem.reaches(choice)
        if t > 1:
            assert problem.cost(choice) == pytest.approx(naive.best(volumes, t, alpha), abs=1e-9)
            assert problem.cost(exhaustive_uniform(problem)) == pytest.approx(problem.cost(choice), abs=1e-9)
            least = math.prod(v[i] for v, i in zip(volumes, smallest(problem), strict=True))
            assert least == naive.smallest_product(volumes, t)


def test_no_greedy_search_is_cheaper() -> None:
    rng = random.Random(6)
    for _ in range(100):
        problem = uniform(*random_case(rng))
        start = least_upper_bound(problem)
        best = problem.cost(optimal(problem))
        for choice in (start, top_down(problem, start), multi_step(problem, start, delta=2)):
            assert problem.reaches(choice)
            assert best <= problem.cost(choice) + 1e-9


def test_observations_1_and_2_cost_rises_with_every_word() -> None:
    rng = random.Random(7)
    for _ in range(100):
        volumes, t, _ = random_case(rng)
        m, bits = len(volumes), math.log2(t)
        for choice in list(product(*volumes))[:50]:
            local = [(math.log2(v) - bits / m) ** 2 for v in choice]
            sums = [sum(local[:i]) for i in range(m + 1)]
            assert sums == sorted(sums)  # observation 1
            entropies = [sum(math.log2(v) for v in choice[:i]) for i in range(m + 1)]
            whole = [(h - bits) ** 2 + s for h, s in zip(entropies, sums, strict=True) if h >= bits]
            assert whole == sorted(whole)  # observation 2


def test_equal_products_are_told_by_whole_numbers() -> None:
    t = 3**40
    problem = uniform([(1, 3)] * 40, t)
    assert optimal(problem) == (1,) * 40
    with pytest.raises(InfeasibleError):
        optimal(uniform([(1, 3)] * 40, t + 1))


def test_an_infeasible_t_names_the_largest_reachable_one() -> None:
    with pytest.raises(InfeasibleError, match="cannot be reached") as caught:
        optimal(uniform([(1, 4), (1, 5)], 21))
    assert caught.value.largest == 20


def test_the_search_of_many_words_keeps_few_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(8)
    wordnet = base("wordnet")
    nouns = [t for t in wordnet.terms() if wordnet.counts[wordnet.senses(t)[0]] > 20]

    def volumes() -> tuple[int, ...]:
        chain = wordnet.chain(wordnet.senses(rng.choice(nouns))[0])
        return tuple(sorted({1, *(wordnet.leaves[node] for node in chain[1:])}))

    sizes: list[int] = []

    def counted(total: NDArray[np.float64], *more: Any) -> NDArray[np.intp]:
        sizes.append(len(total))
        return undominated(total, *more)

    undominated = _plausible._undominated
    monkeypatch.setattr(_plausible, "_undominated", counted)
    for words in (50, 200):
        sizes.clear()
        problem = uniform([volumes() for _ in range(words)], 2**63)
        optimal(problem)
        assert max(sizes) < 10_000
        assert (
            problem.cost(optimal(problem))
            <= problem.cost(top_down(problem, least_upper_bound(problem))) + 1e-9
        )
