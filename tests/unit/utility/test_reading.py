"""What a reader takes labels for."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.utility.read_cells import bins_for, counted, read_labels, read_values

NUMBER = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
DAY = Attribute(role=Role.QUASI, scale=Scale.DATE)
NAME = Attribute(role=Role.QUASI)
SECRET = Attribute(role=Role.SENSITIVE)


def day(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


@pytest.mark.parametrize(
    ("label", "attribute", "low", "high"),
    [
        ("[24-36]", NUMBER, 24, 37),
        ("[-9--2]", NUMBER, -9, -1),
        ("[-9-12]", NUMBER, -9, 13),
        ("7", NUMBER, 7, 8),
        ("{3,9}", NUMBER, 3, 10),
        ("2004", DAY, day("2004-01-01"), day("2005-01-01")),
        ("2004-05", DAY, day("2004-05-01"), day("2004-06-01")),
        ("2004-05-14", DAY, day("2004-05-14"), day("2004-05-15")),
        ("[2004-2006]", DAY, day("2004-01-01"), day("2007-01-01")),
        ("2004-Q2", DAY, day("2004-04-01"), day("2004-07-01")),
    ],
)
def test_labels_of_ordered_columns_have_ends(
    label: str, attribute: Attribute, low: float, high: float
) -> None:
    read = read_labels(pl.Series("x", [label, "*", None]), attribute)
    place = read.texts.index(label)
    assert (read.low[place], read.high[place]) == (low, high)
    assert (read.missing, read.suppressed) == (1, 1)


def test_parts_of_numbers_are_not_whole() -> None:
    read = read_labels(pl.Series("x", ["[0.5-2]", "3"]), NUMBER)
    assert read.step == 0
    assert sorted(read.middle()[:2].tolist()) == [1.25, 3.0]


def test_a_column_whose_labels_are_no_numbers_is_one_of_names() -> None:
    assert read_labels(pl.Series("x", ["young", "[3-5]"]), NUMBER).kind == "names"


def test_sets_count_in_parts() -> None:
    read = read_labels(pl.Series("x", ["{a,b}", "a", None]), NAME)
    bins = bins_for([read])
    assert dict(zip(bins.names, counted(read, bins), strict=True)) == {"a": 1.5, "b": 0.5}


def test_what_is_released_as_it_was_is_no_label() -> None:
    read = read_labels(pl.Series("x", ["{a,b}", "*"]), SECRET)
    assert sorted(bins_for([read]).names) == ["*", "{a,b}"]
    assert read.suppressed == 0


def test_every_row_is_counted_once_whatever_the_bins() -> None:
    rng = np.random.default_rng(5)
    for round_ in range(100):
        low = rng.integers(-50, 50, 30) / (1 if round_ % 2 else 4)
        high = low + rng.integers(0, 40, 30) / (1 if round_ % 2 else 4)
        labels = [f"{a:g}" if a == b else f"[{a:g}-{b:g}]" for a, b in zip(low, high, strict=True)]
        read = read_labels(pl.Series("x", labels), NUMBER)
        bins = bins_for([read], most=int(rng.integers(1, 30)))
        assert counted(read, bins).sum() == pytest.approx(30)
        assert len(bins.names) <= 32


@pytest.mark.parametrize(("years", "most"), [(1, 20), (3, 20), (12, 20), (60, 20), (400, 20)])
def test_days_are_counted_in_calendar_units(years: int, most: int) -> None:
    values = [date(1900 + n % years, 1 + n % 12, 1 + n % 28) for n in range(200)]
    read = read_values(pl.Series("x", values), DAY)
    bins = bins_for([read], most=most)
    assert len(bins.names) <= most
    assert counted(read, bins).sum() == pytest.approx(200)


def test_originals_and_labels_share_their_bins() -> None:
    before = read_values(pl.Series("x", [20, 24, 36, None]), NUMBER)
    after = read_labels(pl.Series("x", ["[20-24]", "[20-24]", "36", None]), NUMBER)
    bins = bins_for([before, after])
    assert bins.names[0] == "20"
    assert counted(before, bins).tolist()[:5] == [1, 0, 0, 0, 1]
    assert counted(after, bins).tolist()[:5] == pytest.approx([0.4] * 5)
    assert counted(after, bins)[-1] == counted(before, bins)[-1] == 1
