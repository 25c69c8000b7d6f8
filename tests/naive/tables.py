"""Small random tables, and what our words mean on them, in plain Python.

A person is a dict from column name to the set of its values (None for missing).
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import combinations

import polars as pl

from heteronym.model.dataset import Dataset
from heteronym.model.schema import Attribute, Role, Scale, Schema

ROLES = {
    "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
    "city": Attribute(role=Role.QUASI),
    "day": Attribute(role=Role.QUASI, scale=Scale.DATE, weight=2.0),
    "zip": Attribute(role=Role.QUASI, recode="prefix"),
    "level": Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("low", "mid", "high")),
    "team": Attribute(role=Role.QUASI, recode="suppress"),
    "born": Attribute(role=Role.QUASI, scale=Scale.DATE, recode="calendar"),
    "grade": Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("e", "d", "c", "b", "a"), recode="range"),
}


def random_dataset(
    seed: int, *, persons: int = 12, rows_per_person: int = 1, missing: float = 0.1
) -> Dataset:
    rng = random.Random(seed)
    rows: dict[str, list[object]] = {"id": [], **{name: [] for name in ROLES}}
    for person in range(persons):
        for _ in range(rng.randint(1, rows_per_person)):
            rows["id"].append(f"p{person:03}")
            rows["age"].append(rng.choice([18, 18, 25, 31, 40, 77]))
            rows["city"].append(rng.choice(["Ulm", "Rom", "Oslo", "Köln", "北京"]))
            rows["day"].append(date(2003, 11, 1) + timedelta(days=rng.randint(0, 500)))
            rows["zip"].append(rng.choice(["8810", "8811", "8900", "89", "1"]))
            rows["level"].append(rng.choice(["low", "mid", "high"]))
            rows["team"].append(rng.choice(["a", "b"]))
            born = rng.choice([20, 200, 800, 3000, 12000])
            rows["born"].append(date(1971, 3, 1) + timedelta(days=rng.randint(0, born)))
            rows["grade"].append(rng.choice("abce"))
            for name in ROLES:
                if rng.random() < missing:
                    rows[name][-1] = None
    frame = pl.DataFrame(
        rows, strict=False, schema_overrides={"age": pl.Int64, "day": pl.Date, "born": pl.Date}
    )
    schema = Schema({"id": Attribute(role=Role.IDENTIFIER), **ROLES}, "id")
    return Dataset(schema, frame)


def persons_of(dataset: Dataset) -> list[dict[str, set[object]]]:
    """Persons in the order of their keys."""
    found: dict[str, dict[str, set[object]]] = {}
    for row in dataset.frame.sort("id", maintain_order=True).iter_rows(named=True):
        person = found.setdefault(row["id"], {name: set() for name in ROLES})
        for name in ROLES:
            person[name].add(row[name])
    return [found[key] for key in sorted(found)]


def published_loss(name: str, values: set[object], everybody: set[object]) -> float:
    """Loss of the label that is published for a set of values; missing is one of the values there are."""
    known, domain = values - {None}, everybody - {None}
    if len(values) == 1:
        return 0.0
    if name in ("city", "level"):
        return len(values) / len(everybody)
    if None in everybody and name != "team":
        share = 1 / len(everybody)
        return published_loss(name, known, domain) * (1 - share) + share * (None in values)
    if name == "age":
        return (max(known) - min(known)) / (max(domain) - min(domain)) if max(domain) > min(domain) else 0.0  # type: ignore[operator,type-var]
    if name == "grade":
        order = ROLES["grade"].order
        places = [order.index(str(grade)) for grade in known]
        return (max(places) - min(places) + 1) / len(order) if len(known) > 1 else 0.0
    if name == "born":
        return len(_days_of_periods(known, domain)) / len(domain)  # type: ignore[arg-type]
    if name == "day":
        return len(_days_below(known, domain)) / len(domain)  # type: ignore[arg-type]
    if name == "zip":
        prefix = _common_prefix(known)  # type: ignore[arg-type]
        return sum(1 for value in domain if str(value).startswith(prefix)) / len(domain)
    return 1.0  # team: suppressed


def _days_below(known: set[date], domain: set[date]) -> set[date]:
    for same in (lambda d: (d.year, d.month), lambda d: d.year):
        if len({same(day) for day in known}) == 1:
            wanted = same(next(iter(known)))
            return {day for day in domain if same(day) == wanted}
    first, last = min(known).year, max(known).year
    return {day for day in domain if first <= day.year <= last}


def _days_of_periods(known: set[date], domain: set[date]) -> set[date]:
    """In a range of at most twelve months, else of quarters, else of years, else of decades."""
    units = [
        lambda d: d.year * 12 + d.month - 1,
        lambda d: (d.year * 12 + d.month - 1) // 3,
        lambda d: d.year,
        lambda d: d.year // 10,
    ]
    for unit in units:
        first, last = min(map(unit, known)), max(map(unit, known))
        if last - first < 12 or unit is units[-1]:
            break
    return {day for day in domain if first <= unit(day) <= last}


def _common_prefix(values: set[str]) -> str:
    shortest = min(values, key=len)
    for length in range(len(shortest), -1, -1):
        if all(value.startswith(shortest[:length]) for value in values):
            return shortest[:length]
    return ""


def group_loss(group: list[dict[str, set[object]]], everybody: list[dict[str, set[object]]]) -> float:
    """Weighted mean loss over the columns of one person in the group."""
    total = 0.0
    for name, attribute in ROLES.items():
        values = set().union(*(person[name] for person in group))
        domain = set().union(*(person[name] for person in everybody))
        total += attribute.weight * published_loss(name, values, domain)
    return total / sum(attribute.weight for attribute in ROLES.values())


def summed_loss(groups: list[list[dict[str, set[object]]]], everybody: list[dict[str, set[object]]]) -> float:
    return sum(len(group) * group_loss(group, everybody) for group in groups)


def best_grouping(people: list[dict[str, set[object]]], k: int) -> float:
    """The least summed loss of any grouping into groups of at least k; tiny tables only."""

    def best(left: tuple[int, ...]) -> float:
        if not left:
            return 0.0
        if len(left) < k:
            return float("inf")
        first, rest = left[0], left[1:]
        least = float("inf")
        for size in range(k - 1, len(rest) + 1):
            for others in combinations(rest, size):
                group = [people[first], *(people[o] for o in others)]
                remaining = tuple(r for r in rest if r not in others)
                least = min(least, len(group) * group_loss(group, people) + best(remaining))
        return least

    return best(tuple(range(len(people))))
