"""CSV in and out, with any delimiter, quoting, line end and encoding.

Cells are read as text and stay text, so that what is not anonymized comes out as it went in. Where polars and
Python's parser could differ, Python's reads.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import NAMELESS, InputError, UsageError, row_list

DELIMITERS = ",;\t|"
_BLOCK = 1 << 24  # bytes
_HEAD = 1 << 16  # bytes that are looked at to find the delimiter
_LONGEST_FIELD = 1 << 30
_BEHIND = b"\x1ebehind the last row\x1e"


def read_csv(
    content: bytes, source: str, *, delimiter: str | None, encoding: str | None
) -> tuple[pl.DataFrame, str, str]:
    """The cells as text, with the delimiter and the encoding found."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
        raise UsageError("a delimiter is one character, and no quote or line end")
    csv.field_size_limit(_LONGEST_FIELD)
    content, encoding = _as_utf8(content, source, encoding)
    if delimiter is None:
        delimiter = _detect_delimiter(content)
    try:
        header = next(_rows(content, delimiter), [])
    except csv.Error:
        raise InputError(f"{source}: the header cannot be parsed") from None
    check_names(header, source)
    rows = _rows_if_even(content, delimiter, len(header))
    frame = None if rows is None else _parse_fast(content, delimiter, rows, header)
    if frame is None:
        frame = _parse_carefully(content, delimiter, header, source)
    return frame, delimiter, encoding


def _rows(content: bytes, delimiter: str) -> Iterator[list[str]]:
    """The rows as Python's parser reads them, one by one."""
    text = io.TextIOWrapper(io.BytesIO(content), "utf-8", errors="ignore", newline="")
    return csv.reader(text, delimiter=delimiter)


def check_names(names: Sequence[str], source: str) -> None:
    """Refuses names that cannot tell columns apart."""
    blank = [number for number, name in enumerate(names, 1) if not str(name).strip()]
    if blank:
        raise InputError(f"{source}: column {blank[0]} has no name. {NAMELESS}")
    pattern = next((name for name in names if name.startswith("^") and name.endswith("$")), None)
    if pattern is not None:  # polars would take it for a pattern over column names
        raise InputError(f"{source}: column name '{pattern}': a name between ^ and $ cannot be used")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"{source}: column name '{twice[0]}' occurs {Counter(names)[twice[0]]} times")


_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def _as_utf8(content: bytes, source: str, encoding: str | None) -> tuple[bytes, str]:
    if encoding is None:
        encoding = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    if encoding is None:
        try:
            if not content.isascii():
                content.decode("utf-8")
            return content, "utf-8"
        except UnicodeDecodeError as error:
            encoding = _detect_encoding(content, source, error)
    try:
        return content.decode(encoding).encode("utf-8"), encoding
    except LookupError:
        raise InputError(f"{source}: unknown encoding '{encoding}'") from None
    except UnicodeDecodeError as error:
        raise _odd_bytes(source, error, f"{encoding}.") from None


def _odd_bytes(source: str, error: UnicodeDecodeError, what: str) -> InputError:
    row = error.object.count(b"\n", 0, error.start)
    where = f"row {row}" if row else "the header"
    remedy = "Name the file's encoding with --encoding"
    return InputError(f"{source}: {where} holds bytes that are not {what} {remedy}")


def _detect_encoding(content: bytes, source: str, error: UnicodeDecodeError) -> str:
    """An 8-bit encoding for what is not UTF-8, only where the text itself speaks for it."""
    from charset_normalizer import from_bytes

    if b"\x00" in content[:100_000]:
        raise InputError(f"{source}: not a text file. Name its encoding with --encoding if it is one")
    lines = [line for line in content.splitlines() if not line.isascii()][:5_000]
    sample = b"\n".join(lines)[: 1 << 20]
    as_utf8 = sample.decode("utf-8", errors="replace")
    broken = as_utf8.count("\ufffd")
    if sum(not c.isascii() for c in as_utf8) < 2 * broken:  # mostly not UTF-8, rather than damaged UTF-8
        best = from_bytes(sample).best()
        if best is not None and best.coherence > 0:
            return str(best.encoding)
        if _reads_as_western(sample):
            return "cp1252"
    raise _odd_bytes(source, error, "UTF-8, and no other encoding is certain.")


# Letters and signs of Western texts in cp1252, of which latin-1 is a part.
_WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿŠšŽžŒœŸ€£–—‘’‚“”„…•™©®°§«»¡¿´·"
)


def _reads_as_western(sample: bytes) -> bool:
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        return False
    high = [character for character in text if not character.isascii()]
    return set(high) <= _WESTERN and 2 * len(high) <= sum(c.isalnum() for c in text)


def _detect_delimiter(content: bytes) -> str:
    """The delimiter that gives the first rows one common width larger than 1."""
    head = content[:_HEAD]
    best, best_width = ",", 1
    for candidate in DELIMITERS:
        widths = [len(row) for row in _rows(head, candidate) if row][:200]
        if len(content) > len(head):  # the last row may be cut off
            widths = widths[:-1]
        if widths and min(widths) == max(widths) and widths[0] > best_width:
            best, best_width = candidate, widths[0]
    if best_width == 1:
        first = head.split(b"\n", 1)[0]
        best = max(DELIMITERS, key=lambda delimiter: first.count(delimiter.encode()))
    return best


