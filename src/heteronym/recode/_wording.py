"""Labels that agree with the words around them: articles, plurals."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

import numpy as np
import polars as pl

from heteronym.knowledge.inflect import labelled
from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.terms import normalize
from heteronym.run import current


def worded(edits: Edits, dataset: Dataset, as_they_are: Container[int]) -> Edits:
    """Edits whose labels agree with the words around them; none grows into its neighbour."""
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
        floor = reach[2] if reach[:2] == (row, column) else 0
        reach = (row, column, last)
        following = places[i + 1] if i + 1 < len(places) else None
        ceiling = following[2] if following is not None and following[:2] == [row, column] else None
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
