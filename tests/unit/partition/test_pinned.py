"""Choices inside the searches, each against what its definition says."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.unit.partition.test_item_partitions import view_of

import heteronym as hn
from heteronym.encode import encode
from heteronym.errors import PromiseError
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._clusters import Clusters, covers_of, k_member_clusters, state_after
from heteronym.partition._leave_out import loss_of
from heteronym.partition._merge import Budget
from heteronym.partition._search import POWER, Search, _GainCuts
from heteronym.partition._top_down import cut_down
from heteronym.partition.k_member import KMember
from heteronym.partition.rum_bound import RumBound
from heteronym.partition.t_first import TFirst, gray_order
from heteronym.partition.tum_bound import TumBound
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.km_anonymity import KmAnonymity
from heteronym.privacy.l_diversity import LDiversity
from heteronym.run import current
from heteronym.statistics.model_statistics import ModelStatistics

RNG = np.random.default_rng(0)
QUASI = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)


def groups_of(partition: Any) -> set[frozenset[int]]:
    members = partition.members()
    return {frozenset(members[g].tolist()) for g in range(partition.count)}


def ncp_of(covers: Any, cluster: Any) -> float:
    return loss_of(Partition(cluster), covers) / len(cluster)


# --- cut: gain ------------------------------------------------------------------------------------


def two_texts(seed: int, weights: tuple[float, float], persons: int = 24) -> tuple[PersonView, Any]:
    """Two number columns and two columns of terms, of which some terms are in both."""
    rng = random.Random(seed)
    words = [f"X:w{i}" for i in range(6)]
    ages = [rng.randint(0, 60) for _ in range(persons)]
    held = [[{w for w in words if rng.random() < 0.4} for _ in range(2)] for _ in range(persons)]
    frame = pl.DataFrame(
        {
            "age": ages,
            "pay": [rng.randint(0, 9) for _ in ages],
            "one": ["|".join(sorted(h[0])) for h in held],
            "two": ["|".join(sorted(h[1])) for h in held],
        }
    )
    terms = {
        name: Attribute(role=Role.TERMS, separator="|", weight=weight)
        for name, weight in zip(("one", "two"), weights, strict=True)
    }
    view = encode(Dataset(Schema({"age": QUASI, "pay": QUASI, **terms}), frame))
    return view, (frame, held)


def share_of(held: list[set[str]], weights: tuple[float, float], term: str) -> float:
    """What a term is of all terms of a person, each counted in each column that holds it."""
    every = sum(weight * len(terms) for weight, terms in zip(weights, held, strict=True))
    return sum(w for w, terms in zip(weights, held, strict=True) if term in terms) / every


def concentration(people: list[int], held: Any, weights: tuple[float, float], least: int) -> float:
    total = 0.0
    for term in {t for p in people for terms in held[p] for t in terms}:
        holders = [p for p in people if any(term in terms for terms in held[p])]
        if len(holders) >= least:
            mass = sum(share_of(held[p], weights, term) for p in holders)
            total += mass * (len(holders) / len(people)) ** POWER
    return total


def column_loss(people: list[int], frame: pl.DataFrame) -> float:
    """NCP of two number columns, times persons."""
    loss = 0.0
    for name in ("age", "pay"):
        cells = frame[name].to_list()
        mine = [cells[p] for p in people]
        loss += (max(mine) - min(mine)) / (max(cells) - min(cells)) / 2
    return loss * len(people)


@pytest.mark.parametrize("weights", [(1.0, 3.0), (2.5, 0.5)])
@pytest.mark.parametrize("weight", [0.2, 0.5, 0.8])
@pytest.mark.parametrize("seed", range(4))
def test_a_cut_by_gain_is_worth_lambda_of_columns_and_the_rest_of_terms(
    seed: int, weight: float, weights: tuple[float, float]
) -> None:
    view, (frame, held) = two_texts(seed, weights)
    least = 3
    cuts = _GainCuts(Search(view, [KAnonymity(least)], relational_weight=weight))
    members = np.arange(view.persons)
    scores = cuts.weigh(members)
    found = [cuts.cut(members, members, number) for number in range(len(scores))]
    assert {cut.kind for cut in found} == {"relational", "textual"}
    everyone = members.tolist()
    for score, cut in zip(scores, found, strict=True):
        halves = [members[cut.left].tolist(), members[~cut.left].tolist()]
        columns = column_loss(everyone, frame) - sum(column_loss(half, frame) for half in halves)
        terms = sum(concentration(half, held, weights, least) for half in halves)
        terms -= concentration(everyone, held, weights, least)
        assert score == pytest.approx(weight * columns + (1 - weight) * terms, abs=1e-9)


@pytest.mark.parametrize("model", [KmAnonymity(5, 2), KkmAnonymity(5, 2)])
def test_where_persons_have_nothing_but_items_there_is_nothing_to_cut_on(model: Any) -> None:
    rng = random.Random(0)
    held = ["|".join(sorted(rng.sample("abcdef", 3))) for _ in range(60)]
    items = Attribute(role=Role.ITEMS, separator="|")
    view = encode(Dataset(Schema({"items": items}), pl.DataFrame({"items": held})))
    assert Search(view, [model]).run().count == 1


def test_equal_weights_of_texts_change_nothing() -> None:
    for seed in range(5):
        made = []
        for weights in ((1.0, 1.0), (3.0, 3.0)):
            view, _ = two_texts(seed, weights)
            made.append(groups_of(Search(view, [KAnonymity(3)]).run()))
        assert made[0] == made[1]


def test_gain_keeps_more_of_the_text_that_weighs_more() -> None:
    lost: dict[tuple[float, float], list[float]] = {(1.0, 9.0): [], (9.0, 1.0): []}
    for seed in range(12):
        for weights, found in lost.items():
            _, (frame, _) = two_texts(seed, weights, persons=40)
            quasi: dict[str, Any] = {"role": "quasi", "scale": "numeric"}
            terms: dict[str, Any] = {"role": "terms", "separator": "|"}
            plan = {
                "attributes": {
                    "age": quasi,
                    "pay": quasi,
                    "one": terms | {"weight": weights[0]},
                    "two": terms | {"weight": weights[1]},
                },
                "privacy": [{"model": "k-anonymity", "k": 3}],
                "partition": {"method": "mondrian", "relational_weight": 0.1},
            }
            by_text = hn.anonymize(frame, plan).measures["ncp"]["by_text"]
            found.append(by_text["two"]["all"] - by_text["one"]["all"])
    assert np.mean(lost[1.0, 9.0]) < np.mean(lost[9.0, 1.0])


# --- cut: widest and paper ------------------------------------------------------------------------


@pytest.mark.parametrize(("weight", "textual"), [(1.0, False), (3.0, True)])
def test_the_weight_of_a_text_raises_its_score_in_widest(weight: float, textual: bool) -> None:
    rng = random.Random(1)
    frame = pl.DataFrame(
        {
            "age": list(range(12)),
            "found": ["|".join({f"X:{rng.choice('abcd')}" for _ in range(2)}) for _ in range(12)],
        }
    )
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "found": {"role": "terms", "separator": "|", "weight": weight},
        },
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "partition": {"method": "mondrian", "cut": "widest", "relational_weight": 0.9},
    }
    assert (hn.anonymize(frame, plan).measures["splits"]["textual"] > 0) is textual


def test_the_modal_term_and_no_rarer_one_decides_who_is_parted() -> None:
    """By their modal terms c, c, b, b the first two stay together; by the rarest a, d, d, a they do not."""
    held = {"1": "cca", "2": "ccd", "3": "bbd", "4": "bba"}
    rows = [(person, f"X:{term}") for person, terms in held.items() for term in terms]
    frame = pl.DataFrame(rows, schema=["id", "found"], orient="row")
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "found": {"role": "terms", "separator": "|"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "mondrian", "cut": "paper", "relational_weight": 0.0},
    }
    shown = hn.anonymize(frame, plan).data["found"].to_list()
    assert {cell for cell in shown if cell} == {"X:b", "X:c"}


# --- clusters and merges --------------------------------------------------------------------------


@pytest.mark.parametrize("rum", ["ncp", "discernibility", "class-size"])
@pytest.mark.parametrize("seed", range(3))
def test_what_a_budget_says_is_used_is_what_the_clusters_use(seed: int, rum: Any) -> None:
    view, k = view_of(seed), 3
    covers = covers_of(view)
    start = k_member_clusters(view, covers, [KAnonymity(k)], np.random.default_rng(seed), greedy=False)
    clusters = Clusters(covers, start, None)
    budget = Budget(clusters, rum, 1.0, k)
    rng = random.Random(seed)
    while len(clusters.members) > 1:
        seed_, other = rng.sample(np.flatnonzero(clusters.alive).tolist(), 2)
        losses = clusters.losses_with(seed_)
        promised = budget.after(seed_, losses)[other]
        budget.spend(seed_, other, float(losses[other]))
        clusters.join(seed_, other, loss=float(losses[other]))
        group = state_after(start, clusters.joins)
        sizes = np.bincount(group)
        used = {
            "ncp": ncp_of(covers, group),
            "discernibility": float((sizes.astype(float) ** 2).sum()) / view.persons**2,
            "class-size": view.persons / len(sizes) / k,
        }[rum]
        assert budget.value() == pytest.approx(used)
        assert promised == pytest.approx(used)


def named(error: PromiseError) -> float:
    found = re.search(r"smallest reached is ([\d.e-]+)", str(error))
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
def test_a_refusal_of_tum_bound_names_the_least_that_any_state_reaches(merge: Any) -> None:
    rises = 0
    for seed in range(12):
        view, models = view_of(seed, 24, missing=0.0), [KkmAnonymity(2, 2)]

        def run(delta: float, view: PersonView = view, models: Any = models) -> None:
            method = TumBound(delta=delta, merge=merge)
            method.partition(view, models=models, rng=np.random.default_rng(0))

        try:
            run(0.0)
            continue  # nothing had to be generalized
        except PromiseError as error:
            least = named(error)
        run(least)
        with pytest.raises(PromiseError):
            run(least - 2e-4)
        rises += 1
    assert rises >= 6


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
@pytest.mark.parametrize("seed", range(3))
def test_rum_bound_refuses_whatever_is_below_its_first_clusters(seed: int, merge: Any) -> None:
    view, models = view_of(seed, 40), [KkmAnonymity(3, 2)]
    with pytest.raises(PromiseError) as refused:
        RumBound(delta=0.0, merge=merge).partition(view, models=models, rng=np.random.default_rng(0))
    least = named(refused.value)
    RumBound(delta=least, merge=merge).partition(view, models=models, rng=np.random.default_rng(0))
    for share in (0.6, 0.9, 0.99):
        with pytest.raises(PromiseError):
            RumBound(delta=share * least, merge=merge).partition(
                view, models=models, rng=np.random.default_rng(0)
            )


@pytest.mark.parametrize("seed", range(6))
def test_cutting_down_ends_as_soon_as_the_bound_is_kept_and_books_what_it_saves(seed: int) -> None:
    view, k = view_of(seed, 60), 4
    covers = covers_of(view)
    models = [KAnonymity(k)]
    whole = ncp_of(covers, np.zeros(view.persons, np.int64))
    finest, least = cut_down(view, covers, models, k, 0.0)
    assert least == pytest.approx(ncp_of(covers, finest))
    counts = []
    for share in (0.0, 0.1, 0.4, 0.7, 1.0):
        delta = least + share * (whole - least)
        cluster, reached = cut_down(view, covers, models, k, delta)
        assert reached == pytest.approx(ncp_of(covers, cluster))
        assert reached <= delta + 1e-9
        assert np.bincount(cluster).min() >= k
        counts.append(int(cluster.max()) + 1)
    assert counts[-1] == 1  # nothing is cut that need not be
    assert all(more >= fewer for more, fewer in pairwise(counts))


@pytest.mark.parametrize("seed", range(8))
def test_top_down_keeps_delta_or_refuses(seed: int) -> None:
    view, models = view_of(seed, 40), [KkmAnonymity(3, 2)]
    covers = covers_of(view)
    least = cut_down(view, covers, models, 3, 0.0)[1]
    for share in (0.55, 0.7, 0.9, 1.0, 1.3):
        method = RumBound(delta=share * least, merge="top-down")
        try:
            found = method.partition(view, models=models, rng=np.random.default_rng(0))
        except PromiseError:
            continue
        assert ncp_of(covers, found.group) <= share * least + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_who_is_left_over_goes_to_the_nearest_cluster(seed: int) -> None:
    """Nearest is the cluster that loses least with the person in it; all ages differ."""
    ages = random.Random(seed).sample(range(1000), 20)
    view = encode(Dataset(Schema({"age": QUASI}), pl.DataFrame({"age": ages})))
    covers, k, run = covers_of(view), 3, current()
    order = np.random.default_rng(seed).permutation(view.persons)
    persons = covers.persons
    cluster, count = kernels.nearest_clusters(
        covers.shapes, covers.start, covers.end, *persons, order, k, False, run.stop
    )
    first = [[ages[p] for p in np.flatnonzero(cluster == c)] for c in range(count)]
    left = np.flatnonzero(cluster < 0)
    assert len(left) == 2
    made = k_member_clusters(view, covers, [KAnonymity(k)], np.random.default_rng(seed), greedy=False)
    for person in left.tolist():
        widths = [max([*mine, ages[person]]) - min([*mine, ages[person]]) for mine in first]
        nearest = int(np.argmin(widths))
        assert made[person] == made[ages.index(first[nearest][0])]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (2, 1, 0), (1, 2, 0)])
def test_a_cluster_that_is_refused_joins_its_nearest(order: tuple[int, ...]) -> None:
    """The pair at 0 has one sensitive value: it joins the pair at 10, wherever that stands in the table."""
    pairs = [[(0, "a"), (1, "a")], [(10, "b"), (11, "c")], [(100, "d"), (101, "e")]]
    rows = [row for place in order for row in pairs[place]]
    frame = pl.DataFrame(rows, schema=["age", "ill"], orient="row")
    view = encode(Dataset(Schema({"age": QUASI, "ill": Attribute(role=Role.SENSITIVE)}), frame))
    models = [KAnonymity(2), LDiversity(2, "distinct", attribute="ill")]
    found = KMember().partition(view, models=models, rng=np.random.default_rng(0))
    ages = {frozenset(rows[p][0] for p in group) for group in groups_of(found)}
    assert ages == {frozenset({0, 1, 10, 11}), frozenset({100, 101})}


# --- t-first --------------------------------------------------------------------------------------


def rank_by_gray_code(items: set[int], count: int) -> int:
    """The number whose binary-reflected Gray code has a one for every item held, the first item first."""
    rank, bit = 0, 0
    for item in range(count):
        bit ^= item in items
        rank = 2 * rank + bit
    return rank


@pytest.mark.parametrize("count", [10, 64, 65, 150])
def test_the_gray_order_is_that_of_the_ranks_for_any_number_of_items(count: int) -> None:
    rng = random.Random(count)
    names = [f"i{n:03}" for n in range(count)]
    sets = [
        set(range(count)) if p == 0 else {n for n in range(count) if rng.random() < 0.1} for p in range(60)
    ]
    frame = pl.DataFrame({"codes": [" ".join(names[n] for n in sorted(s)) for s in sets]})
    view = encode(Dataset(Schema({"codes": Attribute(role=Role.ITEMS, separator=" ")}), frame))
    ranks = [rank_by_gray_code(s, count) for s in sets]
    found = gray_order(view).tolist()
    assert [ranks[p] for p in found] == sorted(ranks)


@pytest.mark.parametrize("seed", range(8))
def test_a_chunk_that_is_refused_waits_for_the_next(seed: int) -> None:
    rng = random.Random(seed)
    rare = rng.sample(range(30), 3)
    frame = pl.DataFrame(
        {
            "codes": [" ".join(sorted({rng.choice("ABCDEF") for _ in range(2)})) for _ in range(30)],
            "ill": ["b" if p in rare else "a" for p in range(30)],
        }
    )
    roles = {"codes": Attribute(role=Role.ITEMS, separator=" "), "ill": Attribute(role=Role.SENSITIVE)}
    view = encode(Dataset(Schema(roles), frame))
    models = [LDiversity(2, "distinct", attribute="ill")]
    together = ModelStatistics(view, models)
    done: list[list[int]] = []
    waiting: list[int] = []
    for chunk in np.array_split(gray_order(view), 30 // 5):
        waiting += chunk.tolist()
        if together.admits(np.array(waiting, np.int32)):
            done.append(waiting)
            waiting = []
    if waiting:
        while done and not together.admits(np.array(waiting, np.int32)):
            waiting = done.pop() + waiting
        done.append(waiting)
    found = TFirst(chunk=5).partition(view, models=models, rng=RNG)
    assert groups_of(found) == {frozenset(group) for group in done}
    assert len(done) <= 3  # chunks had to wait
