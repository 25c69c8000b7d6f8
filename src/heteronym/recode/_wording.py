"""Labels that agree with the words around them: articles, plurals."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

import numpy as np
import polars as pl

from heteronym.knowledge.inflect import labelled
from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.model.terms import normalize
from heteronym.run import current


def worded(edits: Edits, dataset: Dataset, mentions: Mentions, as_they_are: Container[int]) -> Edits:
    """Edits whose labels agree with the words around them; none grows into another mention."""
    before, behind = _neighbours(edits, mentions)
    columns = [dataset.frame[name].cast(pl.String).to_list() for name in edits.columns]
    texts = list(edits.texts)  # equal ones may stand there under several numbers
    number_of: dict[str, int] = {}
    start, end, number = edits.start.copy(), edits.end.copy(), edits.text.copy()
    places = np.stack([edits.row, edits.column, edits.start, edits.end, edits.text], axis=1).tolist()
    changes = np.ones(len(edits), np.bool_)  # "2004" may read "2004" because others of its year do
    run = current()
    reach = (-1, -1, 0)  # row and column of the last edit, and where it ends
    for i, (row, column, first, last, label) in enumerate(places):
        if i % 4096 == 0:
            run.poll()
        floor = max(reach[2] if reach[:2] == (row, column) else 0, before[i])
        reach = (row, column, last)
        following = places[i + 1] if i + 1 < len(places) else None
        ceiling = following[2] if following is not None and following[:2] == [row, column] else behind[i]
        text = columns[column][row]
        if text is None or not edits.texts[label] or label in as_they_are:
            continue
        new_first, new_last, written = first, last, edits.texts[label]
        if normalize(written) != normalize(text[first:last]):  # "St Luke's" is no possessive of itself
            new_first, new_last, written = labelled(written, text, first, last)
        if new_first < floor or (ceiling is not None and new_last > ceiling):
            continue
        changes[i] = text[new_first:new_last] != written
        start[i], end[i] = new_first, new_last
        if written not in number_of:
            number_of[written] = len(texts)
            texts.append(written)
        number[i] = number_of[written]
        reach = (row, column, new_last)
    return replace(edits, texts=texts, start=start, end=end, text=number).chosen(changes)


def _neighbours(edits: Edits, mentions: Mentions) -> tuple[list[int], list[int | None]]:
    """Where the mention before each edit ends, and where the one behind it begins, in the same text."""
    span = int(max(mentions.end.max(initial=0), edits.end.max(initial=0))) + 1
    line = [m.row.astype(np.int64) * len(edits.columns) + m.column for m in (mentions, edits)]
    starts = line[0] * span + mentions.start
    last = np.searchsorted(starts, line[1] * span + edits.start) - 1
    following = np.searchsorted(starts, line[1] * span + edits.end)
    if not len(mentions):
        return [0] * len(edits), [None] * len(edits)
    before = np.where((last >= 0) & (line[0][last] == line[1]), mentions.end[last], 0)
    at = np.minimum(following, len(mentions) - 1)
    there = (following < len(mentions)) & (line[0][at] == line[1])
    behind = [int(start) if yes else None for start, yes in zip(mentions.start[at], there, strict=True)]
    return before.tolist(), behind


_AN = re.compile(r"(?<![^\W_])a(n)\s+\Z", re.IGNORECASE)


def with_articles(edits: Edits, frame: pl.DataFrame, mentions: Mentions) -> Edits:
    """The edits, and those that make "an" before a changed word "a": "an" tells how the word began."""
    columns = [frame[name].cast(pl.String).to_list() for name in edits.columns]
    row, column, start = [], [], []
    reach = (-1, -1, 0)  # row and column of the last edit, and where it ends
    places = np.stack([edits.row, edits.column, edits.start, edits.end, edits.text], axis=1).tolist()
    for at_row, at_column, first, last, label in places:
        text = columns[at_column][at_row]
        floor = reach[2] if reach[:2] == (at_row, at_column) else 0
        reach = (at_row, at_column, last)
        article = None if text is None else _AN.search(text, max(first - 8, floor), first)
        if text is not None and article is not None and edits.texts[label] != text[first:last]:
            row.append(at_row)
            column.append(at_column)
            start.append(article.start(1))
    if not row:
        return edits
    rows, at, zero = np.array(row, np.int32), np.array(start, np.int32), np.zeros(len(row), np.int32)
    articles = Edits(edits.columns, [""], rows, np.array(column, np.int16), at, at + np.int32(1), zero)
    return edits.joined(articles.chosen(~articles.inside(mentions)))  # "An" may be part of a name
