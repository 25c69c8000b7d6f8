"""How likely a row, or a person, satisfies conditions that a reader of labels cannot see for sure.

Reference   none
Guarantee   where every label is one value, chances are 0 and 1, and counts are exact
Cost        O(rows * ways), where ways are the ways in which the conditions can be true together
Randomness  none

The reader takes all values of a label for equally likely, different columns for independent, and a
suppressed cell for like the others of its column. Conditions on one column are about one value: what is
below 25 is not above 30. A column of which every person has one value is about one value in all rows of a
person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.model.schema import Role
from heteronym.utility.read_cells import Cells, day_ends, entries_of
from heteronym.verify.labels import item_members

Sign = Literal["<", "<=", ">", ">=", "=", "!=", "in", "has"]
Truths = NDArray[np.bool_]  # per condition
MOST_WAYS = 4096
_NINETY_FIVE = 1.96  # standard deviations on either side of a mean


class Condition(NamedTuple):
    """One condition of a query."""

    column: str
    sign: Sign
    values: tuple[str, ...]


@dataclass(frozen=True, repr=False, eq=False)
class Side:
    """One table as queries see it."""

    cells: Mapping[str, Cells]
    sets: Mapping[str, tuple[pl.Series, Role, str]]  # items, terms and texts: cells, role, separator
    person: NDArray[np.int64]  # of each row, counted from 0
    is_labelled: bool = True  # else entries of sets are values, whatever they look like

    @property
    def rows(self) -> int:
        return len(self.person)


class Count(NamedTuple):
    """An expected number, and the ends between which it lies by chance, 19 times of 20."""

    expected: float
    low: float
    high: float


class Ways(NamedTuple):
    """In which ways the conditions on one column may be true together, and how likely, by label."""

    of_row: NDArray[np.int64]
    truths: list[tuple[bool, ...]]  # per way, one for each condition
    chance: NDArray[np.float64]  # [labels, ways]


def counts(
    conditions: Sequence[Condition],
    holds: Callable[[Truths], bool],
    side: Side,
    fixed: Sequence[str] = (),
) -> dict[str, Count]:
    """Persons with a row for which a query holds, and such rows; `fixed` columns have one value a person."""
    columns = list(dict.fromkeys(c.column for c in conditions))
    known = {name: _ways(side, name, [c for c in conditions if c.column == name]) for name in columns}
    if np.prod([len(ways.truths) for ways in known.values()]) > MOST_WAYS:
        raise UsageError("--query: has too many conditions")
    order, starts = _by_person(side)
    one = [name for name in columns if name in fixed and _is_one(known[name].of_row[order], starts)]
    many = [name for name in columns if name not in one]
    place = {condition: at for at, condition in enumerate(conditions)}
    places = {name: [place[c] for c in conditions if c.column == name] for name in columns}
    found, mean, square = (np.zeros(len(starts)) for _ in range(3))
    for chosen in product(*(range(len(known[name].truths)) for name in one)):
        truths = np.zeros(len(conditions), np.bool_)
        weight = np.ones(len(starts))
        for name, way in zip(one, chosen, strict=True):
            truths[places[name]] = known[name].truths[way]
            weight = weight * known[name].chance[known[name].of_row[order][starts], way]
        chance = _row_chances([known[n] for n in many], [places[n] for n in many], truths, holds, side.rows)
        if weight.any() and chance is not None:
            each = np.clip(chance[order], 0, 1)
            expected = np.add.reduceat(each, starts)
            found += weight * (1 - np.multiply.reduceat(1 - each, starts))
            mean += weight * expected
            square += weight * (np.add.reduceat(each * (1 - each), starts) + expected**2)
    persons = _within(found.sum(), (found * (1 - found)).sum(), int((found > 1e-9).sum()))
    return {"persons": persons, "rows": _within(mean.sum(), (square - mean**2).sum(), side.rows)}


def fixed_columns(side: Side) -> list[str]:
    """Columns and sets of which no person has two values."""
    order, starts = _by_person(side)
    labels = {name: cells.of_row for name, cells in side.cells.items()}
    labels |= {n: _numbered(cells)[0] for n, (cells, role, _) in side.sets.items() if role is not Role.TEXT}
    return [name for name, of_row in labels.items() if _is_one(of_row[order], starts)]


def _by_person(side: Side) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows by person, and where each begins."""
    order = np.argsort(side.person, kind="stable")
    return order, np.flatnonzero(np.diff(side.person[order], prepend=-1))


