"""What the rows of persons show of elements, for a model that chooses labels: one record per occurrence.

An occurrence is a mention in a text, an entry of a set-valued cell, or the value of an event column. In a
cell equal labels show once, in a text as often as they stand there: `cell` is equal where that is so.
Mentions that are no elements (direct types, values of columns) are numbered behind the elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import PersonView

NOWHERE = -1  # sentence of what stands in no text


@dataclass(frozen=True, repr=False, eq=False)
class Showing:
    """Occurrences, sorted by group, then person, then row."""

    ptr: NDArray[np.int64]  # [groups + 1]
    person: NDArray[np.int32]
    row: NDArray[np.int32]
    element: NDArray[np.int32]
    cell: NDArray[np.int64]
    sentence: NDArray[np.int32]
    spelling: NDArray[np.int32]  # of mentions; -1 elsewhere

    @classmethod
    def of(cls, view: PersonView, group: NDArray[np.int32], wanted: NDArray[np.bool_]) -> Showing:
        """The occurrences of all groups; of elements, those that are `wanted` [elements and markers]."""
        elements = view.elements
        nothing = np.empty(0, np.int32)  # first of all, for data that shows nothing at all
        rows: list[NDArray[Any]] = [nothing]
        codes: list[NDArray[Any]] = [nothing]
        cells: list[NDArray[Any]] = [nothing.astype(np.int64)]
        places: list[NDArray[Any]] = [nothing]
        spelt: list[NDArray[Any]] = [nothing]
        for number, cell in enumerate(elements.cells.values()):
            owner, code = cell.of_cell.expand(cell.of_row)
            rows.append(owner)
            codes.append(code)
            cells.append(owner * len(elements.cells) + number)
            places.append(np.full(len(owner), NOWHERE, np.int32))
            spelt.append(places[-1])
        if len(elements.mention_row):
            marked = np.where(
                elements.of_mention >= 0, elements.of_mention, len(elements) + elements.mention_marker
            )
            rows.append(elements.mention_row)
            codes.append(marked)
            cells.append(view.rows * len(elements.cells) + np.arange(len(marked)))
            places.append(elements.mention_sentence)
            spelt.append(elements.mention_spelling)
        row, code = np.concatenate(rows).astype(np.int32), np.concatenate(codes).astype(np.int32)
        person = view.person_of_row[row]
        shown = np.flatnonzero(wanted[code] & (group[person] >= 0))
        order = shown[np.lexsort((row[shown], person[shown], group[person[shown]]))]
        count = np.bincount(group[person[shown]], minlength=int(group.max(initial=-1)) + 1)
        return cls(
            np.r_[0, np.cumsum(count)],
            person[order],
            row[order],
            code[order],
            np.concatenate(cells)[order],
            np.concatenate(places)[order],
            np.concatenate(spelt)[order],
        )

    def __repr__(self) -> str:
        return f"Showing({len(self.person)} occurrences in {len(self.ptr) - 1} groups)"
