"""Which values of columns the terms of texts state, for a model that settles all labels of a group together.

A mention of the person's own value is linked to its column. Another person may mention the same value
without having it. Where one label must stand for it in all texts of a group, the model has to know what a
term states: a number, a day or a range of days, one of the column's names, or an identifier of somebody.

Cost        O(terms and mentions)
Randomness  none
"""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.elements import Elements, Marker
from heteronym.model.mention import Mentions
from heteronym.model.person_view import Column, PersonView, StatedValues
from heteronym.model.schema import AGE, Role, Scale, Schema
from heteronym.model.sentences import Sentences
from heteronym.model.sets import Sets
from heteronym.model.terms import normalize
from heteronym.reading.link import NAMES
from heteronym.reading.linkers.typed import name_forms
from heteronym.text.dates import read_phrase
from heteronym.text.entity_types import VALUE
from heteronym.text.grammar import PartialDate
from heteronym.text.numbers import read_numbers

_EPOCH = dt.date(1970, 1, 1)


def add_values_stated_in_texts(
    view: PersonView, dataset: Dataset, mentions: Mentions | None, sentences: Sentences | None
) -> PersonView:
    """The view, with the values that the terms of texts state and the sentence of every mention."""
    if mentions is not None and sentences is not None:
        view = replace(view, elements=_with_markers(view, mentions, sentences, dataset.schema))
    if not view.elements.has_terms:
        return view
    stated = _events_stated(view)
    return replace(
        view,
        stated_values={c.name: _stated_values(view, c) for c in view.columns if c.domain.attribute.turns_up},
        identifying=identifying(dataset, view, mentions, stated[:, 0].tolist()),
        events_stated_in_texts=_own_events(view.elements, stated),
    )


def _with_markers(view: PersonView, mentions: Mentions, sentences: Sentences, schema: Schema) -> Elements:
    """The elements, with a marker for every mention that is no element, and the sentence of each mention.

    A mention of an identifier's value shows its type. One of an item shows what the item shows, so it is a
    mention of that element. One of an event's value is a term like any other.
    """
    quasi = {column.name for column in view.columns}
    markers = (
        *(Marker("direct", type_) for type_ in mentions.types),
        *(Marker("link", name) for name in mentions.links),
    )
    follows = np.array([name in quasi for name in mentions.links], np.bool_)
    linked = mentions.link >= 0
    linked[linked] = follows[mentions.link[linked]]
    marker = np.where(linked, len(mentions.types) + mentions.link, mentions.type)
    elements = _with_items_named_in_texts(view.elements, mentions, schema)
    return replace(
        elements,
        mention_marker=np.where(elements.of_mention >= 0, -1, marker).astype(np.int32),
        markers=markers,
        mention_sentence=sentences.of_mention,
    )


def _with_items_named_in_texts(elements: Elements, mentions: Mentions, schema: Schema) -> Elements:
    """Mentions that repeat an item of the person are mentions of the item; of others', terms that name it.

    A sensitive item is released as it is and counts nowhere, so a text may name it only where its own row's
    cell shows it; elsewhere the type stands in its place.
    """
    of_mention = elements.of_mention.copy()
    items_of = {name: _items_of(elements, name) for name in schema.named(Role.ITEMS)}
    type_of_item_in_texts: dict[int, str] = {}
    for link, name in enumerate(mentions.links):
        number_of = items_of.get(name)
        if not number_of:
            continue
        linked = np.flatnonzero(mentions.link == link)
        items = np.array(
            [number_of.get(mentions.terms[term].text, -1) for term in mentions.term[linked].tolist()],
            np.int64,
        )
        items[_is_hidden(elements, name, items, mentions.row[linked])] = -1
        of_mention[linked] = items
        types = [mentions.types[number] for number in mentions.type[linked].tolist()]
        for item, type_ in zip(items.tolist(), types, strict=True):
            if item >= 0:
                type_of_item_in_texts[item] = type_
    item_named_by = _items_named(elements, schema, items_of)
    for term, item in item_named_by.items():
        type_of_item_in_texts.setdefault(item, elements.domains[elements.domain[term]].name)
    return replace(
        elements,
        of_mention=of_mention,
        type_of_item_in_texts=type_of_item_in_texts,
        item_named_by=item_named_by,
    )


