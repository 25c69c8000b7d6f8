"""MDAV as Domingo-Ferrer and Torra describe it, one plain step after the other.

A person is a pair (numbers, names); numbers lie between 0 and 1, None is missing. Where two persons are
equally far, the first one counts.
"""

from __future__ import annotations

from collections.abc import Sequence

Point = tuple[tuple[float | None, ...], tuple[object, ...]]


def distance(a: Point, b: Point, weights: Sequence[float]) -> float:
    total = 0.0
    for weight, x, y in zip(weights, a[0], b[0], strict=False):
        total += weight * (float((x is None) != (y is None)) if x is None or y is None else (x - y) * (x - y))
    for weight, one, other in zip(weights[len(a[0]) :], a[1], b[1], strict=True):
        total += weight * (one != other)
    return total


def centre(people: list[Point]) -> Point:
    numbers: list[float | None] = []
    for column in range(len(people[0][0])):
        known = [x for p in people if (x := p[0][column]) is not None]
        numbers.append(sum(known) / len(known) if known and 2 * len(known) >= len(people) else None)
    names = []
    for column in range(len(people[0][1])):
        values = [p[1][column] for p in people]
        names.append(min(set(values), key=lambda v: (-values.count(v), v)))  # type: ignore[type-var, return-value]
    return tuple(numbers), tuple(names)


def microaggregate(people: Sequence[Point], k: int, weights: Sequence[float]) -> list[list[int]]:
    left, groups = list(range(len(people))), list[list[int]]()

    def farthest(point: Point) -> int:
        return max(left, key=lambda p: (distance(people[p], point, weights), -p))

    def take(point: Point) -> None:
        near = sorted(left, key=lambda p: (distance(people[p], point, weights), p))[:k]
        groups.append(sorted(near))
        left[:] = [p for p in left if p not in near]

    while len(left) >= 2 * k:
        several = len(left) >= 3 * k
        first = farthest(centre([people[p] for p in left]))
        second = farthest(people[first])
        take(people[first])
        if several:
            take(people[second if second in left else left[0]])
    return [*groups, left] if left else groups
