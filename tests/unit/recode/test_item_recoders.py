"""Labels of items, and hierarchies that lift no further than they must."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.naive.transactions import is_km_anonymous, item_view, random_sets

from heteronym.errors import PlanError
from heteronym.io.hierarchies import read_hierarchy
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Label
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.km_anonymity import KmAnonymity
from heteronym.recode._item_labels import block_label, plain_label
from heteronym.recode.item_hierarchy import ItemHierarchy
from heteronym.recode.item_sets import ItemSets
from heteronym.verify.labels import split_entries

RNG = np.random.default_rng(0)


def texts_of(view: PersonView, labels: ElementLabels) -> dict[tuple[int, int], str]:
    """What each element of each group is shown as."""
    return {
        (g, e): plain_label(view.elements.names[e]) if number < 0 else labels.labels[number].text
        for g, e, number in zip(
            labels.of_group.owners().tolist(),
            labels.of_group.codes.tolist(),
            labels.label.tolist(),
            strict=True,
        )
    }


def shown(view: PersonView, partition: Partition, labels: ElementLabels) -> list[frozenset[str]]:
    label = texts_of(view, labels)
    return [
        frozenset(label[int(partition.group[p]), e] for e in view.elements.of_person[p].tolist())
        for p in range(view.persons)
    ]


@pytest.fixture
def tree(tmp_path: Path) -> Hierarchy:
    file = tmp_path / "tree.csv"
    file.write_text("".join(f"i{n},low{n // 3},mid{n // 6},*\n" for n in range(12)))
    return read_hierarchy(file)


@pytest.mark.parametrize(
    ("items", "label"),
    [
        (["B", "D"], "(B,D)"),
        (["D", "B"], "(B,D)"),
        (["B"], "B"),
        (["a,b", "c(d)"], r"(a\,b,c\(d\))"),
        (["x\\y", "z"], r"(x\\y,z)"),
        (["(x)"], r"\(x)"),
        (["whole milk, 2%"], "whole milk, 2%"),
    ],
)
def test_blocks_read_in_parentheses_and_single_items_as_they_are(items: list[str], label: str) -> None:
    made = block_label(items) if len(items) > 1 else Label(plain_label(items[0]))
    assert made == (label, len(items))
    assert split_entries(f"q|{label}|r", "|") == ["q", label, "r"]


@pytest.mark.parametrize("recoder", [ItemSets(), ItemHierarchy()], ids=str)
@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_each_group_shows_no_rare_set(recoder: ItemSets, m: int, seed: int, tree: Hierarchy) -> None:
    sets = random_sets(seed, persons=90, items=12, empty=0.0)
    view = item_view(sets, items=12, secret=[11])
    # leaves are numbered as the elements are
    view = replace(view, elements=replace(view.elements, hierarchies=(tree,)))
    partition = Partition(np.repeat([0, 1, 2], 30).astype(np.int32))
    found = shown(view, partition, recoder.recode(view, partition, models=[KkmAnonymity(4, m)], rng=RNG))
    for g in range(3):
        group = [items for items, number in zip(found, partition.group, strict=True) if number == g]
        assert is_km_anonymous(group, 4, m, secret=["i11"])
    assert all(("i11" in items) == (11 in sets[p]) for p, items in enumerate(found))


@pytest.mark.parametrize("recoder", [ItemSets(), ItemHierarchy()], ids=str)
def test_without_columns_to_know_all_groups_get_the_same_labels(recoder: ItemSets, tree: Hierarchy) -> None:
    sets = random_sets(1, persons=90, items=12)
    view = item_view(sets, items=12)
    view = replace(view, elements=replace(view.elements, hierarchies=(tree,)))
    partition = Partition(np.repeat([0, 1, 2], 30).astype(np.int32))
    found = shown(view, partition, recoder.recode(view, partition, models=[KmAnonymity(4, 2)], rng=RNG))
    assert is_km_anonymous(found, 4, 2)
    labels: dict[int, set[str]] = {}
    recoding = recoder.recode(view, partition, models=[KmAnonymity(4, 2)], rng=RNG)
    for (_, element), label in texts_of(view, recoding).items():
        labels.setdefault(element, set()).add(label)
    assert all(len(texts) == 1 for texts in labels.values())


def test_a_hierarchy_lifts_only_what_is_rare(tree: Hierarchy) -> None:
    sets = [[0]] * 5 + [[1]] * 5 + [[3], [4], [5], [3], [4]]
    view = item_view(sets, items=12)
    view = replace(view, elements=replace(view.elements, hierarchies=(tree,)))
    partition = Partition(np.zeros(15, np.int32))
    found = shown(
        view, partition, ItemHierarchy().recode(view, partition, models=[KkmAnonymity(5, 2)], rng=RNG)
    )
    assert found == [frozenset({"i0"})] * 5 + [frozenset({"i1"})] * 5 + [frozenset({"low1"})] * 5


def test_a_hierarchy_recoder_without_hierarchy_says_so() -> None:
    view = item_view([[0], [0]], items=1)
    with pytest.raises(PlanError, match="needs a hierarchy"):
        ItemHierarchy().recode(view, Partition(np.zeros(2, np.int32)), models=[KkmAnonymity(2, 1)], rng=RNG)
