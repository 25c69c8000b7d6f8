"""Crowds are those that a look at every row finds."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.naive.attacks import crowd_of
from tests.naive.tables import ROLES, random_dataset

import heteronym as hn
from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import count_persons, fitting_groups, fitting_people, gather, values_of
from heteronym.attacks._rates import Rate
from heteronym.model.attack import Knowledge, ReleasedTable


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("broken", [False, True])
def test_crowds_are_counted_as_by_looking_at_every_row(seed: int, broken: bool) -> None:
    data = random_dataset(seed, persons=14, rows_per_person=2)
    plan = {
        "data": {"person": "id"},
        "attributes": {n: a.model_dump(mode="json", exclude_defaults=True) for n, a in data.schema},
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    release = hn.anonymize(data.frame, plan)
    frame = release.data
    if broken:  # labels of rows that do not belong together, so that persons are in several groups
        order = np.random.default_rng(seed).permutation(frame.height).tolist()
        frame = frame.with_columns(frame["age"][order].alias("age"))
    person = data.frame["id"].rank("dense").to_numpy().astype(np.int64)
    table = ReleasedTable(frame, release.plan, person[release.source_row], release.source_row)
    known = Knowledge(data.frame, person)
    columns = known_columns(table, known)
    crowd = gather(table, columns)
    rows = np.arange(data.rows)
    counted = np.concatenate(
        [
            count_persons(crowd, fit, crowd.incidence())
            for _, fit in fitting_groups(crowd, columns, values_of(columns, rows))
        ]
    )
    shown = list(frame.select(pl.col(list(ROLES)).cast(pl.String)).iter_rows(named=True))
    targets = list(data.frame.iter_rows(named=True))
    assert table.person is not None
    naive = [crowd_of(target, shown, table.person.tolist(), ROLES) for target in targets]
    assert counted.tolist() == [len(one) for one in naive]
    people = fitting_people(crowd, columns, known, crowd.group_of_row)
    back = [
        len({int(p) for t, p in zip(targets, person, strict=True) if crowd_of(t, [row], [0], ROLES)})
        for row in shown
    ]
    assert people.tolist() == back


def test_a_rate_knows_how_little_it_knows() -> None:
    assert Rate(0, 10).value - Rate(0, 10).error == pytest.approx(0, abs=1e-12)
    assert Rate(10, 10).value + Rate(10, 10).error == pytest.approx(1)
    assert Rate(5, 10).error > Rate(500, 1000).error


@pytest.mark.parametrize(("attack", "control"), [((10, 10), (10, 10)), ((0, 10), (10, 10)), ((0, 0), (0, 0))])
def test_risk_beside_a_control_stays_between_nothing_and_all(
    attack: tuple[int, int], control: tuple[int, int]
) -> None:
    risk, error = Rate(*attack).beside(Rate(*control))
    assert 0 <= risk <= 1
    assert error >= 0


def test_a_perfect_attack_beside_a_control_that_fails_is_nearly_sure() -> None:
    risk, error = Rate(500, 500).beside(Rate(0, 500))
    assert risk - error > 0.95
