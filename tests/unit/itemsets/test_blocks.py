"""Blocks of items against plain counting."""

from __future__ import annotations

import numpy as np
import pytest
from tests.naive.blocks import least_loss, loss_of_blocks
from tests.naive.transactions import is_km_anonymous, is_lm_diverse, item_view, random_sets

from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Blocked, Transactions
from heteronym.model.promise import ItemPromise


def recoded(sets: list[list[int]], blocked: Blocked) -> list[frozenset[str]]:
    block = dict(zip(blocked.items.tolist(), blocked.block.tolist(), strict=True))
    return [frozenset(f"b{block[i]}" if i in block else f"s{i}" for i in items) for items in sets]


@pytest.mark.parametrize("m", [1, 2, 3, 4])
@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("seed", range(6))
def test_no_set_of_m_blocks_is_rare(seed: int, k: int, m: int) -> None:
    sets = random_sets(seed, persons=40 + 30 * seed, items=12)
    view = item_view(sets, items=12)
    blocked = Transactions(view, ItemPromise(k, m)).blocked(np.arange(len(sets)))
    assert is_km_anonymous(recoded(sets, blocked), k, m)
    held = sorted({i for items in sets for i in items})
    assert blocked.items.tolist() == held


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("m", [1, 2, 3])
def test_blocks_keep_sensitive_items_uncertain(seed: int, m: int) -> None:
    sets = random_sets(seed, persons=90, items=10, empty=0.0)
    sets = [[*items, 10] if n % 5 == seed % 5 else items for n, items in enumerate(sets)]
    view = item_view(sets, items=11, secret=[10])
    blocked = Transactions(view, ItemPromise(3, m, 2)).blocked(np.arange(len(sets)))
    assert 10 not in blocked.items
    people = [(("all",), items) for items in recoded(sets, blocked)]
    assert is_lm_diverse(people, 3, 2, m, ["s10"])


@pytest.mark.parametrize("seed", range(4))
def test_blocks_stay_inside_their_items_column(seed: int) -> None:
    sets = random_sets(seed, persons=80, items=12, empty=0.0)
    domains = [0] * 6 + [1] * 6
    blocked = Transactions(item_view(sets, items=12, domains=domains), ItemPromise(2, 2)).blocked(
        np.arange(80)
    )
    of_block: dict[int, set[int]] = {}
    for item, block in zip(blocked.items.tolist(), blocked.block.tolist(), strict=True):
        of_block.setdefault(block, set()).add(domains[item])
    assert all(len(columns) == 1 for columns in of_block.values())
    assert is_km_anonymous(recoded(sets, blocked), 2, 2)


def test_the_loss_is_the_mean_company_of_an_item() -> None:
    sets = [[0], [0], [1], [2], [0, 1]]
    blocked = Transactions(item_view(sets, items=3), ItemPromise(2, 1)).blocked(np.arange(5))
    size = np.bincount(blocked.block)
    expected = sum((size[blocked.block[i]] - 1) / 2 for items in sets for i in items)
    assert blocked.loss == pytest.approx(expected)
    assert is_km_anonymous(recoded(sets, blocked), 2, 1)


def test_items_that_are_common_enough_stay_alone() -> None:
    sets = [[0, 1]] * 5 + [[0]] * 5
    blocked = Transactions(item_view(sets, items=2), ItemPromise(5, 2)).blocked(np.arange(10))
    assert blocked.sizes().tolist() == [1, 1]


@pytest.mark.parametrize("m", [1, 2, 3])
def test_many_items_that_are_common_enough_stay_alone(m: int) -> None:
    sets = [list(range(12))] * 6
    blocked = Transactions(item_view(sets, items=12), ItemPromise(5, m)).blocked(np.arange(6))
    assert blocked.sizes().tolist() == [1] * 12


def test_m_larger_than_any_set_means_all_items_may_be_known() -> None:
    sets = random_sets(3, persons=60, items=8, longest=4)
    blocked = Transactions(item_view(sets, items=8), ItemPromise(3, 50)).blocked(np.arange(60))
    assert is_km_anonymous(recoded(sets, blocked), 3, 50)


def test_blocks_do_not_depend_on_the_order_of_persons() -> None:
    sets = random_sets(5, persons=70, items=15)
    view = item_view(sets, items=15)
    there = Transactions(view, ItemPromise(4, 2)).blocked(np.arange(70))
    back = Transactions(view, ItemPromise(4, 2)).blocked(np.arange(70)[::-1])
    assert there.block.tolist() == back.block.tolist()


def test_a_group_with_too_few_holders_is_refused() -> None:
    view = item_view([[0], [1], [], [], []], items=2)
    with pytest.raises(PromiseError, match="cannot be generalized enough"):
        Transactions(view, ItemPromise(3, 2)).blocked(np.arange(5))


