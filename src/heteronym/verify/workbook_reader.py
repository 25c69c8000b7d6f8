"""Excel sheets for the auditor, straight from the XML of the workbook's parts.

Every cell is taken as it stands: numbers, texts, truth values, days by the style of their cell. What a cell
shows as an error is missing. Columns become typed only if all of their cells agree.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import NAMELESS, InputError
from heteronym.model.limits import (
    MOST_CELL_BYTES,
    MOST_SHEET_CELLS,
    MOST_SHEET_COLUMNS,
    MOST_SHEET_ROWS,
    MOST_SHEET_TEXT,
    MOST_UNFOLDED_BYTES,
)
from heteronym.verify.plain_sheets import plain_cells, plain_columns
from heteronym.verify.values import cell_text

_CHUNK = 1 << 20
_LEAP_DAY = 60  # 29 February 1900, which workbooks have and calendars have not
_DAY_STYLES = frozenset((*range(14, 23), *range(27, 37), *range(50, 59)))
_NOT_SHOWN = re.compile(r'"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*.', re.IGNORECASE)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_NAMES = re.compile(r"\{[^}]*\}")


def read_sheet(content: bytes, source: str, sheet: str | None) -> pl.DataFrame:
    """The cells of the named sheet, or of the only one that has any."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            book = _Book(archive)
            names = [sheet] if sheet is not None else [n for n in book.parts if book.has_cells(n)]
            if len(names) != 1 or names[0] not in book.parts:
                raise InputError(f"{source}: {len(names)} sheets have cells; name one of the workbook's")
            plain = _plain_sheet(book, names[0], source)
            if plain is not None:
                return plain
            rows = [row for row in book.rows(names[0]) if row]
    except InputError:
        raise
    except pl.exceptions.DuplicateError:
        raise InputError(f"{source}: a column name occurs twice") from None
    except Exception:  # noqa: BLE001 - broken archives and XML have many kinds, and their texts may quote cells
        raise InputError(f"{source}: not a readable workbook") from None
    if not rows:
        raise InputError(f"{source}: the sheet is empty")
    width = max(max(row) for row in rows) + 1
    header = [str(cell_text(rows[0].get(place)) or "") for place in range(width)]
    _check_header(header, source)
    if width * len(rows) > MOST_SHEET_CELLS:
        raise InputError(f"{source}: more than {MOST_SHEET_CELLS} cells. Give the data as CSV or Parquet")
    body = [row for row in rows[1:] if width == 1 or any(cell is not None for cell in row.values())]
    if width == 1:
        body = _with_gaps(book.numbers[1:], body)
    try:
        return pl.DataFrame([_column(n, [row.get(p) for row in body]) for p, n in enumerate(header)])
    except pl.exceptions.DuplicateError:
        raise InputError(f"{source}: a column name occurs twice") from None


def _check_header(names: Sequence[str], source: str) -> None:
    """Refused before any column is made: cells far from the table stand in columns without a name."""
    for place, name in enumerate(names, 1):
        if not name.strip():
            raise InputError(f"{source}: column {place} has no name. {NAMELESS}")


def _plain_sheet(book: _Book, sheet: str, source: str) -> pl.DataFrame | None:
    """All cells at once where the sheet is plain and has several columns."""
    cells = plain_cells(book.text(book.parts[sheet]))
    if cells is None or int(cells.column.max()) == 0:
        return None
    if int(cells.column.max()) >= MOST_SHEET_COLUMNS:
        raise ValueError(sheet)
    width = int(cells.column.max()) + 1
    top = cells.only(cells.row == cells.row[0])
    parts = zip(top.kind.to_list(), top.style.fill_null("").to_list(), top.value.to_list(), strict=True)
    found = {
        place: str(cell_text(book.value(*part)) or "")
        for place, part in zip(top.column.tolist(), parts, strict=True)
    }
    names = {place: found.get(place, "") for place in range(width)}
    _check_header(list(names.values()), source)
    body = cells.only(cells.row != cells.row[0])
    book.check_texts(body.value.filter(body.kind == "s").cast(pl.Int64).to_numpy())
    return plain_columns(body, width, book.shared, book.value, _column, names)