def _rows_if_even(content: bytes, delimiter: str, width: int) -> int | None:
    """Number of data rows if every row plainly has `width` fields; None where only a full parse can tell."""
    if len(delimiter.encode()) != 1 or (b"\r" in content and b"\r" in content.replace(b"\r\n", b"")):
        return None
    data = np.frombuffer(content, np.uint8)
    marks, inside, has_quotes = [], False, b'"' in content
    for start in range(0, len(data), _BLOCK):  # because a flag per byte is as large as the file
        block = data[start : start + _BLOCK]
        found = (block == ord(delimiter)) | (block == ord("\n"))
        if has_quotes:
            is_quote = block == ord('"')
            quoted = np.logical_xor.accumulate(is_quote) ^ inside
            if not _stand_around_fields(data, np.flatnonzero(is_quote) + start, quoted[is_quote], delimiter):
                return None
            found, inside = found & ~quoted, bool(quoted[-1])
        marks.append(block[found])
    if inside:
        return None
    if not len(marks[-1]) or data[-1] != ord("\n"):
        marks.append(np.array([ord("\n")], np.uint8))
    ends = np.concatenate(marks)
    if len(ends) % width:
        return None
    by_row = ends.reshape(-1, width)
    is_even = (by_row[:, -1] == ord("\n")).all() and (by_row[:, :-1] == ord(delimiter)).all()
    return len(by_row) - 1 if is_even else None


def _stand_around_fields(
    data: NDArray[np.uint8], quotes: NDArray[np.int64], opening: NDArray[np.bool_], delimiter: str
) -> bool:
    """Whether quotes only stand around fields, or twice inside: about others, parsers differ."""
    edges = np.frombuffer(f'{delimiter}\n"'.encode(), np.uint8)
    before, after = quotes[opening] - 1, quotes[~opening] + 1
    return bool(
        np.isin(data[before[before >= 0]], edges).all()
        and np.isin(data[after[after < len(data)]], np.append(edges, np.uint8(ord("\r")))).all()
    )


def _parse_fast(content: bytes, delimiter: str, rows: int, header: list[str]) -> pl.DataFrame | None:
    try:
        frame = pl.read_csv(io.BytesIO(content), separator=delimiter, infer_schema=False)
    except pl.exceptions.PolarsError:
        return None
    return frame if frame.height == rows and frame.columns == header else None


def _parse_carefully(content: bytes, delimiter: str, header: list[str], source: str) -> pl.DataFrame:
    """Python's parser, row by row: slower, but it knows every quoting and counts rows."""
    # A quote that is never closed takes in whatever follows: so the row behind the last one, which is ours.
    end = b"" if content.endswith((b"\n", b"\r")) else b"\n"
    reader = _rows(content + end + _BEHIND, delimiter)
    next(reader)
    rows: list[list[str]] = []
    ragged: list[int] = []
    try:
        for row in reader:
            row = row or [""] * (len(header) == 1)  # an empty line is a missing cell of one column
            if row == [_BEHIND.decode()]:
                break
            if len(row) == len(header) and _BEHIND.decode() not in row[-1]:
                rows.append(row)
            elif row and _BEHIND.decode() in row[-1]:
                raise InputError(
                    f"{source}: row {len(rows) + len(ragged) + 1} opens a quote that is never closed. "
                    "Close it, or double it where it is part of a value"
                )
            elif row:
                ragged.append(len(rows) + len(ragged) + 1)
    except csv.Error:
        raise InputError(f"{source}: row {len(rows) + len(ragged) + 1} cannot be parsed") from None
    if ragged:
        lack = f"{row_list(ragged)} {'do' if len(ragged) > 1 else 'does'} not have {len(header)} fields"
        raise InputError(f"{source}: {lack} as the header says")
    frame = pl.DataFrame(rows, dict.fromkeys(header, pl.String), orient="row")
    return frame.with_columns(pl.all().replace("", None))


def write_csv(frame: pl.DataFrame, delimiter: str, encoding: str) -> tuple[bytes, str]:
    """The bytes of a file, and the encoding that it has in the end."""
    flat = frame.with_columns(pl.col(pl.List(pl.String)).list.join(" "))
    if delimiter.isascii():
        out = io.BytesIO()
        flat.write_csv(out, separator=delimiter, quote_style="necessary")
        content = out.getvalue()
    else:
        content = _written_slowly(flat, delimiter).encode()
    if encoding in ("utf-8", "ascii"):
        return content, "utf-8"
    try:
        return content.decode("utf-8").encode(encoding), encoding
    except UnicodeEncodeError:
        # a value from another file that the first one's code page lacks
        return content, "utf-8"


def _written_slowly(frame: pl.DataFrame, delimiter: str) -> str:
    """For delimiters of several bytes, which polars does not write."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(frame.columns)
    writer.writerows(frame.cast(pl.String).iter_rows())
    return out.getvalue()
