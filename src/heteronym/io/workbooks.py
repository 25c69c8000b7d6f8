"""Excel workbooks in and out, so that no cell is lost on the way.

A column's type is found from all of its rows: a reader that guesses from the first thousand leaves out what
does not fit later. What the format cannot hold is refused instead of cut.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from datetime import datetime
from typing import Any

import polars as pl

from heteronym.errors import InputError, OutputError, row_list
from heteronym.io.csv_files import check_names

LONGEST_TEXT = 32_767  # characters in a cell, Excel's limit
MOST_ROWS = 1_048_576  # with the header
MOST_COLUMNS = 16_384
MOST_UNFOLDED = 2 << 30  # bytes of a workbook's parts; a million rows of twenty columns have about one


def read_workbook(content: bytes, source: str, sheet: str | None) -> tuple[pl.DataFrame, str]:
    """The cells of one sheet, and its name."""
    import fastexcel

    _check_unfolded(content, source)
    try:
        book = fastexcel.read_excel(content)
        chosen = _choose(book, source, sheet)
        top = book.load_sheet(chosen, header_row=None, n_rows=1, dtypes="string").to_polars()
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
    if sheet is not None:
        if sheet not in names:
            raise InputError(f"{source}: no sheet '{sheet}'. It has {_quoted(names)}")
        if not _has_cells(book, sheet):
            raise InputError(f"{source}: the sheet '{sheet}' is empty")
        return sheet
    filled = [name for name in names if _has_cells(book, name)]
    if not filled:
        raise InputError(f"{source}: no sheet has any cells")
    if len(filled) > 1:
        raise InputError(
            f"{source}: {len(filled)} sheets have cells ({_quoted(filled)}). Say which one with data.sheet "
            "or --sheet; the others are not released"
        )
    return filled[0]


def _quoted(names: list[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def _has_cells(book: Any, sheet: str) -> bool:
    return bool(book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars().height)


def _check_unfolded(content: bytes, source: str) -> None:
    """Refuses what would fill the memory; the sizes that an archive declares may lie."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError):
        raise InputError(f"{source}: not a readable xlsx file") from None
    room = MOST_UNFOLDED - sum(part.file_size for part in parts)
    if room >= 0:
        room = MOST_UNFOLDED
        for part in parts:
            room -= _unfolded_size(content, part, room)
            if room < 0:
                break
    if room < 0:
        raise InputError(
            f"{source}: unfolds to more than {MOST_UNFOLDED >> 30} GB. Give the data as CSV or Parquet"
        )


def _unfolded_size(content: bytes, part: zipfile.ZipInfo, most: int) -> int:
    """Bytes of one part, counted until there are more than `most`."""
    if part.compress_type != zipfile.ZIP_DEFLATED:
        return part.compress_size
    # the local header is 30 bytes and has its own name and extra field
    at = part.header_offset + 30
    at += int.from_bytes(content[at - 4 : at - 2], "little") + int.from_bytes(content[at - 2 : at], "little")
    unfold = zlib.decompressobj(-15)
    waiting, size = content[at : at + part.compress_size], 0
    try:
        while waiting and not unfold.eof and size <= most:
            size += len(unfold.decompress(waiting, 1 << 24))
            waiting = unfold.unconsumed_tail
    except zlib.error:
        return size  # the reader will say that it is broken
    return size


def write_workbook(frame: pl.DataFrame, sheet: str | None) -> bytes:
    """A workbook without the time it was made, so that equal releases are equal bytes."""
    import xlsxwriter

    _check_fits(frame)
    out = io.BytesIO()
    # in memory, because temporary files could survive us; nothing that looks like a link becomes one
    options = {"in_memory": True, "nan_inf_to_errors": True}
    options |= {"strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as workbook:
        workbook.set_properties({"created": datetime(2000, 1, 1)})
        frame.write_excel(workbook, worksheet=sheet)
    return out.getvalue()


def _check_fits(frame: pl.DataFrame) -> None:
    if frame.height + 1 > MOST_ROWS or frame.width > MOST_COLUMNS:
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
