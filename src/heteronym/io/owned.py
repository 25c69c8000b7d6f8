"""A release beside the owner's files about it: whose rows they are, and where they came from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.io.bundles import read_release
from heteronym.io.owner_files import differing_files, owner_folder
from heteronym.io.releases import parse_release
from heteronym.model.plan import Plan

ROWS_FILE = "rows.csv"


class Owned(NamedTuple):
    """A release beside the owner's files about it."""

    table: pl.DataFrame
    plan: Plan
    files: Mapping[str, bytes]
    owners: Path  # the folder with the owner's files


def open_owned(release: Path, private: Path) -> Owned:
    files = read_release(release)
    table, plan = parse_release(release, files)
    owners = owner_folder(private, files.get("facts.json", b""))
    if differing_files(owners, files):
        raise InputError(f"{release}: is not as it was when the files in {private} were written")
    return Owned(table, plan, files, owners)


class RowMap(NamedTuple):
    """Where released rows came from, whose they are, and the person of each row of the data."""

    source: NDArray[np.int64]
    person: NDArray[np.int64]
    everybody: NDArray[np.int64]


def read_row_map(private: Path, *, released: int, originals: int | None = None) -> RowMap:
    path = private / ROWS_FILE
    try:
        table = pl.read_csv(path, schema_overrides={"person": pl.String})
        table = table.with_columns(person=pl.col("person").rank("dense").cast(pl.Int64) - 1)
        kept = table.drop_nulls("released_row").sort("released_row")
        whole = table["source_row"].sort().to_list() == list(range(1, table.height + 1))
        found = RowMap(
            kept["source_row"].to_numpy().astype(np.int64) - 1,
            kept["person"].to_numpy(),
            table.sort("source_row")["person"].to_numpy(),
        )
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: not a readable row map") from None
    if not whole or kept["released_row"].to_list() != list(range(1, released + 1)):
        raise InputError(f"{path}: does not belong to this release")
    if originals is not None and len(found.everybody) != originals:
        raise InputError(f"{path}: does not belong to this data")
    return found
