"""Edits: the only way in which a text ever changes, in tables and in documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.model.mention import Mentions

_NUMBERS = ("row", "column", "start", "end", "text")


class Edit(NamedTuple):
    """Characters `start` to `end` (half-open) of a text become `text`."""

    start: int
    end: int
    text: str


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

    @classmethod
    def at(cls, mentions: Mentions, which: NDArray[Any], texts: Sequence[str], text: NDArray[Any]) -> Edits:
        """Of some mentions, each of which becomes the text of its number."""
        m = mentions
        places = (m.row[which], m.column[which], m.start[which], m.end[which])
        return cls(m.columns, texts, *places, text.astype(np.int32))

    def chosen(self, which: NDArray[Any]) -> Edits:
        """Some of them, by their numbers or by a flag for each."""
        return replace(self, **{name: getattr(self, name)[which] for name in _NUMBERS})

    def joined(self, more: Edits) -> Edits:
        """These and more of the same columns, in their order."""
        more = replace(more, text=more.text + len(self.texts))
        both: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(more, name)]) for name in _NUMBERS
        }
        order = np.lexsort((both["start"], both["column"], both["row"]))
        return replace(self, texts=[*self.texts, *more.texts], **both).chosen(order)

    def touching(self, mentions: Mentions) -> NDArray[np.int64]:
        """Per mention of the same columns the number of the last edit that touches it, or -1."""
        if not len(self):
            return np.full(len(mentions), -1)
        span = int(max(mentions.end.max(initial=0), self.end.max(initial=0))) + 1
        line = [m.row.astype(np.int64) * len(self.columns) + m.column for m in (mentions, self)]
        last = np.searchsorted(line[1] * span + self.start, line[0] * span + mentions.end) - 1
        touched = (last >= 0) & (line[1][last] == line[0]) & (self.end[last] > mentions.start)
        return np.where(touched, last, -1)

    def inside(self, mentions: Mentions) -> NDArray[np.bool_]:
        """Per edit whether it begins inside a mention of the same columns."""
        span = int(max(mentions.end.max(initial=0), self.end.max(initial=0))) + 1
        line = [m.row.astype(np.int64) * len(self.columns) + m.column for m in (mentions, self)]
        last = np.searchsorted(line[0] * span + mentions.start, line[1] * span + self.start, "right") - 1
        if not len(mentions):
            return np.zeros(len(self), np.bool_)
        within: NDArray[np.bool_] = (
            (last >= 0) & (line[0][last] == line[1]) & (mentions.end[last] > self.start)
        )
        return within

    def __len__(self) -> int:
        return len(self.row)

    def __repr__(self) -> str:
        return f"Edits({len(self)} in columns {list(self.columns)})"
