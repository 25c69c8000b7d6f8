"""Figures and examples of paper 003 (t-plausibility), on its toy trees and on WordNet 3.0."""

from __future__ import annotations

import math

import pytest

import heteronym as hn
from heteronym.documents._plausible import Problem, optimal, smallest, uniform
from heteronym.documents._plausible_study import (
    exhaustive_smallest,
    exhaustive_uniform,
    least_upper_bound,
    multi_step,
    top_down,
    true_cost,
)
from heteronym.documents._senses import common_term
from heteronym.knowledge.bases import ancestors, base
from heteronym.knowledge.inflect import fitted

TOY = ((1, 4, 32), (1, 2, 6), (1, 2), (1, 2))  # Sacramento, marijuana, lumbar pain, liver cancer in Figure 2
FIGURE_1 = ("Sacramento", "marijuana#2", "lumbar pain", "liver cancer")


def options(word: str) -> tuple[int, ...]:
    term, _, sense = word.partition("#")
    found = [1]
    for ancestor in ancestors(term, sense=int(sense or 1)):
        if ancestor.leaves > found[-1]:
            found.append(ancestor.leaves)
    return tuple(found)


def test_example_1_one_of_four_texts() -> None:
    problem = uniform([(1, 2), (1, 2)], 4)
    assert 2 ** -problem.entropy((1, 1)) == pytest.approx(1 / 4)


def test_example_4_costs_on_the_toy_trees() -> None:
    problem = uniform(TOY, 32)
    assert problem.entropy((1, 2, 1, 1)) == pytest.approx(6.584963, abs=1e-6)
    assert problem.cost((2, 0, 0, 0)) == pytest.approx(2.343750)
    assert problem.cost((1, 2, 1, 1)) == pytest.approx(0.387206, abs=1e-6)
    assert optimal(problem) == (1, 1, 1, 1)
    assert problem.cost((1, 1, 1, 1)) == pytest.approx(0.09375)


def test_the_smallest_product_of_the_toy_trees_is_tied_and_the_cheaper_one_is_taken() -> None:
    problem = uniform(TOY, 32)
    assert smallest(problem) == exhaustive_smallest(problem) == (1, 1, 1, 1)


def test_marijuana_for_phantom_limb_pain_by_all_searches() -> None:
    problem = uniform([options("marijuana#2"), options("phantom limb pain")], 10)
    start = least_upper_bound(problem)
    assert start == (1, 2)
    assert problem.cost(start) == pytest.approx(1.024863705)
    searches = [optimal(problem), smallest(problem), exhaustive_uniform(problem), top_down(problem, start)]
    assert {*searches, multi_step(problem, start, delta=1)} == {(1, 1)}
    assert problem.cost((1, 1)) == pytest.approx(0.038828790, abs=1e-9)


@pytest.mark.parametrize(
    ("t", "choice", "cost", "product"),
    [
        (32, (0, 1, 1, 0), 0.922603830, 36),
        (96, (0, 1, 1, 1), 0.8737, 220),
        (1000, (1, 1, 1, 1), 1.9304, 1016),
        (10**4, (1, 1, 1, 1), 1.0343, 10752),
        (10**6, (1, 2, 2, 1), 2.042678019, 1_011_010),
    ],
)
def test_the_words_of_figure_1_on_wordnet(t: int, choice: tuple[int, ...], cost: float, product: int) -> None:
    volumes = [options(word) for word in FIGURE_1]
    problem = uniform(volumes, t)
    assert optimal(problem) == exhaustive_uniform(problem) == choice
    assert problem.cost(choice) == pytest.approx(cost, abs=1e-4)
    assert math.prod(v[i] for v, i in zip(volumes, smallest(problem), strict=True)) == product
    if t == 32:
        assert problem.cost(least_upper_bound(problem)) == pytest.approx(5.841987824)
        assert problem.cost(multi_step(problem, least_upper_bound(problem))) == pytest.approx(1.306564413)


