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
from heteronym.model.release import Check, Released
from heteronym.verify.forms import key_form
from heteronym.verify.originals import Originals
from heteronym.verify.values import coded, numbers, texts

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
    counts = people.group_by("class").agg(
        pl.len().alias("persons"),
        pl.col("weight").sum().alias("population"),
        pl.col("household").n_unique().alias("households"),
    )
    people = people.join(counts, on="class")
    size = people["persons"].to_numpy().astype(np.float64)
    found = {
        "prosecutor": 1 / size.min(),
        "at_risk": float(np.mean(size < 5)),
        "unique": int((size == 1).sum()),
        "singling_out": float(np.mean(size == 1)),
        "linkability": counts.height / people.height,
    }
    if plan.data.weight is None or released.weight_of_row is not None:
        crowd = np.maximum(people["population"].to_numpy(), size)
        found |= {"journalist": 1 / crowd.min(), "marketer": float(np.mean(1 / crowd))}
    if released.household_of_row is not None:
        lowest = people.group_by("household").agg((1 - 1 / pl.col("persons")).product().alias("missed"))
        found["household"] = 1 / int(counts["households"].min())  # type: ignore[arg-type]
        found["household_member"] = 1 - float(lowest["missed"].min())  # type: ignore[arg-type]
    guesses = [_guessed(released, values, people) for values in released.sensitive.values()]
    if guesses:
        found["inference"] = max(guesses)
    return {name: float(value) for name, value in found.items()}


def _people(released: Released) -> pl.DataFrame:
    """One row per person: the groups that its rows are in as a class, its household and weight."""
    rows = pl.DataFrame({"person": released.person_of_row, "class": released.group_of_row})
    rows = rows.with_columns(
        household=pl.lit(0) if released.household_of_row is None else pl.Series(released.household_of_row),
        weight=pl.lit(1.0) if released.weight_of_row is None else pl.Series(released.weight_of_row),
    )
    people = rows.group_by("person").agg(
        pl.col("class").unique().sort(), pl.col("household").first(), pl.col("weight").first()
    )
    if (people["class"].list.len() == 1).all():
        return people.with_columns(pl.col("class").list.first())
    several = people["class"].list.eval(pl.element().cast(pl.String)).list.join(" ")
    return people.with_columns(several.alias("class"))


def _guessed(released: Released, values: Any, people: pl.DataFrame) -> float:
    """Share of persons who show the most common value of their class."""
    rows = pl.DataFrame({"person": released.person_of_row, "value": pl.Series(values)})
    if rows["value"].dtype == pl.List:
        rows = rows.explode("value")
    held = rows.drop_nulls("value").unique().join(people.select("person", "class"), on="person")
    most = held.group_by("class", "value").len().group_by("class").agg(pl.col("len").max())
    return int(most["len"].sum()) / people.height


def claimed_risk(facts: Any) -> Mapping[str, float]:
    """What facts.json tells of the risk that remains; nothing where it cannot be read."""
    told = facts.get("measures") if isinstance(facts, Mapping) else None
    risk = told.get("risk") if isinstance(told, Mapping) else None
    if not isinstance(risk, Mapping):
        return {}
    after = {name: one.get("after") for name, one in risk.items() if isinstance(one, Mapping)}
    return {name: float(v) for name, v in after.items() if isinstance(v, (int, float)) and math.isfinite(v)}


def risk_check(found: Mapping[str, float], claimed: Mapping[str, float]) -> list[Check]:
    """Whether the written files show no more risk than is claimed; nothing where nothing is comparable."""
    both = [name for name in found if name in claimed]
    higher = [name for name in both if found[name] > claimed[name] + _SURELY]
    if higher:
        told = ", ".join(f"{name} {found[name]:.6g}, not {claimed[name]:.6g}" for name in higher)
        return [Check("risk", False, f"the written files show more risk than facts.json tells: {told}")]
    if not both:
        return []
    return [Check("risk", True, "the written files show no more risk than facts.json tells")]
