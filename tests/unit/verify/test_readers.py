"""The auditor's readers: every cell of every kind of file, as other code than the producer's reads it."""

from __future__ import annotations

import datetime as dt
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import HeteronymError, InputError
from heteronym.io.tables import read_table as producers
from heteronym.model.plan import DataPlan
from heteronym.verify import workbook_reader
from heteronym.verify.tables import read_data, read_table
from heteronym.verify.truth import same_cell
from heteronym.verify.values import coded, texts

CELLS: dict[str, list[Any]] = {
    "whole": [1, 2, 3, None],
    "part": [1.5, -2.25, 1e-7, 3.0],
    "long": [123456789012345, 1, 2, 3],
    "text": ["a", " b ", "ü🙂", "007"],
    "odd": ["=1+1", "_x0041_", "a\nb", "<&>"],
    "truth": [True, False, None, True],
    "day": [dt.datetime(2020, 1, 2), dt.datetime(1999, 12, 31), None, dt.datetime(1950, 6, 7)],
    "moment": [dt.datetime(2020, 1, 2, 3, 4, 5), None, None, dt.datetime(2001, 1, 1, 23, 59)],
    "mixed": [1, "x", 2.5, None],
    "blank": [None, None, None, "z"],
}


def workbook(cells: dict[str, list[Any]], *, sheet: str = "Data", more: str | None = None) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"strings_to_formulas": False, "strings_to_urls": False}) as book:
        page = book.add_worksheet(sheet)
        day, moment = (book.add_format({"num_format": f}) for f in ("yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss"))
        for column, (name, values) in enumerate(cells.items()):
            page.write_string(0, column, name)
            for row, value in enumerate(values, 1):
                if isinstance(value, dt.datetime):
                    page.write_datetime(row, column, value, day if name == "day" else moment)
                elif value is not None:
                    page.write(row, column, value)
        if more is not None:
            book.add_worksheet(more).write(0, 0, "x")
    return out.getvalue()


def same(a: pl.DataFrame, b: pl.DataFrame) -> list[str]:
    """Columns that the two readers see differently."""
    assert a.columns == b.columns
    assert a.height == b.height
    return [
        name
        for name in a.columns
        if not all(same_cell(x, y) for x, y in zip(a[name].to_list(), b[name].to_list(), strict=True))
    ]


def test_both_readers_see_the_same_workbook(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook(CELLS))
    own = read_table((tmp_path / "a.xlsx").read_bytes(), "a.xlsx")
    assert same(own, producers(tmp_path / "a.xlsx").frame) == []
    assert own["mixed"].to_list() == ["1", "x", "2.5", None]
    assert own["odd"].to_list() == CELLS["odd"]
    assert own["day"].to_list() == CELLS["day"]


@pytest.mark.parametrize(
    "names", [list(CELLS), ["whole", "text"], ["long", "part", "day"], ["truth", "mixed"]]
)
def test_plain_sheets_are_read_alike_at_once_and_cell_by_cell(
    names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = workbook({name: CELLS[name] for name in names})
    at_once = read_table(content, "a.xlsx")
    monkeypatch.setattr(workbook_reader, "plain_cells", lambda xml: None)
    assert at_once.equals(read_table(content, "a.xlsx"))


def test_rows_and_cells_that_a_sheet_leaves_out_are_missing() -> None:
    content = workbook({"a": [None, 1, None, 3], "b": ["x", None, None, "z"], "c": [2**62, None, None, 0.5]})
    assert read_table(content, "a.xlsx").rows() == [(None, "x", 2.0**62), (1, None, None), (3, "z", 0.5)]


def test_cells_of_another_kind_far_down_are_there() -> None:
    content = workbook({"n": [*range(3000), "late"], "x": ["y"] * 3001})
    assert read_table(content, "a.xlsx")["n"].to_list()[-2:] == ["2999", "late"]


def test_a_sheet_is_chosen_by_name_and_needed_if_there_are_several(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook(CELLS, more="Other"))
    with pytest.raises(InputError, match="2 sheets"):
        read_data(tmp_path / "a.xlsx", DataPlan())
    assert read_data(tmp_path / "a.xlsx", DataPlan(sheet="Data")).frame.height == 4


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"no workbook", workbook(CELLS)[:800]])
def test_what_is_no_workbook_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="not a readable workbook"):
        read_table(content, "a.xlsx")


