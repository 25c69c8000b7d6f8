"""Sets of codes: each different one once, pairs with and without sorting, places among ordered numbers."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.model import sets as of_sets
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


@pytest.mark.parametrize("seed", range(30))
def test_many_pairs_are_dealt_out_as_few_are_sorted(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    owners, codes, count = (int(n) for n in rng.integers(1, 40, 3))
    owner, code = rng.integers(0, owners, count), rng.integers(0, codes, count)
    few, times = of_sets.counted(owner, code, owners=owners, codes=codes)
    place = few.places(owner, code)
    monkeypatch.setattr(of_sets, "MANY", 0)
    many, often = of_sets.counted(owner, code, owners=owners, codes=codes)
    assert many.ptr.tolist() == few.ptr.tolist()
    assert many.codes.tolist() == few.codes.tolist()
    assert often.tolist() == times.tolist()
    assert often.sum() == count
    assert many.places(owner, code).tolist() == place.tolist()
    assert Sets.of_pairs(owner, code, owners=owners, codes=codes).codes.tolist() == few.codes.tolist()
