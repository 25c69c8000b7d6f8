"""Sets of codes: each different one once, pairs with and without sorting, places among ordered numbers."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.model.sets import Sets, places_in


@pytest.mark.parametrize("seed", range(30))
def test_each_different_set_is_there_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    owners, codes = int(rng.integers(1, 40)), int(rng.integers(1, 6))
    owner, code = rng.integers(0, owners, 60), rng.integers(0, codes, 60)
    sets = Sets.of_pairs(owner, code, owners=owners, codes=codes)
    different, number = sets.distinct()
    found = [tuple(different[n].tolist()) for n in range(len(different))]
    assert len(set(found)) == len(found)
    assert [found[n] for n in number.tolist()] == [tuple(sets[n].tolist()) for n in range(owners)]


@pytest.mark.parametrize("codes", [3, 10_000])
def test_pairs_become_sets_whether_few_or_many_codes_are_possible(codes: int) -> None:
    rng = np.random.default_rng(codes)
    owner, code = rng.integers(0, 20, 200), rng.integers(0, codes, 200)
    sets = Sets.of_pairs(owner, code, owners=20, codes=codes)
    assert [sets[n].tolist() for n in range(20)] == [
        sorted(set(code[owner == n].tolist())) for n in range(20)
    ]


def test_places_are_those_of_a_search() -> None:
    rng = np.random.default_rng(2)
    ordered = np.unique(rng.integers(0, 1000, 300))
    wanted = rng.choice(ordered, 500)
    assert (ordered[places_in(ordered, wanted)] == wanted).all()
