"""Small files that ask for more memory or time than a machine has are refused, with what would help."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import xlsxwriter

from heteronym import registry
from heteronym.errors import HeteronymError, InputError, PlanError, UsageError
from heteronym.io import sheet_limits
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.plan_yaml import parse_yaml
from heteronym.io.plans import make_plan
from heteronym.io.tables import read_table
from heteronym.io.workbooks import read_workbook
from heteronym.model.limits import LARGEST_NUMBER, MOST_HIERARCHY_LEVELS, MOST_SHEET_COLUMNS
from heteronym.verify import workbook_reader
from heteronym.verify.trees import read_tree
from heteronym.verify.workbook_reader import read_sheet

SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def book(*far: tuple[int, int]) -> bytes:
    """Thirty rows of two columns, and cells somewhere else."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as made:
        page = made.add_worksheet("S")
        page.write_row(0, 0, ["age", "city"])
        for row in range(1, 31):
            page.write_row(row, 0, [20 + row % 7, ("Rome", "Oslo")[row % 2]])
        for row, column in far:
            page.write(row, column, "x")
    return out.getvalue()


def with_part(content: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, change(old.read(part)) if part == name else old.read(part))
    return out.getvalue()


def moved(old: str, new: str) -> bytes:
    return with_part(book(), SHEET, lambda xml: xml.replace(f'r="{old}"'.encode(), f'r="{new}"'.encode()))


FAR = {
    "the last corner": book((1_048_575, 16_383)),
    "two corners": book((1_048_575, 1), (3, 16_383)),
    "far right, low": book((500_000, 400)),
    "columns that no sheet has": moved("B5", "ZZZZZZZ5"),
    "rows that no sheet has": moved("B5", "B99999999999999"),
    "the largest number of 32 bits": moved("B31", "B4294967295"),
    "a name with spaces": with_part(
        book(), SHEET, lambda xml: xml.replace(b'r="B5"', b"r\n=  'XFD1048576'", 1)
    ),
}


@pytest.mark.parametrize("case", FAR)
def test_cells_far_from_the_table_are_refused_by_both_readers(case: str) -> None:
    with pytest.raises(InputError, match=r"more than 50000000 places|outside of what an Excel sheet has"):
        read_workbook(FAR[case], "t.xlsx", None)
    if case.startswith(("rows", "the largest")):  # the auditor counts rows by themselves
        assert read_sheet(FAR[case], "t.xlsx", None).shape == (30, 2)
        return
    with pytest.raises(InputError):
        read_sheet(FAR[case], "t.xlsx", None)


def without_places(rows: int, wide: int) -> bytes:
    """Rows of one cell, after one that is wide; none of them says where it lies."""
    inside = b"<row>" + b"<c><v>1</v></c>" * wide + b"</row>" + b"<row><c><v>1</v></c></row>" * rows
    return with_part(
        book(), SHEET, lambda xml: re.sub(rb"(?<=<sheetData>).*(?=</sheetData>)", inside, xml, flags=re.S)
    )


@pytest.mark.parametrize(("rows", "wide"), [(1_100_000, 2), (3, 17_000), (60_000, 1_000)])
def test_cells_that_do_not_say_where_they_lie_are_counted(rows: int, wide: int) -> None:
    content = without_places(rows, wide)
    assert len(content) < 200_000
    with pytest.raises(InputError, match=r"more than 50000000 places|outside of what an Excel sheet has"):
        read_workbook(content, "t.xlsx", None)
    with pytest.raises(InputError):
        read_sheet(content, "t.xlsx", None)


def test_cells_that_do_not_say_where_they_lie_may_fit() -> None:
    sheet_limits.check_sheets(without_places(2_000, 16_000), "t.xlsx")


@pytest.mark.parametrize("far", [(1_048_575, 0), (2, 46), (700_000, 20)])
def test_far_cells_that_fit_are_no_reason_to_refuse(far: tuple[int, int]) -> None:
    sheet_limits.check_sheets(book(far), "t.xlsx")


