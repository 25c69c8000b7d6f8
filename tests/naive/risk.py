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


def fewest_households(classes: Sequence[object], households: Sequence[object]) -> int:
    """Different households in the class that has fewest of them."""
    found: dict[object, set[object]] = {}
    for one, household in zip(classes, households, strict=True):
        found.setdefault(one, set()).add(household)
    return min(len(members) for members in found.values())


def figures(
    classes: Sequence[object],
    *,
    values: Sequence[Sequence[set[object]]] = (),
    households: Sequence[object] | None = None,
    weights: Sequence[float] | None = None,
) -> dict[str, float]:
    """All figures of persons in these classes; `values` are each person's of every sensitive column."""
    held = Counter(classes)
    crowd: dict[object, float] = dict.fromkeys(held, 0.0)
    for person, one in enumerate(classes):
        crowd[one] += 1.0 if weights is None else weights[person]
    around = [max(crowd[one], held[one]) for one in classes]
    mine = chances(classes)
    alone = sum(chance == 1 for chance in mine)
    found = {
        "prosecutor": max(mine),
        "journalist": max(1 / people for people in around),
        "marketer": sum(1 / people for people in around) / len(mine),
        "at_risk": sum(chance > 0.2 + 1e-12 for chance in mine) / len(mine),
        "unique": alone,
        "singling_out": alone / len(mine),
        "linkability": sum(mine) / len(mine),
    }
    if values:
        found["inference"] = max(_guessed(classes, column) for column in values)
    if households is not None:
        found["household"] = 1 / fewest_households(classes, households)
        missed = dict.fromkeys(households, 1.0)
        for person, one in enumerate(households):
            missed[one] *= 1 - mine[person]
        found["household_member"] = 1 - min(missed.values())
    return found


def _guessed(classes: Sequence[object], values: Sequence[set[object]]) -> float:
    right = 0
    for one in set(classes):
        counts = Counter(v for person, c in enumerate(classes) if c == one for v in values[person])
        right += max(counts.values(), default=0)
    return right / len(classes)
