"""Labels as the contract prints them."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

from heteronym.encode import encode
from heteronym.errors import PlanError
from heteronym.io.hierarchies import build_hierarchy
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.registry import recoders

JOBS = build_hierarchy([["nurse", "health", "*"], ["surgeon", "health", "*"], ["pilot", "travel", "*"]])
NUMERIC = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
DATE = Attribute(role=Role.QUASI, scale=Scale.DATE)
NOMINAL = Attribute(role=Role.QUASI)
ORDINAL = Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("low", "mid", "high"))
PREFIX = Attribute(role=Role.QUASI, recode="prefix")
SUPPRESS = Attribute(role=Role.QUASI, recode="suppress")
CALENDAR = Attribute(role=Role.QUASI, scale=Scale.DATE, recode="calendar")
RANGE = Attribute(
    role=Role.QUASI, scale=Scale.ORDINAL, order=("low", "mid", "high", "very-high"), recode="range"
)
TREE = Attribute(role=Role.QUASI, hierarchy="jobs.csv")


def label(attribute: Attribute, values: list[object]) -> str | None:
    """The label of one group with these values."""
    frame = pl.DataFrame({"x": pl.Series(values, strict=False)})
    hierarchies = {"x": JOBS} if attribute.hierarchy else {}
    view = encode(Dataset(Schema({"x": attribute}), frame, hierarchies))
    everyone = Partition(np.zeros(view.persons, np.int32))
    column = view.columns[0]
    return recoders.build(attribute.labelled_by).labels(column.domain, everyone.covers(column))[0]


@pytest.mark.parametrize(
    ("attribute", "values", "expected"),
    [
        (NUMERIC, [24, 36, 30], "[24-36]"),
        (NUMERIC, [36, 36], "36"),
        (NUMERIC, [-9, 12], "[-9-12]"),
        (NUMERIC, [-9, -2], "[-9--2]"),
        (NUMERIC, ["1.50", "2"], "[1.5-2]"),
        (NUMERIC, ["1.0", "1"], "1"),
        (NUMERIC, [0.00001, 1e20], "[0.00001-100000000000000000000]"),
        (NUMERIC, [5, None], "{,5}"),
        (NUMERIC, [5, 7, None], "{,[5-7]}"),
        (NUMERIC, [None, None], None),
        (NUMERIC, [9007199254740993, 9007199254740992], "[9007199254740992-9007199254740993]"),
        (DATE, ["2004-05-14"], "2004-05-14"),
        (DATE, ["2004-05-14", "2004-05-15"], "2004-05"),
        (DATE, ["2004-05-14", "2004-01-01"], "2004"),
        (DATE, ["2004-05-14", "2005-08-18"], "[2004-2005]"),
        (DATE, ["14.05.2004", "15.05.2004"], "2004-05"),
        (DATE, ["0987-05-14", "2005-08-18"], "[0987-2005]"),
        (DATE, [date(1969, 12, 31), date(1970, 1, 1)], "[1969-1970]"),
        (DATE, ["2004-05-14", None], "{,2004-05-14}"),
        (DATE, ["1960-05-14", "1970-01-01", None], "{,[1960-1970]}"),
        (NOMINAL, ["Student", "Education"], "{Education,Student}"),
        (NOMINAL, ["a"], "a"),
        (NOMINAL, ["a,b", "{c}", "d\\"], "{a\\,b,d\\\\,\\{c\\}}"),
        (NOMINAL, ["a", None], "{,a}"),
        (NOMINAL, ["北京", "Ulm"], "{Ulm,北京}"),
        (ORDINAL, ["low", "high"], "{high,low}"),
        (PREFIX, ["8811", "8812"], "881*"),
        (PREFIX, ["88", "8812"], "88*"),
        (PREFIX, ["1", "2"], "*"),
        (PREFIX, ["1", None], "{,1}"),
        (PREFIX, ["881", "882", None], "{,88*}"),
        (PREFIX, ["1", "2", None], "*"),
        (SUPPRESS, ["a", "b"], "*"),
        (SUPPRESS, ["a", "a"], "a"),
        (SUPPRESS, ["a", None], "*"),
        (TREE, ["nurse", "surgeon"], "health"),
        (TREE, ["nurse", "pilot"], "*"),
        (TREE, ["nurse"], "nurse"),
        (TREE, ["nurse", None], "{,nurse}"),
        (TREE, ["nurse", "surgeon", None], "{,health}"),
        (TREE, ["nurse", "pilot", None], "*"),
        (CALENDAR, ["2004-05-14"], "2004-05-14"),
        (CALENDAR, ["2004-05-14", "2004-05-15"], "2004-05"),
        (CALENDAR, ["2004-04-01", "2004-06-30"], "2004-Q2"),
        (CALENDAR, ["2004-05-14", "2004-08-01"], "[2004-05-2004-08]"),
        (CALENDAR, ["2004-11-14", "2005-02-01"], "[2004-11-2005-02]"),
        (CALENDAR, ["2004-04-14", "2004-12-01"], "[2004-Q2-2004-Q4]"),
        (CALENDAR, ["2004-01-14", "2004-12-01"], "2004"),
        (CALENDAR, ["2004-01-14", "2005-02-01"], "[2004-Q1-2005-Q1]"),
        (CALENDAR, ["2004-01-14", "2005-12-01"], "[2004-2005]"),
        (CALENDAR, ["2001-08-14", "2008-12-01"], "[2001-2008]"),
        (CALENDAR, ["1961-08-14", "1988-12-01"], "[1960-1989]"),
        (CALENDAR, ["2004-05-14", "2004-08-01", None], "{,[2004-05-2004-08]}"),
        (CALENDAR, ["0987-05-14", "0987-08-18"], "[0987-05-0987-08]"),
        (RANGE, ["low", "high"], "[low-high]"),
        (RANGE, ["mid", "mid"], "mid"),
        (RANGE, ["low", "very-high"], "[low-very\\-high]"),
        (RANGE, ["mid", "high", None], "{,[mid-high]}"),
    ],
)
def test_a_group_is_labelled_as_the_contract_says(
    attribute: Attribute, values: list[object], expected: str | None
) -> None:
    assert label(attribute, values) == expected


@pytest.mark.parametrize(
    ("attribute", "values"), [(PREFIX.model_copy(update={"scale": Scale.NUMERIC}), [1, 2])]
)
def test_a_recoder_refuses_a_scale_it_cannot_label(attribute: Attribute, values: list[object]) -> None:
    with pytest.raises(PlanError, match=r"attributes\.x"):
        label(attribute, values)
