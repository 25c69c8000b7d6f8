"""Elements that may not be shown as the recoders like: they lie inside a column's label, or identify.

What a group's map does to an element never depends on who holds it. So an element that lies inside the
published label of a column to which mentions are linked gets that label for every member, also where it
is not that member's own value; and an element equal to an identifier of any member is masked for all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView, ShapeKind, StatedValues
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets

Bools = NDArray[np.bool_]

_EVERYTHING = "*"
_PERIOD = r"\d{4}(?:-Q[1-4]|-\d\d(?:-\d\d)?)?"
_PERIODS = re.compile(rf"(?:\{{,)?\[?({_PERIOD})(?:-({_PERIOD})\])?\}}?")  # also beside missing: {,2004}


@dataclass(frozen=True, repr=False, eq=False)
class Forced:
    """Beside the elements of groups: whether anything may be chosen, and which column's label must stand."""

    allowed: Bools
    text: NDArray[np.int64]  # a number in `texts`, or -1
    texts: Sequence[str]
    events: Sequence[Sequence[tuple[int, int]]]  # of groups: terms that tell a member's own event, and which


def forced_labels(
    view: PersonView, partition: Partition, held: Sets, columns: Mapping[str, Sequence[str | None]]
) -> Forced:
    # what an audit had masked is no term, and stays masked however many hold it
    nameless = [element for element, name in enumerate(view.elements.names) if not name]
    allowed = ~np.isin(held.codes, nameless)
    text = np.full(len(held.codes), -1, np.int64)
    texts: dict[str, int] = {}
    owner = held.owners()
    for column in view.columns:
        stated = view.stated_values.get(column.name)
        if stated is None or not len(stated.element):
            continue
        place = np.flatnonzero(np.isin(held.codes, stated.element) & (text < 0))
        which = np.searchsorted(stated.element, held.codes[place])
        inside = _inside(column, partition, columns[column.name], owner[place], stated, which)
        for at in place[inside].tolist():
            text[at] = texts.setdefault(columns[column.name][owner[at]] or "", len(texts))
    if len(view.identifying[0]):
        element, person = view.identifying
        group = partition.group[person].astype(np.int64)
        span = max(len(view.elements), 1)
        allowed &= ~np.isin(owner * span + held.codes, (group * span + element)[group >= 0])
    return Forced(allowed, text, list(texts), _of_events(view, partition))


def _of_events(view: PersonView, partition: Partition) -> list[list[tuple[int, int]]]:
    term, event, person = view.events_stated_in_texts
    found: list[list[tuple[int, int]]] = [[] for _ in range(partition.count)]
    group = partition.group[person]
    for row in np.unique(np.stack([group, term, event])[:, group >= 0], axis=1).T.tolist():
        found[row[0]].append((row[1], row[2]))
    return found


def _inside(
    column: Column,
    partition: Partition,
    labels: Sequence[str | None],
    group: NDArray[np.int64],
    stated: StatedValues,
    which: NDArray[np.int64],
) -> Bools:
    """Whether what an element tells lies inside its group's label."""
    covers, missing = partition.covers(column), column.domain.missing_code
    low, high, _ = covers.outer(missing)
    all_missing, whole = low >= missing, np.array([label == _EVERYTHING for label in labels])
    first, last = stated.low[which], stated.high[which]
    scale, kind = column.domain.attribute.scale, column.shape.kind
    if column.domain.hierarchy is None and scale is Scale.DATE and kind is not ShapeKind.SET:
        days = np.array([days_of(label) for label in labels], np.float64).reshape(-1, 2)
        inside = (first <= days[group, 1]) & (last >= days[group, 0])
    elif column.domain.hierarchy is None and scale is Scale.NUMERIC and kind is ShapeKind.SPAN:
        value = np.append(column.domain.values.astype(np.float64), np.nan)
        inside = (first <= value[high][group]) & (last >= value[low][group])
    elif kind is ShapeKind.RUN:
        known = np.flatnonzero(high < missing)
        start, end = np.zeros(len(low), np.int64), np.zeros(len(low), np.int64)
        start[known], end[known] = column.shape.reach(low[known], high[known], missing)
        inside = (first < end[group]) & (last >= start[group])
    else:
        inside = _among(column, covers, group, first, last)
    found: Bools = (inside | whole[group]) & ~all_missing[group]
    return found


def _among(
    column: Column,
    covers: Sets,
    group: NDArray[np.int64],
    first: NDArray[np.float64],
    last: NDArray[np.float64],
) -> Bools:
    """For labels that name their values: whether one of them is stated."""
    code = covers.codes.astype(np.int64)
    known = code < column.domain.missing_code
    value = code.astype(np.float64)
    if column.domain.attribute.scale is Scale.NUMERIC and column.domain.hierarchy is None:
        value[known] = column.domain.values[code[known]].astype(np.float64)
    elif column.domain.attribute.scale is Scale.DATE and column.domain.hierarchy is None:
        value[known] = column.domain.values[code[known]].astype("datetime64[D]").astype(np.float64)
    owner, span = covers.owners(), float(np.abs(value).max(initial=0.0)) + 1.0
    key = np.sort((owner * 4.0 * span + value)[known])
    base = group * 4.0 * span
    from_ = np.searchsorted(key, base + np.clip(first, -span, span), side="left")
    upto = np.searchsorted(key, base + np.clip(last, -span, span), side="right")
    inside: Bools = upto > from_
    return inside


def days_of(label: str | None) -> tuple[float, float]:
    """First and last day of a date's label, since 1970; nothing lies inside of none."""
    found = None if label is None else _PERIODS.fullmatch(label)
    if found is None:
        return np.inf, -np.inf
    return _period(found[1])[0], _period(found[2] or found[1])[1]


def _period(text: str) -> tuple[float, float]:
    if "Q" in text:
        first = np.datetime64(f"{text[:4]}-01", "M") + 3 * (int(text[-1]) - 1)
        last = first + 2
    else:
        first = last = np.datetime64(text)  # in the unit it is written in
    ends = first.astype("datetime64[D]"), (last + 1).astype("datetime64[D]") - 1
    return float(ends[0].astype(np.int64)), float(ends[1].astype(np.int64))
