"""What an engine does for a release whose rows do not fit into memory: a few verbs, the same for all engines.

The rows stay with the engine. What comes out of it are *kinds*: persons who have the same cells in all quasi
columns, once, with their number. Groups and labels are found on kinds, by the code that serves one machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.tables import Format
from heteronym.model.schema import Schema

CLASS, TIMES = "class of the row", "times that it stands"  # further columns of batches


@dataclass(frozen=True, repr=False, eq=False)
class Kinds:
    """Persons with the same cells. Holds personal data."""

    frame: pl.DataFrame  # quasi columns; where persons have several rows, lists of different cells
    persons: NDArray[np.int64]  # of each kind
    rows: NDArray[np.int64]
    first: NDArray[np.int64] | None = None  # the number of its first row, where rows have an order

    def __len__(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"Kinds({len(self)} of {int(self.persons.sum())} persons)"


@dataclass(frozen=True, repr=False, eq=False)
class Classes:
    """What a release shows of each kind in its quasi columns. Classes are numbered in no order."""

    of_kind: NDArray[np.int64]
    labels: pl.DataFrame  # by class, each different from all others
    ranks: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)  # by its first column: of a run of
    # quasi columns that stand beside each other, the place of each class in their order

    def __repr__(self) -> str:
        return f"Classes({self.labels.height})"


class Engine(Protocol):
    """Where rows are read, counted, joined and sorted. None of its errors tells a cell."""

    name: str
    columns: Mapping[str, pl.DataType]
    layout: Format

    def check(self, schema: Schema) -> None:
        """Refuse columns that would stay as they are and repeat an identifier, as far as batches show it."""

    def collapse(self, quasi: Sequence[str], person: str | None) -> Kinds:
        """The kinds of persons, in any order. Persons without key are refused, with their rows."""

    def recode(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Iterator[pl.DataFrame]:
        """`CLASS`, the columns that stay as they are, and `TIMES`: rows to be released, equal ones once.

        In the order of all released columns, which `order` names from left to right; missing cells last.
        """

    def row_map(self, kinds: Kinds, classes: Classes, order: Sequence[str]) -> Iterator[pl.DataFrame]:
        """`row` (from 1) and `person` of the data, in the order of the released rows."""

    def members(self, kinds: Kinds, classes: Classes) -> Iterator[pl.DataFrame]:
        """What is claimed: `CLASS` of each person by its key (`WHO`), or of each kind by its cells."""

    def close(self) -> None:
        """Give back everything, the folder with spilled rows included."""
