"""What every engine does alike with kinds of persons and classes of labels, and what it calls columns.

Columns have numbers in place of names where an engine sees them: `c0` is the first quasi column, `u0` the
first that stays as it is, `k0` the place of a row by the first run of labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from heteronym.engines.contract import CLASS, TIMES, Classes, Kinds
from heteronym.engines.sources import BATCH
from heteronym.errors import InputError, UsageError
from heteronym.io.repeated import REPEATED, held_once

Batches = Iterator[pl.DataFrame]
PER_CELL, PER_KIND = 56, 900  # bytes that a kind takes at the height of the search; measured, docs/scale.md


def by_class(kinds: Kinds, classes: Classes) -> Batches:
    """Where nothing but labels is released, kinds tell how many rows show each of them."""
    rows = np.bincount(classes.of_kind, kinds.rows, classes.labels.height).astype(np.int64)
    [rank] = classes.ranks.values()
    order = np.argsort(rank, kind="stable")
    for begin in range(0, len(order), BATCH):
        some = order[begin : begin + BATCH]
        yield pl.DataFrame({CLASS: some, TIMES: rows[some]})


def members_by_cells(kinds: Kinds, classes: Classes) -> Batches:
    """Where every row is a person, its quasi cells tell the class."""
    for begin in range(0, len(kinds), BATCH):
        of_kind = pl.Series(CLASS, classes.of_kind[begin : begin + BATCH])
        yield _as_read(kinds.frame[begin : begin + BATCH]).with_columns(of_kind)


def placed(kinds: Kinds, classes: Classes) -> Batches:
    """Kinds with the class of each (`CLASS`), and its places in the order of labels (k0, k1 ...)."""
    for begin in range(0, len(kinds), BATCH):
        mine = classes.of_kind[begin : begin + BATCH]
        ranks = [rank[mine] for rank in classes.ranks.values()]
        named = [pl.Series(name, rank) for name, rank in zip(ranks_of(classes), ranks, strict=True)]
        yield _as_read(kinds.frame[begin : begin + BATCH]).with_columns(pl.Series(CLASS, mine), *named)


def kept(found: Batches, columns: int, room: float, source: str) -> pl.DataFrame:
    """All kinds in memory, texts that repeat held once; refused as soon as they are too many."""
    parts: list[pl.DataFrame] = []
    rows, once = 0, []
    for batch in found:
        if not parts:
            once = [cells.name for cells in batch if held_once(cells).dtype == REPEATED]
        parts.append(batch.with_columns(pl.col(once).cast(REPEATED)))
        rows += batch.height
        if rows * (columns * PER_CELL + PER_KIND) > room:
            raise UsageError(
                f"{source}: more than {rows:,} persons differ in their quasi columns, too many for this "
                "memory. Give more with --memory, or coarsen the columns with the most values (a year "
                "instead of a day, three digits of a postcode)"
            )
    if not rows:
        raise InputError(f"{source}: no data rows")
    return pl.concat(parts)


def sorted_by(order: Sequence[str], classes: Classes, stay: Sequence[str]) -> list[str]:
    """What rows are sorted by: places of labels, and cells that stay, as columns stand."""
    ranks = zip(classes.ranks, ranks_of(classes), strict=True)
    keys = dict(ranks) | dict(zip(stay, numbered(stay, "u"), strict=True))
    return [keys[name] for name in order if name in keys]


def ranks_of(classes: Classes) -> list[str]:
    return numbered([*classes.ranks], "k")


def numbered(columns: Sequence[str], letter: str = "c") -> list[str]:
    return [f"{letter}{n}" for n in range(len(columns))]


def listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _as_read(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col(REPEATED).cast(pl.String))
