from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterable

import pytest

from heteronym.text.dates import DateInText, find_days, parse_cell, read_phrase
from heteronym.text.grammar import grammar


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("14 May 2004", (2004, 5, 14)),
        ("14/05/2004", (2004, 5, 14)),
        ("05/14/2004", (2004, 5, 14)),
        ("2004-05-14", (2004, 5, 14)),
        ("May 14th, 2004", (2004, 5, 14)),
        ("Friday, the 14th of May 2004", (2004, 5, 14)),
        ("14-May-2004", (2004, 5, 14)),
        ("14.5.04", (2004, 5, 14)),
        ("fourteenth of May", (None, 5, 14)),
        ("twenty-first May '04", (2004, 5, 21)),
        ("in May", (None, 5, None)),
        ("Sept. 2004", (2004, 9, None)),
        ("2004", (2004, None, None)),
        ("in the year 2004", (2004, None, None)),
    ],
)
def test_a_phrase_tells_what_it_says_of_a_date(phrase: str, expected: tuple[int | None, ...]) -> None:
    assert [tuple(reading.date) for reading in read_phrase(phrase)] == [expected]


def test_an_ambiguous_date_has_both_readings() -> None:
    assert {tuple(r.date) for r in read_phrase("05/06/2004")} == {(2004, 5, 6), (2004, 6, 5)}


@pytest.mark.parametrize(
    "phrase",
    ["Four days ago", "yesterday", "14-17 May 2004", "31/31/2004", "30 February 2004", "May 14 and 15", ""],
)
def test_relative_impossible_and_several_dates_are_not_understood(phrase: str) -> None:
    assert read_phrase(phrase) == ()


def test_full_dates_are_found_where_they_stand() -> None:
    text = "Born 14 May 2004, left 2004-05-15, in May."
    found = {text[r.start : r.end] for r in find_days(text, [dt.date(2004, 5, 14)]) if None not in r.date}
    assert found == {"2004-05-15", "14 May 2004"}


@pytest.mark.parametrize(
    ("cell", "format", "expected"),
    [
        ("14,May,2004", "%d,%B,%Y", {dt.date(2004, 5, 14)}),
        ("2004-05-14", None, {dt.date(2004, 5, 14)}),
        (dt.date(2004, 5, 14), None, {dt.date(2004, 5, 14)}),
        (dt.datetime(2004, 5, 14, 9), None, {dt.date(2004, 5, 14)}),
        ("05/06/2004", None, {dt.date(2004, 5, 6), dt.date(2004, 6, 5)}),
        ("nonsense", None, set()),
        ("nonsense", "%Y", set()),
    ],
)
def test_cells_are_read_by_format_then_iso_then_every_reading(
    cell: object, format: str | None, expected: set[dt.date]
) -> None:
    assert set(parse_cell(cell, format)) == expected


def test_a_code_that_looks_like_a_date_is_none() -> None:
    for code in ("00123400", "20040000", "99999999", "2004-00-17", "31.02.2004", "0000-01-01"):
        assert parse_cell(code, None) == (), code


@pytest.mark.parametrize(
    "blank", [" ", "  ", "\t", "\u00a0", "\u2009", "\u202f", "\n", " \n", "\n   ", "\r\n"]
)
def test_a_date_may_be_written_with_any_blank_and_go_on_in_the_next_line(blank: str) -> None:
    text = f"He was born on 3{blank}March{blank}1957."
    found = [text[one.start : one.end] for one in grammar("en").find(text, "dates")]
    assert max(found, key=len) == f"3{blank}March{blank}1957"


@pytest.mark.parametrize("gap", ["   ", "\n\n", "\n \n"])
def test_a_gap_between_columns_or_an_empty_line_ends_a_date(gap: str) -> None:
    text = f"Room 3{gap}March 1957."
    assert "3" not in [text[found.start] for found in grammar("en").find(text, "dates")]


@pytest.mark.parametrize("odd", ["½l", "½½", "¾cup", "²x", "ⅷb", "一二"])
def test_what_is_neither_word_nor_number_moves_no_date(odd: str) -> None:
    text = f"Gave {odd} of it, then {odd}, on 14 May 2004."
    assert {text[one.start : one.end] for one in find_days(text, [dt.date(2004, 5, 14)])} >= {"14 May 2004"}


def _months(day: dt.date) -> list[str]:
    name = day.strftime("%B")
    return [name, name[:3], name.lower(), name.upper()]


def _written(day: dt.date, rng: random.Random) -> str:
    blank = rng.choice([" ", " ", "  ", "\n", "\n          ", " \r\n\t\t "])
    month = rng.choice(_months(day))
    return rng.choice(
        [
            f"Wednesday,{blank}the {day.day}th of{blank}{month},{blank}{day.year}",
            f"{month}{blank}{day.day},{blank}{day.year}",
            f"the twenty-first{blank}of{blank}{month}",
            day.isoformat() + "T14:30:59.123456789012345678+02:00",
            day.strftime("%d/%m/%y"),
            day.strftime("%-m/%Y"),
            f"due {day.day}.{day.month:02d}.",
            f"on {day.day}/{day.month} at 10am",
        ]
    )


@pytest.mark.parametrize("seed", range(60))
def test_what_is_read_around_months_is_what_a_whole_text_tells_of_days(seed: int) -> None:
    rng = random.Random(seed)
    days = [dt.date(rng.choice([1968, 2004, 2023]), rng.randint(1, 12), rng.randint(1, 28)) for _ in range(3)]
    words = [*"value 8 of 12 the May 3 walked 2004 said , . 10 nothing of".split(), "w" * 90, "x" * 200]
    pieces = [
        _written(rng.choice(days), rng) if rng.random() < 0.1 else rng.choice(words) for _ in range(150)
    ]
    text = rng.choice([" ", "\n", "  "]).join(pieces)

    def those_that_tell(found: Iterable[DateInText]) -> set[DateInText]:
        return {one for one in found if any(one.date.contains(day) for day in days)}

    whole = [DateInText(date, one.start, one.end) for one in grammar().read(text) for date in one.dates]
    expected = {one for one in whole if sum(part is not None for part in one.date) > 1}
    assert those_that_tell(find_days(text, days)) == those_that_tell(expected)
    assert expected
