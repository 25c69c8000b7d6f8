"""Which plans a grid stands for."""

from __future__ import annotations

from typing import Any

import pytest

from heteronym.comparing.grid import settings, values_of
from heteronym.errors import PlanError, UsageError
from heteronym.io.plans import make_plan

PLAN = make_plan(
    {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "found": {"role": "terms", "separator": "|"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
)


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ("2,5,10", [2, 5, 10]),
        ("0:1:0.25", [0, 0.25, 0.5, 0.75, 1]),
        ("2:4", [2, 3, 4]),
        ("1,3:5,9", [1, 3, 4, 5, 9]),
        ("2,2,3", [2, 3]),
        ("gain,widest", ["gain", "widest"]),
        ("1,2,all", [1, 2, "all"]),
        ("true,false", [True, False]),
        ([2, 3], [2, 3]),
        (range(2, 4), [2, 3]),
        (0.5, [0.5]),
    ],
)
def test_lists_and_ranges_are_unfolded(given: Any, values: list[Any]) -> None:
    assert values_of(given, "k") == values


def test_a_range_has_both_ends_and_no_noise() -> None:
    assert values_of("0:1:0.1", "w") == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
    assert values_of("0:1:0.3", "w") == [0, 0.3, 0.6, 0.9]  # an end that no step reaches is not made up


@pytest.mark.parametrize(
    "given", ["", "2,,3", "1:0:0.1", "0:1:0", "0:1:-1", "a:b", "0:1:2:3", "0:inf", [], "0:1:1e-9"]
)
def test_what_is_no_list_is_refused(given: Any) -> None:
    with pytest.raises(UsageError):
        values_of(given, "k")


def test_a_parameter_that_a_method_lacks_is_left_out_there_and_equal_plans_are_one() -> None:
    grid = settings(PLAN, {"method": "mondrian,gdf", "k": "2,3", "relational_weight": "0:1:0.5"})
    runs = [s for s in grid if not s.baseline]
    assert [dict(s.values) for s in runs if s.values["method"] == "gdf"] == [
        {"method": "gdf", "k": 2},
        {"method": "gdf", "k": 3},
    ]
    assert len(runs) == 2 * 3 + 2
    assert len({s.plan.hash for s in runs}) == len(runs)
    assert [s.number for s in grid] == list(range(1, len(grid) + 1))
    for setting in runs:
        assert setting.plan.privacy[0].parameters["k"] == setting.values["k"]
        assert setting.plan.partition.name == setting.values["method"]


def test_there_is_one_baseline_per_promise_and_it_cuts_columns_alone() -> None:
    grid = settings(PLAN, {"k": "2,3", "relational_weight": "0,0.5"})
    base = [s for s in grid if s.baseline]
    assert [dict(s.values) for s in base] == [{"k": 2}, {"k": 3}]
    for setting in base:
        assert (setting.plan.partition.name, setting.plan.partition.parameters["relational_weight"]) == (
            "mondrian",
            1.0,
        )


def test_any_plan_value_can_be_named_by_its_path() -> None:
    paths = {"attributes.age.weight": "1,3", "privacy.0.k": "2,4", "partition.cut": "gain,widest"}
    runs = [s for s in settings(PLAN, {}, paths) if not s.baseline]
    assert len(runs) == 8
    for setting in runs:
        assert setting.plan.attributes["age"].weight == setting.values["attributes.age.weight"]
        assert setting.plan.privacy[0].parameters["k"] == setting.values["privacy.0.k"]
        assert setting.plan.partition.parameters["cut"] == setting.values["partition.cut"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        ({"nonsense": "1"}, {}),
        ({"delta": "0.3"}, {}),  # no method of this grid has it
        ({"k": "0"}, {}),
        ({"method": "mondriaan"}, {}),
        ({}, {"privacy.7.k": "2"}),
        ({}, {"privacy.k": "2"}),
        ({}, {"seed.deeper": "2"}),
        ({}, {"attributes.agee.weight": "2"}),
        ({"k": "2:5000", "relational_weight": "0:1:0.1"}, {}),  # more than anybody waits for
    ],
)
def test_what_no_plan_has_is_refused(options: dict[str, str], paths: dict[str, str]) -> None:
    with pytest.raises((UsageError, PlanError)):
        settings(PLAN, options, paths)
