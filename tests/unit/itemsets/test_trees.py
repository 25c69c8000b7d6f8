"""Nodes in place of items: what a group shows, and what that loses."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

from heteronym.encode import encode
from heteronym.itemsets.blocks import Transactions
from heteronym.itemsets.trees import TreeTransactions
from heteronym.model.dataset import Dataset
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.schema import Attribute, Role, Schema

LEAVES = "abcdefgh"


def tree() -> Hierarchy:
    """ab, cd, ef, gh; abcd, efgh; all."""
    node = np.array([[leaf >> level for leaf in range(8)] for level in range(4)], np.int32)
    names = [tuple(LEAVES[n << level : (n + 1) << level] for n in range(8 >> level)) for level in range(3)]
    return Hierarchy(tuple(LEAVES), node, (*names, ("*",)))


def random_view(seed: int, persons: int = 14) -> PersonView:
    rng = random.Random(seed)
    cells = [" ".join(sorted({rng.choice(LEAVES) for _ in range(rng.randint(1, 4))})) for _ in range(persons)]
    attributes = {"codes": Attribute(role=Role.ITEMS, separator=" ")}
    return encode(Dataset(Schema(attributes), pl.DataFrame({"codes": cells}), hierarchies={"codes": tree()}))


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(30))
def test_no_node_is_shown_beside_one_above_it_and_sets_of_nodes_are_common(seed: int, m: int) -> None:
    view, k = random_view(seed), 3
    transactions = TreeTransactions(view, ItemPromise(k, m))
    cut = transactions.trees.cut(np.arange(view.persons), ItemPromise(k, m))
    trees = transactions.trees
    node_of = {item: cut.node(item) for item in cut.level}
    for item, node in node_of.items():
        # whoever is below a shown node is shown as that node: full-subtree recoding
        assert item in trees.below[node]
        assert {node_of[other] for other in trees.below[node] if other in node_of} == {node}
    sets = [frozenset(node_of[i] for i in view.elements.of_person[p].tolist()) for p in range(view.persons)]
    for shown in sets:
        for known in _subsets(sorted(shown), m):
            assert sum(known <= other for other in sets) >= k


def _subsets(nodes: list[int], m: int) -> list[frozenset[int]]:
    found = [frozenset[int]()]
    for node in nodes:
        found += [known | {node} for known in found if len(known) < m]
    return [known for known in found if known]


@pytest.mark.parametrize("seed", range(10))
def test_the_loss_of_nodes_is_that_of_the_leaves_they_may_mean(seed: int) -> None:
    view = random_view(seed)
    blocked = TreeTransactions(view, ItemPromise(3, 2)).blocked(np.arange(view.persons))
    size = dict(zip(blocked.items.tolist(), blocked.sizes()[blocked.block].tolist()))
    held = view.elements.of_person.codes.tolist()
    assert blocked.loss == pytest.approx(sum((size[item] - 1) / 7 for item in held))


@pytest.mark.parametrize("objective", ["tncp", "ul"])
def test_blocks_of_few_items_stay_inside_their_column(objective: str) -> None:
    """One block over both columns would be the cheapest way out."""
    rng = random.Random(1)
    columns = {
        name: [rng.choice(items) for _ in range(12)] for name, items in (("one", "abc"), ("two", "xyz"))
    }
    attributes = {name: Attribute(role=Role.ITEMS, separator=" ") for name in columns}
    view = encode(Dataset(Schema(attributes), pl.DataFrame(columns)))
    promise = ItemPromise(4, 2)
    blocked = Transactions(view, promise, objective=objective).blocked(np.arange(12))  # type: ignore[arg-type]
    domain = view.elements.domain[blocked.items]
    assert len(set(blocked.block.tolist())) < len(blocked.items)
    for block in set(blocked.block.tolist()):
        assert len(set(domain[blocked.block == block].tolist())) == 1
