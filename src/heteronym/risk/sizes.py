"""How easily persons are found, from the sizes of the classes in which they hide.

Reference   El Emam 2013, "Guide to the de-identification of personal health information"
Guarantee   prosecutor: the target is known to be in the data; journalist: known to be in the population;
            marketer: the expected share of all records that are matched
Cost        O(classes)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

AT_RISK = 0.2  # the share of persons with a risk above it is reported: one in five
# The largest risks that custodians of data have accepted, by how far the data travels (El Emam 2013).
CUSTOMS = (
    (0.33, 3, "a trusted recipient under contract"),
    (0.2, 5, "a wider circle under contract"),
    (0.09, 11, "the public (policy 0070 of the European Medicines Agency)"),
    (0.05, 20, "the public, cautiously"),
)


@dataclass(frozen=True)
class Risk:
    """The three attackers' chances, highest and mean, and who stands out."""

    prosecutor: float  # the highest chance of one person to be matched
    journalist: float
    marketer: float  # expected share of persons matched
    persons: int
    unique: int  # persons who are alone in their class
    at_risk: float  # share of persons whose prosecutor risk exceeds AT_RISK

    def to_dict(self) -> dict[str, Any]:
        return {
            "prosecutor": self.prosecutor,
            "journalist": self.journalist,
            "marketer": self.marketer,
            "persons": self.persons,
            "unique": self.unique,
            "at_risk": self.at_risk,
        }


def class_sizes(classes: NDArray[Any], weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Persons (or the sum of their survey weights) in each class; `classes` numbers each person's class."""
    if not len(classes):
        return np.zeros(0)
    _, number = np.unique(classes, return_inverse=True)
    return np.bincount(number, weights=weights).astype(np.float64)


def risk_of(
    classes: NDArray[Any],
    *,
    population: NDArray[np.float64] | None = None,
    weights: NDArray[np.float64] | None = None,
) -> Risk:
    """The risk of persons in these classes.

    `population` is the size of each person's class in the population, where it is known; `weights` (how many
    people of the population a person stands for) estimate it. With neither, the data is taken for
    the whole population, which is the worst case: then the journalist is as good as the prosecutor.
    """
    count = len(classes)
    if not count:
        return Risk(0.0, 0.0, 0.0, 0, 0, 0.0)
    _, number = np.unique(classes, return_inverse=True)
    mine = np.bincount(number).astype(np.float64)[number]
    around = mine
    if population is not None:
        around = np.maximum(population, mine)
    elif weights is not None:
        around = np.maximum(np.bincount(number, weights=weights)[number], mine)
    return Risk(
        prosecutor=float(1 / mine.min()),
        journalist=float(1 / around.min()),
        marketer=float((1 / around).mean()),
        persons=count,
        unique=int((mine == 1).sum()),
        at_risk=float((1 / mine > AT_RISK + 1e-12).mean()),
    )


def advice_on_k(before: Risk, population_unique: float | None = None) -> str:
    """Which k is customary for whom, beside what the data shows."""
    if not before.persons:
        return "no persons"
    alone = before.unique / before.persons
    said = f"{alone:.1%} of the persons are alone with their values"
    if population_unique is not None:
        said += f", and about {population_unique:.1%} would be in the population"
    rows = "; ".join(f"k = {k} ({bound:g}) for {whom}" for bound, k, whom in CUSTOMS)
    fits = [k for _, k, _ in CUSTOMS if 2 * k <= before.persons]
    limit = (
        ""
        if len(fits) == len(CUSTOMS)
        else f". With {before.persons} persons, k above {before.persons // 2} leaves one group"
    )
    return f"{said}. Customary: {rows}{limit}"


def merged(before: Risk, after: Risk) -> Mapping[str, Mapping[str, float]]:
    """Both in the shape of facts.json."""
    names = ("prosecutor", "journalist", "marketer", "at_risk", "unique")
    return {name: {"before": getattr(before, name), "after": getattr(after, name)} for name in names}
