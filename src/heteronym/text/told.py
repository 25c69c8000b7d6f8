"""What texts tell beside their terms, for a model that treats a group's elements alike whoever holds them.

A mention of the person's own value is linked to its column. Another person may mention the same value
without having it. Where one label must stand for it in all texts of a group, somebody has to know what the
term tells: a number, a day or a range of days, or one of the column's names; or that it is an identifier.

Cost        O(terms and mentions)
Randomness  none
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.person_view import Column, Elements, Marker, PersonView, Told
from heteronym.model.schema import Role, Scale
from heteronym.model.sentences import Sentences
from heteronym.model.terms import normalize
from heteronym.text.dates import PartialDate, read_phrase
from heteronym.text.linkers.typed import name_forms
from heteronym.text.numbers import read_numbers

_EPOCH = dt.date(1970, 1, 1)


def with_told(
    view: PersonView, dataset: Dataset, mentions: Mentions | None, sentences: Sentences | None
) -> PersonView:
    """The view with all that texts tell."""
    if mentions is not None and sentences is not None:
        view = replace(view, elements=_with_markers(view, mentions, sentences))
    if not view.elements.has_terms:
        return view
    return replace(view, told=told_by_terms(view), identifying=identifying(dataset, view))


def _with_markers(view: PersonView, mentions: Mentions, sentences: Sentences) -> Elements:
    """What mentions show that are no elements, and the sentence of each.

    A mention of an event's value shows its type: rows have labels of their own, and a text none.
    """
    events = {column.name for column in view.events}
    markers = (
        *(Marker("direct", type_) for type_ in mentions.types),
        *(Marker("link", name) for name in mentions.links if name not in events),
    )
    place = {
        name: number for number, (_, name) in enumerate(markers[len(mentions.types) :], len(mentions.types))
    }
    follows = np.array([place.get(name, -1) for name in mentions.links] or [-1], np.int64)[mentions.link]
    marker = np.where((mentions.link >= 0) & (follows >= 0), follows, mentions.type)
    return replace(
        view.elements,
        mention_marker=np.where(view.elements.of_mention >= 0, -1, marker).astype(np.int32),
        markers=markers,
        mention_sentence=sentences.of_mention,
    )


def identifying(dataset: Dataset, view: PersonView) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Terms that are spelt like an identifier, and the person it belongs to, as pairs."""
    names = dataset.schema.named(Role.IDENTIFIER)
    cells = [text_cells(dataset.frame[name].cast(pl.String), dataset.missing) for name in names]
    persons = pl.Series(view.person_of_row)
    holders = pl.concat(
        [
            pl.DataFrame({"cell": pl.Series([], dtype=pl.String), "person": persons.head(0)}),
            *(pl.DataFrame({"cell": mine, "person": persons}) for mine in cells),
        ]
    )
    whose: dict[str, set[int]] = {}
    for cell, person in holders.drop_nulls().unique().iter_rows():
        whose.setdefault(normalize(cell), set()).add(person)
    elements = view.elements
    pairs = [
        (element, person)
        for element in np.flatnonzero(elements.is_term).tolist()
        for person in whose.get(elements.names[element].lower(), ())
    ]
    element, person = np.array(pairs, np.int64).reshape(-1, 2).T
    return element, person


def told_by_terms(view: PersonView) -> Mapping[str, Told]:
    """Per quasi column with `entities`, the terms that tell values, and which."""
    return {column.name: _told(view, column) for column in view.columns if column.domain.attribute.entities}


def _told(view: PersonView, column: Column) -> Told:
    elements, attribute = view.elements, column.domain.attribute
    types = [n for n, d in enumerate(elements.domains) if d.is_terms and d.name in attribute.entities]
    codes = {
        form: code
        for code, value in enumerate(column.domain.values.tolist())
        for form in name_forms(normalize(str(value)))
    }
    found: list[tuple[int, float, float]] = []
    for element in np.flatnonzero(np.isin(elements.domain, types)).tolist():
        name = elements.names[element]
        reach = None
        if attribute.scale is Scale.NUMERIC:
            reach = _number(name)
        elif attribute.scale is Scale.DATE:
            reach = _days(name)
        else:
            matching = {codes[form] for form in name_forms(normalize(name)) if form in codes}
            reach = (min(matching), max(matching)) if matching else None
        if reach is not None:
            found.append((element, *reach))
    which, low, high = np.array(found, np.float64).reshape(-1, 3).T
    return Told(which.astype(np.int64), low, high)


def _number(phrase: str) -> tuple[float, float] | None:
    values = {number.value for number in read_numbers(phrase)}
    return (min(values), max(values)) if len(values) == 1 else None


def _days(phrase: str) -> tuple[float, float] | None:
    """First and last day that the dates of a phrase may mean, since 1970; any, if it tells no year."""
    ranges = [_range(reading.date) for reading in read_phrase(phrase)]
    if not ranges:
        return None
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _range(date: PartialDate) -> tuple[float, float]:
    if date.year is None:
        return -np.inf, np.inf
    first = dt.date(date.year, date.month or 1, date.day or 1)
    if date.month is not None and date.day is not None:
        last = first
    elif date.month is not None:
        last = (first.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
    else:
        last = dt.date(date.year, 12, 31)
    return float((first - _EPOCH).days), float((last - _EPOCH).days)
