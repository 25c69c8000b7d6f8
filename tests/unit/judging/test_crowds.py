"""Crowds beside a plain count over all pairs of rows."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest

from heteronym.judging.columns import Column, read_columns
from heteronym.judging.crowds import Pieces, Tables, smallest_by_columns, smallest_with_pieces
from heteronym.model.schema import Attribute

K = 4


def case(seed: int) -> tuple[list[Column], Any, Any, list[set[str]], list[set[str]]]:
    """A small table, some of its rows released with labels of all kinds, true of their rows."""
    rng = np.random.default_rng(seed)
    rows = 40
    ages, towns = rng.integers(20, 40, rows), rng.choice(["Oslo", "Leeds", "Ghent", "Turin"], rows)
    person = np.sort(rng.integers(0, 30, rows))
    kept = rng.permutation(rows)[: rng.integers(25, rows + 1)]

    def label(age: int) -> str:
        low = age // 5 * 5
        return str(rng.choice([str(age), f"[{low}, {low + 5}[", f"{low}-{low + 9}", "*", f"{age // 10}*"]))

    original = pl.DataFrame({"age": ages, "town": towns})
    shown = [
        str(rng.choice([towns[r], "*", f"{{{towns[r]},Oslo}}" if towns[r] != "Oslo" else "Oslo"]))
        for r in kept
    ]
    released = pl.DataFrame({"age": [label(int(ages[r])) for r in kept], "town": shown})
    attributes = {
        "age": Attribute(role="quasi", scale="numeric"),  # type: ignore[arg-type]
        "town": Attribute(role="quasi"),  # type: ignore[arg-type]
    }
    columns = read_columns(released, original, attributes, hierarchies={})
    held = [set(rng.choice(list("abcde"), rng.integers(0, 4), replace=False)) for _ in range(rows)]
    seen = [{item for item in held[r] if rng.random() < 0.8} for r in kept]
    return columns, person, kept, held, seen


def plainly(columns: list[Column], person: Any, source: Any, held: Any, seen: Any, m: int) -> list[int]:
    """The definition, pair by pair."""

    def fits(row: int, original: int) -> bool:
        return all(bool(c.fit(np.array([row]), np.array([original]))[0]) for c in columns)

    found = []
    for row in range(len(source)):
        crowds = []
        for chosen in combinations(sorted(seen[row]), m):
            wanted = set(chosen)
            who = {int(person[o]) for o in range(len(person)) if fits(row, o) and wanted <= held[o]}
            own = {
                int(person[source[r]])
                for r in range(len(source))
                if fits(r, source[row]) and wanted <= seen[r]
            }
            crowds.append(min(len(who), len(own)))
        found.append(min(crowds, default=10**6))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_crowds_below_k_are_those_of_the_definition(seed: int) -> None:
    columns, person, source, held, seen = case(seed)
    tables = Tables(columns, person, source, len(source))
    got = smallest_by_columns(tables, K)
    wanted = plainly(columns, person, source, held, seen, 0)
    assert [min(n, K) for n in got.tolist()] == [min(n, K) for n in wanted]
    pieces = Pieces(5, *_pairs(seen), *_pairs(held))
    for m in (1, 2):
        some = smallest_with_pieces(tables, pieces, K, m)
        expected = plainly(columns, person, source, held, seen, m)
        assert [min(n, K) for n in some.tolist()] == [min(n, K) for n in expected]


def _pairs(sets: list[set[str]]) -> tuple[Any, Any]:
    pairs = [(row, ord(item) - 97) for row, items in enumerate(sets) for item in sorted(items)]
    return np.array([row for row, _ in pairs], np.int64), np.array([p for _, p in pairs], np.int64)
