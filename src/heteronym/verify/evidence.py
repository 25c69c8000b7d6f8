"""The evidence in the owner's folder about texts: what was found in them, and how they were changed.

`mentions.jsonl` has a line per mention: row, column, start, end, type, and `follows`, the column whose label
stands in its place. Its last line says which texts were covered; a file without it was cut off.
`edits.jsonl` has a line per edit: characters start to end of the text in this row and column became `text`.
Rows and characters count from 0 in the data, half-open. No edit is believed: `verify.replay` carries
them out and compares. What a mention claims to follow `verify.shown` checks against its person's cells; the
type of a mention is taken as given.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from heteronym.errors import InputError
from heteronym.model.edit import Edits
from heteronym.model.mention import NUMBERS, Mentions, Status

MENTIONS_FILE = "mentions.jsonl"
EDITS_FILE = "edits.jsonl"


class Evidence(NamedTuple):
    """Mentions and edits of a table's texts, both in order of row, column and start."""

    mentions: Mentions
    edits: Edits

    def __repr__(self) -> str:
        return f"Evidence({len(self.mentions)} mentions, {len(self.edits)} edits)"


def read_mentions(content: bytes, frame: pl.DataFrame, columns: Sequence[str]) -> Mentions:
    """The mentions of a table's texts; refused if lines are missing or lie outside of the texts."""
    lines = _lines(content, MENTIONS_FILE)
    if not lines or "covered" not in lines[-1]:
        raise InputError(f"{MENTIONS_FILE}: was cut off: its last line does not say which texts were covered")
    closing = lines.pop()
    if closing.get("mentions") != len(lines):
        many = closing.get("mentions")
        raise InputError(f"{MENTIONS_FILE}: {len(lines)} mentions, but its last line tells of {many}")
    if closing.get("digest") != texts_digest(frame, columns):
        raise InputError(f"{MENTIONS_FILE}: was written for other texts")
    _sort_and_check(lines, frame, columns, MENTIONS_FILE)
    types, sources, rules, links = (
        tuple(sorted({str(line[key]) for line in lines if key in line} | ({""} if key in _NAMED else set())))
        for key in ("type", "source", "rule", "follows")
    )
    read: dict[str, list[Any]] = {
        **{key: [line[key] for line in lines] for key in ("row", "start", "end")},
        "column": _numbers(lines, "column", columns),
        "type": _numbers(lines, "type", types),
        "source": _numbers(lines, "source", sources),
        "rule": _numbers(lines, "rule", rules),
        "link": _numbers(lines, "follows", links),
        "score": [line.get("score", 1.0) for line in lines],
        "status": [Status[str(line.get("status", "found")).upper()] for line in lines],
    }
    unread = [-1] * len(lines)
    arrays = {name: np.array(read.get(name, unread), kind) for name, kind in NUMBERS.items()}
    return Mentions(tuple(columns), types, sources, rules, links, terms=(), **arrays)


_NAMED = ("source", "rule")  # what a line may lack


def read_edits(content: bytes, frame: pl.DataFrame, columns: Sequence[str]) -> Edits:
    """The edits of a table's texts; refused if one lies outside of its text."""
    lines = _lines(content, EDITS_FILE)
    _sort_and_check(lines, frame, columns, EDITS_FILE)
    if not all(isinstance(line.get("text"), str) for line in lines):
        raise InputError(f"{EDITS_FILE}: an edit has no text")
    texts = list(dict.fromkeys(line["text"] for line in lines))
    place = {text: number for number, text in enumerate(texts)}
    row, start, end = (np.array([line[key] for line in lines], np.int32) for key in ("row", "start", "end"))
    column = np.array(_numbers(lines, "column", columns), np.int16)
    number = np.array([place[line["text"]] for line in lines], np.int32)
    return Edits(tuple(columns), texts, row, column, start, end, number)


def texts_digest(frame: pl.DataFrame, columns: Sequence[str]) -> str:
    """One digest of all texts of these columns, row by row."""
    whole = hashlib.sha256()
    for name in columns:
        whole.update(json.dumps(name).encode())
        for text in frame[name].cast(pl.String).to_list():
            data = b"-" if text is None or not text else text.encode("utf-8", errors="surrogatepass")
            whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()


def _lines(content: bytes, file: str) -> list[dict[str, Any]]:
    try:
        lines = [json.loads(line) for line in content.decode("utf-8-sig").split("\n") if line.strip()]
    except (ValueError, RecursionError):
        raise InputError(f"{file}: cannot be read") from None
    if not all(isinstance(line, dict) for line in lines):
        raise InputError(f"{file}: cannot be read")
    return lines


def _sort_and_check(
    lines: list[dict[str, Any]], frame: pl.DataFrame, columns: Sequence[str], file: str
) -> None:
    lengths = {name: frame[name].cast(pl.String).str.len_chars().fill_null(0).to_list() for name in columns}
    place = {name: number for number, name in enumerate(columns)}
    try:
        lines.sort(key=lambda line: (line["row"], place[line["column"]], line["start"]))
        inside = all(
            line["row"] >= 0 and 0 <= line["start"] < line["end"] <= lengths[line["column"]][line["row"]]
            for line in lines
        )
    except (KeyError, TypeError, ValueError, IndexError):
        inside = False
    if not inside:
        raise InputError(f"{file}: a line lies outside of the texts")


def _numbers(lines: Sequence[dict[str, Any]], key: str, names: Sequence[str]) -> list[int]:
    """The number of each line's name; -1 where a line names none."""
    place = {name: number for number, name in enumerate(names)}
    return [place.get(str(line.get(key, "")), -1) for line in lines]
