"""System files of SPSS, read by the auditor itself: plain, and with their values packed into bytes.

Returns None for whatever it does not know for sure (zlib blocks, times of day, months and weeks as dates):
then another reader has to be asked, and that is told. Numbers, texts, days and moments; values that the file
declares missing are missing.

Reference   the description of the format in the manual of PSPP
Cost        O(bytes), in Python
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import chain

Cell = float | str | date | None

_EPOCH = datetime(1582, 10, 14)
_NO_VALUE = struct.unpack("<d", b"\xff" * 6 + b"\xef\xff")[0]
_DAYS = frozenset((20, 23, 24, 38, 39))
_MOMENTS = frozenset((22, 41))
_OTHER_TIMES = frozenset((21, 25, 26, 27, 28, 29, 30, 40))
_SEGMENT = 255  # bytes that longer texts are cut into


@dataclass
class _Variable:
    name: str
    width: int  # 0: a number
    format: int
    missing: tuple[tuple[float, float], ...]  # from, to
    segments: list[int] = field(default_factory=list)  # widths of its pieces


class _UnknownError(Exception):
    """The file has something that this reader does not know."""


def read_sav(content: bytes) -> dict[str, list[Cell]] | None:
    """Column -> cells; None if this reader cannot say."""
    try:
        return _read(content)
    except (_UnknownError, struct.error, ValueError, IndexError, LookupError, OverflowError):
        return None


def _read(content: bytes) -> dict[str, list[Cell]]:
    if content[:4] != b"$FL2":
        raise _UnknownError
    order = "<" if content[64:68] in (b"\x02\0\0\0", b"\x03\0\0\0") else ">"
    packed, cases, bias = struct.unpack(f"{order}i4xid", content[72:92])
    if packed not in (0, 1):
        raise _UnknownError
    variables, notes, at = _dictionary(content, order)
    encoding = notes.get(20, b"cp1252").decode("ascii")
    variables = _whole(variables, notes, encoding)
    words = _unpacked(content, at, order, bias) if packed else _plain(content, at)
    columns: dict[str, list[Cell]] = {variable.name: [] for variable in variables}
    if len(columns) != len(variables):
        raise _UnknownError
    known = 0
    for first in words:
        row = chain([first], words)
        for variable in variables:
            columns[variable.name].append(_cell(variable, row, order, encoding))
        known += 1
    if cases not in (-1, known):
        raise _UnknownError
    return columns


def _dictionary(content: bytes, order: str) -> tuple[list[_Variable], dict[int, bytes], int]:
    def numbers(at: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"{order}{count}i", content, at)

    variables: list[_Variable] = []
    notes: dict[int, bytes] = {}
    at = 176
    while True:
        (kind,) = numbers(at, 1)
        if kind == 2:
            width, has_label, missing, shown, _ = numbers(at + 4, 5)
            name = content[at + 24 : at + 32].decode("ascii").rstrip()
            at += 32
            if has_label:
                at += 4 + (numbers(at, 1)[0] + 3) // 4 * 4
            gone = struct.unpack_from(f"{order}{abs(missing)}d", content, at)
            at += 8 * abs(missing)
            if width >= 0:
                if missing and width:
                    raise _UnknownError
                ranges = [(gone[0], gone[1])] if missing < 0 else []
                ranges += [(one, one) for one in (gone[2:] if missing < 0 else gone)]
                variables.append(_Variable(name, width, shown >> 16 & 255, tuple(ranges), [width]))
        elif kind == 3:
            count = numbers(at + 4, 1)[0]
            at += 8
            for _ in range(count):
                at += 8 + (content[at + 8] + 8) // 8 * 8
        elif kind == 4:
            at += 8 + 4 * numbers(at + 4, 1)[0]
        elif kind == 6:
            at += 8 + 80 * numbers(at + 4, 1)[0]
        elif kind == 7:
            which, size, count = numbers(at + 4, 3)
            notes[which] = content[at + 16 : at + 16 + size * count]
            at += 16 + size * count
        elif kind == 999:
            return variables, notes, at + 8
        else:
            raise _UnknownError


def _whole(variables: Sequence[_Variable], notes: dict[int, bytes], encoding: str) -> list[_Variable]:
    """Variables under their long names; the pieces of a long text are one."""
    long = dict(pair.split("=", 1) for pair in notes.get(14, b"").decode(encoding).split("\t") if "=" in pair)
    names = dict(
        pair.split("=", 1) for pair in notes.get(13, b"").decode(encoding).split("\t") if "=" in pair
    )
    result: list[_Variable] = []
    rest = list(variables)
    while rest:
        one = rest.pop(0)
        if one.name in long:
            width = int(long[one.name].strip("\0 "))
            pieces = [rest.pop(0) for _ in range((width + 251) // 252 - 1)]
            one.segments += [piece.width for piece in pieces]
        one.name = names.get(one.name, one.name)
        if one.format in _OTHER_TIMES:
            raise _UnknownError
        result.append(one)
    return result


def _plain(content: bytes, at: int) -> Iterator[bytes]:
    for place in range(at, len(content) - 7, 8):
        yield content[place : place + 8]


def _unpacked(content: bytes, at: int, order: str, bias: float) -> Iterator[bytes]:
    """Eight codes, then the words of those that are not told by the code alone."""
    nothing = struct.pack(f"{order}d", _NO_VALUE)
    while at + 8 <= len(content):
        codes = content[at : at + 8]
        at += 8
        for code in codes:
            if code == 252:
                return
            if code == 253:
                yield content[at : at + 8]
                at += 8
            elif code:
                yield {254: b" " * 8, 255: nothing}.get(code) or struct.pack(f"{order}d", code - bias)


def _cell(variable: _Variable, words: Iterator[bytes], order: str, encoding: str) -> Cell:
    if variable.width:
        pieces = []
        for width in variable.segments:
            piece = b"".join(next(words) for _ in range((width + 7) // 8))
            pieces.append(piece[: min(width, _SEGMENT)])
        return b"".join(pieces).decode(encoding).rstrip(" ") or None
    value = float(struct.unpack(f"{order}d", next(words))[0])
    if value == _NO_VALUE or any(low <= value <= high for low, high in variable.missing):
        return None
    if variable.format in _DAYS:
        return (_EPOCH + timedelta(seconds=value)).date()
    if variable.format in _MOMENTS:
        return _EPOCH + timedelta(seconds=value)
    return value
