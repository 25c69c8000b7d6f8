"""Puts persons and rows in the order of what they hold before a choice, so that ties are broken by content.

A search meets persons one after another, and where two are equally good it takes the first; who settles what
a group may show takes out the first of two sentences that would do. Were persons and rows numbered as the
source file has them (sorted by name, say), releases would tell something of that order.

Guarantee   permuting the rows of the data or renaming its persons changes no group and no label, up to those
            who agree in everything that the release can show
Cost        O(rows log rows) once per search and once per recoding
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels
from heteronym.model.sets import Sets, one_number


def content_order(view: PersonView, rest: Callable[[], NDArray[np.int64]] | None = None) -> NDArray[np.int64]:
    """Persons by their value sets, elements, rows and weights.

    `rest` gives a number per row for what else the release shows of it; it is asked only if persons agree in
    all that the view knows.
    """
    columns = (*view.columns, *view.sensitive, *view.events)
    keys: list[tuple[NDArray[Any], int]] = [(column.person_set, len(column.sets)) for column in columns]
    if len(view.elements):
        different, number = view.elements.of_person.distinct()
        keys.append((number, len(different)))
    if view.rows > view.persons:
        rows = np.bincount(view.person_of_row, minlength=view.persons)
        keys.append((rows, int(rows.max(initial=0)) + 1))
    if view.weight is not None:
        _, weight = np.unique(view.weight, return_inverse=True)
        keys.append((weight, int(weight.max(initial=0)) + 1))
    key = one_number(keys, view.persons)
    order = np.argsort(key, kind="stable")
    alike = key[order[1:]] == key[order[:-1]]
    if rest is None or not alike.any():
        return order
    return np.lexsort((_by_person(rest(), view), key))


def _by_person(row: NDArray[np.int64], view: PersonView) -> NDArray[np.int64]:
    """A number per person of a number per row: by the least of their rows, then any that rows tell."""
    if view.persons == view.rows:
        by_person = np.empty(view.persons, np.int64)
        by_person[view.person_of_row] = row
        return by_person
    codes = int(row.max(initial=0)) + 1
    held, number = Sets.of_pairs(view.person_of_row, row, owners=view.persons, codes=codes).distinct()
    first = held.codes[held.ptr[:-1]].astype(np.int64)
    return first[number] * len(held) + number


def search_in_content_order(
    view: PersonView,
    search: Callable[[PersonView], Partition],
    rest: Callable[[], NDArray[np.int64]] | None = None,
) -> Partition:
    """The groups that a search finds among persons in content order, for persons as the view numbers them."""
    order = content_order(view, rest)
    if (order[1:] > order[:-1]).all():
        return search(view)
    return search(view.reordered(order)).of_reordered(order)


def settle_in_content_order(
    view: PersonView,
    partition: Partition,
    settle: Callable[[PersonView, Partition], ElementLabels],
    rest: Callable[[], NDArray[np.int64]] | None = None,
) -> ElementLabels:
    """What elements become if persons and rows are in content order, for rows as the view numbers them."""
    row = np.zeros(view.rows, np.int64) if rest is None else rest()
    persons = content_order(view, lambda: row)
    number = np.argsort(persons)
    rows = np.lexsort((row, number[view.person_of_row]))
    if (persons[1:] > persons[:-1]).all() and (rows[1:] > rows[:-1]).all():
        return settle(view, partition)
    reordered, sentence = view.reordered(persons).rows_reordered(rows)
    return settle(reordered, partition.of_reordered(number)).of_reordered(rows, sentence)
