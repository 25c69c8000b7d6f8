"""COUNT queries on a table and on its release: what is true, and what a reader of the release guesses.

A cell is a number or a word; a released cell is a range (low, high) of whole numbers or a set of words. A
released set of items is a list of labels, each the items it stands for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from statistics import fmean, pvariance
from typing import Any

Cell = int | str
Label = tuple[int, int] | frozenset[str]


def true_count(
    rows: Sequence[tuple[Mapping[str, Cell], Collection[str]]],
    wanted: Mapping[str, Cell],
    items: Collection[str],
) -> int:
    return sum(
        all(cells[name] == value for name, value in wanted.items()) and set(items) <= set(held)
        for cells, held in rows
    )


def chance(label: Label, value: Cell) -> float:
    """Every value of a label is as likely as any other."""
    if isinstance(label, frozenset):
        return 1 / len(label) if value in label else 0.0
    low, high = label
    return 1 / (high - low + 1) if low <= value <= high else 0.0  # type: ignore[operator]


def guessed_count(
    rows: Sequence[tuple[Mapping[str, Label], Collection[frozenset[str]]]],
    wanted: Mapping[str, Cell],
    items: Collection[str],
) -> float:
    total = 0.0
    for labels, shown in rows:
        product = 1.0
        for name, value in wanted.items():
            product *= chance(labels[name], value)
        for item in items:
            product *= sum(1 / len(label) for label in shown if item in label)
        total += product
    return total


def relative_errors(
    rows: Sequence[tuple[Mapping[str, Cell], Collection[str]]],
    released: Sequence[tuple[Mapping[str, Label], Collection[frozenset[str]]]],
    *,
    values: int,
    items: int,
    queries: int,
    seed: int,
) -> list[float]:
    """Errors of queries about random persons with enough items."""
    rng = random.Random(seed)
    able = [row for row in rows if len(row[1]) >= items]
    errors = []
    for _ in range(queries):
        cells, held = rng.choice(able)
        wanted = {name: cells[name] for name in rng.sample(sorted(cells), values)}
        asked = rng.sample(sorted(held), items)
        true = true_count(rows, wanted, asked)
        errors.append(abs(true - guessed_count(released, wanted, asked)) / max(true, 1))
    return errors


def counted_by_all_worlds(
    ages: Sequence[Sequence[int]],
    cities: Sequence[Sequence[str]],
    person: Sequence[int],
    holds: Callable[[Any, Any], bool],
) -> dict[str, tuple[float, float]]:
    """Mean and variance of persons and rows over all tables that labels allow, each as likely as any other.

    An age is the person's, a city the row's.
    """
    persons, rows = [], []
    for world in product(*ages):
        for towns in product(*cities):
            true = [p for p, town in zip(person, towns, strict=True) if holds(world[p], town)]
            persons.append(float(len(set(true))))
            rows.append(float(len(true)))
    return {unit: (fmean(found), pvariance(found)) for unit, found in (("persons", persons), ("rows", rows))}
