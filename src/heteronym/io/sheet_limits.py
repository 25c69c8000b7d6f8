"""Workbooks that would fill the memory are refused before a reader unfolds them.

A reader lays out every place between the first and the last cell of a sheet, and a copy of a shared text for
every cell that shows it: a file of six kilobytes can ask for terabytes. What an archive or a sheet says of
its own size may be wrong, so that the places and the bytes themselves are looked at.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

import numpy as np

from heteronym.errors import InputError
from heteronym.model.limits import (
    MOST_CELL_BYTES,
    MOST_SHEET_CELLS,
    MOST_SHEET_COLUMNS,
    MOST_SHEET_ROWS,
    MOST_SHEET_TEXT,
    MOST_UNFOLDED_BYTES,
)

_CHUNK = 1 << 24
_LONGEST_TAG = 1 << 10  # bytes that a chunk shares with the one before, so that no reference is cut
_PLACE = re.compile(rb"\sr\s*=\s*[\"']([A-Za-z]*)(\d+)[\"']")
# Places that alone make a sheet wide (from column AU on) or high (more digits than the last row has).
_FAR = re.compile(
    rb"\sr\s*=\s*[\"'](?:[A-Za-z]{3}|[B-Zb-z][A-Za-z]|[Aa][U-Zu-z]|[A-Za-z]*(?:\d{8}|1[1-9]\d{5}|[2-9]\d{6}))"
)
_CELL = re.compile(rb"<(?:\w+:)?c\b")
_SHARED = re.compile(rb"<(?:\w+:)?c\s[^>]*?t=[\"']s[\"'][^>]*>\s*<(?:\w+:)?v>(\d{1,18})</")
_ENTRY = re.compile(rb"<(?:\w+:)?si\b.*?</(?:\w+:)?si>", re.DOTALL)


def check_archive(content: bytes, source: str) -> None:
    """Refuses what unfolds to too many bytes; the sizes that an archive declares may lie."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError):
        raise InputError(f"{source}: not a readable xlsx file") from None
    room = MOST_UNFOLDED_BYTES - sum(part.file_size for part in parts)
    if room >= 0:
        room = MOST_UNFOLDED_BYTES
        for part in parts:
            room -= _unfolded_size(content, part, room)
            if room < 0:
                break
    if room < 0:
        most = f"{MOST_UNFOLDED_BYTES >> 30} GB"
        raise InputError(f"{source}: unfolds to more than {most}. Give the data as CSV or Parquet")


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


def check_sheets(content: bytes, source: str) -> None:
    """Refuses sheets whose cells lie too far apart, or whose texts are too long together."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            sheets = [
                name for name in names if re.fullmatch(r"xl/worksheets/[^/]+\.xml", name, re.IGNORECASE)
            ]
            texts = next((name for name in names if name.lower() == "xl/sharedstrings.xml"), None)
            for name in sheets if texts is None else [*sheets, texts]:
                _check_longest(archive, name, source)
            for name in sheets:
                _check_places(archive, name, source)
            if texts is not None:
                _check_texts(archive, texts, sheets, source)
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, NotImplementedError, RuntimeError):
        raise InputError(f"{source}: not a readable xlsx file") from None


def _check_longest(archive: zipfile.ZipFile, name: str, source: str) -> None:
    """One text of hundreds of megabytes is half a megabyte of an archive."""
    waiting = 0  # bytes since the last tag
    with archive.open(name) as part:
        while piece := part.read(min(_CHUNK, MOST_CELL_BYTES)):
            first = piece.find(b"<")
            waiting = (
                waiting + len(piece) if first < 0 else max(waiting + first, len(piece) - piece.rfind(b"<"))
            )
            if waiting > MOST_CELL_BYTES:
                raise InputError(
                    f"{source}: the text of a cell has more than {MOST_CELL_BYTES} bytes. Excel stores 32767 "
                    "characters; give the data as CSV or Parquet"
                )
            if first >= 0:
                waiting = len(piece) - piece.rfind(b"<")


def _check_places(archive: zipfile.ZipFile, name: str, source: str) -> None:
    height, width = _counted(archive, name)
    with archive.open(name) as part:
        is_far = any(_FAR.search(chunk) for chunk in _chunks(part))
    if is_far:
        with archive.open(name) as part:
            for chunk in _chunks(part):
                places = set(_PLACE.findall(chunk))
                height = max([height, *(int(number) for _, number in places)])
                width = max([width, *(_column(letters) for letters, _ in places)])
    if height > MOST_SHEET_ROWS or width > MOST_SHEET_COLUMNS:
        raise InputError(
            f"{source}: a cell lies outside of what an Excel sheet has, {MOST_SHEET_ROWS} rows and "
            f"{MOST_SHEET_COLUMNS} columns. Save the workbook again, or give the data as CSV"
        )
    if height * width > MOST_SHEET_CELLS:
        raise InputError(
            f"{source}: a sheet has cells up to row {height} and column {width}, more than "
            f"{MOST_SHEET_CELLS} places. Delete what lies far from the table, or give the data as CSV"
        )


def _counted(archive: zipfile.ZipFile, name: str) -> tuple[int, int]:
    """At most so many rows and columns by the tags alone: neither has to say where it lies."""
    rows, longest = 0, 0
    for row in _rows(archive, name):
        rows += 1
        longest = max(longest, len(row))
    narrow = len(b"<c/>") * min(MOST_SHEET_COLUMNS, MOST_SHEET_CELLS // max(rows, 1))
    if longest <= narrow:
        return rows, 0
    wide = (row for row in _rows(archive, name) if len(row) > narrow)
    return rows, max((len(_CELL.findall(row)) for row in wide), default=0)


def _rows(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """What follows the tag of each row. A row that is longer than a chunk comes in pieces, each as a row."""
    with archive.open(name) as part:
        before = b""
        while piece := part.read(_CHUNK):
            _, *rows = (before + piece).replace(b":row", b"<row").split(b"<row")
            yield from rows[:-1]
            before = b"<row" + rows[-1] if rows else b""
            if len(before) > _CHUNK:
                yield before
                before = b""
        if before:
            yield before


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _check_texts(archive: zipfile.ZipFile, texts: str, sheets: list[str], source: str) -> None:
    """A text that is stored once counts for every cell that shows it."""
    content = archive.read(texts)
    sizes = np.array([len(entry[0]) for entry in _ENTRY.finditer(content)], np.int64)
    if not len(sizes):
        return
    for name in sheets:
        with archive.open(name) as part:
            if sum(chunk.count(b"<c") for chunk in _chunks(part)) * int(sizes.max()) <= MOST_SHEET_TEXT:
                continue
        total = 0
        with archive.open(name) as part:
            for chunk in _chunks(part):
                shown = np.array(_SHARED.findall(chunk), np.bytes_).astype(np.int64)
                total += int(sizes[shown[shown < len(sizes)]].sum())
                if total > MOST_SHEET_TEXT:
                    raise InputError(
                        f"{source}: the texts of a sheet have more than {MOST_SHEET_TEXT} characters "
                        "together. Give the data as CSV or Parquet"
                    )


def _chunks(part: IO[bytes]) -> Iterator[bytes]:
    """The part in pieces, each with the end of the one before."""
    before = b""
    while piece := part.read(_CHUNK):
        yield before + piece
        before = piece[-_LONGEST_TAG:]