def _items_of(elements: Elements, name: str) -> dict[str, int]:
    domains = [n for n, d in enumerate(elements.domains) if d.name == name and not d.is_terms]
    mine = np.flatnonzero(np.isin(elements.domain, domains) & ~elements.is_event).tolist()
    return {elements.names[element]: element for element in mine}


def _is_hidden(
    elements: Elements, name: str, item: NDArray[np.int64], row: NDArray[np.int32]
) -> NDArray[np.bool_]:
    """Whether an item is sensitive and the row's own cell does not hold it."""
    cells, span = elements.cells[name], max(len(elements), 1)
    hidden: NDArray[np.bool_] = (item >= 0) & elements.sensitive[item]
    at = np.flatnonzero(hidden)
    owner, code = cells.of_cell.expand(cells.of_row[row[at]])
    holds = np.isin(np.arange(len(at)) * span + item[at], owner * span + code)
    hidden[at[holds]] = False
    return hidden


def _items_named(
    elements: Elements, schema: Schema, items_of: Mapping[str, Mapping[str, int]]
) -> dict[int, int]:
    """Terms that name an item, whoever has it: of a type under which the items' column turns up."""
    found: dict[int, int] = {}
    for name, number_of in items_of.items():
        types = set(schema[name].entities or (VALUE,))
        domains = [n for n, d in enumerate(elements.domains) if d.is_terms and d.name in types]
        codes = {normalize(item): number for item, number in number_of.items()}
        for term in np.flatnonzero(np.isin(elements.domain, domains)).tolist() if codes else ():
            is_name = elements.domains[elements.domain[term]].name in NAMES
            matching = _values_in(normalize(elements.names[term]), codes, whole=is_name)
            if len(matching) == 1:
                found.setdefault(term, *matching)
    return found


def _events_stated(view: PersonView) -> NDArray[np.int64]:
    """Pairs of a term and a value of an event column that it states, or may state: 03.01.2022."""
    found: list[tuple[int, int]] = []
    for column in view.events:
        domain, scale = column.domain, column.domain.attribute.scale
        if not domain.attribute.turns_up:
            continue
        codes = np.unique(column.sets.codes)
        codes = codes[codes < domain.missing_code]
        values = codes if scale in (Scale.NOMINAL, Scale.ORDINAL) else domain.values[codes]
        values = (values.astype("datetime64[D]") if scale is Scale.DATE else values).astype(np.float64)
        event_of = dict(zip(values.tolist(), view.event_elements(column).tolist(), strict=False))
        stated = _stated_values(view, column)
        places = zip(stated.element.tolist(), stated.low.tolist(), stated.high.tolist(), strict=True)
        for term, low, high in places:
            ends = {low, high} if low == high or scale is not Scale.DATE else _single_days(view, term)
            found += [(term, event_of[value]) for value in sorted(ends) if value in event_of]
    return np.array(found, np.int64).reshape(-1, 2)


def _single_days(view: PersonView, term: int) -> set[float]:
    ranges = [_range(reading.date) for reading in read_phrase(view.elements.names[term])]
    return {low for low, high in ranges if low == high}


