"""Mentions as JSON lines, as `scan` writes them and a reviewer may change them.

A line is {"row", "column", "start", "end", "type", "score", "source"}, or with "file" in place of row
and column. A reviewer may add "status": confirmed, rejected or added (what it is if no source is named).
The owner's trace adds "rule": what in the source found the mention. Rows and offsets count from 0,
half-open, in characters; there is no text in the file. The last line, {"covered", "digest"}, says which
texts were looked at: whoever reviews may change, add and take out the other lines, but a file without
it was cut off. A file of added lines alone, which nobody scanned, needs none.
Complaints name line numbers, never what a line holds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Span, Status
from heteronym.model.schema import Role

_KEYS = ("row", "column", "file", "start", "end", "type", "score", "source", "rule", "status")
_REVIEWED = "reviewed"


def mention_lines(mentions: Mentions) -> Iterator[str]:
    """One JSON object per mention, without line ends."""
    names = (mentions.columns, mentions.types, mentions.sources)
    columns, types, sources = ([json.dumps(n) for n in each] for each in names)
    for row, column, start, end, kind, score, source, status in zip(
        mentions.row.tolist(),
        mentions.column.tolist(),
        mentions.start.tolist(),
        mentions.end.tolist(),
        mentions.type.tolist(),
        mentions.score,
        mentions.source.tolist(),
        mentions.status.tolist(),
        strict=True,
    ):
        said = f', "status": "{Status(status).name.lower()}"' if status else ""
        yield (
            f'{{"row": {row}, "column": {columns[column]}, "start": {start}, "end": {end}, '
            f'"type": {types[kind]}, "score": {_shortest(score)}, "source": {sources[source]}{said}}}'
        )


def trace_lines(mentions: Mentions) -> Iterator[str]:
    """The lines of `mention_lines` with the rule that found each mention, for the owner alone."""
    endings = [f', "rule": {json.dumps(name)}}}' for name in mentions.rules]
    for line, number in zip(mention_lines(mentions), mentions.rule.tolist(), strict=True):
        yield line[:-1] + endings[number]


def document_lines(file: str, spans: Iterable[Span]) -> Iterator[str]:
    """The lines of a single document."""
    for span in spans:
        told = {"file": file, "start": span.start, "end": span.end, "type": span.type}
        yield json.dumps({**told, "score": _shortest(np.float32(span.score)), "source": span.source})


def closing_line(dataset: Dataset, mentions: int | None = None) -> str:
    """Which texts were looked at; with the number of mentions where nobody may change them."""
    columns = dataset.schema.named(Role.TEXT)
    told = {"covered": {"columns": columns, "rows": dataset.rows}, "digest": digest_of_texts(dataset)}
    return json.dumps(told if mentions is None else {**told, "mentions": mentions})


def closing_line_of_files(texts: Mapping[str, str]) -> str:
    """The same for documents: name -> text."""
    digest = hashlib.sha256()
    for name, text in texts.items():
        digest.update(f"{len(name)}:{name}{len(text)}:{text}".encode("utf-8", errors="surrogatepass"))
    return json.dumps({"covered": {"files": list(texts)}, "digest": digest.hexdigest()})


def digest_of_texts(dataset: Dataset) -> str:
    """SHA-256 over the text columns: for each its name as JSON, then length and bytes of every text.

    Texts without characters count as missing ones, which are written as one dash.
    """
    digest = hashlib.sha256()
    for name in dataset.schema.named(Role.TEXT):
        texts = dataset.frame[name].cast(pl.String).fill_null("")
        cells = [text.encode("utf-8", errors="surrogatepass") or b"-" for text in texts.to_list()]
        digest.update(json.dumps(name).encode() + b"".join(b"%d:%s" % (len(c), c) for c in cells))
    return digest.hexdigest()


def write_mentions(path: Path, mentions: Mentions, dataset: Dataset) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + "\n" for line in mention_lines(mentions))
        file.write(closing_line(dataset) + "\n")


def read_mentions(path: Path, dataset: Dataset) -> Mentions:
    """The mentions of a table, checked against its texts.

    Their terms are not known here: `text.read_person` reads them from the texts.
    """
    columns = tuple(dataset.schema.named(Role.TEXT))
    lengths = [_lengths(dataset.frame[name]) for name in columns]
    lines: list[_Line] = []
    place: list[tuple[int, int]] = []
    closing = None
    for line in _lines(path):
        if isinstance(line, _Closing):
            closing = line
            continue
        row, column = line.told.get("row"), line.told.get("column")
        if "file" in line.told:
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
        lines.append(line)
        place.append((row, number))
    found = _columnar(columns, lines, place)
    _check_complete(path, closing, lines, dataset)
    return found


def _check_complete(path: Path, closing: _Closing | None, lines: Sequence[_Line], dataset: Dataset) -> None:
    if closing is None:
        if not lines or any("source" in line.told for line in lines):
            raise InputError(
                f"{path}: was cut off: the last line, which says which texts were looked at, is missing. "
                "Scan again"
            )
        return
    if closing.told.get("digest") != digest_of_texts(dataset):
        raise InputError(
            f"{path}: line {closing.number}: was written for other texts than those of {dataset.source}. "
            "Scan again"
        )


class _Closing(NamedTuple):
    """The line that says which texts were looked at."""

    number: int
    told: Mapping[str, Any]


class _Line(NamedTuple):
    """A line that is well formed in itself."""

    path: Path
    number: int
    told: Mapping[str, Any]
    span: Span
    status: Status

    def fault(self, what: str) -> InputError:
        return InputError(f"{self.path}: line {self.number}: {what}")


def _lines(path: Path) -> Iterator[_Line | _Closing]:
    try:
        file = path.open(encoding="utf-8-sig")
    except OSError:
        raise InputError(f"{path}: cannot be opened") from None
    with file:
        try:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parsed(path, number, line)
        except UnicodeDecodeError:
            raise InputError(f"{path}: is not UTF-8 text") from None


def _parsed(path: Path, number: int, line: str) -> _Line | _Closing:
    where = f"{path}: line {number}:"
    try:
        told = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise InputError(f"{where} not a JSON object") from None
    if not isinstance(told, dict):
        raise InputError(f"{where} not a JSON object")
    if "covered" in told:
        return _Closing(number, told)
    if any(key not in _KEYS for key in told):
        raise InputError(f"{where} has an unknown key. Known: {', '.join(_KEYS)}.")
    start, end, kind = told.get("start"), told.get("end"), told.get("type")
    if not isinstance(kind, str) or not kind.strip():
        raise InputError(f"{where} has no 'type'")
    if not _is_whole(start) or not _is_whole(end) or not 0 <= start < end:
        raise InputError(f"{where} 'start' and 'end' must be whole numbers with 0 <= start < end")
    score, source = told.get("score", 1.0), told.get("source", _REVIEWED)
    if isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1:
        raise InputError(f"{where} 'score' must be a number from 0 to 1")
    if not isinstance(source, str):
        raise InputError(f"{where} 'source' must be a text")
    rule = told.get("rule", "")
    if not isinstance(rule, str):
        raise InputError(f"{where} 'rule' must be a text")
    status = told.get("status", "found" if "source" in told else "added")
    if not isinstance(status, str) or status.upper() not in Status.__members__:
        known = ", ".join(each.name.lower() for each in Status)
        raise InputError(f"{where} 'status' must be one of {known}")
    span = Span(start, end, kind, float(score), source, rule)
    return _Line(path, number, told, span, Status[status.upper()])


def _columnar(columns: tuple[str, ...], lines: Sequence[_Line], place: Sequence[tuple[int, int]]) -> Mentions:
    row = np.array([row for row, _ in place], np.int32)
    column = np.array([column for _, column in place], np.int16)
    start = np.array([line.span.start for line in lines], np.int32)
    order = np.lexsort((start, column, row))
    lines = [lines[i] for i in order]
    _refuse_overlaps(lines, [place[i] for i in order])
    types, type_of = _numbered([line.span.type for line in lines])
    sources, source_of = _numbered([line.span.source for line in lines])
    rules, rule_of = _numbered([line.span.rule for line in lines])
    return Mentions(
        columns=columns,
        types=types,
        sources=sources,
        rules=rules,
        links=(),
        terms=(),
        row=row[order],
        column=column[order],
        start=start[order],
        end=np.array([line.span.end for line in lines], np.int32),
        type=type_of,
        score=np.array([line.span.score for line in lines], np.float32),
        source=source_of,
        rule=rule_of,
        status=np.array([line.status for line in lines], np.int8),
        link=np.full(len(lines), -1, np.int16),
        term=np.full(len(lines), -1, np.int32),
        spelling=np.full(len(lines), -1, np.int32),
    )


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int16]]:
    known = tuple(sorted(set(names)))
    number = {name: place for place, name in enumerate(known)}
    return known, np.array([number[name] for name in names], np.int16)


def _refuse_overlaps(lines: Sequence[_Line], place: Sequence[tuple[int, int]]) -> None:
    for i in range(1, len(lines)):
        before, line = lines[i - 1], lines[i]
        if place[i - 1] == place[i] and line.span.start < before.span.end:
            raise line.fault(f"overlaps the mention of line {before.number}")


def _lengths(texts: pl.Series) -> NDArray[np.int64]:
    lengths: NDArray[np.int64] = texts.cast(pl.String).str.len_chars().fill_null(0).cast(pl.Int64).to_numpy()
    return lengths


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _shortest(score: np.float32) -> float:
    # 0.85 as a 32-bit number, not as the 64-bit 0.8500000238418579
    return float(str(score))
