"""CSV is read as Python's parser reads it, however strange, and read back as it was written."""

from __future__ import annotations

import csv
import io

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heteronym.errors import InputError
from heteronym.io.tables import Format, parse_table, render
from heteronym.model.plan import DataPlan


def read(content: str) -> list[list[str]] | None:
    try:
        frame = parse_table(content.encode(), "data.csv", ".csv", DataPlan(delimiter=",")).frame
    except InputError:
        return None
    return [[cell or "" for cell in row] for row in frame.rows()]


def expected(content: str) -> list[list[str]] | None:
    """None where rows differ in length or a quote is never closed: a line put behind the last one tells."""
    behind = [*csv.reader(io.StringIO(f"{content}\nend", newline=""))]
    if behind[-1] != ["end"]:
        return None
    rows = [row for row in csv.reader(io.StringIO(content, newline="")) if row][1:]
    return rows if rows and all(len(row) == 2 for row in rows) else None


ODD = [
    '""a",b\n ",c\n',
    'b", "b,\n',
    'a,"";""\n',
    '5" pipe,6" pipe\n',
    '"a""b","c"\n',
    '"a\nb",c\n',
    'a,"b" \n',
]


@pytest.mark.parametrize("body", ODD)
def test_odd_quotes_are_read_as_pythons_parser_reads_them(body: str) -> None:
    assert read(f"x,y\n{body}") == expected(f"x,y\n{body}")


@settings(max_examples=400)
@given(st.one_of(st.text('",\n ab', min_size=1, max_size=30), st.text('",\r\na;', min_size=1, max_size=30)))
def test_any_text_is_read_as_pythons_parser_reads_it(body: str) -> None:
    assert read(f"x,y\n{body}") == expected(f"x,y\n{body}")


CELL = st.text(st.sampled_from(list("\",;\n\r\t abé\\'|§")), max_size=5)


@settings(max_examples=150)
@given(
    rows=st.integers(1, 3).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1, max_size=5)
    ),
    delimiter=st.sampled_from([",", ";", "\t", "|", "§"]),
)
def test_what_is_written_is_read_back(rows: list[list[str]], delimiter: str) -> None:
    frame = pl.DataFrame(
        {f"c{n}": pl.Series([row[n] for row in rows], dtype=pl.String) for n in range(len(rows[0]))}
    )
    content, _ = render(frame, Format("csv", ".csv", delimiter, "utf-8"))
    back = parse_table(content, "data.csv", ".csv", DataPlan(delimiter=delimiter)).frame
    assert [[cell or "" for cell in row] for row in back.rows()] == rows
