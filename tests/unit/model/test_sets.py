"""Sets of codes: each different one once, pairs with and without sorting, places among ordered numbers."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.model import sets as of_sets
from heteronym.model._set_kernels import find_places
from heteronym.model.recoding import ElementLabels, Fate, Label
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
    owners, codes, count = (int(n) for n in rng.integers(1, (40, 40, 400)))
    owner, code = rng.integers(0, owners, count), rng.integers(0, codes, count)
    if seed % 2:  # as persons have them: some ascending codes, then those of the next
        code = np.concatenate([np.sort(some) for some in np.array_split(code, max(count // 9, 1))])
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


@pytest.mark.parametrize("seed", range(30))
def test_sets_are_expanded_alike_in_whatever_blocks(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    sets = Sets.of_pairs(rng.integers(0, 12, 50), rng.integers(0, 30, 50), owners=12, codes=30)
    chosen = rng.integers(0, 12, int(rng.integers(0, 9)))
    monkeypatch.setattr(of_sets, "AT_ONCE", 1 + seed % 7)
    owner, codes = sets.expand(chosen)
    pairs = [(place, code) for place, number in enumerate(chosen) for code in sets[number].tolist()]
    assert list(zip(owner.tolist(), codes.tolist(), strict=True)) == pairs
    assert codes.dtype == np.int32


@pytest.mark.parametrize("seed", range(30))
def test_places_are_found_near_and_far_in_order_and_out_of_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sets = Sets.of_pairs(rng.integers(0, 3, 900), rng.integers(0, 999, 900), owners=3, codes=999)
    place = rng.integers(0, len(sets.codes), 300)
    if seed % 2:
        place = np.sort(place)  # groups and codes ascend, some steps are longer than what is looked at near
    found = np.empty(len(place), np.int32)
    find_places(sets.owners()[place], sets.codes[place], sets.ptr, sets.codes, found)
    assert found.tolist() == place.tolist()


@pytest.mark.parametrize("generalized", [False, True])
@pytest.mark.parametrize("seed", range(30))
def test_what_becomes_of_elements_is_told_alike_by_the_kernel(
    seed: int, generalized: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    person, element = rng.integers(0, 15, 60), rng.integers(0, 20, 60)
    group = rng.integers(-1 if seed % 3 else 0, 4, 15).astype(np.int32)
    stays = group[person] >= 0
    seen = Sets.of_pairs(group[person[stays]], element[stays], owners=4, codes=20)
    fate = rng.integers(0, 5, len(seen.codes)).astype(np.uint8)
    if not generalized:
        fate[fate == Fate.GENERALIZED] = Fate.TYPED
    label = np.where(fate == Fate.GENERALIZED, rng.integers(0, 2, len(fate)), -1).astype(np.int32)
    labels = ElementLabels(seen, fate, label, (Label("a"), Label("b")) if generalized else ())
    plainly = [found.tolist() for found in labels.fate_and_label(group[person], element)]
    monkeypatch.setattr(of_sets, "MANY", 0)
    assert [found.tolist() for found in labels.fate_and_label(group[person], element)] == plainly
