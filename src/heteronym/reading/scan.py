"""Runs the recognizers over the texts of a dataset.

Identical texts are recognized once. Offsets count Python characters of the cell exactly as it was read.
What follows for the other texts of the same person is read off later, in `read_person`.

Cost        the recognizers'; texts are held a slice at a time
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import polars as pl

from heteronym.contracts import Recognizer
from heteronym.model.collect import Collection
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.text.recognize import check_languages, counts, recognize, recognizers_for

_SLICE_ROWS = 20_000


def wanted_types(dataset: Dataset, text_plan: TextPlan) -> Callable[[str], bool]:
    """The types that `scan` reports: those that count, and those that columns take links for."""
    linkable = {kind for _, attribute in dataset.schema for kind in attribute.entities}
    return cache(lambda kind: kind in linkable or counts(kind, text_plan))


def scan(
    dataset: Dataset,
    text_plan: TextPlan,
    *,
    recognizers: Sequence[Recognizer] | None = None,
) -> Mentions:
    """What the recognizers find in the text attributes of a dataset; persons are not read yet."""
    parts = recognizers_for(text_plan) if recognizers is None else list(recognizers)
    check_languages(parts, text_plan.language)
    columns = tuple(dataset.schema.named(Role.TEXT))
    wanted = wanted_types(dataset, text_plan)
    found = Collection(columns)
    total = dataset.rows * len(columns)
    done, run = 0, current()
    for number, name in enumerate(columns):
        for first in range(0, dataset.rows, _SLICE_ROWS):
            texts = texts_of(dataset.frame[name].slice(first, _SLICE_ROWS))
            distinct = list(dict.fromkeys(filter(None, texts)))  # equal ones are recognized once
            spans = dict(zip(distinct, recognize(distinct, parts, wanted=wanted), strict=True))
            for row, text in enumerate(texts, first):
                for span in spans[text] if text else ():
                    found.add_span(row, number, span)
            done += len(texts)
            run.tell(done / max(total, 1))
    return found.build()


def texts_of(series: pl.Series) -> list[str | None]:
    """Cells as texts; a text column that was read as numbers still is text."""
    return series.cast(pl.String).to_list()
