"""Searches over terms against plain twins."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest
from tests.naive.mondrian import by_gain

from heteronym.encode import encode
from heteronym.errors import PlanError
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Fate
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition._search import POWER, Search
from heteronym.partition._term_kernels import LOOKED_AT
from heteronym.partition._term_search_kernels import (
    ListViews,
    TermViews,
    TriedViews,
    concentrations,
    list_terms,
    lists_for,
    note,
    tried_for,
)
from heteronym.partition._terms import Terms
from heteronym.partition.gdf import GlobalDocumentFrequency
from heteronym.partition.mondrian import Mondrian
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.recode.term_suppress import SuppressTerms

RNG = np.random.default_rng(0)


def random_terms(seed: int, persons: int = 30) -> tuple[PersonView, list[set[str]]]:
    rng = random.Random(seed)
    words = [f"{kind}:w{i}" for kind in ("GPE", "ORG") for i in range(8)]
    held = [{w for w in words if rng.random() < 2 / (2 + int(w[-1]))} for _ in range(persons)]
    frame = pl.DataFrame(
        {
            "id": [f"{p:04}" for p in range(persons)],
            "age": [rng.randint(1, 9) for _ in held],
            "found": ["|".join(h) for h in held],
        }
    )
    schema = Schema(
        {
            "id": Attribute(role=Role.IDENTIFIER),
            "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
            "found": Attribute(role=Role.TERMS, separator="|"),
        },
        "id",
    )
    return encode(Dataset(schema, frame)), held


def gdf(people: dict[int, set[str]], k: int) -> list[set[int]]:
    """Cut at the most frequent term that allows it; the plain reading of algorithm 2."""
    by_count = sorted({t for terms in people.values() for t in terms})
    by_count.sort(key=lambda t: -sum(t in terms for terms in people.values()))
    for term in by_count:
        left = {p: t for p, t in people.items() if term in t}
        right = {p: t for p, t in people.items() if term not in t}
        if len(left) >= k and len(right) >= k:
            return gdf(left, k) + gdf(right, k)
    return [set(people)]


def groups_of(partition: Partition) -> set[frozenset[int]]:
    members = partition.members()
    return {frozenset(members[g].tolist()) for g in range(partition.count)}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("k", [2, 5])
def test_gdf_makes_the_groups_of_its_plain_twin(seed: int, k: int) -> None:
    view, held = random_terms(seed)
    found = GlobalDocumentFrequency().partition(view, models=[KAnonymity(k)], rng=RNG)
    assert groups_of(found) == {frozenset(g) for g in gdf(dict(enumerate(held)), k)}


@pytest.mark.parametrize("seed", range(20))
def test_gdf_node_by_node_equals_gdf_compiled(seed: int) -> None:
    view, _ = random_terms(seed)
    by_nodes = Search(view, [KAnonymity(3)], cut="frequency", relational_weight=0.0).run_asking()
    compiled = GlobalDocumentFrequency().partition(view, models=[KAnonymity(3)], rng=RNG)
    assert groups_of(by_nodes) == groups_of(compiled)


@pytest.mark.parametrize("seed", range(40))
def test_the_textual_gain_is_the_difference_of_concentrations(seed: int) -> None:
    view, held = random_terms(seed)
    least = 2
    terms = Terms.of(view, least)
    lists, tried = ListViews(lists_for(terms.number, len(terms.codes))), tried_for(view.persons, 1)
    cuts = TriedViews(tried, 0, 1, terms.number)
    members = np.arange(0, len(held), 2)
    left = np.random.default_rng(seed).random(len(members)) < 0.4
    n_terms = list_terms(members, TermViews(terms), lists, least, np.empty(0, np.int64))
    note(members, left, cuts, 0, 1)
    before = concentrations(len(members), lists, n_terms, cuts, 1, least, least, POWER)

    def concentration(persons: list[int]) -> float:
        total = 0.0
        for person in persons:
            for term in held[person]:
                holders = sum(term in held[p] for p in persons)
                if holders >= least:
                    total += (holders / len(persons)) ** 4 / len(held[person])
        return total

    halves = members[left].tolist(), members[~left].tolist()
    expected = sum(map(concentration, halves)) - concentration(members.tolist())
    assert tried.after[0] - before == pytest.approx(expected)


@pytest.mark.parametrize("weight", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("cut", ["gain", "widest"])
def test_groups_are_large_enough_and_splits_are_counted_by_kind(weight: float, cut: str) -> None:
    view, _held = random_terms(3, persons=80)
    method = Mondrian(relational_weight=weight, cut=cut)  # type: ignore[arg-type]
    found = method.partition(view, models=[KAnonymity(4)], rng=RNG)
    assert found.sizes().min() >= 4
    assert sum(found.splits.values()) == found.count - 1
    if weight == 0.0:
        assert found.splits["relational"] == 0
    if weight == 1.0:
        assert found.splits["textual"] == 0


@pytest.mark.parametrize("seed", range(30))
def test_a_term_is_kept_only_if_every_member_has_it(seed: int) -> None:
    view, held = random_terms(seed)
    found = GlobalDocumentFrequency().partition(view, models=[KAnonymity(3)], rng=RNG)
    recoding = SuppressTerms().recode(view, found, models=[KAnonymity(3)], rng=RNG)
    names, domains = view.elements.names, view.elements.domains
    for group in range(found.count):
        members = found.members()[group].tolist()
        at = slice(recoding.of_group.ptr[group], recoding.of_group.ptr[group + 1])
        for element, fate in zip(recoding.of_group.codes[at], recoding.fate[at], strict=True):
            entry = f"{domains[view.elements.domain[element]].name}:{names[element]}"
            assert (fate == Fate.KEPT) == all(entry in held[m] for m in members)


def test_a_chain_of_three_thousand_terms_is_no_trouble() -> None:
    persons = 3_200
    found = [f"X:t{i}|X:t{i + 1}" for i in range(persons)]
    schema = Schema(
        {"id": Attribute(role=Role.IDENTIFIER), "t": Attribute(role=Role.TERMS, separator="|")}, "id"
    )
    view = encode(Dataset(schema, pl.DataFrame({"id": list(range(persons)), "t": found})))
    for method in (GlobalDocumentFrequency(), Mondrian(relational_weight=0.0)):
        assert method.partition(view, models=[KAnonymity(2)], rng=RNG).sizes().min() >= 2


def test_gdf_without_terms_is_refused() -> None:
    schema = Schema({"age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC)}, None)
    view = encode(Dataset(schema, pl.DataFrame({"age": [1, 2, 3, 4]})))
    with pytest.raises(PlanError, match="no text or terms column"):
        GlobalDocumentFrequency().partition(view, models=[KAnonymity(2)], rng=RNG)


@pytest.mark.parametrize("weight", [0.0, 0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(20))
def test_cuts_on_columns_and_terms_compiled_equal_those_node_by_node(seed: int, weight: float) -> None:
    view, _ = random_terms(seed, persons=70)
    search = Search(view, [KAnonymity(2 + seed % 3)], relational_weight=weight)
    compiled, by_nodes = search._run_with_terms(), search.run_asking()
    assert compiled.group.tolist() == by_nodes.group.tolist()
    assert compiled.splits == by_nodes.splits


@pytest.mark.parametrize("weight", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(1, 9))  # with seed 0 two cuts are worth the same
def test_cuts_on_columns_and_terms_are_those_of_the_plain_twin(seed: int, weight: float) -> None:
    view, held = random_terms(seed, persons=40)
    ages = [view.columns[0].domain.values[view.columns[0].sets[s][0]] for s in view.columns[0].person_set]
    people = [((int(age),), frozenset(terms)) for age, terms in zip(ages, held, strict=True)]
    k = 2 + seed % 3
    expected = by_gain(people, frozenset(range(len(people))), weight, k)
    assert groups_of(Search(view, [KAnonymity(k)], relational_weight=weight).run()) == expected


@pytest.mark.parametrize("seed", range(12))
def test_many_rare_terms_in_two_texts_of_different_weight_are_cut_alike(seed: int) -> None:
    """Lists shrink, wait and are taken up again; a person's shares differ, and it has several dates."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(120):
        for _ in range(int(rng.integers(1, 5))):
            words = [[f"X:{w}" for w in set(rng.zipf(1.3, 9).tolist()) if w < 200] for _ in range(2)]
            day = f"2020-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
            rows.append((person, day, "abc"[person % 3], "|".join(words[0]), "|".join(words[1])))
    frame = pl.DataFrame(rows, ["id", "day", "kind", "one", "two"], orient="row")
    schema = Schema(
        {
            "id": Attribute(role=Role.IDENTIFIER),
            "day": Attribute(role=Role.QUASI, scale=Scale.DATE),
            "kind": Attribute(role=Role.QUASI),
            "one": Attribute(role=Role.TERMS, separator="|", weight=0.7),
            "two": Attribute(role=Role.TERMS, separator="|"),
        },
        "id",
    )
    view = encode(Dataset(schema, frame))
    search = Search(view, [KAnonymity(2 + seed % 4)], relational_weight=(0.0, 0.3, 0.8)[seed % 3])
    compiled, by_nodes = search._run_with_terms(), search.run_asking()
    assert compiled.group.tolist() == by_nodes.group.tolist()
    assert compiled.splits == by_nodes.splits


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_large_nodes_of_which_a_sample_is_looked_at_are_cut_alike(weight: float) -> None:
    view, _ = random_terms(1, persons=2 * LOOKED_AT + 500)
    search = Search(view, [KAnonymity(40)], relational_weight=weight)
    compiled, by_nodes = search._run_with_terms(), search.run_asking()
    assert compiled.group.tolist() == by_nodes.group.tolist()
    assert compiled.splits == by_nodes.splits
    assert compiled.sizes().min() >= 40


