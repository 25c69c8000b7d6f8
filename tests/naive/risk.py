"""Risk in plain Python, by looking at every person and every combination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def unique_on(rows: Sequence[tuple[int, ...]], columns: Sequence[int]) -> set[int]:
    """Persons with whom nobody shares these columns."""
    held = Counter(tuple(row[c] for c in columns) for row in rows)
    return {person for person, row in enumerate(rows) if held[tuple(row[c] for c in columns)] == 1}


def minimal_uniques(rows: Sequence[tuple[int, ...]], largest: int) -> dict[tuple[int, ...], set[int]]:
    """Per combination the persons it singles out though no part of it does."""
    width = len(rows[0])
    found: dict[tuple[int, ...], set[int]] = {}
    for size in range(1, largest + 1):
        for chosen in combinations(range(width), size):
            parts = [part for n in range(1, size) for part in combinations(chosen, n)]
            already = set().union(*(unique_on(rows, part) for part in parts)) if parts else set()
            found[chosen] = unique_on(rows, chosen) - already
    return found


def chances(classes: Sequence[object]) -> list[float]:
    """Of each person to be matched by who knows its class."""
    held = Counter(classes)
    return [1 / held[one] for one in classes]
