"""Runs the recognizers over the texts of a dataset.

Offsets count Python characters of the cell exactly as it was read. What follows for the other texts of the
same person is read off later, in `read_person`.

Cost        the recognizers'; texts are held a slice at a time
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import polars as pl

from heteronym.contracts import Recognizer
from heteronym.model.collect import Collection
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.text.recognize import counts, recognize

_SLICE_ROWS = 20_000


def scan(dataset: Dataset, text_plan: TextPlan, *, recognizers: Sequence[Recognizer]) -> Mentions:
    """What the recognizers find in the text attributes of a dataset; persons are not read yet.

    Reported are the types that count, and those that columns take links for.
    """
    linkable = {kind for _, attribute in dataset.schema for kind in attribute.entities}
    wanted = cache(lambda kind: kind in linkable or counts(kind, text_plan, in_table=True))
    columns = tuple(dataset.schema.named(Role.TEXT))
    found = Collection(columns)
    total = dataset.rows * len(columns)
    done, run = 0, current()
    for number, name in enumerate(columns):
        for first in range(0, dataset.rows, _SLICE_ROWS):
            texts = [text or "" for text in texts_of(dataset.frame[name].slice(first, _SLICE_ROWS))]
            for row, spans in enumerate(recognize(texts, recognizers, wanted=wanted), first):
                for span in spans:
                    found.add_span(row, number, span)
            done += len(texts)
            run.tell(done / max(total, 1))
    return found.build()


def texts_of(series: pl.Series) -> list[str | None]:
    """Cells as texts; a text column that was read as numbers still is text."""
    return series.cast(pl.String).to_list()
