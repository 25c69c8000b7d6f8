"""A release folder as an outsider finds it, and the owner's map of who is who in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.io.bundles import read_release
from heteronym.io.plans import read_released_plan
from heteronym.io.tables import ENDINGS, Format, parse_released
from heteronym.model.plan import Plan

ROWS_FILE = "rows.csv"


def read_released_table(folder: Path) -> tuple[pl.DataFrame, Plan]:
    """The data and the plan of a release."""
    files = read_release(folder)
    if "plan.yaml" not in files:
        raise InputError(f"{folder}: no plan.yaml; this is no release")
    plan = read_released_plan(files["plan.yaml"].decode("utf-8", errors="replace"))
    names = [name for name in files if name.startswith("data.")]
    if len(names) != 1:
        raise InputError(f"{folder}: expected one data file, found {len(names)}")
    ending = f".{names[0].split('.', 1)[1]}"
    if ending not in ENDINGS:
        raise InputError(f"{folder}: {names[0]} is no known kind of table")
    layout = Format(ENDINGS[ending], ending, plan.data.delimiter or ",", plan.data.encoding or "")
    return parse_released(files[names[0]], layout), plan


def read_row_map(
    private: Path, *, released: int, originals: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The original row and the person number of each released row."""
    path = private / ROWS_FILE
    try:
        table = pl.read_csv(path, schema_overrides={"person": pl.String}).sort("released_row")
        source = table["source_row"].to_numpy().astype(np.int64) - 1
        person = table["person"].rank("dense").to_numpy().astype(np.int64) - 1
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: not a readable row map") from None
    if len(source) != released:
        raise InputError(f"{path}: does not belong to this release")
    if len(source) and (source.min() < 0 or source.max() >= originals):
        raise InputError(f"{path}: does not belong to this data")
    return source, person