CHAINS = {
    "marijuana#1": "cannabis 2, shrub 660, woody plant 1574, vascular plant 3655, plant 3729",
    "marijuana#2": "soft drug 4, drug of abuse 248, drug 718, agent 770, causal agent 9425",
    "phantom limb pain": "pain 3, somesthesia 9, perception 52, basic cognitive process 194",
    "Sacramento": "state capital 56, capital 254, seat 257, center 267, area 334, region 2269",
    "lumbar pain": "backache 1, ache 9, pain 55, symptom 384, evidence 402, information 511",
    "liver cancer": "liver disease 7, disease 459, illness 524, ill health 873, pathological state 873",
    "tuberculosis": "infectious disease 50, communicable disease 68, disease 459, illness 524",
    "resident": "inhabitant 412, person 8528, organism 15724, living thing 15827, whole 24929",
    "resident#2": "doctor 100, medical practitioner 111, health professional 129, professional 245",
    "Gaudi": "architect 71, creator 669, person 8528",
}


@pytest.mark.parametrize("word", CHAINS)
def test_chains_and_volumes(word: str) -> None:
    term, _, sense = word.partition("#")
    chain = [f"{a.name} {a.leaves}" for a in ancestors(term, sense=int(sense or 1))]
    expected = CHAINS[word].split(", ")
    assert chain[: len(expected)] == expected
    assert chain[-1] == "entity 64958"


def test_all_parents_give_finer_steps() -> None:
    steps = [f"{a.name} {a.leaves}" for a in ancestors("liver cancer", every=True)]
    assert steps[:3] == ["liver disease 7", "carcinoma 18", "cancer 38"]
    assert steps[5:7] == ["tumor 76", "growth 83"]


@pytest.mark.parametrize(
    ("word", "common", "coverage"),
    [
        ("resident", {"person"}, 1.0),
        ("democrat", {"person"}, 1.0),
        ("president", {"person"}, 0.83),
        ("foot", {"body part"}, 0.27),
        ("gas", {"fuel"}, 0.33),
        ("look", {"appearance", "quality"}, 0.5),
        ("horn", {"device", "instrumentality"}, 0.55),
        ("virtue", {"quality"}, 1.0),
    ],
)
def test_common_terms_of_all_senses(word: str, common: set[str], coverage: float) -> None:
    found = common_term(word, 1)
    assert found is not None
    assert base("wordnet").names[found[0]] in common
    assert found[1] == pytest.approx(coverage, abs=0.01)


# Section 5.2.3: sense 1 and its first hypernym, with number and possessive as English has them.
PRINTED = [
    ("to keep such Democrats in office", "Democrats", "to keep such politicians in office"),
    ("a few seconds ago.", "seconds", "a few time units ago."),
    ("Nobody witnessed the fall", "fall", "Nobody witnessed the season"),
    ("congressional Republicans to pay", "Republicans", "congressional politicians to pay"),
    ("some new therapy clients", "clients", "some new therapy cases"),
    ("a horrible smell of gas as", "gas", "a horrible smell of a state of matter as"),
    ("the sort of look that", "look", "the sort of countenance that"),
    ("and a horn blared", "horn", "and a noisemaker blared"),
    ("in the virtues of private markets", "virtues", "in the goods of private markets"),
]


@pytest.mark.parametrize(("text", "word", "expected"), PRINTED)
def test_printed_sentences(text: str, word: str, expected: str) -> None:
    at = text.index(word)
    label = ancestors(word)[0].form
    start, end, new = fitted(label, text, at, at + len(word))
    assert text[:start] + new + text[end:] == expected


def test_uses_soft_drug_for_pain() -> None:
    text = hn.sanitize(
        "Uses marijuana for phantom limb pain.",
        method="plausibility",
        model="none",
        t=10,
        words=["marijuana", "phantom limb pain"],
        sense=["marijuana=2"],
    )
    assert text == "Uses a soft drug for pain."


def test_a_wrong_sense_is_charged_the_root() -> None:
    root = math.log2(64958)
    right = true_cost([2.0, 3.0], [True, True], [root, root], t=32)
    wrong = true_cost([2.0, 3.0], [True, False], [root, root], t=32)
    assert right == pytest.approx(Problem(((2.0,), (3.0,)), 32).cost((0, 0)))
    assert wrong > right
