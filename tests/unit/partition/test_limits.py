"""The compiled search under limits on sensitive values: what it finds is admitted, whatever the limits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import polars as pl
import pytest

from heteronym.encode import encode
from heteronym.io.plans import make_plan
from heteronym.model.dataset import Dataset
from heteronym.model.person_view import PersonView
from heteronym.model.schema import Schema
from heteronym.model.sets import Sets
from heteronym.partition import _balanced_parts, _limited_search
from heteronym.partition._column_search import Passes
from heteronym.partition._search import Search
from heteronym.registry import privacy_models
from heteronym.statistics import _limit_kernels
from heteronym.statistics.histograms import Histogram, Holdings, Limit, LimitKind, pack_limits
from heteronym.statistics.model_statistics import ModelStatistics

TREE = (("1", "2"), ("4", "9"))
MODELS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "distinct": [("l-diversity", {"l": 3})],
    "entropy": [("l-diversity", {"l": 2, "kind": "entropy"})],
    "recursive": [("l-diversity", {"l": 2, "kind": "recursive", "c": 1.5})],
    "equal": [("t-closeness", {"t": 0.3})],
    "ordered": [("t-closeness", {"t": 0.2, "distance": "ordered"})],
    "numeric": [("t-closeness", {"t": 0.2, "distance": "numeric"})],
    "hierarchical": [("t-closeness", {"t": 0.25, "distance": "hierarchical", "groups": TREE})],
    "alpha": [("alpha-k-anonymity", {"alpha": 0.6, "k": 3})],
    "beta": [("beta-likeness", {"beta": 1.0})],
    "two of one": [("l-diversity", {"l": 2}), ("t-closeness", {"t": 0.4, "distance": "numeric"})],
}


def view_of(seed: int, persons: int = 60) -> PersonView:
    """Persons with one or two rows; what ails them goes with their age, and some are well."""
    rng = random.Random(seed)
    rows = []
    for person in range(persons):
        age = rng.randint(20, 40)
        for _ in range(rng.randint(1, 2)):
            ill = None if rng.random() < 0.08 else rng.choices("1249", [age - 15, 20, 10, 45 - age])[0]
            town = rng.choice(["Ulm", "Rom", None])
            rows.append(
                {"id": f"{person:03}", "age": age, "town": town, "ill": ill, "job": rng.choice("xyz")}
            )
    attributes = {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "town": {"role": "quasi"},
        "ill": {"role": "sensitive", "scale": "numeric"},
        "job": {"role": "sensitive"},
    }
    plan = make_plan({"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 3}]})
    return encode(Dataset(Schema(plan.attributes, "id"), pl.DataFrame(rows)))


def models_of(case: str) -> list[Any]:
    named = [privacy_models.build(name, {**given, "attribute": "ill"}) for name, given in MODELS[case]]
    return [privacy_models.build("k-anonymity", {"k": 3}), *named]


@pytest.mark.parametrize("clusters", [True, False])
@pytest.mark.parametrize("case", MODELS)
def test_every_group_is_admitted_by_every_model(case: str, clusters: bool, monkeypatch: Any) -> None:
    monkeypatch.setattr(
        _limited_search, "LARGE_NODE", 24
    )  # so that tables this small are dealt into parts, too
    monkeypatch.setattr(_limited_search, "large_node", lambda persons, least: 24)
    divided = 0
    for seed in range(25):
        view, models = view_of(seed), models_of(case)
        if not ModelStatistics(view, models).admits(np.arange(view.persons, dtype=np.int32)):
            continue
        search = Search(view, models, passes=Passes(clusters=clusters))
        assert search.statistics.histograms() is not None
        partition = search.run()
        assert (partition.group >= 0).all()
        members = partition.members()
        for group in range(partition.count):
            assert search.statistics.admits(members[group]), (seed, group)
        divided += partition.count > 1
    assert divided >= 10


def test_models_about_two_attributes_are_searched_together() -> None:
    for seed in range(20):
        view = view_of(seed)
        models: Any = [
            privacy_models.build("l-diversity", {"l": 2, "attribute": "ill"}),
            privacy_models.build("alpha-k-anonymity", {"alpha": 0.7, "k": 3, "attribute": "job"}),
        ]
        search = Search(view, models)
        partition = search.run()
        members = partition.members()
        assert all(search.statistics.admits(members[group]) for group in range(partition.count))
        assert partition.count > 1


@pytest.mark.parametrize("case", MODELS)
def test_the_compiled_search_is_worth_as_much_as_the_search_by_nodes(case: str) -> None:
    """On the whole: a greedy search may lose to another on one table."""
    from heteronym.partition._clusters import covers_of
    from heteronym.partition._leave_out import loss_of

    losses = {True: 0.0, False: 0.0}
    for seed in range(12):
        view, models = view_of(seed), models_of(case)
        if not ModelStatistics(view, models).admits(np.arange(view.persons, dtype=np.int32)):
            continue
        for compiled in losses:
            search = Search(view, models)
            if not compiled:
                search.statistics.histograms = lambda: None  # type: ignore[method-assign]
            losses[compiled] += loss_of(search.run(), covers_of(view)) / view.persons
    assert losses[True] <= losses[False] + 1e-9


def test_the_search_ignores_the_order_of_rows() -> None:
    def groups(reverse: bool) -> list[int]:
        view = view_of(3)
        frame = pl.DataFrame({"age": [i % 17 for i in range(90)], "ill": [str(i * i % 5) for i in range(90)]})
        frame = frame.with_columns(id=pl.Series([f"{i:03}" for i in range(90)]))
        attributes = {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "ill": {"role": "sensitive"},
        }
        plan = make_plan({"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 3}]})
        view = encode(Dataset(Schema(plan.attributes, "id"), frame.reverse() if reverse else frame))
        return Search(view, [privacy_models.build("l-diversity", {"l": 3})]).run().group.tolist()  # type: ignore[list-item]

    assert groups(False) == groups(True)


@pytest.mark.parametrize("seed", range(40))
def test_recursive_diversity_counts_ties(seed: int) -> None:
    rng = random.Random(seed)
    counts = np.array([rng.choice([0, 1, 2, 2, 5]) for _ in range(6)], np.int64)
    if not counts.any():
        return
    c, l = rng.choice([0.5, 1.0, 2.0]), rng.randint(2, 5)
    holdings = Holdings(Sets(np.zeros(1, np.int64), np.empty(0, np.int32)), 6)
    packed, _ = pack_limits([Histogram(holdings, Limit(LimitKind.RECURSIVE, (c, float(l))))])
    limits = _limit_kernels.LimitViews(packed)
    present = np.flatnonzero(counts)
    ordered = sorted(counts.tolist(), reverse=True)
    wanted = ordered[0] < c * sum(ordered[l - 1 :])
    assert _limit_kernels.all_hold(limits, counts, present, len(present), int(counts.sum())) == wanted


def test_sets_of_values_are_numbered_by_what_they_hold() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        held = [[{v for v in range(4) if rng.random() < 0.4} for _ in range(30)] for _ in range(2)]
        places = []
        for number, sets in enumerate(held):
            owner = np.array([p for p, values in enumerate(sets) for _ in values], np.int64)
            code = np.array([v for values in sets for v in values], np.int64)
            places.append((4 * number, Holdings(Sets.of_pairs(owner, code, owners=30, codes=4), 4)))
        number_of, found = _limited_search.held_sets(places, 30)
        for person in range(30):
            assert set(found[int(number_of[person])].tolist()) == held[0][person] | {
                4 + v for v in held[1][person]
            }
        assert len(set(number_of.tolist())) == len(
            {(frozenset(a), frozenset(b)) for a, b in zip(*held, strict=True)}
        )


@pytest.mark.parametrize("seed", range(10))
def test_parts_are_dealt_evenly(seed: int) -> None:
    view = view_of(seed, persons=200)
    holding = np.random.default_rng(seed).integers(0, 5, 200)
    parts = _balanced_parts.balanced_parts(view, holding, largest=60, least=3)
    assert sorted(np.concatenate(parts).tolist()) == list(range(200))
    assert max(map(len, parts)) <= 60
    for value in range(5):
        counts = [int((holding[part] == value).sum()) for part in parts]
        assert max(counts) - min(counts) <= 2  # one per halving
