"""Some rows before and after, side by side, and what would be left of every column.

The rows hold values of persons: they are shown on a terminal when somebody asks, and nowhere else; notebooks,
which are handed on, show the columns alone.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import polars as pl

from heteronym.comparing.remains import Remains, remains_of
from heteronym.io.values import comparable_cells, text_cells
from heteronym.model.in_words import InWords
from heteronym.model.schema import Role
from heteronym.pipeline import Draft

_NAME, _SIDE = 20, 42  # characters of a column's name, and of each side
_MOST_LINES = 8  # of a cell
_LEFT_OUT = "(left out)"


@dataclass(frozen=True, repr=False, eq=False)
class Preview(InWords):
    """Rows before and after, and what is left of each column."""

    rows: tuple[tuple[Mapping[str, str], Mapping[str, str]], ...]  # personal data
    remains: Remains
    persons: int
    of: int

    def __repr__(self) -> str:
        return f"Preview({len(self.rows)} rows, {len(self.remains.columns)} columns)"

    def in_words(self, *, verbose: bool = False) -> str:
        lines = [f"{len(self.rows)} rows before and after. They hold values of persons: do not pass them on."]
        for number, (before, after) in enumerate(self.rows, 1):
            lines += ["", f"row {number}"]
            for name, cell in before.items():
                lines += _side_by_side(name, cell, after.get(name, _LEFT_OUT))
        return "\n".join([*lines, "", *self.columns_in_lines()]) + "\n"

    def columns_in_lines(self) -> Iterator[str]:
        """What would be left of each column, without any value."""
        sample = f"{self.persons:,} of {self.of:,} persons" if self.persons < self.of else "all persons"
        yield f"What would be left, tried on {sample}, before the audit:"
        yield f"  {'column':<{_NAME + 12}} {'role':<10} {'values':>8} {'labels':>8} {'kept':>7}"
        for name, one in self.remains.columns.items():
            kept = f"{100 * one.kept:.0f} %"
            remark = "  one label for everybody" if one.is_one_label else ""
            shown = name if len(name) <= _NAME + 12 else f"{name[: _NAME + 11]}…"
            yield f"  {shown:<{_NAME + 12}} {one.role:<10} {one.values:>8} {one.labels:>8} {kept:>7}{remark}"

    def to_dict(self) -> dict[str, Any]:
        """Figures alone; rows are for a terminal."""
        return {"persons": self.persons, "of": self.of, **self.remains.to_dict()}

    def _repr_html_(self) -> str:
        told = "\n".join(
            [*self.columns_in_lines(), "print(preview.text) shows the rows, with values of persons."]
        )
        return f"<pre>{escape(told)}</pre>"


def preview_of(draft: Draft, *, persons: int, of: int, rows: int = 5) -> Preview:
    """Rows from all over the release, those with texts first."""
    dataset = draft.original or draft.dataset
    before, after = dataset.frame[draft.source_row], draft.frame
    texts = [name for name in dataset.schema.named(Role.TEXT) if name in after.columns]
    has_text = np.zeros(after.height, np.bool_)
    for name in texts:
        has_text |= text_cells(before[name]).is_not_null().to_numpy()
    able = np.flatnonzero(has_text) if has_text.any() else np.arange(after.height)
    chosen = able[np.unique(np.linspace(0, len(able) - 1, min(rows, len(able))).astype(int))]
    pairs = zip(_shown(before, chosen), _shown(after, chosen), strict=True)
    return Preview(tuple(pairs), remains_of(draft), persons, of)


def _shown(frame: pl.DataFrame, chosen: np.ndarray[Any, Any]) -> list[dict[str, str]]:
    columns = [comparable_cells(column[chosen]).to_list() for column in frame]
    cells = [["" if cell is None else str(cell) for cell in column] for column in columns]
    return [dict(zip(frame.columns, row, strict=True)) for row in zip(*cells, strict=True)]


def _side_by_side(name: str, before: str, after: str) -> Iterator[str]:
    label = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
    left, right = _lines(before), _lines(after)
    for number in range(max(len(left), len(right))):
        shown = label if number == 0 else ""
        sides = (lines[number] if number < len(lines) else "" for lines in (left, right))
        yield f"  {shown:<{_NAME}} " + " | ".join(f"{side:<{_SIDE}}" for side in sides).rstrip()


def _lines(cell: str) -> list[str]:
    plain = "".join(sign if sign.isprintable() else " " for sign in cell)
    lines = textwrap.wrap(plain, _SIDE) or [""]
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "..."]
