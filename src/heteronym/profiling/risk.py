"""What attackers could do with a table as it is: uniqueness, risk, and the columns that drive it.

Cost        O(n) for each of at most 793 column combinations
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.profiling.draft import ColumnProfile
from heteronym.risk.class_sizes import Held, advice_on_k, class_sizes, risk_of
from heteronym.risk.combinations import UniqueCombinations, unique_combinations
from heteronym.risk.population import population_uniques

_MOST_COLUMNS = 12  # for combinations: 12 columns have 793 of up to four
_SAMPLING = (0.01, 0.1)  # shares of a population that the data may be

Uniqueness = tuple[dict[int, dict[str, float]], dict[int, tuple[str, ...]]]


def look_for_risk(
    cells: Mapping[str, pl.Series],
    columns: Sequence[ColumnProfile],
    *,
    key: str | None,
    household: str | None = None,
    weight: str | None = None,
) -> tuple[Uniqueness, dict[str, Any]]:
    """Uniqueness on 1 to 4 quasi columns, and risk over all of them."""
    # the quasi columns with most values
    names = [c.name for c in sorted(columns, key=lambda c: -c.distinct) if c.role == "quasi"][:_MOST_COLUMNS]
    if not names:
        return ({}, {}), {}
    if key is None:
        person = np.arange(len(cells[names[0]]))
    else:
        person = cells[key].rank("dense").to_numpy().astype(np.int64) - 1
    codes = [_codes(cells[name], person) for name in names]
    found = unique_combinations(names, codes)
    held = [_held(cells[column.name], person) for column in columns if column.role == "sensitive"]
    house = None if household is None else _codes(cells[household], person)
    weights = None if weight is None else _weights(cells[weight], person)
    before = _risk_before(found, codes, held=held, households=house, weights=weights)
    return _uniqueness(found, len(codes[0])), before


def _codes(cells: pl.Series, person: NDArray[np.int64]) -> NDArray[Any]:
    """A number per person for its values of a column, all its rows together."""
    rank = cells.rank("dense").fill_null(0)
    if len(np.unique(person)) == len(person):
        return rank.to_numpy()[np.argsort(person)]
    rows = pl.DataFrame({"person": person, "cell": rank}).unique().sort("person", "cell")
    values = rows.group_by("person", maintain_order=True).agg(pl.col("cell").cast(pl.String))
    return values["cell"].list.join(" ").rank("dense").to_numpy()


def _held(cells: pl.Series, person: NDArray[np.int64]) -> Held:
    """Each sensitive value of each person; missing ones are no values."""
    rows = pl.DataFrame({"person": person, "cell": cells.rank("dense")}).drop_nulls().unique()
    return rows["person"].to_numpy(), rows["cell"].to_numpy().astype(np.int64)


def _weights(cells: pl.Series, person: NDArray[np.int64]) -> NDArray[np.float64]:
    """Survey weights by person, the first that a person has."""
    number = cells.cast(pl.Float64, strict=False)
    if number.is_null().any() or not (number > 0).all():
        raise UsageError(f"weights in column '{cells.name}' must be numbers above 0")
    rows = pl.DataFrame({"person": person, "weight": number})
    return rows.group_by("person").agg(pl.col("weight").first()).sort("person")["weight"].to_numpy()


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


def _risk_before(
    found: UniqueCombinations,
    codes: Sequence[NDArray[Any]],
    *,
    held: Sequence[Held],
    households: NDArray[Any] | None,
    weights: NDArray[np.float64] | None,
) -> dict[str, Any]:
    """What attackers could do with the data as it is, over all quasi columns together."""
    whole = np.zeros(len(codes[0]), np.int64)
    for code in codes:
        _, whole = np.unique(whole * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    risk, sizes = risk_of(whole, weights=weights, households=households, held=held), class_sizes(whole)
    population = {}
    shares = _SAMPLING if weights is None else (min(len(whole) / float(weights.sum()), 1.0),)
    for share in shares:
        guess = population_uniques(sizes, round(len(whole) / share))
        population[f"{share:.4g}"] = {
            "unique": guess.share,
            "model": guess.model,
            "assumption": guess.assumption,
        }
    return {
        **risk.to_dict(),
        "population": population,
        "combinations": found.to_dict(),
        "advice": advice_on_k(risk, risk.population_unique),
    }
