"""Models about sensitive values, by their definitions, on lists of persons (each a set of values)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Person = frozenset[str]


def counts_of(people: Sequence[Person]) -> Counter[str]:
    return Counter(value for person in people for value in person)


def l_diverse(people: Sequence[Person], l: int, kind: str, c: float) -> bool:
    if len(people) < l:
        return False
    counts = sorted(counts_of(people).values(), reverse=True)
    if not counts:
        return False
    if kind == "distinct":
        return len(counts) >= l
    if kind == "recursive":
        return counts[0] < c * sum(counts[l - 1 :])
    # exp(entropy) = product of (1/p)^p
    total = sum(counts)
    return math.prod((total / n) ** (n / total) for n in counts) >= l - 1e-9


def shares(people: Sequence[Person]) -> dict[str, Fraction]:
    """Of the values that are held."""
    counts = counts_of(people)
    return {value: Fraction(n, sum(counts.values())) for value, n in counts.items()}


def earth_mover(
    first: dict[str, Fraction], second: dict[str, Fraction], distance: Callable[[str, str], float]
) -> float:
    """The cheapest way to turn one spread into another, by a linear program."""
    from scipy.optimize import linprog

    if not first or not second:
        return 0.0
    values = sorted({*first, *second})
    size = len(values)
    cost = [distance(a, b) for a in values for b in values]
    out = [[1.0 if i // size == a else 0.0 for i in range(size * size)] for a in range(size)]
    into = [[1.0 if i % size == b else 0.0 for i in range(size * size)] for b in range(size)]
    amounts = [float(first.get(v, 0)) for v in values] + [float(second.get(v, 0)) for v in values]
    return float(linprog(cost, A_eq=out + into, b_eq=amounts, bounds=(0, None)).fun)


def ground_distance(kind: str, values: Sequence[str], groups: Any = ()) -> Callable[[str, str], float]:
    if kind == "equal":
        return lambda a, b: float(a != b)
    if kind == "ordered":
        ordered = sorted(values, key=float)
        return lambda a, b: abs(ordered.index(a) - ordered.index(b)) / max(len(ordered) - 1, 1)
    if kind == "numeric":
        low, high = min(map(float, values)), max(map(float, values))
        return lambda a, b: abs(float(a) - float(b)) / ((high - low) or 1.0)
    return lambda a, b: 0.0 if a == b else _common_height(groups, a, b) / _height(groups)


def _height(node: Any) -> int:
    return 0 if isinstance(node, str) else 1 + max(_height(child) for child in node)


def _holds(node: Any, leaf: str) -> bool:
    return node == leaf if isinstance(node, str) else any(_holds(child, leaf) for child in node)


def _common_height(node: Any, a: str, b: str) -> int:
    for child in node:
        if not isinstance(child, str) and _holds(child, a) and _holds(child, b):
            return _common_height(child, a, b)
    return _height(node)


def largest_share(people: Sequence[Person]) -> Fraction:
    return max((Fraction(n, len(people)) for n in counts_of(people).values()), default=Fraction(0))


def beta_like(people: Sequence[Person], everybody: Sequence[Person], beta: float) -> bool:
    whole = counts_of(everybody)
    for value, count in counts_of(people).items():
        p, q = whole[value] / len(everybody), count / len(people)
        if q > p and (q - p) / p > min(beta, -math.log(p)) + 1e-9:
            return False
    return True