def _is_one(label: NDArray[np.int64], starts: NDArray[np.int64]) -> bool:
    """Whether every person shows one label only."""
    return bool((np.minimum.reduceat(label, starts) == np.maximum.reduceat(label, starts)).all())


def _row_chances(
    ways: Sequence[Ways],
    places_of: Sequence[Sequence[int]],
    truths: Truths,
    holds: Callable[[Truths], bool],
    rows: int,
) -> NDArray[np.float64] | None:
    """Of each row, by columns that differ from row to row; none if it never holds."""
    found = None
    for chosen in product(*(range(len(way.truths)) for way in ways)):
        for way, places, number in zip(ways, places_of, chosen, strict=True):
            truths[list(places)] = way.truths[number]
        if holds(truths):
            part = np.ones(rows)
            for way, number in zip(ways, chosen, strict=True):
                part = part * way.chance[way.of_row, number]
            found = part if found is None else found + part
    return found


def _within(expected: float, variance: float, most: int) -> Count:
    """Ends of a sum of many independent chances, which is nearly normal."""
    reach = _NINETY_FIVE * float(np.sqrt(max(variance, 0.0)))
    return Count(
        float(expected), max(float(expected) - reach, 0.0), min(float(expected) + reach, float(most))
    )


# --- one column -----------------------------------------------------------------------------------


def _ways(side: Side, name: str, conditions: Sequence[Condition]) -> Ways:
    if name in side.sets:
        return _set_ways(*side.sets[name], conditions, is_labelled=side.is_labelled)
    cells = side.cells[name]
    by_label = _name_ways(cells, conditions) if cells.kind == "names" else _number_ways(cells, conditions)
    nothing = (False,) * len(conditions)
    truths = sorted({nothing, *(truth for ways in by_label for truth in ways)})
    chance = np.array([[ways.get(truth, 0.0) for truth in truths] for ways in by_label])
    known = np.array([bool(ways) for ways in by_label])
    known[-1] = False
    rows = cells.rows.astype(np.float64)
    if known.any() and rows[known].sum():  # who is suppressed is like the others
        chance[~known] = rows[known] @ chance[known] / rows[known].sum()
    else:
        chance[~known] = [truth == nothing for truth in truths]
    chance[-1] = [truth == nothing for truth in truths]  # a missing value satisfies nothing
    return Ways(cells.of_row, truths, chance)


def _name_ways(cells: Cells, conditions: Sequence[Condition]) -> list[dict[tuple[bool, ...], float]]:
    if any(c.sign not in ("=", "!=", "in") for c in conditions):
        raise UsageError(f"--query: column '{cells.name}' has no order; compare it with = or in")
    found = []
    for names in cells.members():
        ways: dict[tuple[bool, ...], float] = {}
        for name in names:
            truth = tuple((name in c.values) != (c.sign == "!=") for c in conditions)
            ways[truth] = ways.get(truth, 0.0) + 1 / len(names)
        found.append(ways)
    return found


