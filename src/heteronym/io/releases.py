"""A release folder as an outsider finds it, and the data that it was made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from heteronym.errors import InputError
from heteronym.io.bundles import read_release
from heteronym.io.given import paths_in, read_given
from heteronym.io.plans import read_released_plan
from heteronym.io.tables import ENDINGS, Table, parse_table
from heteronym.io.values import with_plain_numbers
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.schema import Role


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
    how = DataPlan(delimiter=plan.data.delimiter, encoding=plan.data.encoding)
    frame = parse_table(files[names[0]], names[0], ending, how).frame
    stay = [name for name in plan.named(Role.PLAIN, Role.SENSITIVE) if name in frame.columns]
    numbers = with_plain_numbers(frame.select(stay), plan.data.decimal, ())
    return frame.with_columns(numbers) if stay else frame, plan


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
