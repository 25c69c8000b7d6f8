"""Global recoding by trying every vector of levels, on records of plain values.

A level of a column is a function from a value to the set of values that its label stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import floor

Level = Callable[[object], frozenset[object]]


def nodes(paths: Sequence[Sequence[str]]) -> list[Level]:
    """The levels of a hierarchy that is given by the path of every leaf."""

    def level(number: int) -> Level:
        return lambda value: frozenset(
            other[0]
            for other in paths
            if other[number] == next(path for path in paths if path[0] == value)[number]
        )

    return [level(number) for number in range(len(paths[0]))]


def ranges(values: Sequence[int], widths: Sequence[float]) -> list[Level]:
    """Values, ranges of these widths, everything."""

    def level(width: float) -> Level:
        return lambda value: frozenset(v for v in values if floor(v / width) == floor(value / width))  # type: ignore[operator]

    alone: list[Level] = [lambda value: frozenset([value])]
    return [*alone, *map(level, widths), lambda value: frozenset(values)]


def all_or_nothing(values: Sequence[object]) -> list[Level]:
    return [lambda value: frozenset([value]), lambda value: frozenset(values)]


def best_loss(
    records: Sequence[tuple[object, ...]],
    levels: Sequence[list[Level]],
    loss: Callable[[int, frozenset[object]], float],
    admits: Callable[[list[int]], bool],
    budget: int,
) -> float:
    """The least loss of a release, over all persons and columns; infinite if no vector is admitted."""
    best = float("inf")
    for vector in product(*levels):
        groups: dict[tuple[frozenset[object], ...], list[int]] = {}
        for person, record in enumerate(records):
            label = tuple(level(value) for level, value in zip(vector, record, strict=True))
            groups.setdefault(label, []).append(person)
        refused = [group for group in groups.values() if not admits(group)]
        if sum(map(len, refused)) > budget:
            continue
        lost = sum(
            len(group) * sum(loss(column, part) for column, part in enumerate(label)) / len(label)
            for label, group in groups.items()
            if group not in refused
        )
        best = min(best, (lost + sum(map(len, refused))) / len(records))
    return best
