"""Item models: the audit against the definitions, `admits` against what generalization can do."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.naive.transactions import (
    Person,
    is_kkm_anonymous,
    is_km_anonymous,
    is_lm_diverse,
    item_view,
    random_sets,
    released,
)

from heteronym.contracts import PrivacyModel
from heteronym.errors import PlanError
from heteronym.model.person_view import PersonView
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.km_anonymity import KmAnonymity
from heteronym.privacy.lm_diversity import LmDiversity
from heteronym.statistics.model_statistics import ModelStatistics

ITEMS = st.frozensets(st.sampled_from("ABCDE"), max_size=4)
PEOPLE = st.lists(st.tuples(st.tuples(st.sampled_from(["x", "y"])), ITEMS), min_size=1, max_size=12)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(PEOPLE, st.integers(2, 3), st.integers(1, 3), st.sampled_from([(), ("A",), ("A", "B")]))
def test_the_audits_say_what_the_definitions_say(
    people: list[Person], k: int, m: int, secret: tuple[str, ...]
) -> None:
    seen = released(people, secret)
    assert KmAnonymity(k, m).audit(seen).holds == is_km_anonymous([i for _, i in people], k, m, secret)
    assert KkmAnonymity(k, m).audit(seen).holds == is_kkm_anonymous(people, k, m, secret)
    if secret:
        assert LmDiversity(k=k, l=2, m=m).audit(seen).holds == is_lm_diverse(people, k, 2, m, secret)


def test_rows_of_one_person_count_once() -> None:
    seen = released([(("x",), frozenset("A")), (("x",), frozenset("A"))])
    assert KkmAnonymity(2, 1).audit(seen).holds
    object.__setattr__(seen, "person_of_row", np.array([0, 0]))
    assert not KkmAnonymity(2, 1).audit(seen).holds


def test_what_holds_for_k_and_m_holds_for_less() -> None:
    rng = random.Random(1)
    people = [(("x",), frozenset(rng.sample("AB", rng.randint(0, 2)))) for _ in range(60)]
    seen = released(people)
    held = {(k, m): KkmAnonymity(k, m).audit(seen).holds for k in (2, 3, 5) for m in (1, 2, 3)}
    assert held[5, 3]
    assert all(held.values())


def admits(model: PrivacyModel, view: PersonView, members: NDArray[np.int32]) -> bool:
    return ModelStatistics(view, [model]).admits(members)


@pytest.mark.parametrize("seed", range(20))
def test_admitted_groups_stay_admitted_when_joined(seed: int) -> None:
    sets = random_sets(seed, persons=24, items=9, empty=0.4)
    view = item_view(sets, items=9, secret=[8], domains=[0] * 4 + [1] * 5)
    first, second = np.arange(12, dtype=np.int32), np.arange(12, 24, dtype=np.int32)
    for model in (KkmAnonymity(3, 2), LmDiversity(k=2, l=2, m=2)):
        if admits(model, view, first) and admits(model, view, second):
            assert admits(model, view, np.r_[first, second])


def test_a_group_with_fewer_than_k_holders_of_items_is_not_admitted() -> None:
    view = item_view([[0], [0], [], []], items=1)
    assert not admits(KkmAnonymity(3, 2), view, np.arange(4, dtype=np.int32))
    assert admits(KkmAnonymity(2, 2), view, np.arange(4, dtype=np.int32))
    assert admits(KkmAnonymity(2, 2), view, np.array([2, 3], np.int32))


def test_a_sensitive_item_that_too_many_hold_cannot_be_made_diverse() -> None:
    view = item_view([[0, 1], [0, 1], [0, 1], [0]], items=2, secret=[1])
    assert not admits(LmDiversity(k=2, l=2, m=1), view, np.arange(4, dtype=np.int32))


def test_diversity_without_sensitive_items_is_refused() -> None:
    with pytest.raises(PlanError, match="sensitive"):
        LmDiversity(k=2, l=2).check(item_view([[0], [0]], items=1))


@pytest.mark.parametrize("seed", range(20))
def test_a_statistic_that_shrank_is_that_of_the_rest(seed: int) -> None:
    sets = random_sets(seed, persons=24, items=9, empty=0.4)
    view = item_view(sets, items=9, secret=[8], domains=[0] * 4 + [1] * 5)
    order = np.random.default_rng(seed).permutation(24).astype(np.int32)
    for model in (KkmAnonymity(3, 2), LmDiversity(k=2, l=2, m=2), KmAnonymity(3, 2)):
        statistic = model.start(view)
        statistic.add(order)
        statistic.remove(order[:9])
        fresh = model.start(view)
        fresh.add(order[9:])
        assert statistic.admits() == fresh.admits()
