"""pandas, polars and pyarrow in, the same kind out, with the same content."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings

import heteronym as hn
from heteronym.errors import InputError, PlanError, UsageError
from tests.conftest import PEOPLE_PLAN
from tests.properties.tables import Case, cases

BASE: dict[str, Any] = {"age": [31, 32, 47, None], "sex": ["m", "f", None, "f"], "note": [1, 2, 3, 4]}


def cells(data: Any) -> list[tuple[Any, ...]]:
    if isinstance(data, pd.DataFrame):
        data = pl.DataFrame({n: [None if pd.isna(v) else v for v in data[n].tolist()] for n in data.columns})
    return (pl.from_arrow(data) if isinstance(data, pa.Table) else data).rows()  # type: ignore[union-attr,return-value]


@settings(max_examples=15)
@given(cases(hierarchy=False))
def test_every_kind_of_frame_gives_the_same_cells_in_the_same_kind(case: Case) -> None:
    assume(case.persons >= case.k)
    expected = hn.anonymize(case.frame, case.plan).data
    arrow = hn.anonymize(case.frame.to_arrow(), case.plan).data
    assert isinstance(expected, pl.DataFrame)
    assert isinstance(arrow, pa.Table)
    assert cells(arrow) == expected.rows()
    pandas = hn.anonymize(pd.DataFrame(case.frame.to_dicts(), columns=case.frame.columns), case.plan).data
    assert isinstance(pandas, pd.DataFrame)
    assert cells(pandas.drop(columns="number")) == expected.drop("number").rows()


def test_the_index_of_a_pandas_frame_does_not_tell_the_old_rows() -> None:
    data = hn.anonymize(pd.DataFrame(BASE, index=[9, 8, 7, 6]), PEOPLE_PLAN).data
    assert data.index.tolist() == [0, 1, 2, 3]
    assert list(data.columns) == ["age", "sex", "note"]


DTYPES = ["Int64", "category", "string", "float64", "object"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_plain_pandas_columns_keep_their_type(dtype: str) -> None:
    frame = pd.DataFrame(BASE).astype({"note": dtype})
    assert hn.anonymize(frame, PEOPLE_PLAN).data["note"].dtype == frame["note"].dtype


@pytest.mark.parametrize("dtype", ["Int64", "float64", "Float64", "object", "string"])
def test_missing_numbers_of_every_pandas_kind_are_missing(dtype: str) -> None:
    ages = pd.DataFrame(BASE).astype({"age": "Int64"}).astype({"age": dtype})
    assert hn.anonymize(ages, PEOPLE_PLAN).data.equals(hn.anonymize(pd.DataFrame(BASE), PEOPLE_PLAN).data)


def test_pandas_dates_with_gaps_are_dates() -> None:
    frame = pd.DataFrame({**BASE, "note": pd.to_datetime(["2001-01-01", None, "2002-02-02", "2001-01-01"])})
    attributes = {**PEOPLE_PLAN["attributes"], "note": {"role": "quasi", "scale": "date"}}
    labels = hn.anonymize(frame, {**PEOPLE_PLAN, "attributes": attributes}).data["note"]
    assert {label.removeprefix("{,").removesuffix("}") for label in labels.dropna()} <= {
        "2001-01-01", "2001", "2002-02-02", "[2001-2002]", "*",
    }  # fmt: skip


def test_numbered_pandas_columns_are_named_by_their_numbers() -> None:
    plan = {**PEOPLE_PLAN, "attributes": {"0": {"role": "quasi", "scale": "numeric"}, "1": {"role": "plain"}}}
    data = hn.anonymize(pd.DataFrame({0: [1, 2, 3], 1: [4, 5, 6]}), plan).data
    assert list(data.columns) == ["0", "1"]


def test_dictionary_columns_of_arrow_stay_so_where_they_are_plain() -> None:
    table = pa.table({**BASE, "note": pa.array(["x", "y", None, "x"]).dictionary_encode()})
    assert hn.anonymize(table, PEOPLE_PLAN).data["note"].type == table["note"].type


REFUSED: dict[str, tuple[Any, type[Exception]]] = {
    "a lazy frame": (pl.LazyFrame(BASE), InputError),
    "a dict": (BASE, InputError),
    "a list": ([1, 2], InputError),
    "a series": (pl.Series([1]), InputError),
    "nothing": (None, InputError),
    "no rows": (pl.DataFrame(BASE).head(0), InputError),
    "no columns": (pl.DataFrame(), InputError),
    "columns of one name": (pd.DataFrame([[1, 2, 3]], columns=["age", "age", "sex"]), InputError),
    "one row": (pl.DataFrame(BASE).head(1), InputError),
    "an infinite age": (pl.DataFrame({**BASE, "age": [1.0, float("inf"), 2.0, None]}), InputError),
    "a column more": (pl.DataFrame({**BASE, "shoe": [1, 2, 3, 4]}), PlanError),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_anonymized_is_refused(case: str) -> None:
    data, error = REFUSED[case]
    with pytest.raises(error):
        hn.anonymize(data, PEOPLE_PLAN)


@pytest.mark.parametrize("plan", [None, 5, [], {}, {"privacy": []}])
def test_what_is_no_plan_is_refused(plan: Any) -> None:
    with pytest.raises(PlanError):
        hn.anonymize(pl.DataFrame(BASE), plan)


def test_an_option_that_no_part_has_is_refused() -> None:
    with pytest.raises(UsageError, match="kk"):
        hn.anonymize(pl.DataFrame(BASE), PEOPLE_PLAN, kk=3)


def test_options_override_the_plan() -> None:
    facts = hn.anonymize(pl.DataFrame(BASE), PEOPLE_PLAN, k=3, seed=4).facts
    assert (facts["method"]["privacy"][0]["k"], facts["method"]["seed"]) == (3, 4)
