"""The sensitive values of persons, for the statistics of models about them."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import InputError, PlanError, nearest
from heteronym.model.person_view import Column, PersonView
from heteronym.model.sets import Sets
from heteronym.statistics.histograms import Holdings

ATTRIBUTE = {"help": "the sensitive column, or items column with sensitive items"}  # of all these models
_known: WeakKeyDictionary[PersonView, dict[str | None, tuple[str, Holdings, Column | None]]] = (
    WeakKeyDictionary()
)


def sensitive_holdings(
    view: PersonView, model: str, attribute: str | None
) -> tuple[str, Holdings, Column | None]:
    """Name and holdings of the attribute a model is about, and its column, which sensitive items do not have.

    A person's values are a set over all its rows; missing is no value. Searches start a statistic for
    every set of persons they look at, so what follows from the view alone is found once.
    """
    found = _known.setdefault(view, {})
    if attribute not in found:
        found[attribute] = _find(view, model, attribute)
    return found[attribute]


def _find(view: PersonView, model: str, attribute: str | None) -> tuple[str, Holdings, Column | None]:
    items = {
        domain.name: number
        for number, domain in enumerate(view.elements.domains)
        if not domain.is_terms and view.elements.sensitive[view.elements.domain == number].any()
    }
    known = [*(column.name for column in view.sensitive), *items]
    if attribute is None:
        if len(known) != 1:
            about = f"one of {', '.join(known)}" if known else "there is no sensitive attribute"
            raise PlanError(f"privacy: '{model}' needs `attribute`: {about}")
        attribute = known[0]
    for column in view.sensitive:
        if column.name == attribute:
            return attribute, Holdings.of_column(column), column
    if attribute in items:
        return attribute, _items(view, items[attribute]), None
    raise PlanError(
        f"privacy: '{model}': '{attribute}' is no sensitive column and has no sensitive items."
        f"{nearest(attribute, known)}"
    )


def _items(view: PersonView, domain: int) -> Holdings:
    elements = view.elements
    chosen = np.flatnonzero(elements.sensitive & (elements.domain == domain))
    person, element = elements.items()
    mine = np.isin(element, chosen)
    place = np.searchsorted(chosen, element[mine])
    return Holdings(Sets.of_pairs(person[mine], place, owners=view.persons, codes=len(chosen)), len(chosen))


def shares_of(holdings: Holdings, *, of_values: bool) -> NDArray[np.float64]:
    """How values are spread over everybody: of all values held, or of all persons."""
    counts = np.bincount(holdings.of_person.codes, minlength=max(holdings.values, 1)).astype(np.float64)
    total = counts.sum() if of_values else len(holdings.of_person)
    return np.asarray(counts / max(total, 1))


def need_values(model: str, attribute: str, holdings: Holdings, least: int) -> None:
    """Refuse before the search what no grouping can reach."""
    held = len(np.unique(holdings.of_person.codes))
    if held < least:
        raise InputError(
            f"privacy: '{model}' needs at least {least} different values of '{attribute}'; there are {held}"
        )
