"""Rows like the census extract "Adult": eight columns with the dependencies that matter to a grouping.

The table `adult_like.toml` holds counts of the real file: one column by itself, the others each given one
parent. Rows are drawn along that tree, so marginals and the strongest pairs are kept and nothing else is.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import polars as pl

TABLE = Path(__file__).with_name("adult_like.toml")
PARENTS = {
    "marital-status": "age",
    "sex": "marital-status",
    "education": "age",
    "occupation": "education",
    "workclass": "occupation",
    "race": "",
    "native-country": "race",
    "salary-class": "marital-status",
}
BAND = 5  # years of age that share one row of the table


def adult_like(size: int, seed: int = 1) -> pl.DataFrame:
    """`size` rows; the same seed gives the same rows."""
    counts = tomllib.loads(TABLE.read_text("utf-8"))
    rng = np.random.default_rng(seed)
    ages = np.array(list(counts["age"]), dtype=np.int64)
    share = np.array(list(counts["age"].values()), np.float64)
    columns = {"age": rng.choice(ages, size, p=share / share.sum())}
    for name, parent in PARENTS.items():
        given = columns[parent] // BAND * BAND if parent == "age" else columns.get(parent)
        columns[name] = _draw(counts[name], given, size, rng)
    order = "sex age race marital-status education native-country workclass occupation salary-class".split()
    return pl.DataFrame({name: columns[name] for name in order})


def _draw(
    counts: dict[str, dict[str, int]], given: np.ndarray | None, size: int, rng: np.random.Generator
) -> np.ndarray:
    drawn = np.empty(size, object)
    for value, row in counts.items():
        mine = np.ones(size, bool) if given is None else given.astype(str) == value
        share = np.array(list(row.values()), np.float64)
        drawn[mine] = rng.choice(list(row), int(mine.sum()), p=share / share.sum())
    return drawn.astype(str)


def count(frame: pl.DataFrame) -> str:
    """The table of a real file, as TOML."""
    frame = frame.with_columns(band=pl.col("age") // BAND * BAND)
    lines = ["[age]", *(f"{age} = {n}" for age, n in frame["age"].value_counts().sort("age").iter_rows())]
    for name, parent in PARENTS.items():
        lines += ["", f"[{name}]"]
        by = {"age": "band", "": None}.get(parent, parent)
        parts = frame.partition_by(by, as_dict=True) if by else {("all",): frame}
        for (value,), part in sorted(parts.items()):
            found = part[name].value_counts().sort("count", name, descending=[True, False])
            row = ", ".join(f'"{v}" = {n}' for v, n in found.iter_rows())
            lines.append(f'"{value}" = {{{row}}}')
    return "\n".join(lines) + "\n"
