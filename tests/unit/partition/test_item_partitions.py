"""Partitioners for columns beside items: every person once, all groups admitted, delta respected."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest
from tests.naive.transactions import spread

from heteronym.encode import encode
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Transactions
from heteronym.measures.ncp import label_loss
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._clusters import Clusters, covers_of, k_member_clusters, state_after
from heteronym.partition._leave_out import loss_of
from heteronym.partition._merge import TumCache
from heteronym.partition.k_member import KMember
from heteronym.partition.mondrian import Mondrian
from heteronym.partition.rum_bound import RumBound
from heteronym.partition.t_first import TFirst, gray_order
from heteronym.partition.tum_bound import TumBound
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.km_anonymity import KmAnonymity
from heteronym.statistics.model_statistics import ModelStatistics

ROLES = {
    "id": Attribute(role=Role.IDENTIFIER),
    "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
    "city": Attribute(role=Role.QUASI),
    "zip": Attribute(role=Role.QUASI, recode="prefix", weight=2.0),
    "codes": Attribute(role=Role.ITEMS, separator=" "),
}


def dataset(seed: int, persons: int = 60, *, missing: float = 0.1, rows: int = 1) -> Dataset:
    rng = random.Random(seed)
    table: dict[str, list[object]] = {name: [] for name in ROLES}
    for person in range(persons):
        for _ in range(rng.randint(1, rows)):
            table["id"].append(f"p{person}")
            table["age"].append(None if rng.random() < missing else rng.choice([18, 20, 25, 40, 77]))
            table["city"].append(
                None if rng.random() < missing else rng.choice(["Ulm", "Rom", "Oslo", "Bern"])
            )
            table["zip"].append(rng.choice(["8810", "8811", "8900", "89", "1"]))
            items = {rng.choice("ABCDEFGH") for _ in range(rng.randint(1, 4))}
            table["codes"].append(" ".join(sorted(items)))
    return Dataset(Schema(ROLES, person="id"), pl.DataFrame(table))


def view_of(seed: int, persons: int = 60, **more: float) -> PersonView:
    return encode(dataset(seed, persons, **more))  # type: ignore[arg-type]


ALL = [
    KMember(),
    KMember(growth="box"),
    TFirst(),
    TFirst(chunk=7),
    *(RumBound(merge=m, delta=0.95) for m in ("r", "t", "rt", "top-down")),  # type: ignore[arg-type]
    RumBound(merge="t", order="exact", delta=0.95),
    RumBound(rum="discernibility", delta=0.5),
    RumBound(rum="class-size", delta=4.0),
    *(TumBound(merge=m) for m in ("r", "t", "rt")),  # type: ignore[arg-type]
    TumBound(tum="tncp", delta=0.5),
]


@pytest.mark.parametrize("part", ALL, ids=str)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_group_is_admitted_and_every_person_is_in_one(part: KMember, seed: int) -> None:
    view = view_of(seed, rows=2)
    models = [KkmAnonymity(4, 2), KAnonymity(5)]
    found = part.partition(view, models=models, rng=np.random.default_rng(seed))
    assert len(found.group) == view.persons
    assert set(found.group.tolist()) == set(range(found.count))
    members = found.members()
    together = ModelStatistics(view, models)
    assert all(together.admits(members[g]) for g in range(found.count))


@pytest.mark.parametrize("part", ALL, ids=str)
def test_the_same_seed_gives_the_same_groups(part: KMember) -> None:
    view = view_of(3)
    runs = [
        part.partition(view, models=[KkmAnonymity(4, 2)], rng=np.random.default_rng(7)).group.tolist()
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("merge", ["r", "t", "rt", "top-down"])
@pytest.mark.parametrize("delta", [0.45, 0.6, 0.8, 1.0])
def test_the_columns_lose_at_most_delta(merge: str, delta: float) -> None:
    data = dataset(5, 90)
    view = encode(data)
    part = RumBound(merge=merge, delta=delta)  # type: ignore[arg-type]
    found = part.partition(view, models=[KkmAnonymity(3, 2)], rng=np.random.default_rng(0))
    assert loss_of(found, covers_of(view)) / view.persons <= delta + 1e-9


def test_an_unreachable_delta_names_the_smallest_value_and_that_value_works() -> None:
    view = view_of(6, 40)
    for merge in ("r", "top-down"):
        with pytest.raises(PromiseError, match="smallest reached is") as refusal:
            RumBound(merge=merge, delta=0.01).partition(  # type: ignore[arg-type]
                view, models=[KkmAnonymity(10, 2)], rng=np.random.default_rng(0)
            )
        reached = float(str(refusal.value).rsplit(" ", 1)[1])
        RumBound(merge=merge, delta=reached).partition(  # type: ignore[arg-type]
            view, models=[KkmAnonymity(10, 2)], rng=np.random.default_rng(0)
        )


def test_an_unreachable_bound_on_the_items_names_the_smallest_value() -> None:
    with pytest.raises(PromiseError, match="smallest reached is"):
        TumBound(delta=0.0).partition(
            view_of(6, 40), models=[KkmAnonymity(10, 2)], rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize("tum", ["ul", "tncp"])
def test_the_items_lose_at_most_delta(tum: str) -> None:
    view = view_of(8, 120)
    part = TumBound(delta=0.45, tum=tum)  # type: ignore[arg-type]
    found = part.partition(view, models=[KkmAnonymity(5, 2)], rng=np.random.default_rng(0))
    transactions = Transactions(view, ItemPromise(5, 2))
    assert TumCache(transactions, tum, 1.0).of(found.group.astype(np.int64)) <= 0.45  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(10))
def test_the_loss_of_a_box_is_the_loss_of_its_published_labels(seed: int) -> None:
    data = dataset(seed, 12, missing=0.3, rows=2)
    view = encode(data)
    covers = covers_of(view)
    cluster = np.random.default_rng(seed).integers(0, 3, view.persons)
    cluster = np.unique(cluster, return_inverse=True)[1].astype(np.int64)
    groups = Partition(cluster.astype(np.int32))
    weights = sum(column.weight for column in view.columns)
    expected = sum(
        column.weight / weights * (label_loss(column.shape, column, groups.covers(column)) @ groups.sizes())
        for column in view.columns
    )
    assert loss_of(groups, covers) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_the_spread_of_joined_clusters_is_their_widest_pair(seed: int) -> None:
    view = view_of(seed, 40)
    transactions = Transactions(view, ItemPromise(2, 2))
    cluster = np.random.default_rng(seed).permutation(np.repeat(np.arange(8), 5))
    clusters = Clusters(covers_of(view), cluster, transactions)
    sets = [set(view.elements.of_person[p].tolist()) for p in range(40)]
    found = clusters.spreads_with(2)
    for other in range(8):
        if other != 2:
            both = [sets[p] for p in np.flatnonzero(np.isin(cluster, (2, other)))]
            widest = max(spread(a, b) for n, a in enumerate(both) for b in both[:n])
            assert found[other] == pytest.approx(widest)
    losses = clusters.losses_with(2)
    clusters.join(2, 5, loss=float(losses[5]), spread=float(found[5]))
    both = [sets[p] for p in np.flatnonzero(np.isin(cluster, (2, 5, 0)))]
    widest = max(spread(a, b) for n, a in enumerate(both) for b in both[:n])
    assert clusters.spreads_with(2)[0] == pytest.approx(widest)


def test_a_state_after_some_joins_is_what_those_joins_make() -> None:
    start = np.array([0, 1, 2, 3, 3, 1])
    joins = [(0, 1), (2, 3), (2, 0)]
    assert state_after(start, joins[:1]).tolist() == [0, 0, 1, 2, 2, 0]
    assert state_after(start, joins[:2]).tolist() == [0, 0, 1, 1, 1, 0]
    assert state_after(start, joins).tolist() == [0] * 6


def test_gray_order_changes_one_item_at_a_time() -> None:
    frame = pl.DataFrame({"id": list("abcd"), "codes": ["A B", "A", "B", "Z"]})
    roles = {"id": ROLES["id"], "codes": ROLES["codes"]}
    view = encode(Dataset(Schema(roles, person="id"), frame))
    order = gray_order(view).tolist()
    # rows 010.. 011.. 110: B, AB, A follow each other in the reflected code
    assert order.index(0) == (order.index(1) + order.index(2)) / 2


def test_items_alone_are_parted_by_nothing() -> None:
    """Without columns and terms, what lay in memory said who was on which side of a cut."""
    frame = pl.DataFrame({"id": [f"p{n}" for n in range(40)], "codes": ["A B", "A", "B", "A B"] * 10})
    roles = {"id": ROLES["id"], "codes": ROLES["codes"]}
    view = encode(Dataset(Schema(roles, person="id"), frame))
    for model in (KmAnonymity(2, 1), KkmAnonymity(2, 1)):
        assert Mondrian().partition(view, models=[model], rng=np.random.default_rng(0)).count == 1


def test_pairs_of_records_are_as_far_as_the_definition_says() -> None:
    ptr, codes = np.array([0, 3, 5, 5]), np.array([1, 4, 6, 4, 9], np.int32)
    assert kernels.item_distance(ptr, codes, 0, 1) == pytest.approx(spread([1, 4, 6], [4, 9]))
    assert kernels.item_distance(ptr, codes, 0, 2) == pytest.approx(4.0)


@pytest.mark.parametrize("merge", ["r", "t", "rt", "top-down"])
@pytest.mark.parametrize("seed", range(3))
def test_where_labels_of_items_are_those_of_the_whole_table_no_groups_are_joined_for_them(
    merge: str, seed: int
) -> None:
    """Groups may hold fewer than k persons with items then: nobody asks for blocks inside of them."""
    view = view_of(seed, 30)
    models = [KAnonymity(2), KmAnonymity(3, 2)]
    part = RumBound(merge=merge, delta=0.9)  # type: ignore[arg-type]
    found = part.partition(view, models=models, rng=np.random.default_rng(0))
    start = k_member_clusters(view, covers_of(view), models, np.random.default_rng(0), greedy=False)
    assert found.group.tolist() == start.tolist()
