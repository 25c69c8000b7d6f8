"""What an attacker reads from labels."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from heteronym.attacks._labels import known_columns
from heteronym.io.hierarchies import build_hierarchy
from heteronym.io.plans import make_plan
from heteronym.model.attack import Knowledge, ReleasedTable

DAYS = [date(2003, 12, 31), date(2004, 1, 1), date(2004, 4, 30), date(2004, 5, 17), date(2005, 1, 1), None]
AGES = [-9, -2, 5, 12, 12.5, None]
NAMES = ["a", "b", "a,b", "ab", "*", None]


CASES: list[tuple[dict[str, Any], list[Any], str | None, list[int]]] = [
    ({"scale": "numeric"}, AGES, "[-9-5]", [0, 1, 2]),
    ({"scale": "numeric"}, AGES, "[-9--2]", [0, 1]),
    ({"scale": "numeric"}, AGES, "[5-12.5)", [2, 3]),
    ({"scale": "numeric"}, AGES, "12", [3]),
    ({"scale": "numeric"}, AGES, "{,[5-12]}", [2, 3, 5]),
    ({"scale": "numeric"}, AGES, "*", [0, 1, 2, 3, 4, 5]),
    ({"scale": "numeric"}, AGES, None, [5]),
    ({"scale": "date"}, DAYS, "2004", [1, 2, 3]),
    ({"scale": "date"}, DAYS, "2004-05", [3]),
    ({"scale": "date"}, DAYS, "2004-Q2", [2, 3]),
    ({"scale": "date"}, DAYS, "2004-05-17", [3]),
    ({"scale": "date"}, DAYS, "[2003-2004]", [0, 1, 2, 3]),
    ({"scale": "date"}, DAYS, "[2004-01-2004-04]", [1, 2]),
    ({"scale": "date"}, DAYS, "2004-13", []),
    ({}, NAMES, "a", [0]),
    ({}, NAMES, "{a,b}", [0, 1]),
    ({}, NAMES, r"{a\,b,}", [2, 5]),
    ({}, NAMES, "nobody", []),
    ({"recode": "prefix"}, NAMES, "a*", [0, 2, 3]),
    ({"hierarchy": "h.csv"}, NAMES, "first", [0, 1]),
]


@pytest.mark.parametrize(("attribute", "values", "label", "fit"), CASES)
def test_a_label_stands_for_these_values(
    attribute: dict[str, Any], values: list[Any], label: str | None, fit: list[int]
) -> None:
    plan = make_plan(
        {"attributes": {"x": {"role": "quasi", **attribute}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    )
    frame = pl.DataFrame({"x": pl.Series([label], dtype=pl.String)})
    rows = [["a", "first", "*"], ["b", "first", "*"], ["a,b", "second", "*"], ["ab", "second", "*"]]
    hierarchies = {"x": build_hierarchy(rows)} if "hierarchy" in attribute else {}
    known = Knowledge(pl.DataFrame({"x": values}, strict=False), np.arange(6), hierarchies=hierarchies)
    [column] = known_columns(ReleasedTable(frame, plan), known)
    found = column.fits[column.label_of_row[0]][column.value_of_row]
    assert np.flatnonzero(found).tolist() == fit


def test_a_node_of_an_unknown_hierarchy_may_stand_for_anything() -> None:
    plan = make_plan(
        {
            "attributes": {"x": {"role": "quasi", "hierarchy": "h.csv"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        }
    )
    known = Knowledge(pl.DataFrame({"x": ["a", "b"]}), np.arange(2))
    frame = pl.DataFrame({"x": ["first", "a"]})
    [column] = known_columns(ReleasedTable(frame, plan), known)
    assert column.fits[column.label_of_row][:, column.value_of_row].tolist() == [[True, True], [True, False]]
