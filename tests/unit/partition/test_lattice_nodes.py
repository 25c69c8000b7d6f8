"""Cells of a lattice against dictionaries; a search over hierarchies never loses more for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.naive.cells import settled
from tests.naive.tables import group_loss, persons_of, random_dataset

import heteronym as hn
from heteronym.encode import encode
from heteronym.partition._lattice_kernels import settle_on_lattice
from heteronym.partition._lattice_nodes import _Ladder, _thinned, lattice_nodes
from heteronym.partition._pack import collapse, layout_of, pack_records
from heteronym.partition.mondrian import Mondrian
from heteronym.privacy.k_anonymity import KAnonymity

GO_ON = np.zeros(1, np.uint8)


@pytest.mark.parametrize("seed", range(200))
def test_records_settle_where_enough_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers, levels, records = rng.integers(1, 4), rng.integers(1, 4), int(rng.integers(1, 40))
    nodes = rng.integers(0, 4, (layers, levels, records)).astype(np.int32)
    weight = rng.integers(1, 4, records)
    vectors = rng.integers(0, levels, (int(rng.integers(1, 12)), layers))
    least = int(rng.integers(1, 8))
    cell, count = settle_on_lattice(nodes, weight, vectors, least, np.int64(1 << 40), GO_ON)
    found = {frozenset(np.flatnonzero(cell == number).tolist()) for number in range(count)}
    assert found == settled(nodes.tolist(), weight.tolist(), vectors.tolist(), least)


def test_visits_are_bounded() -> None:
    nodes = np.zeros((1, 1, 10), np.int32)
    cell, count = settle_on_lattice(
        nodes, np.ones(10, np.int64), np.zeros((1, 1), np.int64), 2, np.int64(9), GO_ON
    )
    assert count == 0
    assert (cell == -1).all()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("least", [2, 5, 12])
def test_nodes_part_the_records_and_have_enough_persons(seed: int, least: int) -> None:
    view = encode(random_dataset(seed, persons=30, rows_per_person=1 + seed % 3, missing=0.2 * (seed % 2)))
    packed = pack_records(layout_of(view.columns), collapse(view)[0])
    order, ends = lattice_nodes(packed, least)
    assert sorted(order.tolist()) == list(range(len(packed.weight)))
    persons = np.add.reduceat(packed.weight[order], np.r_[0, ends[:-1]])
    assert persons.min() >= least
    assert ends[-1] == len(order)


def test_too_many_combinations_lose_levels_but_never_the_ends() -> None:
    row = np.zeros(3, np.int64)
    many = [_Ladder([row] * 9, [float(n) for n in range(9)]) for _ in range(6)]
    thin = _thinned(many)
    assert thin is not None
    assert all(ladder.loss[0] == 0.0 and ladder.loss[-1] == 8.0 for ladder in thin)
    assert np.prod([len(ladder.loss) for ladder in thin]) <= 20_000
    assert _thinned([_Ladder([row] * 2, [0.0, 1.0]) for _ in range(20)]) is None


def test_a_hierarchy_with_many_children_is_used_below_its_root(tmp_path: Path) -> None:
    """Cutting in two finds nothing here: whichever child is cut off, the others need the root."""
    leaves = [f"{group}{leaf}" for group in "abcdefgh" for leaf in range(4)]
    (tmp_path / "tree.csv").write_text("".join(f"{leaf};{leaf[0]};*\n" for leaf in leaves))
    frame = pl.DataFrame({"x": leaves, "y": leaves[::-1]})
    attributes = {name: {"role": "quasi", "hierarchy": str(tmp_path / "tree.csv")} for name in "xy"}
    plan = {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 4}]}
    release = hn.anonymize(frame, plan)
    assert release.measures["ncp"]["relational_published"] == pytest.approx(1 / 8)


@pytest.mark.parametrize("seed", range(20))
def test_groups_lose_no_more_than_cuts_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = random_dataset(seed, persons=30, missing=0.1)
    view, people = encode(dataset), persons_of(dataset)

    def loss() -> float:
        rng = np.random.default_rng(0)
        group = Mondrian().partition(view, models=[KAnonymity(3)], rng=rng).group
        return sum(
            (group == g).sum() * group_loss([people[i] for i in np.flatnonzero(group == g)], people)
            for g in np.unique(group)
        )

    both = loss()
    monkeypatch.setattr("heteronym.partition._column_search.has_hierarchies", lambda packed: False)
    assert both <= loss() + 1e-9
