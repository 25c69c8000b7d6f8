"""What the auditor says about rows: each once, and what their number alone proves."""

from __future__ import annotations

import datetime as dt
import importlib

import numpy as np
import polars as pl
import pytest

from heteronym.io.plans import make_plan
from heteronym.model.part import Model
from heteronym.model.release import Released
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.sets import Sets
from heteronym.verify.label_forms import set_members
from heteronym.verify.labels import meaning
from heteronym.verify.model_verdicts import Verifiable, model_verdict
from heteronym.verify.unlinked import compare_unlinked

auditing = importlib.import_module("heteronym.verify.audit")


@pytest.mark.parametrize(("source", "holds"), [([0, 1, 2, 3], True), ([0, 1], True), ([0, 1, 1, 0], False)])
def test_no_row_is_released_twice_even_where_persons_may_be_left_out(source: list[int], holds: bool) -> None:
    plan = make_plan(
        {
            "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "release": {"suppress_up_to": 0.5},
        }
    )
    frame = pl.DataFrame({"age": [30, 30, 31, 31]})
    released = frame[source].select(pl.col("age").cast(pl.String))
    originals = auditing.Originals(frame, np.array(source), np.arange(4))
    verdict = auditing.audit(released, plan, person=np.array(source), originals=originals)
    (rows,) = [check for check in verdict.checks if check.name == "rows"]
    assert rows.holds is holds


@pytest.mark.parametrize(
    ("pay", "holds"), [([1, 2, 2], True), (["1", "2.0", "2"], True), ([1, 1, 2], False), ([1, 2, 9], False)]
)
def test_a_value_that_nobody_had_is_seen_without_the_row_map_where_persons_are_left_out(
    pay: list[object], holds: bool
) -> None:
    plan = make_plan(
        {
            "attributes": {"age": {"role": "quasi"}, "pay": {"role": "plain"}},
            "privacy": [{"model": "k-anonymity", "k": 3}],
            "release": {"suppress_up_to": 0.5},
        }
    )
    original = pl.DataFrame({"age": ["x"] * 4, "pay": [1, 2, 2, 3]})
    found = compare_unlinked(pl.DataFrame({"age": ["x"] * 3, "pay": pay}), plan, original)
    assert [check.holds for check in found] == [holds, None]


def test_a_range_of_years_ends() -> None:
    day = Attribute(role=Role.QUASI, scale=Scale.DATE)
    found = [meaning("[2003-2004]", day)(dt.date(year, 12, 31)) for year in (2002, 2003, 2004, 2005)]
    assert found == [False, True, True, False]


@pytest.mark.parametrize(("k", "holds"), [(3, False), (2, None)])
def test_too_few_rows_break_a_promise_whoever_they_are_of(k: int, holds: bool | None) -> None:
    rows = Released(
        group_of_row=np.array([0, 0, 1, 1, 1]),
        person_of_row=np.arange(5),
        unit="rows",
        quasi=("age",),
        shown=Sets(np.zeros(6, np.int64), np.zeros(0, np.int32)),
        labels=[],
    )
    model = Model(name="k-anonymity", parameters={"k": k})
    verdict = model_verdict(model, rows, Verifiable(persons=False, texts=True))
    assert verdict.holds is holds
    assert verdict.smallest_group == 2


@pytest.mark.parametrize(
    ("label", "members"),
    [
        (r"{a\,b,c}", ["a,b", "c"]),
        (r"{,a\}}", ["", "a}"]),
        (r"{a\\,b}", ["a\\", "b"]),
        ("{a,b}", ["a", "b"]),
        (r"a\,b", [r"a\,b"]),
    ],
)
def test_members_of_a_set_are_taken_apart_at_commas_that_are_no_part_of_them(
    label: str, members: list[str]
) -> None:
    assert set_members(label) == members