def test_persons_without_items_need_no_blocks() -> None:
    view = item_view([[], [], []], items=2)
    assert len(Transactions(view, ItemPromise(2, 2)).blocked(np.arange(3)).items) == 0


def blocks_of(blocked: Blocked) -> list[list[int]]:
    return [blocked.items[blocked.block == b].tolist() for b in range(int(blocked.block.max(initial=-1)) + 1)]


@pytest.mark.parametrize("objective", ["tncp", "ul"])
@pytest.mark.parametrize("m", [1, 2, 3, 4])
def test_groups_of_few_items_get_the_best_blocks(m: int, objective: str) -> None:
    for seed in range(12):
        sets = random_sets(seed, persons=12, items=6, longest=4, empty=0.0)
        k = 2 + seed % 3
        part = Transactions(item_view(sets, items=6), ItemPromise(k, m), objective=objective)  # type: ignore[arg-type]
        found = loss_of_blocks(sets, blocks_of(part.blocked(np.arange(12))), 6, objective)
        assert found == pytest.approx(least_loss(sets, k, m, items=6, objective=objective))


@pytest.mark.parametrize("objective", ["tncp", "ul"])
def test_the_search_comes_near_to_the_best_blocks(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten items are the most that can be solved exactly in a test, so the search is made to take them on."""
    loss = {0: 0.0, 10: 0.0}
    for seed in range(8):
        sets = random_sets(seed, persons=30, items=10, longest=5, empty=0.0)
        for few in loss:
            monkeypatch.setattr("heteronym.itemsets.blocks.FEW_ITEMS", few)
            part = Transactions(item_view(sets, items=10), ItemPromise(3, 2), objective=objective)  # type: ignore[arg-type]
            loss[few] += loss_of_blocks(sets, blocks_of(part.blocked(np.arange(30))), 10, objective)
    assert loss[10] <= loss[0] <= 1.15 * loss[10]


@pytest.mark.parametrize("m", [1, 2, 3, 4, 9])
def test_nothing_is_generalized_where_nothing_needs_to_be(m: int) -> None:
    blocked = Transactions(item_view([[0, 1, 2]] * 4, items=3), ItemPromise(2, m)).blocked(np.arange(4))
    assert blocked.sizes().tolist() == [1, 1, 1]
    assert blocked.loss == 0.0


def test_knowing_three_items_never_costs_less_than_knowing_two() -> None:
    for seed in range(40):
        sets = random_sets(seed, persons=14, items=8, longest=5, empty=0.0)
        view, everyone = item_view(sets, items=8), np.arange(14)
        two, three = (Transactions(view, ItemPromise(2, m)).blocked(everyone).loss for m in (2, 3))
        assert three >= two - 1e-9


def test_blocks_by_utility_loss_lose_no_more_of_it_than_blocks_by_tncp() -> None:
    for seed in range(6):
        sets = random_sets(seed, persons=60, items=14, longest=6, empty=0.0)
        view, everyone = item_view(sets, items=14), np.arange(60)
        by_ul, by_tncp = (
            blocks_of(Transactions(view, ItemPromise(4, 2), objective=objective).blocked(everyone))
            for objective in ("ul", "tncp")
        )
        assert loss_of_blocks(sets, by_ul, 14, "ul") <= loss_of_blocks(sets, by_tncp, 14, "ul") + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_the_plain_repair_for_many_known_items_stays_inside_columns(seed: int) -> None:
    sets = random_sets(seed, persons=60, items=26, empty=0.0)
    domains = [0] * 13 + [1] * 13
    transactions = Transactions(item_view(sets, items=26, domains=domains), ItemPromise(3, 4))
    blocked = transactions.blocked(np.arange(60))
    of_block: dict[int, set[int]] = {}
    for item, block in zip(blocked.items.tolist(), blocked.block.tolist(), strict=True):
        of_block.setdefault(block, set()).add(domains[item])
    assert all(len(columns) == 1 for columns in of_block.values())
    assert is_km_anonymous(recoded(sets, blocked), 3, 4)


def test_the_best_blocks_of_few_items_keep_a_sensitive_item_uncertain() -> None:
    """Everybody who holds 0 holds the secret: alone it would tell, with 1 it does not."""
    sets = [[0, 3], [0, 3], [1], [1], [1], [1], [2], [2]]
    blocked = Transactions(item_view(sets, items=4, secret=[3]), ItemPromise(2, 1, 2)).blocked(np.arange(8))
    people = [(("all",), items) for items in recoded(sets, blocked)]
    assert is_lm_diverse(people, 2, 2, 1, ["s3"])
    assert not is_lm_diverse([(("all",), frozenset(f"b{i}" if i != 3 else "s3" for i in s)) for s in sets],
                             2, 2, 1, ["s3"])  # fmt: skip
