"""Losses of items and errors of counts against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.transactions import item_view, random_sets, tncp, utility_loss

from heteronym.measures.query_error import QueryError
from heteronym.measures.transaction import TransactionLoss
from heteronym.model.partition import Partition
from heteronym.model.recoding import ElementLabels, Fate, Label, Recoding
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.recode._item_labels import released_as_they_are
from heteronym.recode.item_sets import ItemSets

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("seed", range(5))
def test_tncp_and_utility_loss_are_what_the_definitions_say(seed: int) -> None:
    sets = random_sets(seed, persons=50, items=9)
    view = item_view(sets, items=9)
    partition = Partition(np.zeros(50, np.int32))
    recoding = ItemSets().recode(view, partition, models=[KkmAnonymity(4, 2)], rng=RNG)
    codes, numbers = recoding.of_group.codes.tolist(), recoding.label.tolist()
    label = {item: -1 - item if number < 0 else number for item, number in zip(codes, numbers, strict=True)}
    size = {n: list(label.values()).count(n) for n in label.values()}
    found = TransactionLoss().measure(view, partition, Recoding({}, recoding))
    assert found["tncp"] == pytest.approx(tncp(sets, {i: size[n] for i, n in label.items()}, 9))
    shown = [[size[n] for n in {label[i] for i in items}] for items in sets]
    assert found["ul"] == pytest.approx(utility_loss(shown))


def test_items_released_as_they_are_lose_nothing_and_count_right() -> None:
    sets = random_sets(2, persons=60, items=8, empty=0.2)
    view = item_view(sets, items=8)
    partition = Partition(np.zeros(60, np.int32))
    recoding = released_as_they_are(view, partition)
    found = TransactionLoss().measure(view, partition, Recoding({}, recoding))
    assert found["tncp"] == found["ul"] == found["coat_ul"] == 0.0
    assert found["items_kept"] == 1.0
    errors = QueryError(queries=50).measure(view, partition, Recoding({}, recoding))
    assert errors["items"]["mean"] == pytest.approx(0.0)


def test_a_count_from_blocks_assumes_that_every_item_is_as_likely() -> None:
    # two items always seen together in one block of two: each is guessed with 1/2, both with 1/4
    view = item_view([[0, 1]] * 8, items=2)
    partition = Partition(np.zeros(8, np.int32))
    recoding = released_as_they_are(view, partition)
    generalized = np.full(2, Fate.GENERALIZED, np.uint8)
    merged = ElementLabels(recoding.of_group, generalized, np.zeros(2, np.int32), (Label("(i0,i1)", 2),))
    errors = QueryError(queries=20).measure(view, partition, Recoding({}, merged))
    assert errors["items"]["mean"] == pytest.approx(abs(8 - 2) / 8)


def test_the_workload_depends_on_its_seed_alone() -> None:
    view = item_view(random_sets(4, persons=60, items=8), items=8)
    partition = Partition(np.repeat([0, 1], 30).astype(np.int32))
    recoding = ItemSets().recode(view, partition, models=[KkmAnonymity(4, 2)], rng=RNG)
    first, again, other = (
        QueryError(queries=40, seed=s).measure(view, partition, Recoding({}, recoding)) for s in (1, 1, 2)
    )
    assert first == again
    assert set(other) == {"items"}
    assert other["items"]["mean"] != first["items"]["mean"]


def test_a_view_without_items_has_no_item_measures() -> None:
    from tests.naive.tables import random_dataset

    from heteronym.encode import encode

    view = encode(random_dataset(0))
    partition = Partition(np.zeros(view.persons, np.int32))
    assert TransactionLoss().measure(view, partition, Recoding({}, ElementLabels.none(1))) == {}
    assert QueryError().measure(view, partition, Recoding({}, ElementLabels.none(1))) == {}
