"""Small datasets for the text room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Attribute, Schema
from heteronym.reading.read_person import read_persons, reading_for, unlinked
from heteronym.reading.scan import scan
from heteronym.recode._wording import with_articles
from heteronym.recode.apply import rewritten
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.words import Words


def dataset(
    columns: Mapping[str, Sequence[Any]],
    attributes: Mapping[str, Mapping[str, Any]],
    person: str | None = None,
) -> Dataset:
    schema = Schema({name: Attribute.model_validate(given) for name, given in attributes.items()}, person)
    return Dataset(schema, pl.DataFrame({name: list(cells) for name, cells in columns.items()}, strict=False))


def posts(texts: Sequence[str | None], persons: Sequence[int] | None = None) -> Dataset:
    columns: dict[str, Sequence[Any]] = {"id": persons or list(range(len(texts))), "text": list(texts)}
    return dataset(columns, {"id": {"role": "identifier"}, "text": {"role": "text"}}, person="id")


def mentions_of(data: Dataset, linked: bool = False, **plan: Any) -> Mentions:
    """Scan with the plan's patterns and lists of words given directly as `lists`."""
    lists = {kind: tuple(words) for kind, words in plan.pop("lists", {}).items()}
    text_plan = TextPlan.model_validate({"model": "none", **plan})
    parts = [Patterns(text_plan.patterns), Words(lists)]
    return read(data, scan(data, text_plan, recognizers=parts), text_plan, linked=linked)


def read(data: Dataset, found: Mentions, text_plan: TextPlan, *, linked: bool = True) -> Mentions:
    """What was recognized, followed through each person's texts and linked to its columns."""
    reading = reading_for(data, text_plan)
    return read_persons(data, found, reading if linked else unlinked(reading))


def rewrite(
    texts: Sequence[str | None], mentions: Mentions, replacements: Sequence[str | None], *, column: str
) -> list[str | None]:
    """The texts of one column with `replacements[i]` in place of mention i; None keeps its surface."""
    chosen = np.array([replacement is not None for replacement in replacements], bool)
    edits = Edits(
        mentions.columns,
        [replacement for replacement in replacements if replacement is not None],
        mentions.row[chosen],
        mentions.column[chosen],
        mentions.start[chosen],
        mentions.end[chosen],
        np.arange(chosen.sum(), dtype=np.int32),
    )
    cells = pl.Series("text", texts, pl.String)
    edits = with_articles(edits, pl.DataFrame(dict.fromkeys(mentions.columns, cells)), mentions)
    return rewritten(cells, edits, column=column).to_list()


def told(mentions: Mentions) -> list[tuple[int, str, str, str]]:
    """(row, type, term, linked attribute or "") of every mention."""
    return [
        (
            int(mentions.row[i]),
            mentions.types[mentions.type[i]],
            mentions.terms[mentions.term[i]].text,
            mentions.links[mentions.link[i]] if mentions.link[i] >= 0 else "",
        )
        for i in range(len(mentions))
    ]
