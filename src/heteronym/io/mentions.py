"""Mentions as JSON lines, as `scan` writes them and a reviewer may change them.

A line is {"row", "column", "start", "end", "type", "score", "source"}, or with "file" in place of row
and column. A reviewer may add "status": confirmed, rejected or added (what it is if no source is named).
The owner's trace adds "rule", what in the source found the mention, and "follows", the column whose label
stands in its place. Rows and offsets count from 0, half-open, in characters; there is no text in the file.
The last line closes it (`io/closing.py`).
Complaints name line numbers, never what a line holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import polars as pl

from heteronym.errors import InputError, reading
from heteronym.io.annotations import Annotated, is_foreign, read_annotations
from heteronym.io.closing import Closing, check_complete
from heteronym.model.collect import Collection
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Span, Status
from heteronym.model.schema import Role

_KEYS = ("row", "column", "file", "start", "end", "type", "score", "source", "rule", "status", "follows")
_REVIEWED = "reviewed"


def mention_lines(mentions: Mentions, *, rules: bool = False) -> Iterator[str]:
    """One JSON object per mention, without line ends.

    For the owner alone (`rules`) with the rule that found it and the column that it follows.
    """
    m = mentions
    places = zip(m.row.tolist(), m.column.tolist(), m.status.tolist(), m.link.tolist(), strict=True)
    for (row, column, status, link), span in zip(places, m.spans(slice(None)), strict=True):
        line = {"row": row, "column": m.columns[column], **_as_fields(span)}
        if status:
            line["status"] = Status(status).name.lower()
        if rules:
            line["rule"] = span.rule
            if link >= 0:
                line["follows"] = m.links[link]
        yield json.dumps(line)


def document_lines(file: str, spans: Iterable[Span]) -> Iterator[str]:
    """The lines of a single document."""
    return (json.dumps({"file": file, **_as_fields(span)}) for span in spans)


def _as_fields(span: Span) -> dict[str, Any]:
    score = float(str(np.float32(span.score)))  # 0.85 as a 32-bit number, not the 64-bit 0.8500000238418579
    return {"start": span.start, "end": span.end, "type": span.type, "score": score, "source": span.source}


def read_mentions(path: Path, dataset: Dataset) -> Mentions:
    """The mentions of a table, checked against its texts.

    Their terms are not known here: `reading.read_person` reads them from the texts.
    """
    columns = tuple(dataset.schema.named(Role.TEXT))
    texts = [dataset.frame[name].cast(pl.String) for name in columns]
    lengths = [column.str.len_chars().fill_null(0).to_numpy() for column in texts]
    lines: list[tuple[int, int, _Line]] = []  # row, column
    closing = None
    for line in _foreign_lines(path, columns, texts) if is_foreign(path) else _lines(path):
        if isinstance(line, Closing):
            closing = line
            continue
        row, column = line.fields.get("row"), line.fields.get("column")
        if "file" in line.fields:
            raise line.fault("speaks of a file, but the data is a table: it needs 'row' and 'column'")
        if not isinstance(column, str) or column not in columns:
            known = ", ".join(f"'{name}'" for name in columns) or "none"
            raise line.fault(f"'column' names no text attribute; the plan has {known}")
        if not _is_whole(row) or not 0 <= row < dataset.rows:
            raise line.fault(f"'row' must be a whole number from 0 to {dataset.rows - 1}")
        number = columns.index(column)
        length = int(lengths[number][row])
        if line.span.end > length:
            raise line.fault(f"'end' lies beyond the text of row {row}, which has {length} characters")
        lines.append((row, number, line))
    lines.sort(key=lambda each: (*each[:2], each[2].span.start))
    _refuse_overlaps(lines)
    found = Collection(columns)
    for row, number, line in lines:
        found.add_span(row, number, line.span, line.status)
    scanned = not lines or any("source" in line.fields for _, _, line in lines)
    check_complete(path, closing, dataset, scanned=scanned)
    return found.build()


def _foreign_lines(path: Path, columns: Sequence[str], texts: Sequence[pl.Series]) -> Iterator[_Line]:
    """Spans of another tool, which may overlap: those that do become one, of the type of the longest."""
    for number, one in enumerate(read_annotations(path), start=1):
        merged: list[Span] = []
        for span in sorted(one.spans):
            if merged and span.start < merged[-1].end:
                kept = max(merged[-1], span, key=lambda each: each.end - each.start)
                merged[-1] = kept._replace(start=merged[-1].start, end=max(merged[-1].end, span.end))
            else:
                merged.append(span)
        for span in merged:
            line = _Line(path, number, one.place, span, Status.ADDED)
            if not (_is_whole(span.start) and _is_whole(span.end) and 0 <= span.start < span.end):
                raise line.fault("'start' and 'end' must be whole numbers with 0 <= start < end")
            if _is_other_text(one, columns, texts):
                raise line.fault("was made on another text than that of its row")
            yield line


def _is_other_text(one: Annotated, columns: Sequence[str], texts: Sequence[pl.Series]) -> bool:
    row, column = one.place.get("row"), one.place.get("column")
    if one.text is None or column not in columns or not _is_whole(row) or not 0 <= row < len(texts[0]):
        return False  # what is wrong with a place is said by whoever reads it
    return bool(texts[columns.index(column)][row] != one.text)


class _Line(NamedTuple):
    """A line that is well formed in itself."""

    path: Path
    number: int
    fields: Mapping[str, Any]
    span: Span
    status: Status

    def fault(self, what: str) -> InputError:
        return InputError(f"{self.path}: line {self.number}: {what}")


def _lines(path: Path) -> Iterator[_Line | Closing]:
    with reading(path), path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield _parsed(path, number, line)


def _parsed(path: Path, number: int, line: str) -> _Line | Closing:
    where = f"{path}: line {number}:"
    try:
        fields = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InputError(f"{where} not a JSON object")
    if "covered" in fields:
        return Closing(number, fields)
    if any(key not in _KEYS for key in fields):
        raise InputError(f"{where} has an unknown key. Known: {', '.join(_KEYS)}.")
    start, end, kind = fields.get("start"), fields.get("end"), fields.get("type")
    if not isinstance(kind, str) or not kind.strip():
        raise InputError(f"{where} has no 'type'")
    if not _is_whole(start) or not _is_whole(end) or not 0 <= start < end:
        raise InputError(f"{where} 'start' and 'end' must be whole numbers with 0 <= start < end")
    score, source, rule = fields.get("score", 1.0), fields.get("source", _REVIEWED), fields.get("rule", "")
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1:
        raise InputError(f"{where} 'score' must be a number from 0 to 1")
    for key, text in (("source", source), ("rule", rule)):
        if not isinstance(text, str):
            raise InputError(f"{where} '{key}' must be a text")
    status = fields.get("status", "found" if "source" in fields else "added")
    if not isinstance(status, str) or status.upper() not in Status.__members__:
        known = ", ".join(each.name.lower() for each in Status)
        raise InputError(f"{where} 'status' must be one of {known}")
    span = Span(start, end, kind, float(score), source, rule)
    return _Line(path, number, fields, span, Status[status.upper()])


def _refuse_overlaps(lines: Sequence[tuple[int, int, _Line]]) -> None:
    """What was rejected makes room for what stands there instead, unless that is the same again."""
    standing = [each for each in lines if each[2].status is not Status.REJECTED]
    for (*there, before), (*here, line) in pairwise(standing):
        if there == here and line.span.start < before.span.end:
            raise line.fault(f"overlaps the mention of line {before.number}")
    stand = {(row, column, line.span[:3]): line for row, column, line in standing}
    for row, column, line in lines:
        again = stand.get((row, column, line.span[:3]), line)
        if again is not line:
            raise line.fault(f"overlaps the mention of line {again.number}, which is the same")


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
