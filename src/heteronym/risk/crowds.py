"""Among how many a person hides from somebody who has several releases of the same people.

Reference   Ganta, Kasiviswanathan and Smith 2008 (composition attacks)
Guarantee   exact counts, for who knows which of the releases a person is in, and its group in each
Cost        O(persons log persons) per different set of releases that persons are in
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def common_crowds(new: NDArray[Any], earlier: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """Per person of a new release, how many of it share its groups there and wherever it was before.

    `new` is the group of each person, `earlier` that of the same person in each earlier release, -1 for who
    is not in it.
    """
    groups = np.stack([np.asarray(new, np.int64), *(np.asarray(one, np.int64) for one in earlier)], 1)
    there = groups >= 0
    crowd = np.zeros(len(groups), np.int64)
    for pattern in np.unique(there, axis=0):
        alike = (there[:, pattern]).all(1)  # in all those releases, and maybe in others
        _, number, sizes = np.unique(
            groups[np.ix_(alike, pattern)], axis=0, return_inverse=True, return_counts=True
        )
        of_alike = np.zeros(len(groups), np.int64)
        of_alike[alike] = sizes[number.ravel()]
        mine = (there == pattern).all(1)
        crowd[mine] = of_alike[mine]
    return crowd


Shown = Mapping[tuple[int, int], frozenset[int]]  # group and column -> values that the group shows


def values_revealed(
    new: NDArray[Any], earlier: NDArray[Any], shown: Shown, shown_before: Shown
) -> NDArray[np.bool_]:
    """Whose sensitive value two releases tell together: one value is in both groups, several in each."""
    both = np.flatnonzero(earlier >= 0)
    pairs, number = np.unique(np.stack([new[both], earlier[both]], 1), axis=0, return_inverse=True)
    columns = {column for _, column in shown} & {column for _, column in shown_before}
    is_revealed = np.zeros(len(pairs), np.bool_)
    for place, (now, before) in enumerate(pairs.tolist()):
        for column in columns:
            a, b = shown.get((now, column), frozenset()), shown_before.get((before, column), frozenset())
            is_revealed[place] |= len(a) > 1 and len(b) > 1 and len(a & b) == 1
    found = np.zeros(len(new), np.bool_)
    found[both] = is_revealed[number.ravel()] if len(both) else False
    return found
