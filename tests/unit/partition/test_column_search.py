"""The search on records, and the same in parts: tables add up, leaves are finished alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.naive.tables import random_dataset

from heteronym.encode import encode
from heteronym.model.person_view import PersonView
from heteronym.partition import _column_search as search
from heteronym.partition._column_search import Passes, Top, add_tables, cut_top, finish, tables
from heteronym.partition._pack import Records, add_records, collapse, layout_of, pack_records

KINDS = [(seed, rows, missing) for seed in range(12) for rows in (1, 3) for missing in (0.0, 0.25)]
NO_CELLS = Passes(cells=False)


def view_of(seed: int, *, rows: int = 1, missing: float = 0.0, persons: int = 400) -> PersonView:
    return encode(random_dataset(seed, persons=persons, rows_per_person=rows, missing=missing))


def parted(records: Records, parts: int, seed: int) -> list[Records]:
    """At random; some parts may be empty."""
    part = np.random.default_rng(seed).integers(0, parts, len(records.weight))
    return [Records(records.sets[part == number], records.weight[part == number]) for number in range(parts)]


def groups_in_parts(view: PersonView, parts: int, *, least: int, most: int, seed: int) -> NDArray[np.int32]:
    records, record_of = collapse(view)
    layout, among = layout_of(view.columns), parted(records, parts, seed)

    def tables_of(top: Top) -> search.Tables:
        return add_tables([tables(pack_records(layout, part), top.wanted(part)) for part in among])

    top = cut_top(layout, tables_of, least=least, most=most)
    node, group, count = top.node_of(records), np.empty(len(records.weight), np.int32), 0
    assert sorted(top.leaves) == np.unique(node).tolist()
    for leaf in top.leaves:
        mine = node == leaf
        here = add_records([Records(records.sets[mine], records.weight[mine])])
        finished = finish(pack_records(layout, here), least)
        group[mine] = finished.group + count
        count += finished.groups
    return group[record_of]


@pytest.mark.parametrize(("seed", "rows", "missing"), KINDS)
@pytest.mark.parametrize("parts", [1, 2, 7])
def test_groups_are_the_same_in_whatever_parts_the_records_come(
    seed: int, rows: int, missing: float, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SMALL_NODE", 12)
    view = view_of(seed, rows=rows, missing=missing)
    whole = finish(pack_records(layout_of(view.columns), collapse(view)[0]), 3)
    group = groups_in_parts(view, parts, least=3, most=12, seed=seed)
    assert (whole.group[collapse(view)[1]] == group).all()
    assert whole.groups > 20


def test_it_is_the_search_that_mondrian_runs() -> None:
    view = view_of(3)
    records, record_of = collapse(view)
    packed = pack_records(layout_of(view.columns), records)
    assert search.search_records(packed, 4, NO_CELLS).loss == finish(packed, 4).loss
    assert (search.search_records(packed, 4).group[record_of] >= 0).all()


@pytest.mark.parametrize("seed", range(8))
def test_tables_of_parts_add_up_in_any_order(seed: int) -> None:
    view = view_of(seed, rows=1 + seed % 3, missing=0.2, persons=120)
    records, layout = collapse(view)[0], layout_of(view.columns)
    among = parted(records, 5, seed)
    node_of_all = np.zeros(len(records.weight), np.int64)
    whole = tables(pack_records(layout, records), node_of_all)
    of_parts = [tables(pack_records(layout, part), np.zeros(len(part.weight), np.int64)) for part in among]
    assert (add_tables(of_parts) == whole).all()
    assert (add_tables([add_tables(of_parts[3:]), *of_parts[:3][::-1]]) == whole).all()
    assert len(add_tables([])) == 0


def test_tables_say_who_has_what_beside_what() -> None:
    view = view_of(5, persons=60)
    records, layout = collapse(view)[0], layout_of(view.columns)
    node = np.arange(len(records.weight)) % 3 - 1  # a third is in no node
    rows = tables(pack_records(layout, records), node)
    assert set(rows[:, 0]) == {0, 1}
    for number in (0, 1):
        mine = rows[rows[:, 0] == number]
        assert mine[0, 1:5].tolist() == [-1, -1, 0, (node == number).sum()]
        for layer, column in enumerate(layout.column):
            ranks = layout.rank[layer][records.sets[node == number, column]]
            persons = np.bincount(ranks, weights=records.weight[node == number])
            told = mine[(mine[:, 1] == layer) & (mine[:, 2] == -1)]
            assert told[:, 3].tolist() == np.flatnonzero(persons).tolist()
            assert told[:, 4].tolist() == persons[persons > 0].tolist()
            for beside in np.flatnonzero(layout.shapes.kind != 2):  # every record has one value
                sets = records.sets[node == number, layout.column[beside]]
                codes = layout.codes[beside][layout.ptr[beside][sets]]
                along = mine[(mine[:, 1] == layer) & (mine[:, 2] == beside)]
                assert along[:, 5].tolist() == [codes[ranks == rank].min() for rank in told[:, 3]]
                assert along[:, 6].tolist() == [codes[ranks == rank].max() for rank in told[:, 3]]


def test_leaves_have_at_most_so_many_records_unless_nothing_cuts_them() -> None:
    view = view_of(7)
    records, layout = collapse(view)[0], layout_of(view.columns)

    def tables_of(top: Top) -> search.Tables:
        return tables(pack_records(layout, records), top.wanted(records))

    top = cut_top(layout, tables_of, least=2, most=200)
    sizes = np.bincount(top.node_of(records))[top.leaves]
    assert len(top.leaves) > 1
    assert sizes.sum() == len(records.weight)
    assert sizes.max() <= 200
    assert cut_top(layout, tables_of, least=2, most=10**6).leaves == [0]
    never = cut_top(layout, tables_of, least=int(records.weight.sum()), most=10**6)
    assert never.leaves == [0]
    with pytest.raises(ValueError, match="at least 160 records"):
        cut_top(layout, tables_of, least=2, most=100)


def test_records_of_parts_are_those_of_all_persons() -> None:
    view = view_of(11, rows=2)
    records, record_of = collapse(view)
    assert (np.bincount(record_of) == records.weight).all()
    assert all(tuple(one) < tuple(other) for one, other in pairwise(records.sets.tolist()))
    some = np.random.default_rng(0).integers(0, 3, view.persons)
    sets = np.stack([column.person_set for column in view.columns], axis=1)
    parts = [add_records([Records(sets[some == n], np.ones((some == n).sum(), np.int64))]) for n in range(3)]
    added = add_records(parts)
    assert (added.sets == records.sets).all()
    assert (added.weight == records.weight).all()


def test_a_value_may_have_more_than_a_billion_persons() -> None:
    view = view_of(2)
    records, layout = collapse(view)[0], layout_of(view.columns)
    many = Records(records.sets, records.weight << 22)  # gains stay the same, but for their exponent
    assert many.weight.sum() > 1 << 30
    few = finish(pack_records(layout, records), 3, Passes(clusters=False))
    most = finish(pack_records(layout, many), 3 << 22, Passes(clusters=False))
    assert (few.group == most.group).all()
