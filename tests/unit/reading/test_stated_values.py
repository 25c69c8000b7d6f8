"""Which days a date that was read in a text may mean."""

from __future__ import annotations

import datetime as dt

import pytest

from heteronym.reading.stated_values import _range
from heteronym.text.grammar import PartialDate


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        (PartialDate(2004, 2, 14), "2004-02-14", "2004-02-14"),
        (PartialDate(2004, 2, None), "2004-02-01", "2004-02-29"),
        (PartialDate(2004, None, None), "2004-01-01", "2004-12-31"),
    ],
)
def test_a_date_means_all_the_days_that_it_leaves_open(date: PartialDate, first: str, last: str) -> None:
    days = [(dt.date.fromisoformat(day) - dt.date(1970, 1, 1)).days for day in (first, last)]
    assert _range(date) == (float(days[0]), float(days[1]))


def test_a_day_without_its_month_may_be_late_in_the_year() -> None:
    assert _range(PartialDate(2004, None, 23))[1] == _range(PartialDate(2004, None, None))[1]
