"""Persons are left out where all together lose less, and only as many as the plan allows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.leaving import without_costly
from tests.naive.tables import persons_of, random_dataset, summed_loss

import heteronym as hn
from heteronym.encode import encode
from heteronym.model.partition import Partition
from heteronym.partition._clusters import covers_of
from heteronym.partition._leave_out import _without_costly, leave_out, loss_of
from heteronym.partition.mondrian import Mondrian
from heteronym.privacy.k_anonymity import KAnonymity

RNG = np.random.default_rng(0)


def groups_of(partition: Partition) -> list[list[int]]:
    members = partition.members()
    return [members[number].tolist() for number in range(len(members))]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("budget", [1, 3, 12])
def test_who_goes_from_their_group_is_who_one_would_send(seed: int, budget: int) -> None:
    data = random_dataset(seed, persons=24)
    view, people = encode(data), persons_of(data)
    partition = Partition(np.random.default_rng(seed).permutation(24).astype(np.int32) % 3)
    found = _without_costly(view, partition, [KAnonymity(2)], covers_of(view), budget)
    gone = without_costly(groups_of(partition), people, 2, budget)
    left = [[people[p] for p in group] for group in groups_of(found)]
    loss = summed_loss(left, people) + found.left_out
    assert loss_of(found, covers_of(view)) == pytest.approx(loss)
    by_hand = [[people[p] for p in group if p not in gone] for group in groups_of(partition)]
    assert loss == pytest.approx(summed_loss(by_hand, people) + len(gone))
    assert found.left_out <= budget


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_the_loss_over_all_persons_never_rises(seed: int, share: float) -> None:
    data = random_dataset(seed, persons=40)
    view, models = encode(data), [KAnonymity(4)]

    def search(some: object) -> Partition:
        return Mondrian().partition(some, models=models, rng=RNG)  # type: ignore[arg-type]

    covers, everybody = covers_of(view), search(view)
    found = leave_out(view, models, search, share=share)
    assert loss_of(found, covers) <= loss_of(everybody, covers) + 1e-9
    assert found.left_out <= share * 40
    assert found.sizes().min() >= 4
    assert (leave_out(view, models, search, share=0.0).group == everybody.group).all()


def test_who_is_far_from_everybody_goes_even_if_the_group_has_nobody_to_spare() -> None:
    ages = [20, 21, 22, 23, 40, 41, 42, 43, 60, 61, 62, 900]
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "release": {"suppress_up_to": 0.1},
    }
    release = hn.anonymize(pl.DataFrame({"age": ages}), plan)
    assert release.facts["data"]["persons_left_out"] == 1
    assert not any("900" in label for label in release.data["age"])
    assert release.measures["ncp"]["relational"] == pytest.approx((1 + 11 * 0) / 12, abs=0.05)


def test_equal_persons_go_together() -> None:
    ages = [*range(20, 40), 900, 900]
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
        "release": {"suppress_up_to": 0.1},
    }
    assert hn.anonymize(pl.DataFrame({"age": ages}), plan).facts["data"]["persons_left_out"] == 2
    one = {**plan, "release": {"suppress_up_to": 0.05}}
    assert hn.anonymize(pl.DataFrame({"age": ages}), one).facts["data"]["persons_left_out"] == 0


@pytest.mark.parametrize("seed", range(4))
def test_models_about_sensitive_values_still_admit_every_group(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": np.r_[rng.integers(20, 60, 59), 900],
            "ill": rng.choice(["a", "b", "c"], 60, p=[0.8, 0.1, 0.1]),
        }
    )
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "ill": {"role": "sensitive"}},
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "l": 2}],
        "release": {"suppress_up_to": 0.1},
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    assert release.facts["data"]["persons_left_out"] == 1
