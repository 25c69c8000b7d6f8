"""CSV for the auditor: every file is read in a way that can be proved, or by Python's parser.

A quick parse counts only if its cells, written again, give the file's own bytes: then nothing was lost,
moved or guessed on the way. It goes piece by piece, for what is written again needs room, too. Whatever is
quoted or ended otherwise goes through Python's parser.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import islice
from typing import Literal

import polars as pl

from heteronym.errors import InputError, row_list

_CANDIDATES = (",", ";", "\t", "|")
_LOOKED_AT = 200  # rows by which a delimiter is judged
_AT_ONCE = 100_000
_PIECE = 1 << 24  # bytes
_OFTEN = 8  # so often stands a text of which it pays to hold one
_HELD_ONCE = pl.Categorical(pl.Categories("auditor"))
_LONGEST_FIELD = 1 << 30
_Style = Literal["necessary", "always"]


def read_csv(content: bytes, source: str, *, delimiter: str | None, encoding: str | None) -> pl.DataFrame:
    """The cells as text, empty ones as null."""
    csv.field_size_limit(_LONGEST_FIELD)
    content = _in_utf8(content, source, encoding)
    delimiter = delimiter or _delimiter_of(content)
    quick = _proved(content, delimiter)
    return quick if quick is not None else _parsed(content, source, delimiter)


def _in_utf8(content: bytes, source: str, encoding: str | None) -> bytes:
    try:
        if encoding is not None:
            return content if encoding == "utf-8" and _is_utf8(content) else _decoded(content, encoding)
        for mark, name in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
            if content.startswith(mark):
                return _decoded(content, name)
        return content if _is_utf8(content) else _decoded(content, _guessed(content))
    except (UnicodeDecodeError, LookupError):
        raise InputError(f"{source}: cannot be decoded as {encoding or 'text'}; name its encoding") from None


def _is_utf8(content: bytes) -> bool:
    if content.isascii():
        return True
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(content: bytes, encoding: str) -> bytes:
    return content.decode(encoding).encode("utf-8")


def _guessed(content: bytes) -> str:
    from charset_normalizer import from_bytes

    telling = b"\n".join([line for line in content.splitlines() if not line.isascii()][:5_000])[: 1 << 20]
    best = from_bytes(telling).best()
    return str(best.encoding) if best is not None and best.coherence > 0 else "cp1252"


def _delimiter_of(content: bytes) -> str:
    """The one that cuts the first rows into equally many pieces, and into most."""
    head = content[: 1 << 16].decode("utf-8", errors="ignore")
    pieces: dict[str, int] = {}
    for candidate in _CANDIDATES:
        rows = [row for row in csv.reader(io.StringIO(head, newline=""), delimiter=candidate) if row]
        if len(content) > 1 << 16:
            rows = rows[:-1]
        widths = {len(row) for row in rows[:_LOOKED_AT]}
        pieces[candidate] = widths.pop() if len(widths) == 1 else 1
    best = max(_CANDIDATES, key=lambda candidate: pieces[candidate])
    if pieces[best] > 1:
        return best
    first = head.split("\n", 1)[0]
    return max(_CANDIDATES, key=first.count)


def _proved(content: bytes, delimiter: str) -> pl.DataFrame | None:
    if len(delimiter.encode()) != 1 or not content:
        return None
    end = "\r\n" if content[: content.find(b"\n")].endswith(b"\r") else "\n"
    styles: tuple[_Style, ...] = ("always", "necessary") if content.startswith(b'"') else ("necessary",)
    for style in styles:
        frame = _proved_in_style(content, delimiter, end, style)
        if frame is not None:
            return frame
    return None


def _proved_in_style(content: bytes, delimiter: str, end: str, style: _Style) -> pl.DataFrame | None:
    at = _end_of_row(content, 0)
    header, parts = content[:at], list[pl.DataFrame]()
    few: dict[str, pl.DataType] = {}
    while not parts or at < len(content):
        stop = _end_of_row(content, at + _PIECE, at)
        piece = header + content[at:stop]
        at = stop
        try:
            part = pl.read_csv(
                io.BytesIO(piece), separator=delimiter, infer_schema=False, schema_overrides=few or None
            )
        except pl.exceptions.PolarsError:
            return None
        if not piece.endswith(b"\n"):
            piece += end.encode()
        if _written(part, delimiter, end, style) != piece:
            return None
        if not parts:
            few = {c.name: _HELD_ONCE for c in part if _OFTEN * c.n_unique() <= len(c)}
            part = part.with_columns(pl.col(list(few)).cast(_HELD_ONCE))
        parts.append(part)
    return pl.concat(parts, rechunk=True)


def _end_of_row(content: bytes, at: int, start: int = 0) -> int:
    """Where the first row ends that ends at `at` or later; line ends between quotes end none."""
    quotes, counted = 0, start
    while True:
        stop = content.find(b"\n", at) + 1 or len(content)
        quotes += content.count(b'"', counted, stop)
        if quotes % 2 == 0 or stop == len(content):
            return stop
        at = counted = stop


def _written(frame: pl.DataFrame, delimiter: str, end: str, style: _Style) -> bytes:
    out = io.BytesIO()
    frame.write_csv(out, separator=delimiter, line_terminator=end, quote_style=style)
    return out.getvalue()


def _parsed(content: bytes, source: str, delimiter: str) -> pl.DataFrame:
    reader = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), delimiter=delimiter)
    try:
        header = next(reader, [])
        parts = []
        done = 0
        while rows := list(islice(reader, _AT_ONCE)):
            kept = [row or [""] for row in rows if row or len(header) == 1]
            odd = [done + n for n, row in enumerate(kept, 1) if len(row) != len(header)]
            if odd:
                raise InputError(f"{source}: {row_list(odd)}: not {len(header)} fields as in the header")
            done += len(kept)
            columns = zip(*kept, strict=True) if kept else ([] for _ in header)
            parts.append(pl.DataFrame([_column(n, c) for n, c in zip(header, columns, strict=True)]))
    except csv.Error:
        raise InputError(f"{source}: cannot be parsed as CSV") from None
    except pl.exceptions.DuplicateError:
        raise InputError(f"{source}: a column name occurs twice") from None
    return pl.concat(parts) if parts else pl.DataFrame({name: [] for name in header})


def _column(name: str, cells: Iterable[str]) -> pl.Series:
    return pl.Series(name, [cell or None for cell in cells], pl.String)
