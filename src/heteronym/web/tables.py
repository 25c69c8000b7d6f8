"""What people look at: how files lie on disk, how values are spread, and rows before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import heteronym as hn
from heteronym.errors import HeteronymError
from heteronym.io.tables import Table, read_table, read_tables
from heteronym.io.values import days, numbers, text_cells
from heteronym.model.plan import DataPlan

if TYPE_CHECKING:
    from heteronym.comparing.preview import Preview

_ROWS = 8  # of the data
_PAIRS = 12  # of a release
_LONGEST = 2000  # characters of a cell
_BARS = 14  # of a small picture
_NAME = 40  # characters of a value beside it


def read_as_planned(data: Sequence[Path], settings: Mapping[str, Any]) -> Table:
    return read_tables(data, DataPlan.model_validate(dict(settings)))


def first_rows(table: Table) -> dict[str, Any]:
    """Columns and the first rows, as texts."""
    head = table.frame.head(_ROWS)
    return {"columns": head.columns, "rows": [[_shown(cell) for cell in row] for row in head.rows()]}


def layouts(data: Sequence[Path], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How each file was read: what kind it is, what parts its cells, how its letters are written."""
    plan = DataPlan.model_validate({k: v for k, v in settings.items() if k not in ("join", "unite")})
    found = []
    for path in data:
        table = read_table(path, plan)
        one = table.format
        is_text = one.kind in ("csv", "tsv")
        found.append(
            {
                "name": path.name,
                "kind": one.kind,
                "rows": table.frame.height,
                "columns": table.frame.width,
                "delimiter": one.delimiter if is_text else None,
                "encoding": one.encoding if is_text else None,
                "sheet": one.sheet,
            }
        )
    return found


def spreads(frame: pl.DataFrame, columns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each column how often its values are, or how many lie in each of some equal ranges."""
    return [_spread(frame[column["name"]], column) for column in columns]


def _spread(cells: pl.Series, column: Mapping[str, Any]) -> dict[str, Any]:
    if column["role"] == "text":
        words = text_cells(cells).drop_nulls().str.count_matches(r"\w+").cast(pl.Float64)
        return {"of": "words", "bars": _ranges(words, str)}
    try:
        if column["scale"] == "numeric":
            found = numbers(cells, source="").drop_nulls().cast(pl.Float64)
            return {"of": "numbers", "bars": _ranges(found, str)}
        if column["scale"] == "date":
            told = days(cells, column.get("format"), source="").drop_nulls().cast(pl.Float64)
            return {"of": "days", "bars": _ranges(told, _as_day)}
    except HeteronymError:  # some cells are no numbers or dates; they are values like others
        pass
    counts = text_cells(cells).drop_nulls().value_counts(sort=True, name="rows")
    if counts.height > _BARS and counts["rows"].max() == 1:
        return {"of": "values", "bars": [], "different": counts.height}
    top = [[str(value)[:_NAME], int(rows)] for value, rows in counts.head(_BARS).iter_rows()]
    return {"of": "values", "bars": top, "different": counts.height}


def _ranges(found: pl.Series, name: Any) -> list[list[Any]]:
    """How many lie in each of some equal ranges."""
    if not len(found):
        return []
    values = found.to_numpy()
    low, high = float(values.min()), float(values.max())
    counts, edges = np.histogram(
        values, bins=min(_BARS, max(found.n_unique(), 1)), range=(low, high or low + 1)
    )
    named = [f"{float(f'{edge:.4g}'):g}" if name is str else name(edge) for edge in edges]
    return [[f"{a} to {b}", int(n)] for a, b, n in zip(named[:-1], named[1:], counts, strict=True)]


def _as_day(number: float) -> str:
    return str(np.datetime64(int(number), "D"))


def previewed(found: Preview) -> dict[str, Any]:
    """Rows before and after a plan, and what would be left of each column."""
    pairs = [
        {
            name: marked(_shown(cell), _shown(after[name])) if name in after else None
            for name, cell in before.items()
        }
        for before, after in found.rows
    ]
    columns = [*found.rows[0][0]] if found.rows else []
    left = found.to_dict()["columns"]
    return {
        "columns": columns,
        "pairs": pairs,
        "columns_left": left,
        "persons": found.persons,
        "of": found.of,
    }


def before_and_after(release: hn.Release, data: Sequence[Path], plan: hn.Plan) -> dict[str, Any]:
    """Some rows as they were and as they are released, cell by cell, with the changed places marked."""
    before, after = read_tables(data, plan.data).frame, release.data
    columns = [name for name in after.columns if name in before.columns]
    pairs = []
    for number in range(min(_PAIRS, after.height)):
        source = int(release.source_row[number])
        old, new = before.row(source, named=True), after.row(number, named=True)
        cells = [marked(_shown(old[name]), _shown(new[name])) for name in columns]
        pairs.append({"row": number + 1, "cells": cells})
    return {"columns": columns, "pairs": pairs, "rows": after.height}


def person_rows(
    before: pl.DataFrame,
    after: pl.DataFrame,
    rows: Sequence[tuple[int, int]],
    mentions: Mapping[int, Sequence[Any]],
) -> list[dict[str, Any]]:
    """Rows of a person (released, source; counted from 1) by cells, with each mention in its place."""
    told = []
    for released, source in rows:
        old, new = before.row(source - 1, named=True), after.row(released - 1, named=True)
        cells = []
        for name in after.columns:
            if name not in before.columns:
                continue
            cell = marked(_shown(old[name]), _shown(new[name]))
            found = [one for one in mentions.get(released, ()) if one["column"] == name]
            if found:
                cell["before"] = _with_mentions(_shown(old[name]), found)
            cells.append({"column": name, **cell, "mentions": bool(found)})
        told.append({"row": released, "source": source, "cells": cells})
    return told


def _with_mentions(text: str, mentions: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    """A text in pieces; a mention's piece has what became of it."""
    pieces: list[list[Any]] = []
    at = 0
    for one in sorted(mentions, key=lambda one: int(one["start"])):
        start, end = int(one["start"]), min(int(one["end"]), len(text))
        if start < at or start >= end:
            continue
        if at < start:
            pieces.append([text[at:start], None])
        pieces.append([text[start:end], one])
        at = end
    if at < len(text):
        pieces.append([text[at:], None])
    return pieces


def marked(old: str, new: str) -> dict[str, Any]:
    """Both as pieces (text, whether it changed); a short cell changes as a whole."""
    if old == new:
        return {"changed": False, "before": [[old, False]], "after": [[new, False]]}
    if len(old.split()) < 4:
        return {"changed": True, "before": [[old, True]], "after": [[new, True]]}
    was, now = _words(old), _words(new)
    before: list[list[Any]] = []
    after: list[list[Any]] = []
    for tag, a, b, c, d in SequenceMatcher(a=was, b=now, autojunk=False).get_opcodes():
        for pieces, text in ((before, "".join(was[a:b])), (after, "".join(now[c:d]))):
            if text:
                pieces.append([text, tag != "equal"])
    return {"changed": True, "before": before, "after": after}


def _words(text: str) -> list[str]:
    """Words and what stands between them, which together are the text again."""
    import re

    return re.findall(r"\w+|\W", text)


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    text = ", ".join(map(str, cell)) if isinstance(cell, list) else str(cell)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