def _with_gaps(numbers: list[int], rows: list[dict[int, Any]]) -> list[dict[int, Any]]:
    """A single column has its empty cells as rows that the file may leave out."""
    filled: list[dict[int, Any]] = []
    before = 1
    for number, row in zip(numbers, rows, strict=True):
        filled += [{} for _ in range(number - before - 1)] + [row]
        before = number
    return filled


def _column(name: str, cells: list[Any]) -> pl.Series:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int, float} and kinds:
        whole = all(float(cell).is_integer() for cell in cells if cell is not None)
        kind = pl.Int64 if whole and all(abs(c) < 2**63 for c in cells if c is not None) else pl.Float64
        return pl.Series(name, cells, strict=False, dtype=kind)
    if len(kinds) == 1 and kinds <= {bool, datetime}:
        return pl.Series(name, cells)
    return pl.Series(name, [_as_text(cell) for cell in cells], pl.String)


def _as_text(cell: Any) -> str | None:
    return str(cell).lower() if isinstance(cell, bool) else cell_text(cell)


class _Book:
    """The parts of a workbook: where sheets are, shared texts, which styles show days."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        top = self._tree("xl/workbook.xml")
        targets = {one.get("Id"): str(one.get("Target")) for one in self._tree("xl/_rels/workbook.xml.rels")}
        self.parts: dict[str, str] = {}
        self.numbers: list[int] = []  # of the rows that were read last
        for one in top.iter():
            if _bare(one.tag) == "sheet":
                link = next(v for k, v in one.attrib.items() if _bare(k) == "id")
                target = targets[link]
                self.parts[str(one.get("name"))] = target.lstrip("/") if target[0] == "/" else f"xl/{target}"
        self.since_1904 = any(
            _bare(one.tag) == "workbookPr" and one.get("date1904") in ("1", "true") for one in top.iter()
        )
        self.start = datetime(1904, 1, 1) if self.since_1904 else datetime(1899, 12, 30)
        self.shared = list(self._shared())
        self.sizes = np.array([len(text) for text in self.shared], np.int64)
        self.shows_day = self._day_styles()

    def _tree(self, name: str) -> ElementTree.Element:
        with self.archive.open(name) as part:
            content = part.read(MOST_UNFOLDED_BYTES + 1)
        if len(content) > MOST_UNFOLDED_BYTES or b"<!DOCTYPE" in content[:4096]:
            raise ValueError(name)
        return ElementTree.fromstring(content)

    def _shared(self) -> Iterator[str]:
        if "xl/sharedStrings.xml" in self.archive.namelist():
            for entry in self._tree("xl/sharedStrings.xml"):
                yield _unescaped(_text_of(entry))

    def _day_styles(self) -> list[bool]:
        if "xl/styles.xml" not in self.archive.namelist():
            return []
        tree = self._tree("xl/styles.xml")
        codes = {
            int(one.get("numFmtId", 0)): one.get("formatCode", "")
            for one in tree.iter()
            if _bare(one.tag) == "numFmt"
        }
        formats = next((one for one in tree if _bare(one.tag) == "cellXfs"), ())
        return [_is_day(int(one.get("numFmtId", 0)), codes) for one in formats]

    def text(self, name: str) -> str:
        """A part as text; it must be UTF-8, as nearly all are."""
        with self.archive.open(name) as part:
            content = part.read(MOST_UNFOLDED_BYTES + 1)
        if len(content) > MOST_UNFOLDED_BYTES:
            raise ValueError(name)
        return content.decode("utf-8", errors="replace")

    def check_texts(self, shown: NDArray[np.int64]) -> None:
        """A text that is stored once counts for every cell that shows it."""
        if int(self.sizes[shown].sum()) > MOST_SHEET_TEXT:
            raise ValueError("texts")

    def value(self, kind: str, style: str, text: str) -> Any:
        """What a cell holds, by its kind, its style and its text."""
        if kind == "s":
            return self.shared[int(text)] or None
        if kind in ("inlineStr", "str"):
            return _unescaped(text) or None
        if not text or kind == "e":
            return None
        if kind == "b":
            return text == "1"
        if kind == "d":
            return datetime.fromisoformat(text)
        number = float(text)
        if style and int(style) < len(self.shows_day) and self.shows_day[int(style)]:
            before_leap = not self.since_1904 and number < _LEAP_DAY
            days = number + 1 if before_leap else number
            return self.start + timedelta(milliseconds=round(days * 86_400_000))
        return int(text) if text.lstrip("-").isdigit() else number

    def has_cells(self, sheet: str) -> bool:
        return any(any(cell is not None for cell in row.values()) for row in self.rows(sheet))

    def rows(self, sheet: str) -> Iterator[dict[int, Any]]:
        """Cells by column number, one dict per row that the file has."""
        reader = _SheetReader(self)
        self.numbers = []
        with self.archive.open(self.parts[sheet]) as part:
            size = 0
            while chunk := part.read(_CHUNK):
                size += len(chunk)
                if size > MOST_UNFOLDED_BYTES:
                    raise ValueError(sheet)
                reader.parser.Parse(chunk, False)
                for number, row in reader.done:
                    self.numbers.append(number)
                    yield row
                reader.done.clear()
            reader.parser.Parse(b"", True)


class _SheetReader:
    """Handlers of the XML parser; finished rows lie in `done`."""

    def __init__(self, book: _Book) -> None:
        self.book = book
        self.done: list[tuple[int, dict[int, Any]]] = []
        self.row: dict[int, Any] = {}
        self.number = 0
        self.place = -1
        self.kind = self.style = ""
        self.text: list[str] = []
        self.size = 0  # characters of `text`
        self.taking = self.phonetic = False
        self.parser = expat.ParserCreate(namespace_separator=None)
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.buffer_text = True

    def _start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if tag == "c":
            self.kind, self.style = given.get("t", "n"), given.get("s", "")
            where = given.get("r")
            self.place = self.place + 1 if where is None else _column_number(where)
            if self.place >= MOST_SHEET_COLUMNS:
                raise ValueError("column")
            self.text, self.size = [], 0
        elif tag in ("v", "t"):
            self.taking = not self.phonetic
        elif tag == "rPh":
            self.phonetic = True
        elif tag == "row":
            self.row, self.place = {}, -1
            self.number = int(given.get("r", self.number + 1))
            if self.number > MOST_SHEET_ROWS:
                raise ValueError("row")

    def _end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in ("v", "t"):
            self.taking = False
        elif tag == "rPh":
            self.phonetic = False
        elif tag == "c":
            self.row[self.place] = self.book.value(self.kind, self.style, "".join(self.text))
        elif tag == "row":
            self.done.append((self.number, self.row))

    def _characters(self, text: str) -> None:
        if self.taking:
            self.text.append(text)
            self.size += len(text)
            if self.size > MOST_CELL_BYTES:
                raise ValueError("a cell's text")


def _bare(tag: str) -> str:
    return _NAMES.sub("", tag)


def _text_of(entry: ElementTree.Element) -> str:
    """The text of a shared entry, in runs or whole, without how it is pronounced."""
    parts = []
    for one in entry:
        if _bare(one.tag) == "t":
            parts.append(one.text or "")
        elif _bare(one.tag) == "r":
            parts += [inner.text or "" for inner in one if _bare(inner.tag) == "t"]
    return "".join(parts)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _is_day(number: int, codes: dict[int, str]) -> bool:
    if number not in codes:
        return number in _DAY_STYLES
    shown = _NOT_SHOWN.sub("", codes[number].split(";")[0])
    if re.search(r"\[(h+|m+|s+)\]", shown, re.IGNORECASE):
        return False  # a span of time
    return bool(re.search("[dyhs]|m", shown, re.IGNORECASE)) and "general" not in shown.lower()


def _column_number(where: str) -> int:
    number = 0
    for character in where:
        if not character.isalpha():
            break
        number = number * 26 + ord(character.upper()) - 64
    return number - 1
