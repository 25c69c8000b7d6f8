"""Defects found in other tools, and that we do not share them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import InputError

NUMERIC = {"role": "quasi", "scale": "numeric"}
DATE = {"role": "quasi", "scale": "date"}
NOMINAL = {"role": "quasi"}


def plan(k: int = 2, person: str | None = None, **attributes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": k}]}
    if person is not None:
        made["data"] = {"person": person}
        made["attributes"] = {person: {"role": "identifier"}, **attributes}
    return made


def released(frame: Any, **options: Any) -> pl.DataFrame:
    return hn.anonymize(frame, plan(**options)).data


def test_more_persons_asked_for_than_there_are_is_an_error() -> None:
    with pytest.raises(InputError, match="number of persons, 3"):
        released(pl.DataFrame({"age": [1, 2, 3]}), k=4, age=NUMERIC)


def test_three_rows_of_one_person_are_not_three_persons() -> None:
    with pytest.raises(InputError, match="number of persons, 1"):
        released(pl.DataFrame({"id": ["a"] * 3, "age": [1, 1, 1]}), k=2, person="id", age=NUMERIC)


def test_a_person_with_many_rows_is_grouped_with_others() -> None:
    frame = pl.DataFrame({"id": ["a"] * 9 + ["b", "c"], "age": [30] * 9 + [60, 61]})
    assert released(frame, k=2, person="id", age=NUMERIC)["age"].unique().to_list() == ["[30-61]"]


@pytest.mark.parametrize("missing", [None, float("nan")], ids=["null", "nan"])
def test_missing_numbers_drop_nobody(missing: Any) -> None:
    frame = pd.DataFrame({"age": [30.0, missing, 31.0, missing, missing]})
    labels = released(frame, k=2, age=NUMERIC)["age"]
    assert len(labels) == 5
    assert labels.isna().sum() == 3


def test_missing_values_are_a_group_of_their_own() -> None:
    labels = released(pl.DataFrame({"age": [30, None, 31, None]}), age=NUMERIC)["age"].to_list()
    assert sorted(labels, key=str) == [None, None, "[30-31]", "[30-31]"]


def test_rows_with_missing_values_count_for_k_like_all_others() -> None:
    labels = released(pl.DataFrame({"age": [30, 30, 30, None]}), k=2, age=NUMERIC)["age"].to_list()
    assert None not in labels
    assert min(labels.count(label) for label in labels) >= 2


@pytest.mark.parametrize("recode", ["set", "suppress", "prefix"])
def test_a_missing_category_is_labelled_like_its_group(recode: str) -> None:
    frame = pl.DataFrame({"town": ["a", "a", None]})
    labels = released(frame, k=3, town={**NOMINAL, "recode": recode})["town"].to_list()
    assert len(set(labels)) == 1
    assert labels[0] == {"suppress": "*"}.get(recode, "{,a}")


def test_a_column_of_one_day_is_released_as_that_day() -> None:
    frame = pl.DataFrame({"day": ["2004-05-14"] * 3, "age": [1, 2, 3]})
    assert released(frame, k=3, day=DATE, age=NUMERIC)["day"].unique().to_list() == ["2004-05-14"]


CONSTANTS: dict[str, tuple[list[Any], dict[str, Any], Any]] = {
    "word": (["London"] * 4, NOMINAL, "London"),
    "zero": ([0] * 4, NUMERIC, "0"),
    "zero with a point": ([0.0] * 4, NUMERIC, "0"),
    "number": ([-3.5] * 4, NUMERIC, "-3.5"),
    "nothing": ([None] * 4, NOMINAL, None),
    "no number": (pl.Series([None] * 4, dtype=pl.Int64), NUMERIC, None),  # type: ignore[dict-item]
    "no day": (pl.Series([None] * 4, dtype=pl.Date), DATE, None),  # type: ignore[dict-item]
    "prefix": (["8800"] * 4, {**NOMINAL, "recode": "prefix"}, "8800"),
}


@pytest.mark.parametrize("cut", ["gain", "widest"])
@pytest.mark.parametrize("case", CONSTANTS)
def test_a_constant_column_stays_and_does_not_stop_the_search(case: str, cut: str) -> None:
    values, attribute, label = CONSTANTS[case]
    frame = pl.DataFrame({"same": values, "age": [1, 2, 30, 31]})
    release = hn.anonymize(frame, plan(same=attribute, age=NUMERIC), cut=cut)
    assert release.data["same"].unique().to_list() == [label]
    assert release.data["age"].to_list() == ["[1-2]", "[1-2]", "[30-31]", "[30-31]"]
    assert release.measures["ncp"]["by_attribute"]["same"] == 0


def test_a_constant_plain_column_is_not_taken_apart() -> None:
    frame = pl.DataFrame({"age": [1, 2], "town": ["London", "London"]})
    assert released(frame, age=NUMERIC, town={"role": "plain"})["town"].to_list() == ["London", "London"]


def test_a_median_at_the_minimum_does_not_hide_a_cut() -> None:
    frame = pl.DataFrame({"age": [1, 1, 1, 1, 9, 9]})
    for cut in ("gain", "widest"):
        labels = hn.anonymize(frame, plan(age=NUMERIC), cut=cut).data["age"].to_list()
        assert labels == ["1"] * 4 + ["9"] * 2


def test_numeric_loss_is_exact() -> None:
    frame = pl.DataFrame({"age": [0.1, 0.4, 1.1, 1.1]})
    loss = hn.anonymize(frame, plan(k=2, age=NUMERIC)).measures["ncp"]["by_attribute"]["age"]
    assert loss == pytest.approx((2 * 0.3 / 1.0) / 4)


def test_no_column_is_added() -> None:
    frame = pd.DataFrame({"age": [3, 1, 2, 4]}, index=pd.Index([10, 20, 30, 40], name="row"))
    data = hn.anonymize(frame, plan(age=NUMERIC)).data
    assert list(data.columns) == ["age"]
    assert data.index.name is None


def test_a_first_text_that_is_empty_does_not_hide_the_others() -> None:
    frame = pl.DataFrame(
        {
            "id": ["a", "a", "b", "b"],
            "text": ["", "met Rita", None, "met Rita"],
            "other": ["", None, "", "saw Otto"],
        }
    )
    settings = {
        **plan(k=2, person="id", text={"role": "text"}, other={"role": "text"}),
        "text": {"model": "none", "patterns": {"PERSON": "Rita|Otto"}, "direct": []},
    }
    data = hn.anonymize(frame, settings).data
    assert sorted(t for t in data["text"].to_list() if t) == ["met Rita", "met Rita"]
    assert sorted(t for t in data["other"].to_list() if t) == ["saw [PERSON]"]


def test_texts_that_are_all_empty_are_no_trouble() -> None:
    frame = pl.DataFrame({"age": [1, 2, 3], "text": ["", None, ""]}, schema_overrides={"text": pl.String})
    settings = {**plan(k=3, age=NUMERIC, text={"role": "text"}), "text": {"model": "none"}}
    assert hn.anonymize(frame, settings).data["age"].to_list() == ["[1-3]"] * 3


DAYS: dict[str, tuple[list[str], str]] = {
    "before 1970": (["1899-12-31", "1899-12-01"], "1899-12"),
    "around 1970": (["1969-12-31", "1970-01-01"], "[1969-1970]"),
    "far away": (["9999-12-31", "9999-01-01"], "9999"),
    "early": (["0999-01-01", "1000-01-01"], "[0999-1000]"),
    "leap day": (["2024-02-29", "2024-02-28"], "2024-02"),
    "with a time": (["2004-05-14T03:00:00", "2004-05-14T23:59:59"], "2004-05-14"),
    "in German": (["31.12.2003", "14.05.2004"], "[2003-2004]"),
    "in American": (["12/31/2003", "05/14/2003"], "2003"),
    "in words": (["14 May 2004", "3 May 2004"], "2004-05"),
}


@pytest.mark.parametrize("case", DAYS)
def test_days_of_every_time_and_form_are_generalized(case: str) -> None:
    days, label = DAYS[case]
    assert released(pl.DataFrame({"day": days}), day=DATE)["day"].to_list() == [label] * 2


NUMBERS: dict[str, tuple[list[Any], str]] = {
    "spaces around": ([" 1", "2 "], "[1-2]"),
    "signs": (["-9", "+12"], "[-9-12]"),
    "both negative": (["-9", "-2"], "[-9--2]"),
    "exponent": (["1e3", "2E3"], "[1000-2000]"),
    "leading zeros": (["007", "010"], "[7-10]"),
    "point": (["1.50", "2."], "[1.5-2]"),
    "tiny": (["0.0000001", "1"], "[0.0000001-1]"),
    "beyond 64 bits": (["123456789012345678901234567890", "1"], "[1-123456789012345680000000000000]"),
    "unsigned": (pl.Series([2**64 - 1, 1], dtype=pl.UInt64), "[1-18446744073709552000]"),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers_of_every_form_are_generalized(case: str) -> None:
    numbers, label = NUMBERS[case]
    assert released(pl.DataFrame({"n": numbers}), n=NUMERIC)["n"].to_list() == [label] * 2


def test_ten_thousand_different_names_are_grouped() -> None:
    frame = pl.DataFrame({"name": [f"n{n}" for n in range(10_000)]})
    release = hn.anonymize(frame, plan(k=5, name=NOMINAL))
    assert release.verdict.holds
    assert release.measures["groups"]["min"] >= 5


def test_long_numbers_that_floats_take_for_one_are_released_and_verified(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": range(12), "code": [2**62 + n % 4 for n in range(12)]})
    plan = {
        "attributes": {"id": {"role": "identifier"}, "code": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 6}],
    }
    hn.anonymize(frame, plan, output=tmp_path / "out", private=tmp_path / "own")
    assert hn.verify(tmp_path / "out", against=frame, private=tmp_path / "own").holds


def test_32_bit_numbers_are_labelled_as_they_are_written() -> None:
    frame = pl.DataFrame({"n": pl.Series([0.1, 0.2], dtype=pl.Float32)})
    assert released(frame, n=NUMERIC)["n"].to_list() == ["[0.1-0.2]"] * 2


MISSING_MARKS: dict[str, tuple[pl.Series, dict[str, Any], str]] = {
    "whole": (pl.Series("x", [-1, 1, 2, -1]), NUMERIC, "-1"),
    "part": (pl.Series("x", [-1.5, 1, 2, -1.5]), NUMERIC, "-1.5"),
    "word": (pl.Series("x", ["?", "1", "2", "?"]), NUMERIC, "?"),
    "nominal": (pl.Series("x", ["?", "1", "1", "?"]), NOMINAL, "?"),
    "day": (
        pl.Series("x", ["1900-01-01", "2001-01-01", "2001-01-01", "1900-01-01"]).str.to_date(),
        DATE,
        "1900-01-01",
    ),
}


@pytest.mark.parametrize("case", MISSING_MARKS)
def test_cells_that_mean_missing_are_missing_whatever_their_type(case: str) -> None:
    cells, attribute, mark = MISSING_MARKS[case]
    settings = {**plan(x=attribute), "data": {"missing": [mark]}}
    labels = hn.anonymize(pl.DataFrame([cells]), settings).data["x"].to_list()
    assert labels.count(None) == 2
    assert mark not in labels


REFUSED: dict[str, tuple[pl.Series, dict[str, Any], str]] = {
    "a day after the year 9999": (pl.Series("x", [4_000_000, 1]).cast(pl.Date), DATE, "row 1"),
    "a day before the year 1": (pl.Series("x", [1, -1_000_000]).cast(pl.Date), DATE, "row 2"),
    "a number without measure": (pl.Series("x", [-1.7e308, 1.7e308]), NUMERIC, "rows 1, 2"),
    "lists as text": (pl.Series("x", [["a"], ["b"]]), {"role": "text"}, "'x'"),
    "bytes as text": (pl.Series("x", [b"\xff", b"\xfe"]), {"role": "text"}, "'x'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_values_that_cannot_be_recoded_are_refused_by_place(case: str) -> None:
    cells, attribute, word = REFUSED[case]
    with pytest.raises(InputError, match=word):
        released(pl.DataFrame([cells]), x=attribute)


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow"])
def test_terms_may_come_as_lists_and_stay_lists(kind: str) -> None:
    frame = pl.DataFrame({"found": [["X:y", "X:z"], ["X:y"]]})
    native = {
        "polars": frame,
        "pandas": pd.DataFrame({"found": frame["found"].to_list()}),
        "arrow": frame.to_arrow(),
    }
    data = hn.anonymize(native[kind], plan(found={"role": "terms"})).data
    cells = data["found"].to_pylist() if kind == "arrow" else data["found"].to_list()
    assert cells == [["X:y"], ["X:y"]]
