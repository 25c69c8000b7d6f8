"""What is written into a workbook is what its readers find there: ours and the auditor's."""

from __future__ import annotations

import datetime as dt
import zipfile
from io import BytesIO

import polars as pl
import pytest

from heteronym.io.workbooks import read_workbook, write_workbook
from heteronym.verify.tables import read_table

ODD = ["x<&>\"'", " _x0041_ ", "b\x01c\td\ne", "=1+1", "https://x", "é😀", "_x005F_", "  two  blanks ", "]]>"]


def test_odd_texts_come_back() -> None:
    frame = pl.DataFrame({"text": ODD, "n": range(len(ODD))})
    content = write_workbook(frame)
    found, sheet = read_workbook(content, "data.xlsx", None)
    assert sheet == "data", "the name of the source's sheet is not released"
    assert found["text"].to_list() == ODD
    assert [str(cell) for cell in read_table(content, "data.xlsx")["text"].to_list()] == ODD


@pytest.mark.parametrize(
    "cells",
    [
        pl.Series("x", [1, None, -3, 2**40]),
        pl.Series("x", [1.5, None, 1e-9, -3e300]),
        pl.Series("x", [True, None, False, True]),
        pl.Series("x", [dt.date(2020, 1, 2), None, dt.date(1999, 12, 31), dt.date(1970, 1, 1)]),
        pl.Series("x", [dt.datetime(2020, 1, 2, 3, 4, 5), None, dt.datetime(1999, 1, 1), None]),
        pl.Series("x", ["u", None, "v", "u"], dtype=pl.Categorical),
        pl.Series("x", [None, None, None, "last"], dtype=pl.String),
    ],
    ids=lambda cells: str(cells.dtype),
)
def test_every_type_comes_back(cells: pl.Series) -> None:
    frame = pl.DataFrame([cells, pl.Series("row", ["a", "b", "c", "d"])])
    found, _ = read_workbook(write_workbook(frame), "data.xlsx", None)
    wanted = cells.cast(pl.String) if cells.dtype == pl.Categorical else cells
    assert found["x"].cast(wanted.dtype).to_list() == wanted.to_list()


def test_what_is_no_number_is_an_error_cell_and_equal_frames_are_equal_bytes() -> None:
    frame = pl.DataFrame({"x": [float("nan"), float("inf"), 1.0], "row": ["a", "b", "c"]})
    content = write_workbook(frame)
    sheet = zipfile.ZipFile(BytesIO(content)).read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("#NUM!") == 2
    assert content == write_workbook(frame)
    assert b"<v>0</v>" not in write_workbook(frame.clear())
