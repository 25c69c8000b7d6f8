"""What models know of groups with items, against plain counting over one block per items column."""

from __future__ import annotations

import random
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.naive.transactions import item_view

from heteronym.model.promise import ItemPromise
from heteronym.model.sets import Sets
from heteronym.privacy._held_items import HeldItems
from heteronym.privacy._shown_items import persons_by_group
from heteronym.privacy.k_anonymity import KAnonymity

DOMAINS = [0, 0, 1, 1, 2, 2]
SECRET = (1, 5)


def admitted(sets: list[list[int]], members: list[int], k: int, m: int, l: int) -> bool:
    """Whether the group keeps the promise if every items column is one block."""
    if len(members) < k:
        return False
    held = [{DOMAINS[i] for i in sets[p] if i not in SECRET} for p in members]
    secrets = [{i for i in sets[p] if i in SECRET} for p in members]
    for size in range(0 if l > 1 else 1, m + 1):
        for known in combinations(range(3), size):
            matching = [n for n, columns in enumerate(held) if set(known) <= columns]
            if matching and len(matching) < k:
                return False
            for secret in SECRET if l > 1 else ():
                if sum(secret in secrets[n] for n in matching) * l > len(matching):
                    return False
    return True


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("l", [1, 2])
def test_a_group_is_admitted_as_plain_counting_says(m: int, l: int) -> None:
    answers = []
    for seed in range(300):
        rng = random.Random(seed)
        share = rng.choice((0.35, 0.6, 0.85, 1.0))
        sets = [[i for i in range(6) if rng.random() < (0.12 if i in SECRET else share)] for _ in range(9)]
        view = item_view(sets, items=6, secret=SECRET, domains=DOMAINS)
        members = sorted(rng.sample(range(9), rng.randint(1, 9)))
        held = HeldItems(view, ItemPromise(3, m, l))
        held.add(np.arange(9))
        held.remove(np.setdiff1d(np.arange(9), members))
        answers.append(admitted(sets, members, 3, m, l))
        assert held.admits() == answers[-1], (seed, members)
    assert 20 < sum(answers) < 280


def test_a_group_of_persons_without_items_must_have_k_of_them() -> None:
    view = item_view([[], [], [], []], items=6, domains=DOMAINS)
    held = HeldItems(view, ItemPromise(3, 2))
    held.add(np.arange(2))
    assert not held.admits()
    held.add(np.array([2]))
    assert held.admits()


def test_the_statistic_of_k_anonymity_admits_k_persons_and_no_fewer() -> None:
    size = KAnonymity(3).start(item_view([[], [], []], items=6))
    size.add(np.arange(2))
    assert not size.admits()
    size.add(np.array([2]))
    assert size.admits()


def test_the_auditor_takes_all_rows_of_a_person_together() -> None:
    seen: Any = SimpleNamespace(
        labels=[
            ("codes", "item", "a"),
            ("codes", "item", "b"),
            ("codes", "item", "s"),
            ("age", "column", "1"),
        ],
        sensitive_items={("codes", "s")},
        shown=Sets(np.array([0, 2, 4, 5]), np.array([0, 3, 1, 2, 0], np.int32)),
        person_of_row=np.array([0, 0, 1]),
        group_of_row=np.array([0, 0, 0]),
    )
    [group] = persons_by_group(seen, whole_table=False)
    assert [(group.known[n].tolist(), group.secret[n].tolist()) for n in range(2)] == [
        ([0, 1], [2]),
        ([0], []),
    ]
