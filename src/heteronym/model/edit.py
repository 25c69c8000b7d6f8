"""Edits: the only way in which a text ever changes, in tables and in documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError


class Edit(NamedTuple):
    """Characters `start` to `end` (half-open) become `text`; in a table, those of one cell."""

    start: int
    end: int
    text: str
    row: int = 0
    column: str = ""


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text after its edits; what no edit touches stays as it was."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits):
        if edit.start < done or edit.end > len(text):
            raise UsageError("edits of a text must neither overlap nor lie outside of it")
        pieces += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join([*pieces, text[done:]])


@dataclass(frozen=True, repr=False, eq=False)
class Edits:
    """All edits of a table as columns of integers, sorted by row, column and start."""

    columns: tuple[str, ...]  # text attributes
    texts: Sequence[str]
    row: NDArray[np.int32]
    column: NDArray[np.int16]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    text: NDArray[np.int32]  # number in `texts`

    def chosen(self, which: NDArray[Any]) -> Edits:
        """Some of them, by their numbers or by a flag for each."""
        more = (self.row[which], self.column[which], self.start[which], self.end[which], self.text[which])
        return Edits(self.columns, self.texts, *more)

    def joined(self, more: Edits) -> Edits:
        """These and more of the same columns, in their order."""
        both = Edits(
            self.columns,
            [*self.texts, *more.texts],
            np.concatenate([self.row, more.row]),
            np.concatenate([self.column, more.column]),
            np.concatenate([self.start, more.start]),
            np.concatenate([self.end, more.end]),
            np.concatenate([self.text, more.text + len(self.texts)]),
        )
        return both.chosen(np.lexsort((both.start, both.column, both.row)))

    def __len__(self) -> int:
        return len(self.row)

    def __repr__(self) -> str:
        return f"Edits({len(self)} in columns {list(self.columns)})"
