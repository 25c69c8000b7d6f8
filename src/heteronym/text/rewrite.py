"""Rewrites texts by offsets: mentions get their replacement, everything else stays as it was.

A linked mention covers just the part that tells the value ("36" of "36 years old", see text.link),
so the words around it stay: "a [24-36] years old engineer", as in the paper's Table 5.

Cost        O(characters of the texts that hold mentions)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heteronym.errors import UsageError
from heteronym.model.mention import Mentions


def placeholder(type: str) -> str:
    """What a suppressed mention is replaced by."""
    return f"[{type}]"


def rewrite(
    texts: Sequence[str | None], mentions: Mentions, replacements: Sequence[str | None], *, column: str
) -> list[str | None]:
    """The texts of one column with `replacements[i]` in place of mention i; None keeps its surface.

    `texts` holds one text per row of the dataset, `replacements` runs beside all of `mentions`.
    """
    if len(replacements) != len(mentions):
        raise UsageError(f"{len(replacements)} replacements for {len(mentions)} mentions")
    rewritten = list(texts)
    mine = np.flatnonzero(mentions.column == mentions.columns.index(column))
    rows = mentions.row[mine]
    if len(mine) == 0:
        return rewritten
    begins = np.flatnonzero(np.r_[True, rows[1:] != rows[:-1]])
    for part in np.split(mine, begins[1:]):
        row = int(mentions.row[part[0]])
        text = texts[row]
        if text is None or int(mentions.end[part[-1]]) > len(text):
            raise UsageError(f"column '{column}': a mention lies outside the text of row {row + 1}")
        rewritten[row] = _edited(
            text,
            mentions.start[part].tolist(),
            mentions.end[part].tolist(),
            [replacements[i] for i in part.tolist()],
        )
    return rewritten


def _edited(text: str, starts: list[int], ends: list[int], replacements: list[str | None]) -> str:
    pieces: list[str] = []
    done = 0
    for start, end, replacement in zip(starts, ends, replacements):
        if replacement is None:
            continue
        pieces += (text[done:start], replacement)
        done = end
    pieces.append(text[done:])
    return "".join(pieces)
