"""Excel workbooks in and out, so that no cell is lost on the way.

A column's type is found from all of its rows: a reader that guesses from the first thousand leaves out what
does not fit later. What the format cannot hold is refused instead of cut.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import datetime
from typing import Any

import polars as pl

from heteronym.errors import InputError, OutputError, row_list
from heteronym.io.csv_files import check_names
from heteronym.io.sheet_limits import check_archive, check_sheets
from heteronym.model.limits import MOST_SHEET_COLUMNS, MOST_SHEET_ROWS

SHEET = "data"  # of every workbook that is written
LONGEST_TEXT = 32_767  # characters in a cell, Excel's limit


def read_workbook(content: bytes, source: str, sheet: str | None) -> tuple[pl.DataFrame, str]:
    """The cells of one sheet, and its name."""
    import fastexcel

    check_archive(content, source)
    check_sheets(content, source)
    try:
        book = fastexcel.read_excel(content)
        chosen = _choose(book, source, sheet)
        # every look at a sheet reads all of it, so there are two: the names as they stand, and the cells
        top = book.load_sheet(chosen, header_row=None, n_rows=1, dtypes="string").to_polars()
        if not top.height:
            raise InputError(f"{source}: {_no_cells(book, chosen)}")
        header = ["" if name is None else str(name) for name in top.row(0)]
        check_names(header, source)
        cells = book.load_sheet(chosen, header_row=0, schema_sample_rows=None).to_polars()
    except InputError:
        raise
    except Exception:  # noqa: BLE001 - the reader's own kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable xlsx file") from None
    frame = cells.rename(dict(zip(cells.columns, header, strict=True)))
    if frame.width > 1:  # rows without any cell are gaps, not persons
        frame = frame.filter(~pl.all_horizontal(pl.all().is_null()))
    return frame, chosen


def _choose(book: Any, source: str, sheet: str | None) -> str:
    names: list[str] = book.sheet_names
    if sheet is not None and sheet not in names:
        raise InputError(f"{source}: no sheet '{sheet}'. It has {_quoted(names)}")
    if sheet is not None or len(names) == 1:
        return sheet or names[0]
    filled = [name for name in names if _has_cells(book, name)]
    if len(filled) > 1:
        raise InputError(
            f"{source}: {len(filled)} sheets have cells ({_quoted(filled)}). Say which one with --sheet "
            "(data.sheet in a plan). To release several together, save each as a file, and name all of them"
        )
    return (filled or names)[0]


def _no_cells(book: Any, sheet: str) -> str:
    return f"the sheet '{sheet}' is empty" if len(book.sheet_names) > 1 else "no sheet has any cells"


def _quoted(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _has_cells(book: Any, sheet: str) -> bool:
    return bool(book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars().height)


def write_workbook(frame: pl.DataFrame) -> bytes:
    """A workbook without the time it was made, so that equal releases are equal bytes.

    Its sheet has a name of ours: that of the source's may tell whose data it is.

    The library writes the book around the cells, with one row as a sample of their formats; the cells are put
    together by columns, because writing them one after the other took fifteen times as long.
    """
    _check_fits(frame)
    sample, style = _empty_book(frame)
    texts = _Texts(frame.columns)
    cells = [_cell(column, style.get(i, ""), texts) for i, column in enumerate(frame)]
    rows = frame.select(pl.concat_str([pl.lit("<row>"), *cells, pl.lit("</row>")])).to_series()
    out = io.BytesIO()
    with zipfile.ZipFile(sample) as book, zipfile.ZipFile(out, "w") as filled:
        for part in book.infolist():
            content = book.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                before, _, rest = content.partition(b'<row r="2"')
                markup = rows.str.join("").item() if frame.height else ""
                content = before + markup.encode() + rest[rest.index(b"</sheetData>") :]
            elif part.filename == "xl/sharedStrings.xml":
                content = texts.markup()
            # a fixed moment, and the fastest packing: half a gigabyte of cells is mostly markup
            filled.writestr(zipfile.ZipInfo(part.filename), content, zipfile.ZIP_DEFLATED, compresslevel=1)
    return out.getvalue()


class _Texts:
    """The texts of a book, each once: cells hold their numbers. Those of the header come first."""

    def __init__(self, header: list[str]) -> None:
        self.parts = [pl.Series(header, dtype=pl.String)]
        self.count = len(header)

    def numbers(self, texts: pl.Series) -> pl.Series:
        distinct = texts.drop_nulls().unique(maintain_order=True)
        self.parts.append(distinct)
        first, self.count = self.count, self.count + distinct.len()
        return texts.replace_strict(distinct, pl.arange(first, self.count, eager=True), default=None)

    def markup(self) -> bytes:
        texts = pl.concat(self.parts)
        for sign, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            texts = texts.str.replace_all(sign, written, literal=True)
        # What XML cannot hold is written as _x0001_, and what looks like that has its first sign escaped.
        odd = texts.filter(texts.str.contains(_ODD)).unique()
        if odd.len():
            coded = pl.Series([re.sub(_ODD, _as_code, text) for text in odd], dtype=pl.String)
            texts = texts.replace(odd, coded)
        items = pl.select(pl.lit('<si><t xml:space="preserve">') + texts + "</t></si>").to_series()
        return f"{_HEAD}{items.str.join('').item()}</sst>".encode()


_HEAD = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
)
_ODD = "[\\x00-\\x08\\x0b-\\x1f\ufffe\uffff]|_(?:x[0-9a-fA-F]{4}_)"


def _as_code(found: re.Match[str]) -> str:
    sign = found[0]
    return f"_x005F{sign}" if len(sign) > 1 else f"_x{ord(sign):04X}_"


def _empty_book(frame: pl.DataFrame) -> tuple[io.BytesIO, dict[int, str]]:
    """A book with the header and one made-up row, and the format number of each column that has one."""
    import xlsxwriter

    out = io.BytesIO()
    # in memory, because temporary files could survive us; nothing that looks like a link becomes one
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})
        page = book.add_worksheet(SHEET)
        bold = book.add_format({"bold": True})
        for i, (name, dtype) in enumerate(frame.schema.items()):
            page.write_string(0, i, name, bold)
            shown = next((form for kind, form in _FORMATS.items() if dtype == kind), None)
            page.write_number(1, i, 0, None if shown is None else book.add_format({"num_format": shown}))
        page.freeze_panes(1, 0)
        page.dim_rowmax = max(frame.height, 1)
    with zipfile.ZipFile(out) as book:
        row = book.read("xl/worksheets/sheet1.xml").decode().partition('<row r="2"')[2]
    cells = re.findall(r"<c r=\"[A-Z]+2\"( s=\"\d+\")?>", row)
    return out, dict(enumerate(cells))


_FORMATS: dict[Any, str] = {
    pl.Date: "yyyy-mm-dd",
    pl.Datetime: "yyyy-mm-dd hh:mm:ss",
    pl.Time: "hh:mm:ss",
    pl.Duration: "[h]:mm:ss",
}
_DAY = 86_400_000_000  # microseconds
_DAYS_BEFORE_1970 = 25_569


def _cell(column: pl.Series, style: str, texts: _Texts) -> pl.Expr:
    """The markup of all cells of a column."""
    cell, dtype = pl.col(column.name), column.dtype
    number = pl.lit(f"<c{style}><v>")
    if dtype == pl.Boolean:
        shown = pl.lit('<c t="b"><v>') + cell.cast(pl.Int8).cast(pl.String) + "</v></c>"
    elif dtype.is_float():
        shown = pl.when(cell.is_finite()).then(number + cell.cast(pl.String) + "</v></c>")
        shown = shown.when(cell.is_not_null()).then(pl.lit('<c t="e"><v>#NUM!</v></c>'))
    elif dtype.is_numeric():
        shown = number + cell.cast(pl.String) + "</v></c>"
    elif dtype.is_temporal():
        if dtype == pl.Date:
            days = cell.cast(pl.Int64) + _DAYS_BEFORE_1970
        elif dtype == pl.Time:
            days = cell.cast(pl.Int64) / (_DAY * 1000)
        elif dtype == pl.Duration:
            days = cell.dt.total_microseconds() / _DAY
        else:
            days = cell.dt.replace_time_zone(None).dt.epoch("us") / _DAY + _DAYS_BEFORE_1970
        shown = number + days.cast(pl.String) + "</v></c>"
    else:
        numbers = texts.numbers(column.cast(pl.String))
        shown = pl.lit('<c t="s"><v>') + pl.lit(numbers).cast(pl.String) + "</v></c>"
    return pl.coalesce(shown, pl.lit("<c/>"))


def _check_fits(frame: pl.DataFrame) -> None:
    if frame.height + 1 > MOST_SHEET_ROWS or frame.width > MOST_SHEET_COLUMNS:
        raise OutputError(
            f"the release has {frame.height} rows and {frame.width} columns, more than an Excel sheet holds. "
            "Give the data as CSV or Parquet. Nothing was released"
        )
    for column in frame:
        if column.dtype != pl.String:
            continue
        long = column.str.len_chars() > LONGEST_TEXT
        if long.any():
            rows = row_list((long.arg_true() + 1).to_list())
            raise OutputError(
                f"column '{column.name}': {rows} of the release would hold more than {LONGEST_TEXT} "
                "characters, which Excel cuts off. Give the data as CSV or Parquet. Nothing was released"
            )
