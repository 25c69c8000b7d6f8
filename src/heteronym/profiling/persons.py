"""Who the rows are about: a column that numbers persons over several rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from heteronym.knowledge.column_names import naming_of
from heteronym.profiling.shapes import certain_content, holds_codes, holds_full_names, holds_words, is_text

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
_BY_CONTENT = 1.0  # codes that fix other columns, whatever their column is called
_REPEATED = 0.6  # different values per row, at most
_MOST = 0.5  # persons whose rows differ, for a column that belongs to the row
_FEW = 0.1  # persons per row, below which somebody should say who the rows are about
_NEARLY = 0.95  # pairs of rows of a person that agree, for a column that is the person's but for slips
_BEYOND_CHANCE = 0.2  # of the pairs of any rows that differ, pairs of a person that may


@dataclass(frozen=True)
class Candidate:
    """A column whose values may number persons."""

    name: str
    reason: str
    persons: int


def person_candidates(
    cells: Mapping[str, pl.Series], scales: Mapping[str, Mapping[str, Any]]
) -> list[Candidate]:
    """Columns whose values could number persons: repeated keys that fix other columns, best first.

    What a key's own name says comes first, then how many columns it fixes. A key with few values comes
    behind all others. A column of names is no key where a column of codes fixes it but for spelling: who is
    written in two ways would be two persons.
    """
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
    found: list[tuple[tuple[bool, float, int, int], Candidate]] = []
    spelled: set[str] = set()  # columns of names that a column of codes fixes
    for below, place, name in sorted(possible)[:_MOST_COMPARED]:
        values, distinct, rank = cells[name], different[name], -below
        rows = len(values)
        fixes = {other for other in cells if other != name and _fixes(values, cells[other], different[other])}
        names = {
            other
            for other in cells
            if other != name and not holds_full_names(values) and _fixes_names(values, cells[other])
        }
        spelled |= names
        fixed = len(fixes | names)
        if not fixed and (rank < _ENOUGH or distinct > _REPEATED * rows):
            continue
        if rank <= _BY_CONTENT and fixed < 2 and not names:
            continue
        if distinct < rows / 20 and not fixed and rank < _SURE:
            continue  # the agents of a help desk, not its customers
        said = (
            f"it fixes {fixed} other column{'s' if fixed > 1 else ''}" if fixed else "its name says persons"
        )
        order = (distinct >= _FEW * rows, rank + min(fixed, 2) + len(names), fixed, -place)
        found.append((order, Candidate(name, f"repeated, and {said}", distinct)))
    kept = [(order, one) for order, one in found if one.name not in spelled]
    return [one for _, one in sorted(kept, key=lambda each: each[0], reverse=True)]


def question_about(key: str | None, persons: int, rows: int, candidates: Sequence[Candidate]) -> str | None:
    """What the owner should answer first, where it is not clear who the rows are about."""
    if key is None or persons >= _FEW * rows:
        return None
    others = ", ".join(one.name for one in candidates if one.name != key)
    return (
        f"Are the rows about {persons} persons, numbered by '{key}', one for {rows / persons:.0f} rows? "
        "If not, name the person key with --person" + (f" (it could be {others})." if others else ".")
    )


def _fixes(key: pl.Series, other: pl.Series, different: int) -> bool:
    """Whether rows with one key have one value in the other column, but for slips and missing cells."""
    if different - (other.null_count() > 0) < 2:  # a flag that is set or missing is fixed by anything
        return False
    pairs = pl.DataFrame({"key": key, "other": other}).drop_nulls()
    held = pairs.group_by("key", "other").len("times")
    of_key = held.group_by("key").agg(
        pl.col("times").sum().alias("rows"), (pl.col("times") ** 2).sum().alias("same")
    )
    several = of_key.filter(pl.col("rows") > 1).select(
        (pl.col("rows") * (pl.col("rows") - 1)).sum().alias("pairs"),
        (pl.col("same") - pl.col("rows")).sum().alias("agree"),
    )
    within, agree = float(several["pairs"].item() or 0), float(several["agree"].item() or 0)
    if not within:
        return False
    rows = pairs.height
    counts = pairs["other"].value_counts()["count"].cast(pl.Float64)
    by_chance = float((counts * (counts - 1)).sum()) / max(rows * (rows - 1), 1)
    differ = 1 - agree / within
    return differ <= 1 - _NEARLY and differ <= _BEYOND_CHANCE * (1 - by_chance)


def _fixes_names(key: pl.Series, other: pl.Series) -> bool:
    """Whether the other column has names, and rows with one key those of one person, however spelled."""
    if other.dtype != pl.String or not holds_full_names(other):
        return False
    word = pl.col("other").str.to_lowercase().str.extract_all(r"[\p{L}]{2,}")
    pairs = pl.DataFrame({"key": key, "other": other}).drop_nulls().with_columns(word.alias("words"))
    rows = pairs.group_by("key").agg(pl.len().alias("rows"), pl.col("other").n_unique().alias("spellings"))
    several = rows.filter(pl.col("rows") > 1)
    if not several.height or (several["spellings"] == 1).all():
        return False  # the same everywhere: it is fixed as it stands
    words = pairs.explode("words").unique(["key", "other", "words"]).group_by("key", "words").len("spellings")
    most = words.group_by("key").agg(pl.col("spellings").max().alias("shared"))
    agree = several.join(most, on="key", how="left").filter(pl.col("shared") == pl.col("spellings")).height
    shared_by_chance = pairs["other"].n_unique() < several.height / 2
    return agree >= 0.9 * several.height and not shared_by_chance


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
    if "beside" in naming:  # a judge, a father, a clerk: only where they fix other columns
        return _BY_CONTENT if values.n_unique() >= _FEW * len(values) else 0
    if naming.numbers_persons and not naming.keyed:
        return _RANKS["name"] if holds_full_names(values) else 0 if holds_words(values) else 3.0
    if naming.numbers_persons:
        return _SURE
    if meaning is not None and meaning.name in _RANKS:
        if meaning.name == "name" and not holds_full_names(values):
            return 0  # the names of products have a word for names, too
        return _RANKS[meaning.name]
    if meaning is None and naming.keyed and naming.other is None:
        return 1.5
    if naming.other is None and (holds_full_names(values) or certain_content(values) is not None):
        return 0.5
    return _BY_CONTENT if naming.other is None and holds_codes(values) else 0


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
