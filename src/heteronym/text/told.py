"""Which terms tell a value of a column to which mentions are linked, whoever's value it is.

A mention of the person's own value is linked to its column. Another person may mention the same value
without having it. Where one label must stand for it in all texts of a group, somebody has to know what the
term tells: a number, a day or a range of days, or one of the column's names.

Cost        O(terms of the columns' types)
Randomness  none
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

import numpy as np

from heteronym.model.person_view import Column, PersonView, Told
from heteronym.model.schema import Scale
from heteronym.model.terms import normalize
from heteronym.text.dates import PartialDate, read_phrase
from heteronym.text.linkers.typed import name_forms
from heteronym.text.numbers import read_numbers

_EPOCH = dt.date(1970, 1, 1)


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