def _number_ways(cells: Cells, conditions: Sequence[Condition]) -> list[dict[tuple[bool, ...], float]]:
    ends = [[_ends(cells, value) for value in c.values] for c in conditions]
    marks = np.unique([mark for pairs in ends for pair in pairs for mark in pair])
    edges = np.r_[-np.inf, marks, np.inf]
    spans = [
        tuple(_is_true(c.sign, pairs, a, b) for c, pairs in zip(conditions, ends, strict=True))
        for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    below = np.stack([_below(cells, mark) for mark in marks], axis=1)
    nothing, everything = np.zeros((len(below), 1)), np.ones((len(below), 1))
    parts = np.diff(np.hstack([nothing, below, everything]), axis=1)
    found = []
    for low, high, row in zip(cells.low.tolist(), cells.high.tolist(), parts, strict=True):
        ways: dict[tuple[bool, ...], float] = {}
        if np.isfinite(low) and high <= low:  # a single number, which is exactly itself
            truth = tuple(_is_true(c.sign, p, low, low) for c, p in zip(conditions, ends, strict=True))
            ways[truth] = 1.0
        elif np.isfinite(low):
            for truth, part in zip(spans, row.tolist(), strict=True):
                if part > 0:
                    ways[truth] = ways.get(truth, 0.0) + part
        found.append(ways)
    return found


def _is_true(sign: Sign, ends: Sequence[tuple[float, float]], first: float, last: float) -> bool:
    """Of a span between two marks, half-open, or of a single number (first = last)."""
    low, high = ends[0]
    single = first == last
    if sign in ("=", "in", "!="):
        inside = any(
            (a <= first and last <= b) if not single else (a == first or a <= first < b) for a, b in ends
        )
        return inside != (sign == "!=")
    if sign == "<":
        return first < low if single else last <= low
    if sign == "<=":
        return first < high or first == low if single else last <= high
    if sign == ">":
        return first >= high and first != low
    return first >= low


def _below(cells: Cells, bound: float) -> NDArray[np.float64]:
    """Per label, the share of what it covers that lies below."""
    width = cells.high - cells.low
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.clip((bound - cells.low) / width, 0, 1)
    return np.where(width > 0, part, np.where(np.isfinite(cells.low), cells.low < bound, np.nan))


def _ends(cells: Cells, value: str) -> tuple[float, float]:
    """What a value of a query covers: a number, or a day, month or year."""
    if cells.kind == "days":
        period = day_ends(value)
        if period is None:
            raise UsageError(
                f"--query: column '{cells.name}' is compared with days: 2004, 2004-05 or 2004-05-14"
            )
        return period
    try:
        return float(value), float(value) + cells.step
    except ValueError:
        raise UsageError(f"--query: column '{cells.name}' is compared with numbers") from None


# --- sets and texts -------------------------------------------------------------------------------


def _set_ways(
    cells: pl.Series, role: Role, separator: str, conditions: Sequence[Condition], *, is_labelled: bool
) -> Ways:
    wanted = [c.values[0] for c in conditions]
    if role is Role.TEXT:
        by_cell = _text_ways(cells, wanted)
    else:
        by_cell = _entry_ways(cells, separator, wanted, is_labelled=is_labelled)
    of_row, distinct = _numbered(cells)
    ways = [by_cell(cell) for cell in distinct]
    truths = sorted({truth for way in ways for truth in way})
    chance = np.array([[way.get(truth, 0.0) for truth in truths] for way in ways])
    return Ways(of_row, truths, chance)


def _numbered(cells: pl.Series) -> tuple[NDArray[np.int64], list[Any]]:
    """Equal cells by one number each, and what they are."""
    numbers: dict[Any, int] = {}
    keys = [tuple(cell) if isinstance(cell, list) else cell for cell in cells.to_list()]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64), list(numbers)


CellWays = Callable[[Any], dict[tuple[bool, ...], float]]


def _text_ways(cells: pl.Series, wanted: Sequence[str]) -> CellWays:
    """Words stand in a text or do not."""
    distinct = cells.unique().rename("text").to_frame()
    found = [
        distinct["text"]
        .cast(pl.String)
        .str.contains(rf"(?i)(?:^|\W){re.escape(word)}(?:\W|$)")
        .fill_null(False)
        for word in wanted
    ]
    truth = dict(
        zip(distinct["text"].to_list(), zip(*(f.to_list() for f in found), strict=True), strict=True)
    )
    return lambda cell: {truth[cell]: 1.0}


def _entry_ways(cells: pl.Series, separator: str, wanted: Sequence[str], *, is_labelled: bool) -> CellWays:
    """A label of several items is one of them; entries are independent of each other."""
    none = (False,) * len(wanted)

    def of_cell(cell: Any) -> dict[tuple[bool, ...], float]:
        ways = {none: 1.0}
        for entry in entries_of(cell, separator):
            members = item_members(entry) if is_labelled else [entry]
            of_entry: dict[tuple[bool, ...], float] = {}
            for member in members or [entry]:
                truth = tuple(word in (member, entry) for word in wanted)
                of_entry[truth] = of_entry.get(truth, 0.0) + 1 / max(len(members), 1)
            if set(of_entry) == {none}:
                continue
            both: dict[tuple[bool, ...], float] = {}
            for (a, p), (b, q) in product(ways.items(), of_entry.items()):
                truth = tuple(x or y for x, y in zip(a, b, strict=True))
                both[truth] = both.get(truth, 0.0) + p * q
            ways = both
        return ways

    return of_cell