@pytest.mark.parametrize("kinds", [1, 4])
def test_what_a_sample_does_not_show_is_cut_nevertheless(kinds: int) -> None:
    """Every second person is looked at, and only others have something."""
    persons = 2 * LOOKED_AT + 100
    kind = [1 + p // 2 % kinds if p % 2 == 1 and p < 12 * kinds else 0 for p in range(persons)]
    frame = pl.DataFrame({"age": kind, "found": [f"X:{k}" if k else "" for k in kind]})
    schema = Schema(
        {
            "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
            "found": Attribute(role=Role.TERMS, separator="|"),
        },
        None,
    )
    search = Search(encode(Dataset(schema, frame)), [KAnonymity(6)])
    for found in (search._run_with_terms(), search.run_asking()):
        assert sorted(found.sizes().tolist()) == [6] * kinds + [persons - 6 * kinds]


@pytest.mark.parametrize("seed", range(20))
def test_nodes_without_a_term_to_cut_on_are_halved_by_the_alphabet_of_the_best_type(seed: int) -> None:
    """Everybody's terms are their own, so that none can be kept."""
    rng = random.Random(seed)
    ages = [rng.randint(1, 9) for _ in range(7)]
    held = [[f"{kind}:{rng.random()}" for kind in ("GPE", "ORG") if rng.random() < 0.8] for _ in ages]
    frame = pl.DataFrame({"age": ages, "found": ["|".join(terms) for terms in held]})
    schema = Schema(
        {
            "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
            "found": Attribute(role=Role.TERMS, separator="|"),
        },
        None,
    )
    found = Mondrian(relational_weight=0.0).partition(
        encode(Dataset(schema, frame)), models=[KAnonymity(3)], rng=RNG
    )
    halves = []
    for kind in ("GPE", "ORG"):
        if any(term.startswith(kind) for terms in held for term in terms):
            first = [min((t for t in terms if t.startswith(kind)), default="~") for terms in held]
            order = sorted(range(7), key=lambda person: first[person])
            halves.append((order[:3], order[3:]))

    def loss(sides: tuple[list[int], list[int]]) -> int:
        spans = [max(ages[p] for p in side) - min(ages[p] for p in side) for side in sides]
        return 3 * spans[0] + 4 * spans[1]

    best = min(halves, key=loss)
    assert groups_of(found) == {frozenset(side) for side in best}
    assert found.splits == {"relational": 0, "textual": 1, "neither": 0}
