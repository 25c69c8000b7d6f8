"""A release folder as an outsider finds it, and the owner's map of who is who in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.io.bundles import read_release
from heteronym.io.given import paths_in, read_given
from heteronym.io.owner_files import differing_files, owner_folder
from heteronym.io.plans import read_released_plan
from heteronym.io.tables import ENDINGS, Format, Table, parse_released
from heteronym.model.plan import Plan

ROWS_FILE = "rows.csv"


def read_released_table(folder: Path) -> tuple[pl.DataFrame, Plan]:
    """The data and the plan of a release."""
    return parse_release(folder, read_release(folder))


def parse_release(folder: Path, files: Mapping[str, bytes]) -> tuple[pl.DataFrame, Plan]:
    """The data and the plan of a release from its files."""
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


def original_table(
    release: Path, data: Any, *, delimiter: str | None = None, encoding: str | None = None
) -> Table:
    """The data a release was made of: a frame, or files, read as its plan says unless told otherwise."""
    written = read_release(release).get("plan.yaml", b"")
    how = read_released_plan(written.decode("utf-8", errors="replace")).data
    if len(paths_in(data)) > 1:  # each file has its own
        how = how.model_copy(update={"delimiter": None, "encoding": None})
    options = {"delimiter": delimiter, "encoding": encoding}
    how = how.model_copy(update={key: value for key, value in options.items() if value is not None})
    return read_given(data, how)[0]


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
