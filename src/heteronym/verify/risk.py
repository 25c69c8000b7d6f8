"""What attackers could still do, computed from the written files and compared with what facts.json tells.

Figures are those of docs/risk.md; none of them is taken over from what made the release. Where a figure needs
households or survey weights of the original data and these are not at hand, it is left out.

Cost        O(rows)
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.model.plan import Plan
from heteronym.model.release import Check, Counted, Released
from heteronym.verify.alone import alone_in_population
from heteronym.verify.forms import key_form
from heteronym.verify.originals import Originals
from heteronym.verify.values import coded, counted_pairs, is_numbering, numbers, texts

_SURELY = 1e-9


def with_households(groups: Released, plan: Plan, originals: Originals) -> Released:
    """With household and survey weight of each released row."""
    rows, frame, missing = originals.source_row, originals.frame, originals.missing
    if len(rows) != len(groups.group_of_row):
        return groups
    house = _households(frame, plan.data.household, missing)
    weight = _weights(frame, plan.data.weight, missing)
    return replace(
        groups,
        household_of_row=None if house is None else house[rows],
        weight_of_row=None if weight is None else weight[rows],
    )


def _households(frame: pl.DataFrame, key: str | None, missing: Collection[str]) -> NDArray[np.int64] | None:
    """The household of each row of the data; those of whom it is missing count as one."""
    if key is None or key not in frame.columns:
        return None
    known = texts(coded(frame[key]), missing)
    number: dict[str, int] = {}
    place = [0 if t is None else number.setdefault(key_form(t), len(number) + 1) for t in known.values]
    return np.array(place, np.int64)[known.code]


def _weights(frame: pl.DataFrame, key: str | None, missing: Collection[str]) -> NDArray[np.float64] | None:
    """How many people of the population each row's person stands for."""
    if key is None or key not in frame.columns:
        return None
    found = numbers(coded(frame[key]), column=key, missing=missing)
    weight: NDArray[np.float64] = np.array(found.values, np.float64)[found.code]  # None becomes no number
    if not (weight > 0).all():
        raise InputError(f"column '{key}': weights must be numbers above 0")
    return weight


def residual_risk(released: Released, plan: Plan) -> dict[str, float]:
    """The chances of attackers who know the quasi columns, by the name that facts.json has for each."""
    if not released.quasi or not len(released.group_of_row):
        return {}
    people = _people(released)
    number = people["class"].to_numpy()
    sizes = np.bincount(number)
    size = sizes[number].astype(np.float64)
    found = {
        "prosecutor": 1 / size.min(),
        "at_risk": float(np.mean(size < 5)),
        "unique": int((size == 1).sum()),
        "singling_out": float(np.mean(size == 1)),
        "linkability": int((sizes > 0).sum()) / people.height,
    }
    if plan.data.weight is None or released.weight_of_row is not None:
        crowd = size
        if released.weight_of_row is not None:
            crowd = np.maximum(np.bincount(number, people["weight"].to_numpy())[number], size)
        found |= {"journalist": 1 / crowd.min(), "marketer": float(np.mean(1 / crowd))}
    if released.weight_of_row is not None:
        population = round(float(people["weight"].sum()))
        found["population_unique"] = alone_in_population(sizes[sizes > 0].tolist(), population)
    if released.household_of_row is not None:
        houses = people.group_by("class", maintain_order=True).agg(pl.col("household").n_unique())[
            "household"
        ]
        chances = people.with_columns(missed=pl.Series(1 - 1 / size))
        lowest = chances.group_by("household", maintain_order=True).agg(pl.col("missed").product())
        found["household"] = 1 / int(houses.min())  # type: ignore[arg-type]
        found["household_member"] = 1 - float(lowest["missed"].min())  # type: ignore[arg-type]
    guesses = [_guessed(released, values, people) for values in released.sensitive.values()]
    if guesses:
        found["inference"] = max(guesses)
    return {name: float(value) for name, value in found.items()}


