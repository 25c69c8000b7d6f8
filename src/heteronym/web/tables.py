"""A few rows for people to look at: of the data, and of a release beside the rows that it was made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import heteronym as hn
from heteronym.io.tables import read_tables
from heteronym.model.plan import DataPlan

_ROWS = 8  # of the data
_PAIRS = 12  # of a release
_LONGEST = 2000  # characters of a cell


def first_rows(data: Sequence[Path], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Columns and the first rows, as texts."""
    table = read_tables(data, DataPlan.model_validate(dict(settings)))
    head = table.frame.head(_ROWS)
    return {"columns": head.columns, "rows": [[_shown(cell) for cell in row] for row in head.rows()]}


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
