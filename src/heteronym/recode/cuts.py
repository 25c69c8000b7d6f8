"""Whole stretches taken out of the data's texts before they are recoded: repeated texts, and what could not
be mended otherwise. What is worked on afterwards are the shorter texts; the owner's evidence speaks of the
data as it came, so edits and mentions are carried back.

Cost        O(mentions + edits); Python only for texts that were cut
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import NUMBERS, Mentions

Cell = tuple[int, int]  # row, and number of the text column
Stretches = Mapping[Cell, list[tuple[int, int]]]  # of each text, in order; none touches another


@dataclass(frozen=True, repr=False, eq=False)
class Cuts:
    """What was taken out, in characters of the data as it came, and the mentions that went with it."""

    columns: tuple[str, ...]
    stretches: Stretches
    mentions: Mentions | None = None

    @property
    def cells(self) -> int:
        return len(self.stretches)

    def position(self, cell: Cell, at: int, side: Literal["start", "end"]) -> int:
        """A place of a text that was cut in the text as it came."""
        shift = 0
        for start, end in self.stretches.get(cell, ()):
            here = start - shift
            if here < at or (here == at and side == "start"):
                shift += end - start
            else:
                break
        return at + shift

    def __repr__(self) -> str:
        return f"Cuts({self.cells} texts)"


def cut_texts(dataset: Dataset, mentions: Mentions, more: Stretches) -> tuple[Dataset, Mentions, Mentions]:
    """The data without some stretches of its texts, the mentions that are left, and those that went.

    Nothing is left of a text that goes whole: its cell is missing then.
    """
    frame, start, end = dataset.frame, mentions.start.copy(), mentions.end.copy()
    gone = np.zeros(len(mentions), np.bool_)
    by_column: dict[int, dict[int, list[tuple[int, int]]]] = {}
    for (row, column), stretches in more.items():
        by_column.setdefault(column, {})[row] = stretches
    for column, rows in by_column.items():
        name = mentions.columns[column]
        cells = frame[name].cast(pl.String).to_list()
        for row, stretches in rows.items():
            text = cells[row] or ""
            cells[row] = "".join(_left_of(text, stretches)) or None
            for i in mentions.of_text(row, column).tolist():
                inside = [a < mentions.end[i] and mentions.start[i] < b for a, b in stretches]
                gone[i] = any(inside)
                shift = sum(b - a for a, b in stretches if b <= mentions.start[i])
                start[i], end[i] = start[i] - shift, end[i] - shift
        frame = frame.with_columns(pl.Series(name, cells, pl.String))
    moved = replace(mentions, start=start, end=end)
    return replace(dataset, frame=frame), _chosen(moved, ~gone), _chosen(mentions, gone)


def with_more(cuts: Cuts, more: Stretches, gone: Mentions) -> Cuts:
    """The cuts with further ones, which are told in characters of the texts as they were cut before."""
    found: dict[Cell, list[tuple[int, int]]] = {cell: [*mine] for cell, mine in cuts.stretches.items()}
    for cell, stretches in more.items():
        mine = found.setdefault(cell, [])
        back = [(cuts.position(cell, a, "start"), cuts.position(cell, b, "end")) for a, b in stretches]
        found[cell] = united([*mine, *back])
    gone = mentions_as_they_came(gone, cuts)
    return Cuts(cuts.columns, found, gone if cuts.mentions is None else _joined(cuts.mentions, gone))


def united(stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same in order, those that touch each other as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def mentions_as_they_came(mentions: Mentions, cuts: Cuts) -> Mentions:
    """Mentions of texts that were cut, in characters of the data as it came."""
    start, end = mentions.start.copy(), mentions.end.copy()
    for cell in cuts.stretches:
        for i in mentions.of_text(*cell).tolist():
            start[i] = cuts.position(cell, int(start[i]), "start")
            end[i] = cuts.position(cell, int(end[i]), "end")
    return replace(mentions, start=start, end=end)


def all_mentions(mentions: Mentions, cuts: Cuts) -> Mentions:
    """Those that are left and those that went, in characters of the data as it came."""
    left = mentions_as_they_came(mentions, cuts)
    return left if cuts.mentions is None else _joined(left, cuts.mentions)


def all_edits(edits: Edits, cuts: Cuts, released: NDArray[np.bool_]) -> Edits:
    """The edits that lead from the data as it came to the released texts; `released` says which rows are."""
    start, end = edits.start.copy(), edits.end.copy()
    more: list[tuple[int, int, int, int]] = []
    for (row, column), stretches in cuts.stretches.items():
        if not released[row]:
            continue
        first, last = np.searchsorted(edits.row, [row, row + 1])
        mine = (first + np.flatnonzero(edits.column[first:last] == column)).tolist()
        for i in mine:
            start[i] = cuts.position((row, column), int(start[i]), "start")
            end[i] = cuts.position((row, column), int(end[i]), "end")
        covered = [(int(start[i]), int(end[i])) for i in mine]
        alone = [(a, b) for a, b in stretches if not any(s <= a and b <= e for s, e in covered)]
        more += [(row, column, a, b) for a, b in alone]
    moved = replace(edits, start=start, end=end)
    if not more:
        return moved
    rows, columns, first, last = np.array(more, np.int32).T
    none = np.zeros(len(rows), np.int32)
    return moved.joined(Edits(edits.columns, [""], rows, columns.astype(np.int16), first, last, none))


def _left_of(text: str, stretches: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for start, end in stretches:
        yield text[done:start]
        done = end
    yield text[done:]


def _chosen(mentions: Mentions, which: NDArray[np.bool_]) -> Mentions:
    return replace(mentions, **{name: getattr(mentions, name)[which] for name in NUMBERS})


def _joined(a: Mentions, b: Mentions) -> Mentions:
    """Both, in order; `b` was taken from an earlier state of `a`: names it lacks now are added."""
    names: dict[str, Any] = {}
    for key in ("types", "sources", "rules", "links"):
        known = getattr(a, key)
        names[key] = (*known, *(name for name in getattr(b, key) if name not in known))
    number = {"types": "type", "sources": "source", "rules": "rule", "links": "link"}
    more = {name: getattr(b, name) for name in NUMBERS}
    for key, column in number.items():
        place = np.array([names[key].index(name) for name in getattr(b, key)] + [-1], np.int16)
        more[column] = place[more[column]]
    more["term"], more["spelling"] = np.full(len(b), -1), np.full(len(b), -1)
    return replace(a, **names).with_more(more)[0]