def risk_of_counted(counted: Counted) -> dict[str, float]:
    """The same where somebody has counted the persons of each class, and who shows which value there."""
    size = counted.persons.astype(np.float64)
    if not len(size):
        return {}
    persons = size.sum()
    found = {
        "prosecutor": 1 / size.min(),
        "at_risk": size[size < 5].sum() / persons,
        "unique": int((size == 1).sum()),
        "singling_out": (size == 1).sum() / persons,
        "linkability": len(size) / persons,
        "journalist": 1 / size.min(),
        "marketer": len(size) / persons,
    }
    most = [held.group_by("class").agg(pl.col("persons").max()) for held in counted.holders.values()]
    if most:
        found["inference"] = max(int(one["persons"].sum()) / persons for one in most)
    return {name: float(value) for name, value in found.items()}


def _people(released: Released) -> pl.DataFrame:
    """One row per person: the groups that its rows are in as a numbered class, its household and weight."""
    rows = pl.DataFrame({"person": released.person_of_row, "class": released.group_of_row})
    if released.household_of_row is not None:
        rows = rows.with_columns(household=pl.Series(released.household_of_row))
    if released.weight_of_row is not None:
        rows = rows.with_columns(weight=pl.Series(released.weight_of_row))
    if is_numbering(released.person_of_row):
        return rows
    others = [pl.col(name).first() for name in rows.columns[2:]]
    people = rows.group_by("person", maintain_order=True).agg(pl.col("class").unique().sort(), *others)
    if (people["class"].list.len() == 1).all():
        return people.with_columns(pl.col("class").list.first())
    several = people["class"].list.eval(pl.element().cast(pl.String)).list.join(" ")
    return people.with_columns((several.rank("dense") - 1).cast(pl.Int64).alias("class"))


def _guessed(released: Released, values: Any, people: pl.DataFrame) -> float:
    """Share of persons who show the most common value of their class."""
    cells = pl.Series("value", values)
    if is_numbering(released.person_of_row) and cells.dtype != pl.List:
        number, codes = people["class"].to_numpy(), coded(cells)
    else:
        rows = pl.DataFrame({"person": released.person_of_row, "value": cells})
        if cells.dtype == pl.List:
            rows = rows.explode("value")
        held = rows.drop_nulls("value").unique().join(people.select("person", "class"), on="person")
        number, codes = held["class"].to_numpy(), coded(held["value"])
    classes, _, holders = counted_pairs(number, codes)
    most = np.zeros(int(classes.max(initial=-1)) + 1, np.int64)
    np.maximum.at(most, classes, holders)
    return int(most.sum()) / people.height


def claimed_risk(facts: Any) -> Mapping[str, float]:
    """What facts.json tells of the risk that remains; nothing where it cannot be read."""
    measures = facts.get("measures") if isinstance(facts, Mapping) else None
    risk = measures.get("risk") if isinstance(measures, Mapping) else None
    if not isinstance(risk, Mapping):
        return {}
    after = {name: one.get("after") for name, one in risk.items() if isinstance(one, Mapping)}
    return {name: float(v) for name, v in after.items() if isinstance(v, (int, float)) and math.isfinite(v)}


def risk_check(found: Mapping[str, float], claimed: Mapping[str, float]) -> list[Check]:
    """Whether the written files show no more risk than is claimed; nothing where nothing is comparable."""
    both = [name for name in found if name in claimed]
    # the likeliest parameters of an estimate are found by two searches
    more = {name: _SURELY + (0.01 * claimed[name] if name == "population_unique" else 0.0) for name in both}
    higher = [name for name in both if found[name] > claimed[name] + more[name]]
    if higher:
        wrong = ", ".join(f"{name} {found[name]:.6g}, not {claimed[name]:.6g}" for name in higher)
        return [Check("risk", False, f"the written files show more risk than facts.json tells: {wrong}")]
    if not both:
        return []
    return [Check("risk", True, "the written files show no more risk than facts.json tells")]
