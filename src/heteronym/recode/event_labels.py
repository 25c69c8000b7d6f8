"""Values of event columns become labels of their own: as they are, or ever wider, row by row.

A date widens to its month, quarter and year; a number to ranges that halve the values of the data again and
again; an ordered value likewise to sets; a value with a hierarchy to the nodes above it. Which of them a
group can show is settled by the model; the widest label of a group covers all its values.

Reference   ours; dates after El Emam et al. 2009
Guarantee   every label covers the value of its row
Cost        O(values x levels), and O(1) per value of a group
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Kind, Models, Recoder, Rng
from heteronym.errors import PlanError
from heteronym.model.offers import Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import SUPPRESSED
from heteronym.recode.set import ValueSet
from heteronym.registry import element_recoders, recoders

Ladder = list[tuple[Label | None, float]]  # label, or None for the value itself, and what it is worth

_FEWEST = 2  # values in the narrowest range that is offered


@element_recoders.register("event-labels")
@dataclass(frozen=True)
class EventLabels:
    """Each value as it is, then in ever wider labels."""

    kind: ClassVar[Kind] = "events"

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        held = partition.held(view, events=True).of_group
        of_element: dict[int, Ladder] = {}
        for column in view.events:
            of_element |= dict(zip(view.event_elements(column).tolist(), ladders(column), strict=True))
        return Offers.of_lists(held, [of_element[element] for element in held.codes.tolist()])

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        """Each value by the label that its column's recoder gives it alone, where no group decides."""
        if not any(hasattr(model, "shown_as") for model in models):
            raise PlanError("events need a model that settles their labels: joint")
        held = partition.held(view, events=True).of_group
        text_of: dict[int, str] = {}
        for column in view.events:
            present = np.unique(column.sets.codes).astype(np.int32)
            alone = Sets(np.arange(len(present) + 1), present)
            labels = _recoder_of(column).labels(column.domain, alone)
            elements = view.event_elements(column).tolist()
            changed = zip(elements, labels, strict=True)
            text_of |= {e: text for e, text in changed if text is not None and text != view.elements.names[e]}
        number_of = {text: number for number, text in enumerate(dict.fromkeys(text_of.values()))}
        number = np.full(len(view.elements), -1, np.int32)
        number[list(text_of)] = [number_of[text] for text in text_of.values()]
        label = number[held.codes]
        fate = np.where(label < 0, Fate.KEPT, Fate.GENERALIZED).astype(np.uint8)
        return ElementLabels(held, fate, label, [Label(text, 1) for text in number_of])


def _recoder_of(column: Column) -> Recoder:
    attribute = column.domain.attribute
    return recoders.build(
        attribute.labelled_by, {} if attribute.recode is None else attribute.recode.parameters
    )


def ladders(column: Column) -> list[Ladder]:
    """For each value of the data in code order, a missing one last, what it can be shown as."""
    present = np.unique(column.sets.codes)
    known = present[present < column.domain.missing_code]
    steps = _steps(column, known)
    out: list[Ladder] = [[(None, 1.0)] for _ in known]
    for labels in steps:
        covered = Counter(labels)
        for number, text in enumerate(labels):
            before = out[number][-1][0]
            wide = covered[text]
            if wide > (1 if before is None else before.stands_for) and text != SUPPRESSED:
                out[number].append((Label(text, wide), 1.0 - wide / max(len(known), 1)))
    if len(known) < len(present):
        out.append([(None, 1.0)])
    return out


def _steps(column: Column, known: NDArray[np.int32]) -> list[list[str]]:
    """Labels of the known values, level by level, narrow ones first."""
    domain = column.domain
    if domain.hierarchy is not None:
        tree = domain.hierarchy
        return [
            [tree.names[level][int(tree.node[level, code])] for code in known.tolist()]
            for level in range(1, tree.levels)
        ]
    if domain.attribute.scale is Scale.DATE:
        days = [str(day) for day in domain.values.astype("datetime64[D]")[known]]
        quarters = [f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}" for day in days]
        return [[day[:7] for day in days], quarters, [day[:4] for day in days]]
    if domain.attribute.scale is Scale.NOMINAL:
        return []
    return [_ranges(column, known, parts) for parts in _halvings(len(known))]


def _halvings(values: int) -> list[int]:
    """Numbers of ranges, each half of the one before, down to two."""
    parts = [2]
    while parts[-1] * 2 * _FEWEST <= values:
        parts.append(parts[-1] * 2)
    return parts[::-1] if values > _FEWEST else []


def _ranges(column: Column, known: NDArray[np.int32], parts: int) -> list[str]:
    """Equally many values of the data in each range; those of fewer parts are unions of these."""
    domain = column.domain
    place = np.arange(len(known)) * parts // len(known)
    first = np.flatnonzero(np.r_[True, place[1:] != place[:-1]])
    last = np.r_[first[1:], len(known)] - 1
    if domain.attribute.scale is Scale.NUMERIC:
        text = domain.texts()
        labels = [
            text[low] if low == high else f"[{text[low]}-{text[high]}]"
            for low, high in zip(known[first].tolist(), known[last].tolist(), strict=True)
        ]
    else:
        covers = Sets(np.r_[first, len(known)], known.astype(np.int32))
        labels = [label or "" for label in ValueSet().labels(domain, covers)]
    return [labels[number] for number in place.tolist()]
