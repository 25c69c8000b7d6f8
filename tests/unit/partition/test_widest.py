"""`cut: widest` against its plain twin: lambda decides between columns and terms also between 0 and 1."""

from __future__ import annotations

import random

import polars as pl
import pytest
from tests.naive.mondrian import Person, widest

import heteronym as hn

LAMBDAS = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
TYPES = ("GPE", "ORG")


def people(seed: int, persons: int = 48) -> list[Person]:
    rng = random.Random(seed)
    words = [f"{kind}:w{i}" for kind in TYPES for i in range(9)]
    return [
        (
            (rng.randint(1, 60), rng.randint(1, 500)),
            frozenset(w for w in words if rng.random() < 1.5 / (2 + int(w[-1]))),
        )
        for _ in range(persons)
    ]


def released_groups(persons: list[Person], weight: float, k: int, cut: str) -> set[frozenset[int]]:
    frame = pl.DataFrame(
        {
            "number": [str(n) for n in range(len(persons))],
            "age": [numbers[0] for numbers, _ in persons],
            "pay": [numbers[1] for numbers, _ in persons],
            "found": ["|".join(sorted(terms)) for _, terms in persons],
        }
    )
    quasi = {"role": "quasi", "scale": "numeric"}
    plan = {
        "attributes": {
            "number": {"role": "plain"},
            "age": quasi | {"weight": 1.3},
            "pay": quasi,
            "found": {"role": "terms", "separator": "|"},
        },
        "privacy": [{"model": "k-anonymity", "k": k}],
        "partition": {"method": "mondrian", "cut": cut, "relational_weight": weight},
    }
    data = hn.anonymize(frame, plan).data
    shown = data.group_by("age", "pay", "found").agg("number")["number"].to_list()
    return {frozenset(map(int, members)) for members in shown}


@pytest.mark.parametrize("weight", LAMBDAS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("cut", ["widest", "paper"])
def test_widest_makes_the_groups_of_its_plain_twin(cut: str, seed: int, weight: float) -> None:
    persons, k = people(seed), 2 + seed
    expected = widest(persons, TYPES, (1.3, 1.0), weight, k, paper=cut == "paper")
    found = released_groups(persons, weight, k, cut)
    # equal columns and terms make one released group of two
    assert all(any(group <= whole for whole in found) for group in expected)
    assert {frozenset().union(*(g for g in expected if g <= whole)) for whole in found} == found


def test_lambda_between_0_and_1_changes_the_groups() -> None:
    made = [frozenset(widest(people(1), TYPES, (1.3, 1.0), weight, 3)) for weight in LAMBDAS]
    assert len(set(made)) >= 5


def test_the_modal_term_is_the_one_on_most_rows() -> None:
    """`c` is modal for the first two, although `a` comes first in the alphabet."""
    rows = [("1", "X:a"), ("1", "X:c"), ("1", "X:c"), ("2", "X:a"), ("2", "X:c"), ("2", "X:c")]
    rows += [("3", "X:b"), ("4", "X:b")]
    frame = pl.DataFrame(rows, schema=["id", "found"], orient="row").with_columns(note=pl.lit("n"))
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "found": {"role": "terms", "separator": "|"},
            "note": {"role": "plain"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "mondrian", "cut": "paper", "relational_weight": 0.0},
    }
    release = hn.anonymize(frame, plan)
    assert release.measures["splits"] == {"relational": 0, "textual": 1, "neither": 0}
    assert release.measures["ncp"]["textual"] == 0.0  # {1, 2} share a and c, {3, 4} share b


def test_persons_without_terms_are_not_parted_by_text() -> None:
    frame = pl.DataFrame({"age": [1, 2, 30, 31, 60, 61, 90, 91], "found": ["X:a", "X:a", *[""] * 6]})
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "found": {"role": "terms", "separator": "|"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "mondrian", "relational_weight": 0.0},
    }
    assert hn.anonymize(frame, plan).measures["splits"] == {"relational": 0, "textual": 1, "neither": 1}
