"""Mentions in the owner's folder, read by the auditor: offsets and types, one JSON object per line.

The last line says which texts were covered; a file without it was cut off.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from heteronym.errors import InputError
from heteronym.model.mention import NUMBERS, Mentions, Status

FILE = "mentions.jsonl"


def read_found(content: bytes, frame: pl.DataFrame, columns: Sequence[str]) -> Mentions:
    """The mentions of a table's texts; refused if lines are missing or lie outside of the texts."""
    try:
        lines = [json.loads(line) for line in content.decode("utf-8-sig").splitlines() if line.strip()]
    except ValueError:
        raise InputError(f"{FILE}: not readable as mentions") from None
    if not lines or not isinstance(lines[-1], dict) or "covered" not in lines[-1]:
        raise InputError(f"{FILE}: was cut off: its last line does not say which texts were covered")
    told = lines.pop()
    if told.get("mentions") != len(lines):
        raise InputError(f"{FILE}: {len(lines)} mentions, but its last line tells of {told.get('mentions')}")
    if told.get("digest") != texts_digest(frame, columns):
        raise InputError(f"{FILE}: was written for other texts")
    lengths = {name: frame[name].cast(pl.String).str.len_chars().fill_null(0).to_list() for name in columns}
    try:
        lines.sort(key=lambda line: (line["row"], columns.index(line["column"]), line["start"]))
        inside = all(0 <= m["start"] < m["end"] <= lengths[m["column"]][m["row"]] for m in lines)
    except (KeyError, TypeError, ValueError, IndexError):
        inside = False
    if not inside:
        raise InputError(f"{FILE}: a mention lies outside of the texts")
    return _columnar(lines, tuple(columns))


def texts_digest(frame: pl.DataFrame, columns: Sequence[str]) -> str:
    """One digest of all texts of these columns, row by row."""
    whole = hashlib.sha256()
    for name in columns:
        whole.update(json.dumps(name).encode())
        for text in frame[name].cast(pl.String).to_list():
            data = b"-" if text is None or not text else text.encode("utf-8", errors="surrogatepass")
            whole.update(b"%d:" % len(data) + data)
    return whole.hexdigest()


def _columnar(lines: Sequence[dict[str, Any]], columns: tuple[str, ...]) -> Mentions:
    types, sources, rules = (
        tuple(sorted({str(line.get(key, "")) for line in lines})) for key in ("type", "source", "rule")
    )

    def numbers(key: str, names: Sequence[str]) -> list[int]:
        place = {name: number for number, name in enumerate(names)}
        return [place[str(line.get(key, ""))] for line in lines]

    told: dict[str, list[Any]] = {key: [line[key] for line in lines] for key in ("row", "start", "end")}
    told |= {"column": numbers("column", columns), "type": numbers("type", types)}
    told |= {"source": numbers("source", sources), "rule": numbers("rule", rules)}
    told["score"] = [line.get("score", 1.0) for line in lines]
    told["status"] = [Status[str(line.get("status", "found")).upper()] for line in lines]
    unread = [-1] * len(lines)
    arrays = {name: np.array(told.get(name, unread), kind) for name, kind in NUMBERS.items()}
    return Mentions(columns, types, sources, rules, links=(), terms=(), **arrays)
