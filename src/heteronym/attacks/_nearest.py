"""The released groups that lie nearest to what an attacker knows of a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn

_CELLS = 10_000_000


def nearest_groups(
    labels: NDArray[np.int64], columns: Sequence[KnownColumn], values: NDArray[np.int64]
) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """For runs of targets ([targets, columns]) all groups ([groups, columns]) at the least distance."""
    step = max(1, _CELLS // max(len(labels), 1))
    for start in range(0, len(values), step):
        part = slice(start, start + step)
        distance = np.zeros((len(values[part]), len(labels)), np.float32)
        for place, column in enumerate(columns):
            distance += column.distance.T[values[part, place]][:, labels[:, place]]
        yield part, distance <= distance.min(1, keepdims=True, initial=np.inf) + 1e-5
