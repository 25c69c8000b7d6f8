"""Cells are withheld where all together lose less, and only as many as the plan allows."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.tables import ROLES, persons_of, random_dataset
from tests.naive.withholding import best_gains, corners, gains_by_holders, greedy, group_loss_of, weight_of

import heteronym as hn
from heteronym.encode import encode
from heteronym.io.hierarchies import build_hierarchy
from heteronym.measures.ncp import NormalizedCertaintyPenalty, label_loss
from heteronym.model.dataset import Dataset
from heteronym.model.partition import LEFT_OUT, Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.model.recoding import ElementLabels, Recoding
from heteronym.model.schema import Attribute, Role, Schema
from heteronym.partition._withhold import steps_of, withholding


def some_groups(seed: int, persons: int, groups: int, left_out: int = 0) -> Partition:
    group = np.random.default_rng(seed).permutation(persons).astype(np.int32) % groups
    group[:left_out] = LEFT_OUT
    return Partition(np.unique(group, return_inverse=True)[1].astype(np.int32) - (left_out > 0))


def loss_over_all(view: PersonView, partition: Partition) -> float:
    """By the measure, columns by their weights."""
    recoding = Recoding({}, ElementLabels.none(partition.count))
    found = NormalizedCertaintyPenalty().measure(view, partition, recoding)
    return float(found["relational_published"]) * len(partition.group)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("rows", [1, 3])
def test_what_cells_gain_is_what_trying_all_ways_finds(seed: int, rows: int) -> None:
    data = random_dataset(seed, persons=22, rows_per_person=rows, missing=0.15)
    view, people = encode(data), persons_of(data)
    partition = some_groups(seed, 22, 3, left_out=seed % 3)
    members = partition.members()
    for column in view.columns:
        domain = set().union(*(person[column.name] for person in people))
        steps = steps_of(column, members, 1000)
        single = len(column.sets.codes) == len(column.sets)
        for number in range(len(members)):
            group = [people[p] for p in members[number]]
            mine = steps.group == number
            found = list(zip(steps.cells[mine].tolist(), steps.gain[mine].tolist(), strict=True))
            if column.shape.kind is ShapeKind.SET and not single:
                values = [*column.domain.values.tolist(), None]
                wanted = corners(gains_by_holders(column.name, group, domain, values))
                best = corners(best_gains(column.name, group, domain))
                assert (
                    max((gain for _, gain in found), default=0) <= max((g for _, g in best), default=0) + 1e-9
                )
            else:
                wanted = corners(best_gains(column.name, group, domain))
            assert [n for n, _ in found] == [n for n, _ in wanted], column.name
            assert [g for _, g in found] == pytest.approx([g for _, g in wanted])


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("share", [0.01, 0.05, 0.2, 1.0])
def test_what_is_saved_is_what_the_measure_says_and_within_the_limit(seed: int, share: float) -> None:
    data = random_dataset(seed, persons=30, rows_per_person=1 + seed % 3)
    view, people = encode(data), persons_of(data)
    partition = some_groups(seed, 30, 4, left_out=seed % 2)
    found, saved = withholding(view, partition, share)
    assert loss_over_all(view, partition) - loss_over_all(view, found) == pytest.approx(saved)
    cells = sum(int(away.sum()) for away in found.withheld.values())
    assert cells <= share * (30 - partition.left_out) * len(view.columns)
    assert saved >= 0
    assert (saved > 0) == (cells > 0)
    for name, away in found.withheld.items():
        assert not away[partition.group < 0].any()
        assert (2 * found.withheld_by_group(name) < partition.sizes()).all()
    if seed % 3 == 0:  # everybody has one value: nothing is left to luck
        members, items = partition.members(), []
        for column in view.columns:
            domain = set().union(*(person[column.name] for person in people))
            for number in range(len(members)):
                gains = best_gains(column.name, [people[p] for p in members[number]], domain)
                items.append((weight_of(column.name), corners(gains)))
        budget = int(share * (30 - partition.left_out) * len(view.columns) + 1e-9)
        total = sum(a.weight for a in ROLES.values())
        assert saved == pytest.approx(greedy(items, budget) / total)


@pytest.mark.parametrize("seed", range(10))
def test_only_those_withhold_of_whom_the_label_is_not_true(seed: int) -> None:
    data = random_dataset(seed, persons=26, rows_per_person=2)
    view, people = encode(data), persons_of(data)
    found = withholding(view, some_groups(seed, 26, 3), 1.0)[0]
    for column in view.columns:
        away = found.withheld.get(column.name)
        if away is None:
            continue
        covers = found.covers(column)
        domain = set().union(*(person[column.name] for person in people))
        loss = label_loss(column.shape, column, covers)
        for number, members in enumerate(found.members()[g] for g in range(found.count)):
            group = [people[p] for p in members]
            places = {place for place, p in enumerate(members) if away[p]}
            told = len(group) - len(places)
            assert told * loss[number] + len(places) == pytest.approx(
                group_loss_of(column.name, group, places, domain)
            )
            for place in places:  # nobody withholds in vain
                fewer = group_loss_of(column.name, group, places - {place}, domain)
                assert fewer > group_loss_of(column.name, group, places, domain) - 1


def test_a_value_that_forces_a_high_node_is_withheld() -> None:
    leaves = ["a1", "a2", "a3", "b1", "b2", "b3", "b4", "b5"]
    tree = build_hierarchy([(leaf, leaf[0].upper(), "*") for leaf in leaves])
    frame = pl.DataFrame({"job": ["a1", "a2", "a1", "a3", "b1"]})
    schema = Schema({"job": Attribute(role=Role.QUASI, hierarchy="job.csv")}, None)
    view = encode(Dataset(schema, frame, {"job": tree}))
    found = withholding(view, Partition(np.zeros(5, np.int32)), 0.2)[0]
    assert found.withheld["job"].tolist() == [False, False, False, False, True]
    assert loss_over_all(view, found) == pytest.approx(4 * 3 / 8 + 1)


def test_one_far_age_does_not_widen_the_label_of_the_others() -> None:
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
        "release": {"suppress_cells_up_to": 0.2},
    }
    release = hn.anonymize(pl.DataFrame({"age": [21, 22, 22, 24, 90]}), plan)
    assert release.data["age"].to_list() == ["{*,[21-24]}"] * 5
    assert release.verdict.holds
    assert release.measures["withheld"]["by_attribute"] == {"age": 1}
    assert release.measures["ncp"]["relational"] == pytest.approx((1 + 4 * 3 / 69) / 5)
    plan["release"] = {}
    assert hn.anonymize(pl.DataFrame({"age": [21, 22, 22, 24, 90]}), plan).data["age"][0] == "[21-90]"


def test_who_has_one_far_value_is_not_left_out_where_the_cell_can_be_withheld() -> None:
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "town": {"role": "quasi"}},
        "privacy": [{"model": "k-anonymity", "k": 4}],
        "release": {"suppress_up_to": 0.2, "suppress_cells_up_to": 0.1},
    }
    frame = pl.DataFrame({"age": [20, 21, 22, 900, 60, 60, 61, 61], "town": ["a"] * 4 + ["b"] * 4})
    release = hn.anonymize(frame, plan)
    assert release.facts["data"]["persons_left_out"] == 0
    assert release.measures["withheld"]["cells"] == 1
