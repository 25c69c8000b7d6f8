"""Labels of the common tools, by which of the original values they may mean."""

from __future__ import annotations

from datetime import date

import pytest

from heteronym.judging.label_forms import Values, is_wiped, read_label

AGES = Values([str(n) for n in range(10, 100)], [float(n) for n in range(10, 100)])
FIRST = date(2023, 1, 1).toordinal()
DAYS = Values(
    [date.fromordinal(FIRST + n).isoformat() for n in range(731)],
    [float(FIRST + n) for n in range(731)],
    is_days=True,
)
ZIPS = Values(["00120", "01500", "90011", "90012", "K1A 0B1"])


def meant(label: str | None, values: Values) -> list[str] | None:
    read = read_label(label, values, empty_is_gone=True)
    return None if read is None else [values.texts[p] for a, b in read[0] for p in range(a, b)]


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("36", "36", "36"), ("36.0", "36", "36"), ("[20, 30[", "20", "29"), ("[20,30)", "20", "29"),
        ("(20,30]", "21", "30"), ("]20, 30]", "21", "30"), ("20-30", "20", "30"), ("20–30", "20", "30"),
        ("20 to 30", "20", "30"), (">=40", "40", "99"), ("≥ 40", "40", "99"), (">40", "41", "99"),
        ("<=40", "10", "40"), ("<40", "10", "39"), ("under 40", "10", "39"), ("65+", "65", "99"),
        ("65 or older", "65", "99"), ("30s", "30", "39"), ("late 30s", "36", "39"), ("1[0-9]", "10", "19"),
        ("3*", "30", "39"), ("3X", "30", "39"), ("{30,31}", "30", "31"), ("aged 36", "36", "36"),
    ],
)  # fmt: skip
def test_numbers(label: str, low: str, high: str) -> None:
    found = meant(label, AGES)
    assert found
    assert (found[0], found[-1]) == (low, high)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("2024", "2024-01-01", "2024-12-31"), ("2024-Q2", "2024-04-01", "2024-06-30"),
        ("2024-02", "2024-02-01", "2024-02-29"), ("02/2024", "2024-02-01", "2024-02-29"),
        ("Feb 2024", "2024-02-01", "2024-02-29"), ("2024-02-XX", "2024-02-01", "2024-02-29"),
        ("[2023-2024]", "2023-01-01", "2024-12-31"), ("2024-01 - 2024-02", "2024-01-01", "2024-02-29"),
        ("[2024-01-05-2024-02-07]", "2024-01-05", "2024-02-07"),
    ],
)  # fmt: skip
def test_days(label: str, low: str, high: str) -> None:
    found = meant(label, DAYS)
    assert found
    assert (found[0], found[-1]) == (low, high)


@pytest.mark.parametrize(
    ("label", "values"),
    [
        ("90011", ["90011"]), ("k1a 0b1", ["K1A 0B1"]), ("9001*", ["90011", "90012"]),
        ("900XX", ["90011", "90012"]), ("{00120,01500}", ["00120", "01500"]),
        ("00120|01500", ["00120", "01500"]),
        ("not 00120", ["01500", "90011", "90012", "K1A 0B1"]), ("K** ***", ["K1A 0B1"]),
    ],
)  # fmt: skip
def test_names(label: str, values: list[str]) -> None:
    assert meant(label, ZIPS) == values


@pytest.mark.parametrize(
    "label",
    [
        "*",
        "*****",
        "XXXX",
        "█████",
        "<PERSON>",
        "[REDACTED]",
        "[DATE_1]",
        "N/A",
        "?",
        "-",
        "{{NAME}}",
        "<LOCATION>",
    ],
)
def test_what_tells_nothing_may_mean_anything(label: str) -> None:
    assert is_wiped(label)
    assert meant(label, ZIPS) == list(ZIPS.texts)


@pytest.mark.parametrize("label", ["Europe", "g17", "a94a8fe5ccb19ba6"])
def test_what_no_form_fits_is_unread(label: str) -> None:
    assert read_label(label, ZIPS, empty_is_gone=True) is None


def test_an_empty_cell_is_suppressed_only_where_more_are_empty_than_before() -> None:
    assert read_label(None, ZIPS, empty_is_gone=False) == ([], True)
    assert meant(None, ZIPS) == list(ZIPS.texts)
