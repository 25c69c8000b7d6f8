"""What attackers could do with a table as it is: uniqueness, risk, and the columns that drive it.

Cost        O(n) for each of at most 793 column combinations
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.profiling.draft import ColumnProfile
from heteronym.risk.combinations import UniqueCombinations, unique_combinations
from heteronym.risk.population import population_uniques
from heteronym.risk.sizes import advice_on_k, class_sizes, risk_of

_MOST_COLUMNS = 12  # for combinations: 12 columns have 793 of up to four
_SAMPLING = (0.01, 0.1)  # shares of a population that the data may be

Uniqueness = tuple[dict[int, dict[str, float]], dict[int, tuple[str, ...]]]


def look_for_risk(
    cells: Mapping[str, pl.Series], columns: Sequence[ColumnProfile], key: str | None
) -> tuple[Uniqueness, dict[str, Any]]:
    """Uniqueness on 1 to 4 quasi columns, and risk over all of them."""
    names, codes = _quasi_codes(cells, columns, key)
    if not names:
        return ({}, {}), {}
    found = unique_combinations(names, codes)
    return _uniqueness(found, len(codes[0])), _risk_before(found, codes)


def _quasi_codes(
    cells: Mapping[str, pl.Series], columns: Sequence[ColumnProfile], key: str | None
) -> tuple[list[str], list[NDArray[Any]]]:
    """The quasi columns with most values, and the number of each person's values in them."""
    names = [c.name for c in sorted(columns, key=lambda c: -c.distinct) if c.role == "quasi"][:_MOST_COLUMNS]
    # numbers instead of names: polars would read a column called * or ^x$ as a pattern
    numbered = [str(number) for number in range(len(names))]
    frame = pl.DataFrame({number: cells[name] for number, name in zip(numbered, names, strict=True)})
    if key is not None and names:
        # a person's values of a column, all rows together
        frame = (
            frame.with_columns(cells[key].alias("\x00person"))
            .group_by("\x00person")
            .agg(pl.col(numbered).unique().sort())
            .drop("\x00person")
            .with_columns(pl.col(numbered).list.join("\x00"))
        )
    return names, [frame[number].rank("dense").fill_null(0).to_numpy() for number in numbered]


def _uniqueness(found: UniqueCombinations, persons: int) -> Uniqueness:
    """Share of persons that are alone with their values of 1 to 4 quasi columns."""
    shares: dict[int, dict[str, float]] = {}
    worst_on: dict[int, tuple[str, ...]] = {}
    for count in range(1, found.largest + 1):
        alone = {names: number / persons for names, number in found.unique.items() if len(names) == count}
        worst = max(alone, key=lambda names: alone[names])
        shares[count] = {"worst": alone[worst], "mean": sum(alone.values()) / len(alone)}
        worst_on[count] = worst
    return shares, worst_on


def _risk_before(found: UniqueCombinations, codes: Sequence[NDArray[Any]]) -> dict[str, Any]:
    """What attackers could do with the data as it is, over all quasi columns together."""
    whole = np.zeros(len(codes[0]), np.int64)
    for code in codes:
        _, whole = np.unique(whole * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    risk, sizes = risk_of(whole), class_sizes(whole)
    population = {}
    for share in _SAMPLING:
        guess = population_uniques(sizes, round(len(whole) / share))
        population[str(share)] = {"unique": guess.share, "model": guess.model, "assumption": guess.assumption}
    return {
        **risk.to_dict(),
        "population": population,
        "combinations": found.to_dict(),
        "advice": advice_on_k(risk),
    }