@pytest.mark.parametrize("kind", ["json", "jsonl", "parquet"])
def test_both_readers_see_the_same_typed_files(kind: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({name: CELLS[name] for name in ("whole", "part", "text", "truth", "blank")})
    frame = frame.with_columns(list=pl.Series([["a", "b"], [], None, ["c"]]), kind=pl.lit("k"))
    path = tmp_path / f"a.{kind}"
    {"json": frame.write_json, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}[kind](path)
    assert same(read_table(path.read_bytes(), path.name), producers(path).frame) == []


def test_keys_that_some_objects_lack_are_missing() -> None:
    content = b'{"a": 1}\n{"b": "x", "a": 2.5}\n'
    assert read_table(content, "a.jsonl").to_dict(as_series=False) == {"a": [1.0, 2.5], "b": [None, "x"]}


def test_long_numbers_beside_fractions_keep_their_digits() -> None:
    content = json.dumps([{"a": 9007199254740993}, {"a": 0.5}]).encode()
    assert read_table(content, "a.json")["a"].to_list() == ["9007199254740993", "0.5"]


@pytest.mark.parametrize("ending", [".sav", ".dta", ".xpt"])
def test_both_readers_see_the_same_files_of_statistics_programs(ending: str, tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pl.DataFrame({"n": [1.0, 2.0, None], "p": [1.5, 2.5, 3.5], "t": ["a", "b", ""]}).to_pandas()
    write = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta, ".xpt": pyreadstat.write_xport}
    path = tmp_path / f"a{ending}"
    write[ending](frame, str(path))
    assert same(read_table(path.read_bytes(), path.name), producers(path).frame) == []


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "a.csv"),
        (b"a,b\n", "a.csv"),
        (b"a,b\n1\n", "a.csv"),
        (b"a,a\n1,2\n", "a.csv"),
        (b"[1, 2]", "a.json"),
        (b"{", "a.jsonl"),
        (b"x", "a.parquet"),
        (b"x", "a.exe"),
        (b"x", "a.sav"),
    ],
)
def test_what_cannot_be_read_is_refused(content: bytes, name: str) -> None:
    with pytest.raises(HeteronymError):
        read_table(content, name)


def test_empty_texts_and_what_means_missing_are_none() -> None:
    cells = coded(pl.Series(["", " ", "x", None, "n/a", " n/a "]))
    assert texts(cells, ["n/a"]).by_row() == [None, None, "x", None, None, None]


# --- several relations ------------------------------------------------------------------------------

JOINED = {
    "data": {"person": "id", "join": [{"table": "posts", "on": "id"}]},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "post": {"role": "plain"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
PEOPLE = pl.DataFrame({"id": [1, 2, 3, 4], "age": [31, 32, 47, 48]})
POSTS = pl.DataFrame({"id": ["1", "1", "2", "3", "4"], "post": list("abcde")})


@pytest.mark.parametrize("way", ["files", "frames", "names", "workbook"])
def test_a_release_of_several_relations_is_held_against_them(way: str, tmp_path: Path) -> None:
    PEOPLE.write_csv(tmp_path / "people.csv")
    POSTS.write_csv(tmp_path / "posts.csv")
    files: list[Any] = [tmp_path / "people.csv", tmp_path / "posts.csv"]
    if way == "workbook":
        files[1] = tmp_path / "posts.xlsx"
        files[1].write_bytes(workbook({"id": [1, 1, 2, 3, 4], "post": list("abcde")}))
    hn.anonymize(files, JOINED, output=tmp_path / "out", private=tmp_path / "own")
    against: Any = {"frames": [PEOPLE, POSTS], "names": {"people": PEOPLE, "posts": POSTS}}.get(way, files)
    verdict = hn.verify(tmp_path / "out", against=against, private=tmp_path / "own")
    assert verdict.holds is True, verdict.checks
    wrong = hn.verify(
        tmp_path / "out",
        against=[PEOPLE, POSTS.with_columns(pl.col("post").reverse())],
        private=tmp_path / "own",
    )
    assert wrong.holds is False


def test_days_and_times_of_old_workbooks_are_read_alike(tmp_path: Path) -> None:
    """A time of the day is day 0; before March 1900 workbooks count a day that never was."""
    path = tmp_path / "old.xlsx"
    early = [
        dt.datetime(1900, 1, 2),
        dt.datetime(1900, 2, 28),
        dt.datetime(1900, 3, 1),
        dt.datetime(2024, 2, 29, 7, 30),
    ]
    pl.DataFrame({"day": early, "at": [dt.time(3, 4), dt.time(0, 0), dt.time(23, 59, 7), None]}).write_excel(
        path
    )
    producer = producers(path, DataPlan()).frame
    auditor = read_data(path, DataPlan()).frame
    assert auditor["day"].to_list() == producer["day"].to_list() == early
    assert auditor["at"].to_list() == producer["at"].to_list()


def test_lists_that_pandas_reads_as_arrays_are_lists(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.parquet"
    goods = [["tea", "lamp"], ["book"], None, []]
    pl.DataFrame({"n": [1, 2, 3, 4], "goods": goods}).write_parquet(path)
    frame = pandas.read_parquet(path)
    assert type(frame["goods"][0]).__name__ == "ndarray"
    assert read_data(frame, DataPlan()).frame["goods"].to_list() == goods
    frame["goods"] = [("tea", "lamp"), ("book",), None, ()]
    assert read_data(frame, DataPlan()).frame["goods"].to_list() == goods
