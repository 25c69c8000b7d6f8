"""Starred labels are looked at once: by the count of withheld cells in quasi columns, as labels elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
import pytest

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import Plan
from heteronym.verify.originals import Originals
from heteronym.verify.truth import truth_checks
from heteronym.verify.withheld import as_known, claimed_cells, withheld_cells, withheld_checks


@dataclass
class Known:
    frame: pl.DataFrame
    source_row: np.ndarray
    person: np.ndarray
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()


def plan(role: str = "quasi", share: float = 0.5) -> Plan:
    return Plan.model_validate(
        {
            "attributes": {"day": {"role": role, "scale": "date"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "release": {"suppress_cells_up_to": share},
        }
    )


DAYS = pl.DataFrame({"day": ["2004-01-01", "2004-02-01", "2004-03-01", "1990-01-01", "1990-01-01"]})
STARRED = pl.DataFrame({"day": ["{*,2004}"] * 5})
ROWS = np.arange(5)


def known(person: list[int]) -> Known:
    return Known(DAYS, ROWS, np.array(person))


def truth(role: str) -> bool | None:
    checks = truth_checks(STARRED, plan(role), Originals(DAYS, ROWS, ROWS))
    return next(check.holds for check in checks if check.name == "truth")


def test_a_star_excuses_nothing_in_a_column_of_events() -> None:
    assert truth("quasi") is True
    assert truth("event") is False


def test_cells_are_counted_by_persons() -> None:
    assert {
        name: rows.tolist() for name, rows in withheld_cells(STARRED, plan(), known([0, 1, 2, 3, 4])).items()
    } == {"day": [3, 4]}
    for person, claimed in (([0, 1, 2, 3, 4], 2), ([0, 1, 2, 3, 3], 1)):
        [check] = withheld_checks(STARRED, plan(), known(person), {"day": claimed})
        assert check.holds, check.detail
        [check] = withheld_checks(STARRED, plan(), known(person), {"day": claimed - 1})
        assert check.holds is False
    [check] = withheld_checks(STARRED, plan(share=0.3), known([0, 1, 2, 3, 4]))
    assert check.holds is False
    [check] = withheld_checks(STARRED, plan(), known([0, 1, 1, 3, 4]))  # two told, two not
    assert check.holds is False
    assert withheld_checks(pl.DataFrame({"day": ["*"] * 5}), plan(), known([0, 1, 2, 3, 4]), {}) == []


def test_what_is_left_of_every_cell() -> None:
    shown = as_known(STARRED, plan(), known([0, 1, 2, 3, 4]))
    assert shown["day"].to_list() == ["2004", "2004", "2004", "*", "*"]
    shown = as_known(STARRED, plan(), known([0, 1, 2, 2, 4]))  # on all rows of a person
    assert shown["day"].to_list() == ["2004", "2004", "*", "*", "*"]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (None, None),
        ({"measures": None}, None),
        ({"measures": {}}, {}),
        ({"measures": {"withheld": {"by_attribute": {"a": 1, "b": True, "c": "x"}}}}, {"a": 1}),
        ({"measures": {"withheld": 3}}, {}),
    ],
)
def test_what_facts_tell(facts: object, told: object) -> None:
    assert claimed_cells(facts) == told
