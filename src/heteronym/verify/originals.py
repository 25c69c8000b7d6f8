"""What only the owner has, and the auditor compares a release with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.hierarchy import Hierarchy
from heteronym.verify.evidence import Evidence


@dataclass(frozen=True, repr=False, eq=False)
class Originals:
    """What only the owner has: the data, where each released row came from, what is said of its texts."""

    frame: pl.DataFrame
    source_row: NDArray[np.int64]
    person: NDArray[np.int64]  # of each original row
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    evidence: Evidence | None = None  # of its texts

    @property
    def released_person(self) -> NDArray[np.int64]:
        """Of each released row."""
        return self.person[self.source_row]

    def __repr__(self) -> str:
        return f"Originals({self.frame.height} rows)"