def test_what_a_sheet_says_of_its_size_and_merged_ranges_ask_for_nothing() -> None:
    ranges = b'</sheetData><mergeCells count="1"><mergeCell ref="A40:XFD1048576"/></mergeCells>'
    content = with_part(book(), SHEET, lambda xml: xml.replace(b"</sheetData>", ranges))
    content = with_part(content, SHEET, lambda xml: xml.replace(b'ref="A1:B31"', b'ref="A1:XFD1048576"'))
    frame, _ = read_workbook(content, "t.xlsx", None)
    assert frame.shape == read_sheet(content, "t.xlsx", None).shape == (30, 2)


def test_a_text_counts_for_every_cell_that_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    content = with_part(book(), TEXTS, lambda xml: xml.replace(b"Rome", b"x" * 1000))
    for module in (sheet_limits, workbook_reader):
        monkeypatch.setattr(module, "MOST_SHEET_TEXT", 20_000)
    assert read_workbook(content, "t.xlsx", None)[0].shape == read_sheet(content, "t.xlsx", None).shape
    for module in (sheet_limits, workbook_reader):
        monkeypatch.setattr(module, "MOST_SHEET_TEXT", 10_000)
    with pytest.raises(InputError, match="characters together"):
        read_workbook(content, "t.xlsx", None)
    with pytest.raises(InputError):
        read_sheet(content, "t.xlsx", None)


