"""The auditor reads CSV piece by piece; where a piece ends must not matter."""

from __future__ import annotations

import csv
import io

import numpy as np
import polars as pl
import pytest

from heteronym.verify import csv_reader

CELLS = ["", "a", "b c", 'say "no"', "one,two", "line\nbreak", "é", "[1-2]", "{a,b}", " "]


def cells_by_python(content: bytes) -> list[tuple[str | None, ...]]:
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    return [tuple(cell or None for cell in row) for row in rows[1:]]


@pytest.mark.parametrize("seed", range(40))
def test_pieces_of_any_length_give_the_cells_of_the_whole(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    width, rows = int(rng.integers(2, 5)), int(rng.integers(1, 60))
    few = CELLS[: int(rng.integers(2, len(CELLS) + 1))]
    frame = pl.DataFrame(
        {f"c{n}": [few[i] or None for i in rng.integers(0, len(few), rows)] for n in range(width)},
        schema={f"c{n}": pl.String for n in range(width)},
    )
    out = io.BytesIO()
    frame.write_csv(out)
    content = out.getvalue()
    monkeypatch.setattr(csv_reader, "_PIECE", int(rng.integers(1, 50)))
    found = csv_reader.read_csv(content, "data.csv", delimiter=",", encoding=None)
    assert found.rows() == cells_by_python(content) == frame.rows()


def test_a_row_ends_outside_of_quotes_alone() -> None:
    content = b'a,b\n"x\ny",1\nz,2\n'
    assert csv_reader._end_of_row(content, 4, 4) == content.index(b"z")
    assert csv_reader._end_of_row(content, 0) == 4


def test_what_would_be_written_otherwise_is_parsed_by_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(csv_reader, "_PIECE", 8)
    content = b'a,b\nx,1\n"y",2\nz,3\n'  # quotes that nothing asks for, in a later piece
    assert csv_reader._proved(content, ",") is None
    found = csv_reader.read_csv(content, "data.csv", delimiter=",", encoding=None)
    assert found.rows() == [("x", "1"), ("y", "2"), ("z", "3")]
