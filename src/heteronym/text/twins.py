"""What was recognized in one text is a mention in every text: an unmasked twin would tell whose it is.

Where a group's map must treat a term alike for all its members, a mention that was found in one person's text
and missed in another's is found there, too: the same letters, as whole words. A value of a column is linked
where it is the person's own; in another's text it is a term that tells it.

Cost        O(words of the texts + words of the terms)
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import polars as pl

from heteronym.model.dataset import Dataset
from heteronym.model.mention import NUMBERS, Mentions
from heteronym.run import current
from heteronym.text.scan import texts_of

_WORD = re.compile(r"\w+")

_Twin = tuple[str, int]  # a surface, and the mention that stands for it


def with_twins(dataset: Dataset, mentions: Mentions) -> Mentions:
    """The mentions, and further ones where the letters of one stand elsewhere."""
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    by_word = _surfaces(cells, mentions)
    if not by_word:
        return mentions
    place = mentions.row.astype(np.int64) * len(cells) + mentions.column
    first = np.searchsorted(place, np.arange(dataset.rows * len(cells) + 1))
    added: list[tuple[int, int, int, int, int]] = []
    run = current()
    for row in range(dataset.rows):
        if row % 1024 == 0:
            run.tell(row / dataset.rows)
        for column, texts in enumerate(cells):
            text = texts[row]
            if text:
                at = row * len(cells) + column
                spans = list(zip(mentions.start[first[at] : first[at + 1]].tolist(),
                                 mentions.end[first[at] : first[at + 1]].tolist(), strict=True))  # fmt: skip
                added += [(row, column, *found) for found in _missed(text, spans, by_word)]
    return _with(mentions, added) if added else mentions


def _surfaces(cells: list[list[str | None]], mentions: Mentions) -> Mapping[str, list[_Twin]]:
    """The spellings of mentions by their first word, longest first; the most frequent term's."""
    free = np.arange(len(mentions))
    spelt = pl.DataFrame(
        {
            "surface": [
                (cells[c][r] or "")[a:b]
                for c, r, a, b in zip(
                    mentions.column[free].tolist(),
                    mentions.row[free].tolist(),
                    mentions.start[free].tolist(),
                    mentions.end[free].tolist(),
                    strict=True,
                )
            ],
            "term": mentions.term[free],
            "which": free,
        },
        schema_overrides={"surface": pl.String},
    )
    best = (
        spelt.group_by("surface", "term")
        .agg(pl.len(), pl.col("which").min())
        .sort(["len", "which"], descending=[True, False])
        .unique("surface", keep="first", maintain_order=True)
    )
    by_word: dict[str, list[_Twin]] = {}
    for surface, which in best.select("surface", "which").iter_rows():
        word = _WORD.search(surface)
        if word is not None and word.start() == 0:
            by_word.setdefault(word.group(), []).append((surface, which))
    for twins in by_word.values():
        twins.sort(key=lambda twin: -len(twin[0]))
    return by_word


def _missed(
    text: str, spans: list[tuple[int, int]], by_word: Mapping[str, list[_Twin]]
) -> list[tuple[int, int, int]]:
    """Start, end and twin of what stands in a text outside of its mentions."""
    if by_word.keys().isdisjoint(_WORD.findall(text)):
        return []
    found: list[tuple[int, int, int]] = []
    reach = 0
    for word in _WORD.finditer(text):
        start = word.start()
        if start < reach:
            continue
        for surface, which in by_word.get(word.group(), ()):
            end = start + len(surface)
            whole = text.startswith(surface, start) and not (
                text[end : end + 1].isalnum() and surface[-1].isalnum()
            )
            if whole and not any(a < end and start < b for a, b in spans):
                found.append((start, end, which))
                reach = end
                break
    return found


def _with(mentions: Mentions, added: list[tuple[int, int, int, int, int]]) -> Mentions:
    row, column, start, end, twin = np.array(added, np.int64).T
    own = {"row": row, "column": column, "start": start, "end": end, "link": -1}
    alike = {name: getattr(mentions, name)[twin] for name in NUMBERS}
    return mentions.with_more(alike | own)[0]
