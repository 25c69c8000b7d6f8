"""The compiled search against its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.naive.tables import best_grouping, group_loss, persons_of, random_dataset, summed_loss

from heteronym.encode import encode
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.partition import _cluster_kernels, _column_cut_kernels
from heteronym.partition._column_cut_kernels import PackedViews, WorkViews
from heteronym.partition._column_search import Passes
from heteronym.partition._pack import Packed, pack_persons, work_for
from heteronym.partition._search import Search
from heteronym.partition.mondrian import Mondrian
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.statistics.histograms import Size

RNG = np.random.default_rng(0)
KINDS = [(seed, rows, missing) for seed in range(40) for rows in (1, 3) for missing in (0.0, 0.25)]


def partition_of(view: PersonView, k: int, **settings: object) -> Partition:
    return Mondrian(**settings).partition(view, models=[KAnonymity(k)], rng=RNG)  # type: ignore[arg-type]


@pytest.mark.parametrize(("seed", "rows", "missing"), KINDS)
def test_the_loss_of_a_node_is_the_loss_of_its_published_labels(seed: int, rows: int, missing: float) -> None:
    dataset = random_dataset(seed, rows_per_person=rows, missing=missing)
    view, people = encode(dataset), persons_of(dataset)
    packed = pack_persons(view)
    chosen = np.random.default_rng(seed).permutation(len(people))[: 1 + seed % len(people)].astype(np.int64)
    found = _column_cut_kernels.node_loss(
        chosen, 0, len(chosen), PackedViews(packed), WorkViews(work_for(packed))
    )
    assert found == pytest.approx(group_loss([people[i] for i in chosen], people))


@pytest.mark.parametrize(("seed", "rows", "missing"), KINDS)
def test_every_reported_gain_is_the_true_gain_of_the_cut_it_makes(
    seed: int, rows: int, missing: float
) -> None:
    dataset = random_dataset(seed, rows_per_person=rows, missing=missing)
    view, people = encode(dataset), persons_of(dataset)
    packed = pack_persons(view)
    views, work = PackedViews(packed), WorkViews(work_for(packed))
    order = np.arange(len(people))
    gains, cuts = np.empty(len(packed.ranks)), np.empty(len(packed.ranks), np.int64)
    _column_cut_kernels.best_cuts(order, 0, len(order), views, 2, work, gains, cuts, np.zeros(1, np.uint8))
    whole = summed_loss([people], people)
    for column in range(len(packed.ranks)):
        if cuts[column] > 0:
            left = np.empty(len(order), np.bool_)
            _column_cut_kernels.left_of_cut(order, order, views, column, cuts[column], left, work)
            halves = [[people[i] for i in order[left]], [people[i] for i in order[~left]]]
            assert min(map(len, halves)) >= 2
            assert gains[column] == pytest.approx(whole - summed_loss(halves, people))


@pytest.mark.parametrize("spread", [3, 400])
def test_ranks_are_in_order_whether_sorted_or_walked_over(spread: int) -> None:
    ranks = (np.random.default_rng(spread).permutation(12) * spread).astype(np.int32)
    place, touched = np.full(12 * spread + 2, -1, np.int64), np.zeros(12 * spread + 2, np.int64)
    order = np.arange(2, 12)
    count = _column_cut_kernels.rank_node(order, 0, 10, ranks, np.ones(12, np.int64), False, touched, place)
    assert touched[:count].tolist() == sorted(ranks[order].tolist())
    assert place[ranks[order]].tolist() == np.argsort(np.argsort(ranks[order])).tolist()
    assert (place >= 0).sum() == count == 10


@pytest.mark.parametrize("seed", range(60))
def test_no_numeric_cut_is_better_than_the_one_found(seed: int) -> None:
    dataset = random_dataset(seed, missing=0.15)
    view, people = encode(dataset), persons_of(dataset)
    packed = pack_persons(view)
    gains, cuts = np.empty(len(packed.ranks)), np.empty(len(packed.ranks), np.int64)
    order, go_on = np.arange(len(people)), np.zeros(1, np.uint8)
    work = WorkViews(work_for(packed))
    _column_cut_kernels.best_cuts(order, 0, len(order), PackedViews(packed), 2, work, gains, cuts, go_on)
    whole, best = summed_loss([people], people), -1.0
    values = [next(iter(person["age"])) for person in people]
    for bound in {v for v in values if v is not None}:
        left = [p for p, v in zip(people, values, strict=True) if v is not None and v <= bound]  # type: ignore[operator]
        right = [p for p, v in zip(people, values, strict=True) if v is None or v > bound]  # type: ignore[operator]
        if len(left) >= 2 and len(right) >= 2:
            best = max(best, whole - summed_loss([left, right], people))
    assert gains[0] == pytest.approx(best)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("finish", ["clusters", "cuts"])
def test_collapsing_equal_persons_changes_no_loss(seed: int, finish: str) -> None:
    dataset = random_dataset(seed, persons=40, missing=0.0)
    view, people = encode(dataset), persons_of(dataset)
    partition = partition_of(view, 3, finish=finish, relational_weight=1.0)
    groups = [[people[p] for p in partition.members()[g]] for g in range(partition.count)]
    assert min(map(len, groups)) >= 3
    assert sorted(p for g in range(partition.count) for p in partition.members()[g]) == list(range(40))


@pytest.mark.parametrize("seed", range(25))
def test_clusters_never_lose_more_than_cuts(seed: int) -> None:
    dataset = random_dataset(seed, persons=30)
    view, people = encode(dataset), persons_of(dataset)
    losses = []
    for finish in ("clusters", "cuts"):
        partition = partition_of(view, 3, finish=finish)
        groups = [[people[p] for p in partition.members()[g]] for g in range(partition.count)]
        losses.append(summed_loss(groups, people))
    assert losses[0] <= losses[1] + 1e-9


def moved_loss(packed: Packed, label: NDArray[np.int64]) -> float:
    """The loss of four clusters of 24 persons after moves between them, which change `label`."""
    columns = packed.sets.shape[1]
    views, work = PackedViews(packed), WorkViews(work_for(packed))
    room = _cluster_kernels.Node(columns), _cluster_kernels.NodeBoxes(columns)
    return float(
        _cluster_kernels.move_between(np.arange(24), 0, 24, views, 4, work, label, 4, Passes().rounds, *room)
    )


@pytest.mark.parametrize(("seed", "rows", "missing"), KINDS)
def test_moves_keep_clusters_large_enough_and_never_lose_more(seed: int, rows: int, missing: float) -> None:
    dataset = random_dataset(seed, persons=24, rows_per_person=rows, missing=missing)
    view, people = encode(dataset), persons_of(dataset)
    packed = pack_persons(view)
    label = np.random.default_rng(seed).permutation(np.arange(24) % 4).astype(np.int64)

    def loss() -> float:
        return summed_loss([[people[i] for i in np.flatnonzero(label == c)] for c in range(4)], people)

    before = loss()
    told = moved_loss(packed, label)
    assert told == pytest.approx(loss())
    assert told <= before + 1e-9
    assert np.bincount(label, minlength=4).min() >= 4


def test_moves_gain_on_random_clusters() -> None:
    gained = 0
    for seed in range(10):
        view = encode(random_dataset(seed, persons=24))
        packed = pack_persons(view)
        label = np.arange(24) % 4
        moved_loss(packed, label)
        gained += label.tolist() != (np.arange(24) % 4).tolist()
    assert gained >= 8


def test_small_tables_come_near_the_best_grouping_there_is() -> None:
    ratios = []
    for seed in range(12):
        dataset = random_dataset(seed, persons=8, missing=0.0)
        view, people = encode(dataset), persons_of(dataset)
        partition = partition_of(view, 2)
        groups = [[people[p] for p in partition.members()[g]] for g in range(partition.count)]
        ratios.append(summed_loss(groups, people) / best_grouping(people, 2))
    assert min(ratios) >= 1 - 1e-9
    assert float(np.mean(ratios)) < 1.25


@pytest.mark.parametrize("cut", ["gain", "widest"])
def test_the_search_ignores_the_order_of_rows(cut: str) -> None:
    dataset = random_dataset(5, persons=40, rows_per_person=3)
    shuffled = type(dataset)(dataset.schema, dataset.frame.sample(fraction=1.0, shuffle=True, seed=3))
    one, other = (partition_of(encode(d), 4, cut=cut) for d in (dataset, shuffled))
    assert one.group.tolist() == other.group.tolist()


def test_a_median_equal_to_the_minimum_still_finds_the_allowable_cut() -> None:
    dataset = random_dataset(1, persons=10, missing=0.0)
    ages = [18] * 7 + [30] * 3
    frame = dataset.frame.select("id").with_columns(age=np.array(ages))
    schema = type(dataset.schema)({n: dataset.schema[n] for n in ("id", "age")}, "id")
    partition = partition_of(encode(type(dataset)(schema, frame)), 3, cut="widest")
    assert sorted(partition.sizes().tolist()) == [3, 7]


@pytest.mark.parametrize("cut", ["gain", "widest"])
def test_models_beyond_size_are_asked_for_both_halves(cut: str) -> None:
    asked: list[int] = []

    class Picky(KAnonymity):
        size_only = False

        def start(self, view: PersonView) -> Size:
            return Even(2)

    class Even(Size):
        def admits(self) -> bool:
            asked.append(self.persons)
            return self.persons % 2 == 0

    view = encode(random_dataset(2, persons=24))
    partition = Search(view, [Picky(2)], cut=cut).run()  # type: ignore[arg-type]
    assert asked
    assert all(size % 2 == 0 for size in partition.sizes())
