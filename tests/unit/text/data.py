"""Small datasets for the text room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Attribute, Schema
from heteronym.text.link import link
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.words import Words
from heteronym.text.scan import scan


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
    found = scan(data, text_plan, recognizers=parts)
    return link(data, found, text_plan) if linked else found


def told(mentions: Mentions) -> list[tuple[int, str, str, str]]:
    """(row, type, term, linked attribute or "") of every mention."""
    return [
        (
            int(mentions.row[i]),
            mentions.types[mentions.type[i]],
            mentions.terms[mentions.term[i]],
            mentions.links[mentions.link[i]] if mentions.link[i] >= 0 else "",
        )
        for i in range(len(mentions))
    ]
