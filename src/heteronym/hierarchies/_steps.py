"""Levels of growing steps over values that have an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ROOT = "*"


def merged_upwards(
    texts: Sequence[str], bins: Sequence[int], *, fan: int, name: Callable[[int, int], str]
) -> list[list[str]]:
    """Paths where `fan` neighbouring bins become one at each level, until one is left.

    `bins` ascends along the values; `name` is given the first and the last value's number of a node.
    """
    paths = [[text] for text in texts]
    bins = list(bins)
    while len(set(bins)) > 1:
        ends: dict[int, tuple[int, int]] = {}
        for value, one in enumerate(bins):
            ends[one] = (ends.get(one, (value, value))[0], value)
        names = {one: name(*pair) for one, pair in ends.items()}
        for path, one in zip(paths, bins, strict=True):
            path.append(names[one])
        bins = [one // fan for one in bins]
    for path in paths:
        path.append(ROOT)
    return paths
