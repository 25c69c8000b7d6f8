"""Reading and writing tables loses nothing: what a format cannot hold is refused, not cut."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

import heteronym as hn
from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io import sheet_limits
from heteronym.io.tables import Format, read_table, render
from heteronym.io.values import days
from heteronym.model.plan import DataPlan


def workbook(**sheets: list[list[Any]]) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                for place, cell in enumerate(row):
                    if cell is not None:
                        sheet.write(number, place, cell, *([day] if isinstance(cell, dt.date) else []))
    return out.getvalue()


def read(folder: Path, name: str, content: bytes, plan: DataPlan | None = None) -> pl.DataFrame:
    (folder / name).write_bytes(content)
    return read_table(folder / name, plan).frame


@pytest.mark.parametrize(
    ("usual", "late", "expected"),
    [
        (1, "unknown", "unknown"),
        (dt.date(2020, 1, 2), "soon", "soon"),
        (True, "maybe", "maybe"),
        (1, 2.5, 2.5),
        (1, dt.date(2020, 1, 2), "2020-01-02 00:00:00"),
    ],
)
def test_a_cell_behind_many_of_another_kind_is_kept(
    usual: Any, late: Any, expected: Any, tmp_path: Path
) -> None:
    rows = [["a", "b"], *([usual, 1] for _ in range(1500)), [late, 2]]
    frame = read(tmp_path, "t.xlsx", workbook(one=rows))
    assert frame["a"].null_count() == 0
    assert frame["a"][-1] == expected


def test_rows_without_cells_are_gaps(tmp_path: Path) -> None:
    frame = read(
        tmp_path, "t.xlsx", workbook(one=[[], [], ["a", "b"], [1, "x"], [], [2, None], [], [3, "z"], []])
    )
    assert frame.rows() == [(1.0, "x"), (2.0, None), (3.0, "z")]


def test_a_workbook_with_several_sheets_needs_the_name_of_one(tmp_path: Path) -> None:
    content = workbook(people=[["a"], [1]], notes=[["b"], [2]], empty=[])
    with pytest.raises(InputError, match=r"'people', 'notes'.*data\.sheet"):
        read(tmp_path, "t.xlsx", content)
    assert read(tmp_path, "t.xlsx", content, DataPlan(sheet="notes")).columns == ["b"]
    with pytest.raises(InputError, match="no sheet 'nots'"):
        read(tmp_path, "t.xlsx", content, DataPlan(sheet="nots"))
    with pytest.raises(InputError, match="is empty"):
        read(tmp_path, "t.xlsx", content, DataPlan(sheet="empty"))


def test_a_sheet_of_what_has_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no workbook"):
        read(tmp_path, "t.csv", b"a\n1\n", DataPlan(sheet="notes"))


def test_the_name_of_the_sources_sheet_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(workbook(**{"Q1 data": [["a"], [1]]}))
    table = read_table(tmp_path / "t.xlsx")
    content, _ = render(table.frame, table.format)
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert not [name for name in book.namelist() if b"Q1 data" in book.read(name)]


@pytest.mark.parametrize("length", [32_767, 32_768])
def test_texts_that_excel_would_cut_are_refused(length: int, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["x", "y" * length]})
    if length == 32_767:
        assert read(tmp_path, "t.xlsx", render(frame, Format("xlsx", ".xlsx"))[0]).equals(frame)
    else:
        with pytest.raises(OutputError, match="column 'a': row 2 of the release"):
            render(frame, Format("xlsx", ".xlsx"))


def bomb(*, declared: int | None) -> bytes:
    """A workbook whose sheet unfolds to 8 MB, and says so or not."""
    good = zipfile.ZipFile(io.BytesIO(workbook(one=[["a"], [1]])))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in good.namelist():
            archive.writestr(name, good.read(name))
        archive.writestr("xl/large.xml", b" " * (8 << 20))
    content = out.getvalue()
    if declared is None:
        return content
    size = (8 << 20).to_bytes(4, "little")
    assert content.count(size) == 2
    return content.replace(size, declared.to_bytes(4, "little"))


@pytest.mark.parametrize("declared", [None, 100])
def test_a_workbook_that_unfolds_too_far_is_refused_whatever_it_declares(
    declared: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_limits, "MOST_UNFOLDED_BYTES", 1 << 20)
    with pytest.raises(InputError, match="unfolds to more than"):
        read(tmp_path, "t.xlsx", bomb(declared=declared))


def test_unfolded_sizes_are_counted_as_zlib_does() -> None:
    content = bomb(declared=None)
    for part in zipfile.ZipFile(io.BytesIO(content)).infolist():
        assert sheet_limits._unfolded_size(content, part, 1 << 30) == part.file_size


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_json_is_read_and_written(kind: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, None], "b": ["x", "y"], "c": [["p", "q"], []]})
    out = io.BytesIO()
    (frame.write_json if kind == "json" else frame.write_ndjson)(out)
    (tmp_path / f"t.{kind}").write_bytes(out.getvalue())
    table = read_table(tmp_path / f"t.{kind}")
    assert table.frame.equals(frame)
    assert read(tmp_path, f"back.{kind}", render(table.frame, table.format)[0]).equals(frame)


def test_json_that_is_no_array_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="array of objects"):
        read(tmp_path, "t.json", b'{"a": 1}')


def test_long_numbers_beside_fractions_are_not_rounded(tmp_path: Path) -> None:
    frame = read(tmp_path, "t.jsonl", b'{"a": 0.5}\n{"a": 12345678901234567}\n')
    assert frame["a"].to_list() == ["0.5", "12345678901234567"]


@pytest.mark.parametrize("ending", ["\r", "\n", "\r\n"])
def test_every_line_end_ends_a_row(ending: str, tmp_path: Path) -> None:
    content = ending.join(["a,b", "1,x", '2,"y, z"', ""]).encode()
    assert read(tmp_path, "t.csv", content).rows() == [("1", "x"), ("2", "y, z")]


def test_a_header_may_be_long(tmp_path: Path) -> None:
    names = [f"column number {n:06d} of a very wide table" for n in range(5000)]
    content = "\n".join([";".join(names), ";".join("1" for _ in names)]).encode()
    frame = read(tmp_path, "t.csv", content)
    assert (frame.columns, frame.height) == (names, 1)


def test_a_first_cell_may_be_long(tmp_path: Path) -> None:
    text = "long, " * 60_000
    frame = read(tmp_path, "t.csv", f'a,b\n"{text}",2\n'.encode())
    assert frame.rows() == [(text, "2")]


@pytest.mark.parametrize("ending", ["sav", "zsav", "dta", "xpt", "por"])
def test_files_of_statistics_programs_are_read(ending: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pandas.DataFrame(
        {"AGE": [31.0, None, 40.0], "TOWN": ["Bath", "", "York"], "PAY": [1.5, 2.0, 3.0]}
    )
    path = tmp_path / f"t.{ending}"
    if ending == "zsav":
        pyreadstat.write_sav(frame, str(path), compress=True)
    else:
        {
            "sav": pyreadstat.write_sav,
            "dta": pyreadstat.write_dta,
            "xpt": pyreadstat.write_xport,
            "por": pyreadstat.write_por,
        }[ending](frame, str(path))
    table = read_table(path)
    assert table.frame.rows() == [(31, "Bath", 1.5), (None, None, 2.0), (40, "York", 3.0)]
    assert table.format.ending == ".csv"


def test_without_the_extra_its_name_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyreadstat", None)
    with pytest.raises(UsageError, match=r"heteronym\[statistics\]"):
        read(tmp_path, "t.sav", b"$FL2")


def test_broken_files_of_statistics_programs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a readable dta file"):
        read(tmp_path, "t.dta", b"none of it")


def test_categories_that_no_row_has_are_not_published() -> None:
    column = pl.Series(["low", "high"], dtype=pl.Enum(["low", "Zq9canary", "high"]))
    content, _ = render(pl.DataFrame({"a": column}), Format("parquet", ".parquet"))
    assert b"canary" not in content
    assert pl.read_parquet(io.BytesIO(content))["a"].to_list() == ["low", "high"]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_released_frame_names_only_the_categories_in_use(kind: str) -> None:
    frame = pl.DataFrame(
        {
            "age": [30, 30, 40, 40],
            "ward": pl.Series(["A", "B", "A", "B"], dtype=pl.Enum(["A", "Zq9canary", "B"])),
        }
    )
    native = {"pandas": frame.to_pandas, "polars": frame.clone, "pyarrow": frame.to_arrow}[kind]()
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "ward": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    released = hn.anonymize(native, plan).data
    categories = {
        "pandas": lambda: list(released["ward"].cat.categories),
        "polars": lambda: released["ward"].dtype.categories.to_list(),
        "pyarrow": lambda: released["ward"].combine_chunks().dictionary.to_pylist(),
    }[kind]()
    assert sorted(categories) == ["A", "B"]


@pytest.mark.parametrize(
    ("cells", "fits"),
    [
        (["01/02/2020", "03/04/2020"], False),
        (["01/02/2020", "13/04/2020"], True),
        (["02/02/2020", "03/03/2020"], True),
        (["2020-01-02", "2020-03-04"], True),
        (["01.02.2020", "03.04.2020"], True),  # nobody writes months first with full stops
    ],
)
def test_a_date_whose_order_is_open_needs_a_format(cells: list[str], fits: bool) -> None:
    column = pl.Series("seen", cells)
    if fits:
        assert days(column, None, source="t.csv").null_count() == 0
    else:
        with pytest.raises(InputError, match=r"day and month could be swapped.*format"):
            days(column, None, source="t.csv")
    assert days(column, "%d/%m/%Y" if "/" in cells[0] else None, source="t.csv").null_count() == 0
