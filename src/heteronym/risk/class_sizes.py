"""How easily persons are found, from the sizes of the classes in which they hide.

Reference   El Emam 2013, "Guide to the de-identification of personal health information"
            (prosecutor, journalist, marketer); Article 29 Working Party 2014, opinion 05/2014 (singling out,
            linkability, inference); Templ, Kowarik and Meindl 2015 (risk of a household)
Guarantee   prosecutor: the target is known to be in the data; journalist: known to be in the population;
            marketer: the expected share of all records that are matched
Cost        O(persons log persons)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.risk.population import population_uniques

AT_RISK = 0.2  # the share of persons with a risk above it is reported: one in five
# The largest risks that custodians of data have accepted, by how far the data travels (El Emam 2013).
CUSTOMS = (
    (0.33, 3, "a trusted recipient under contract"),
    (0.2, 5, "a wider circle under contract"),
    (0.09, 11, "the public (policy 0070 of the European Medicines Agency)"),
    (0.05, 20, "the public, cautiously"),
)


Held = tuple[NDArray[Any], NDArray[Any]]  # a person, and a value of a sensitive column that it has


@dataclass(frozen=True)
class Risk:
    """The three attackers' chances, the three ways in which anonymization fails, and who stands out.

    What needs sensitive values, households or survey weights is None without them.
    """

    prosecutor: float  # the highest chance of one person to be matched
    journalist: float
    marketer: float  # expected share of persons matched
    persons: int
    unique: int  # persons who are alone in their class
    at_risk: float  # share of persons whose prosecutor risk exceeds AT_RISK
    singling_out: float  # share of persons who are alone in their class
    linkability: float  # mean chance that two records which agree in the columns are one person's
    inference: float | None = None  # mean chance to guess a sensitive value, of the easiest column
    household: float | None = None  # the highest chance of one household to be matched
    household_member: float | None = None  # the highest chance that one of a household's members is matched
    population_unique: float | None = None  # estimated share of the population that is alone in it

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}


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
    households: NDArray[Any] | None = None,
    held: Sequence[Held] = (),
    times: NDArray[np.int64] | None = None,
) -> Risk:
    """The risk of persons in these classes; where equal ones stand once, `times` says how many they are.

    `population` is the size of each person's class in the population, where it is known; `weights` (how many
    people of the population a person stands for) estimate it. With neither, the data is taken for
    the whole population, which is the worst case: then the journalist is as good as the prosecutor.
    """
    count = len(classes)
    if not count:
        return Risk(0.0, 0.0, 0.0, 0, 0, 0.0, 0.0, 0.0)
    if classes.dtype.kind in "iu" and population is None and weights is None and households is None:
        return _risk_of_sizes(classes.astype(np.int64), held, times)
    _, number = np.unique(classes, return_inverse=True)
    mine = np.bincount(number).astype(np.float64)[number]
    around = mine
    if population is not None:
        around = np.maximum(population, mine)
    elif weights is not None:
        around = np.maximum(np.bincount(number, weights=weights)[number], mine)
    unique = int((mine == 1).sum())
    whole, any_of = (None, None) if households is None else _of_households(number, mine, households)
    return Risk(
        prosecutor=float(1 / mine.min()),
        journalist=float(1 / around.min()),
        marketer=float((1 / around).mean()),
        persons=count,
        unique=unique,
        at_risk=float((1 / mine > AT_RISK + 1e-12).mean()),
        singling_out=unique / count,
        linkability=float((1 / mine).mean()),
        inference=max((_guessed(number, *one) for one in held), default=None),
        household=whole,
        household_member=any_of,
        population_unique=None
        if weights is None
        else population_uniques(np.bincount(number).astype(np.float64), round(float(weights.sum()))).share,
    )


def _risk_of_sizes(classes: NDArray[np.int64], held: Sequence[Held], times: NDArray[np.int64] | None) -> Risk:
    """The risk where nothing but persons counts: then sizes of classes tell all, whoever is in them."""
    sizes: NDArray[Any]
    if times is None:
        count, sizes = len(classes), _runs(np.sort(classes))[1]
    else:
        count, sizes = int(times.sum()), class_sizes(classes, times.astype(np.float64))
    unique = int((sizes == 1).sum())
    prosecutor, mean = float(1 / sizes.min()), len(sizes) / count
    return Risk(
        prosecutor=prosecutor,
        journalist=prosecutor,
        marketer=mean,
        persons=count,
        unique=unique,
        at_risk=float(sizes[1 / sizes > AT_RISK + 1e-12].sum() / count),
        singling_out=unique / count,
        linkability=mean,
        inference=max((_guessed(classes, *one, times) for one in held), default=None),
    )


def _runs(ordered: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where equal numbers begin that stand beside each other, and how many they are."""
    begins = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: len(ordered)])
    return begins, np.diff(np.r_[begins, len(ordered)])


def _guessed(
    classes: NDArray[np.int64],
    person: NDArray[Any],
    value: NDArray[Any],
    times: NDArray[np.int64] | None = None,
) -> float:
    """Share of persons who have the most common value of their class."""
    span = int(value.max(initial=0)) + 1
    if int(classes.max()) >= (1 << 62) // span:
        _, classes = np.unique(classes, return_inverse=True)
    pairs = classes[person] * span + value
    if times is None:
        pairs = np.sort(pairs)
        begins, holders = _runs(pairs)
    else:
        order = np.argsort(pairs)
        pairs = pairs[order]
        begins, _ = _runs(pairs)
        holders = np.add.reduceat(times[person][order], begins) if len(begins) else begins
    of_class = _runs(pairs[begins] // span)[0]
    persons = len(classes) if times is None else times.sum()
    return float(np.maximum.reduceat(holders, of_class).sum() / persons) if len(holders) else 0.0


def _of_households(
    number: NDArray[np.int64], mine: NDArray[np.float64], households: NDArray[Any]
) -> tuple[float, float]:
    """Highest chance of a household: to be the one that is meant in a class, and to have a member matched.

    The second is 1 - prod(1 - 1 / size of the class) over its members.
    """
    _, house = np.unique(households, return_inverse=True)
    pairs = np.unique(number * (int(house.max()) + 1) + house)
    in_class = np.bincount(pairs // (int(house.max()) + 1))
    with np.errstate(divide="ignore"):  # who is alone is matched surely
        missed = np.exp(np.bincount(house, weights=np.log1p(-1 / mine)))
    return float(1 / in_class.min()), float(1 - missed.min())


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
    both = before.to_dict(), after.to_dict()
    return {
        name: {"before": figure, "after": both[1].get(name, 0.0)}
        for name, figure in both[0].items()
        if name != "persons"
    }