def _own_events(elements: Elements, stated: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Terms, the event values they state, and the persons who have both."""
    person, code = elements.of_person.owners(), elements.of_person.codes
    lists = Sets.of_pairs(stated[:, 0], np.arange(len(stated)), owners=len(elements), codes=len(stated))
    place, pair = lists.expand(code)
    event, span = stated[pair, 1], max(len(elements), 1)
    own = np.isin(person[place] * span + event, person * span + code)
    return stated[pair[own], 0], event[own], person[place][own]


def identifying(
    dataset: Dataset, view: PersonView, mentions: Mentions | None, of_events: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Terms of which only the type may be released, each with its person.

    They are identifiers and what texts state of them, ages beside dates of birth, sensitive items, and
    values without a type of their own, unless they are a value of an event column.
    """
    elements = view.elements
    whose: dict[str, set[int]] = {}
    for name in dataset.schema.named(Role.IDENTIFIER):
        kind = dataset.frame[name].dtype
        if kind.is_nested() or kind in (pl.Binary, pl.Duration, pl.Object):
            continue  # no word of a text
        cells = text_cells(dataset.frame[name].cast(pl.String), dataset.missing)
        held = pl.DataFrame({"cell": cells, "person": view.person_of_row}).drop_nulls().unique()
        for cell, person in held.iter_rows():
            whose.setdefault(normalize(cell), set()).add(person)
    if mentions is not None:
        linked = [dataset.schema[name].role is Role.IDENTIFIER for name in mentions.links]
        own = np.flatnonzero(np.array([*linked, False], np.bool_)[mentions.link])
        persons = view.person_of_row[mentions.row[own]].tolist()
        for term, person in zip(mentions.term[own].tolist(), persons, strict=True):
            whose.setdefault(normalize(mentions.terms[term].text), set()).add(person)
    pairs = {
        (element, person)
        for element in np.flatnonzero(elements.is_term).tolist()
        for person in whose.get(normalize(elements.names[element]), ())
    }
    # beside dates of birth, an age gives the year away
    masked = {VALUE, AGE} if any(attribute.is_birth for _, attribute in dataset.schema) else {VALUE}
    values = [n for n, domain in enumerate(elements.domains) if domain.is_terms and domain.name in masked]
    owner, codes = elements.terms()
    secret = [term for term, item in elements.item_named_by.items() if elements.sensitive[item]]
    named = [term for term, item in elements.item_named_by.items() if not elements.sensitive[item]]
    masked_terms = np.isin(elements.domain[codes], values) & ~np.isin(codes, [*named, *of_events])
    masked_terms |= np.isin(codes, secret)
    pairs |= set(zip(codes[masked_terms].tolist(), owner[masked_terms].tolist(), strict=True))
    element, person = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return element, person


def _stated_values(view: PersonView, column: Column) -> StatedValues:
    """The terms that state values of the column, and which values."""
    elements, attribute = view.elements, column.domain.attribute
    wanted = attribute.entities or [d.name for d in elements.domains]
    types = [n for n, d in enumerate(elements.domains) if d.is_terms and d.name in wanted]
    codes = {
        form: code
        for code, value in enumerate(column.domain.values.tolist())
        for form in name_forms(normalize(str(value)))
    }
    found: list[tuple[int, float, float]] = []
    for element in np.flatnonzero(np.isin(elements.domain, types)).tolist():
        name = elements.names[element]
        if attribute.scale is Scale.NUMERIC:
            reach = _number(name)
        elif attribute.scale is Scale.DATE:
            reach = _days(name)
        else:
            is_name = elements.domains[elements.domain[element]].name in NAMES
            matching = _values_in(normalize(name), codes, whole=is_name)
            reach = (min(matching), max(matching)) if matching else None
        if reach is not None:
            found.append((element, *reach))
    which, low, high = np.array(found, np.float64).reshape(-1, 3).T
    return StatedValues(which.astype(np.int64), low, high)


def _values_in(name: str, codes: Mapping[str, int], *, whole: bool) -> set[int]:
    """The values that a phrase is, or has in it as words: "reliable lawyer", but not York in "New York"."""
    words = name.split()
    phrases = [name]
    if not whole:
        phrases += [" ".join(words[start:end]) for start, end in combinations(range(len(words) + 1), 2)]
    return {codes[form] for phrase in phrases for form in name_forms(phrase) if form in codes}


def _number(phrase: str) -> tuple[float, float] | None:
    values = {number.value for number in read_numbers(phrase)}
    return (min(values), max(values)) if len(values) == 1 else None


def _days(phrase: str) -> tuple[float, float] | None:
    """First and last day that the dates of a phrase may mean, since 1970; any, if it names no year."""
    ranges = [_range(reading.date) for reading in read_phrase(phrase)]
    if not ranges:
        return None
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _range(date: PartialDate) -> tuple[float, float]:
    if date.year is None:
        return -np.inf, np.inf
    first, month = dt.date(date.year, date.month or 1, date.day or 1), date.month or 12
    known = date.day if date.month else None  # a day of no month may be any of the year
    last = dt.date(date.year, month, known or monthrange(date.year, month)[1])
    return float((first - _EPOCH).days), float((last - _EPOCH).days)
