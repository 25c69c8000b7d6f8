"""Puts persons in the order of what they hold before a search, so that ties are broken by content.

A search meets persons one after another, and where two are equally good it takes the first. Were persons
numbered as the source file has them (sorted by name, say), groups would tell something of that order.

Guarantee   permuting the rows of the data or renaming its persons changes no group, up to persons who agree
            in everything that the release can show
Cost        O(persons log persons) once per search
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.sets import one_number


def content_order(view: PersonView, rest: Callable[[], NDArray[np.int64]] | None = None) -> NDArray[np.int64]:
    """Persons by their value sets, elements, rows and weights.

    `rest` gives a number per person for what else the release shows of them; it is asked only if persons
    agree in all that the view knows.
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
    return np.lexsort((rest(), key))


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
