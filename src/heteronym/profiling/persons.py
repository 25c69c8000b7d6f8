"""Who the rows are about: a column that numbers persons over several rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from heteronym.knowledge.column_names import naming_of
from heteronym.profiling.shapes import certain_content, holds_full_names, is_text

# How surely a column names persons, by what its name says. A key that several people may share (an account, a
# phone) or that two people have by chance (a name) ranks lower.
_RANKS = {
    "national_number": 2.9,
    "login": 2.8,
    "mail": 2.7,
    "record": 2.6,
    "account": 2.5,
    "phone": 2.3,
    "name": 2.0,
}
_MOST_COMPARED = 20  # columns that are compared with all others, the likeliest first
_ENOUGH = 2.0  # from here on the name is enough, if values are repeated more than by chance
_SURE = 4.0  # a word for persons with a word for keys
_REPEATED = 0.6  # different values per row, at most
_MOST = 0.5  # persons whose rows differ, for a column that belongs to the row


def person_candidates(
    cells: Mapping[str, pl.Series], scales: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, str]]:
    """Columns whose values could number persons: repeated keys that fix other columns, best first."""
    found: list[tuple[float, int, str, str]] = []
    if any(_numbers_rows(name, values) for name, values in cells.items()):
        return []
    different = {name: values.n_unique() for name, values in cells.items()}
    possible: list[tuple[float, int, str]] = []
    for place, (name, values) in enumerate(cells.items()):
        rows, distinct = len(values), different[name]
        if values.null_count() or not 2 <= distinct < rows or distinct < rows / 200:
            continue
        rank = _rank(name, values, str(scales[name]["scale"]))
        if rank > 0:
            possible.append((-rank, place, name))
    for below, place, name in sorted(possible)[:_MOST_COMPARED]:
        values, distinct, rank = cells[name], different[name], -below
        rows = len(values)
        fixed = sum(
            1
            for other, theirs in cells.items()
            if other != name
            and different[other] > 1
            and pl.DataFrame({"a": values, "b": theirs}).n_unique() == distinct
        )
        if not fixed and (rank < _ENOUGH or distinct > _REPEATED * rows):
            continue
        if distinct < rows / 20 and not fixed and rank < _SURE:
            continue  # the agents of a help desk, not its customers
        said = f"it fixes {fixed} other columns" if fixed else "its name says persons"
        found.append((rank + min(fixed, 2), -place, name, f"repeated, and {said}"))
    return [(name, why) for _, _, name, why in sorted(found, reverse=True)]


def _numbers_rows(name: str, values: pl.Series) -> bool:
    """A key of persons that no two rows share: every row is a person."""
    naming = naming_of(name)
    person = (naming.numbers_persons and naming.keyed) or "national_number" in naming
    return person and not values.null_count() and values.n_unique() == len(values)


def _rank(name: str, values: pl.Series, scale: str) -> float:
    """How surely a column names persons; 0 if it does not."""
    naming = naming_of(name)
    if scale == "date" or is_text(values):
        return 0
    meaning = naming.identifying
    if naming.numbers_persons and not naming.keyed:
        return _RANKS["name"] if holds_full_names(values) else 3.0
    if naming.numbers_persons:
        return _SURE
    if meaning is not None and meaning.name in _RANKS:
        return _RANKS[meaning.name]
    if meaning is None and naming.keyed and naming.other is None:
        return 1.5
    if naming.other is None and (holds_full_names(values) or certain_content(values) is not None):
        return 0.5
    return 0


def cardinality_of(values: pl.Series, key: pl.Series | None) -> str:
    """How persons and values relate, read from person to value."""
    known = values.is_not_null()
    if key is None:
        return "one-to-one" if values.filter(known).n_unique() == int(known.sum()) else "many-to-one"
    pairs = pl.DataFrame({"person": key, "value": values}).filter(known).unique()
    persons = "many" if pairs["value"].is_duplicated().any() else "one"
    values_ = "many" if pairs["person"].is_duplicated().any() else "one"
    return f"{persons}-to-{values_}"


def differs_by_row(values: pl.Series, key: pl.Series) -> bool:
    """Whether most persons with several rows have several values: the date of a visit, not of a birth."""
    known = pl.DataFrame({"person": key, "value": values}).drop_nulls()
    held = known.group_by("person").agg(pl.len(), pl.col("value").n_unique().alias("values"))
    several = held.filter(pl.col("len") > 1)
    return several.height > 0 and float((several["values"] > 1).mean() or 0) > _MOST  # type: ignore[arg-type]
