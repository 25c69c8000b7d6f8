from __future__ import annotations

import pytest

from heteronym.text.numbers import number_of, read_numbers


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("36 years old", [(36, "36")]),
        ("thirty-six years old", [(36, "thirty-six")]),
        ("a 36-year-old", [(36, "36")]),
        ("her 36th birthday", [(36, "36th")]),
        ("$1,200.50", [(1200.5, "1,200.50")]),
        ("50k", [(50_000, "50k")]),
        ("two hundred and five thousand", [(205_000, "two hundred and five thousand")]),
        ("between 30 and 36", [(30, "30"), (36, "36")]),
        ("-5 degrees", [(-5, "-5")]),
        ("thirty-sixth", [(36, "thirty-sixth")]),
        ("no number, someone", []),
    ],
)
def test_numbers_are_understood_inside_phrases(phrase: str, expected: list[tuple[float, str]]) -> None:
    assert [(n.value, phrase[n.start : n.end]) for n in read_numbers(phrase)] == expected


def test_cells_that_hold_no_number_have_none() -> None:
    assert [number_of(cell) for cell in ("36", "36.0", 36, " 1,200 ", "x", None, True)] == [
        36,
        36,
        36,
        1200,
        None,
        None,
        None,
    ]