@pytest.mark.parametrize("shared", [True, False])
def test_one_cell_is_not_the_whole_memory(shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text = b"x" * 5000
    if shared:
        content = with_part(book(), TEXTS, lambda xml: xml.replace(b"Rome", text))
    else:
        inline = b'<c r="B5" t="inlineStr"><is><t>' + text + b"</t></is></c>"
        content = with_part(book(), SHEET, lambda xml: re.sub(rb'<c r="B5".*?</c>', inline, xml))
    sheet_limits.check_sheets(content, "t.xlsx")
    for module in (sheet_limits, workbook_reader):
        monkeypatch.setattr(module, "MOST_CELL_BYTES", 4000)
    for size in (1 << 24, 100):  # bytes that are looked at at once
        monkeypatch.setattr(sheet_limits, "_CHUNK", size)
        with pytest.raises(InputError, match="text of a cell has more than"):
            sheet_limits.check_sheets(content, "t.xlsx")
    if not shared:
        with pytest.raises(InputError):
            read_sheet(content, "t.xlsx", None)


def test_a_wide_sheet_is_read_alike_by_both() -> None:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as made:
        page = made.add_worksheet("S")
        page.write_row(0, 0, [f"c{n}" for n in range(300)])
        for row in range(1, 5):
            page.write_row(row, 0, [row * n if n % 3 else f"v{n}" for n in range(300)])
    frame, _ = read_workbook(out.getvalue(), "t.xlsx", None)
    mine = read_sheet(out.getvalue(), "t.xlsx", None)
    assert mine.columns == frame.columns
    numbers, texts = pl.selectors.numeric(), pl.selectors.string()
    assert mine.select(texts).equals(frame.select(texts))
    assert mine.select(numbers).cast(pl.Float64).equals(frame.select(numbers).cast(pl.Float64))
    assert len(mine.columns) < MOST_SHEET_COLUMNS


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_quote_that_is_never_closed_is_refused_by_row(end: str, tmp_path: Path) -> None:
    rows = [f"{n},{n}" for n in range(50)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a,b", *rows[:3], '3,"x', *rows]) + end)
    with pytest.raises(InputError, match="row 4 opens a quote that is never closed"):
        read_table(path)
    path.write_text("\n".join(["a,b", *rows[:3], '3,"x\ny"z', *rows]) + end)  # closed, if oddly
    assert read_table(path).frame.height == 54


@pytest.mark.parametrize("make", [os.mkfifo], ids=["a pipe"])
@pytest.mark.parametrize("reader", [read_table, read_hierarchy])
def test_what_may_never_end_is_not_opened(
    make: Callable[[Path], None], reader: Callable[[Path], object], tmp_path: Path
) -> None:
    make(tmp_path / "t.csv")
    with pytest.raises(InputError, match="not a regular file"):
        reader(tmp_path / "t.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "t.csv")
    with pytest.raises(InputError, match="not a regular file"):
        reader(tmp_path / "link.csv")


def test_a_hierarchy_has_few_levels(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    for levels, is_fine in ((MOST_HIERARCHY_LEVELS, True), (MOST_HIERARCHY_LEVELS + 1, False)):
        text = "\n".join(";".join([leaf, *(f"n{n}" for n in range(levels - 1))]) for leaf in "ab")
        path.write_text(text)
        if is_fine:
            assert len(read_hierarchy(path).leaves) == 2
            assert read_tree(text, "h.csv")
        else:
            with pytest.raises(InputError, match="levels"):
                read_hierarchy(path)
            with pytest.raises(InputError, match="levels"):
                read_tree(text, "h.csv")


def test_a_name_of_a_hierarchy_that_is_too_long_is_refused(tmp_path: Path) -> None:
    text = f"{'x' * 200_000};top\ny;top\n"
    (tmp_path / "h.csv").write_text(text)
    before = csv.field_size_limit(131_072)  # as it is at the start of a program
    try:
        with pytest.raises(InputError):
            read_hierarchy(tmp_path / "h.csv")
        with pytest.raises(InputError):
            read_tree(text, "h.csv")
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize("value", ["9" * 5000, "2021-99-99", "-" + "1" * 9000])
def test_numbers_and_dates_of_a_plan_that_python_cannot_hold(value: str) -> None:
    with pytest.raises(PlanError, match="a number or a date out of range"):
        parse_yaml(f"seed: {value}\n", "plan.yaml")


@pytest.mark.parametrize("value", ["0x" + "f" * 5000, "1" + ":59" * 3000, "9" * 4000])
def test_numbers_that_python_holds_are_refused_by_their_bounds(value: str) -> None:
    content = parse_yaml(f"seed: {value}\n", "plan.yaml")
    plan = {"attributes": {"a": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(HeteronymError) as refusal:
        make_plan(plan | dict(content))
    assert len(str(refusal.value)) < 300


def test_a_plan_of_many_columns_is_looked_at_once() -> None:
    """Twice the columns, twice the comparisons: keys are counted by their hash."""
    seen = parse_yaml("".join(f"c{n}: {n}\n" for n in range(3000)), "plan.yaml")
    assert len(seen) == 3000
    with pytest.raises(PlanError, match="given twice"):
        parse_yaml("a: 1\nb: 2\na: 3\n", "plan.yaml")
    with pytest.raises(PlanError):
        parse_yaml("? [a]\n: 1\n", "plan.yaml")


def _numeric_parameters() -> list[tuple[str, str, registry.Parameter]]:
    rooms = {name: room for name, room in vars(registry).items() if isinstance(room, registry.Registry)}
    return [
        (room, part, parameter)
        for room, parts in rooms.items()
        for part in parts.names()
        for parameter in registry.parameters_of(parts.get(part))
        if {int, float} & set(parameter.types)
    ]


@pytest.mark.parametrize(
    ("room", "part", "parameter"), _numeric_parameters(), ids=lambda p: getattr(p, "name", str(p))
)
def test_every_number_has_bounds(room: str, part: str, parameter: registry.Parameter) -> None:
    for value in (10**400, -(10**400), float("inf"), float("-inf"), float("nan"), 10**16, 1e300):
        with pytest.raises(UsageError) as refusal:
            parameter.checked(value, owner=part)
        assert len(str(refusal.value)) < 300
    assert LARGEST_NUMBER == 10**15


@pytest.mark.parametrize("seed", [10**400, 10**16, -1])
def test_a_seed_has_bounds(seed: int) -> None:
    plan = {"attributes": {"a": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(HeteronymError) as refusal:
        make_plan(plan | {"seed": seed})
    assert len(str(refusal.value)) < 300
