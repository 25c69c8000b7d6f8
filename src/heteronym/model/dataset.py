"""Dataset: the rows as they came in, beside what the owner says about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Schema

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, repr=False, eq=False)
class Dataset:
    """Columns as read; nothing is converted yet. Holds personal data."""

    schema: Schema
    frame: pl.DataFrame
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()  # cells that mean missing, beside null and empty ones
    source: str = "data"  # what error messages call the table
    written: Mapping[str, pl.Series] = field(default_factory=dict)  # numbers that stay, with their signs

    @property
    def rows(self) -> int:
        return self.frame.height

    def __repr__(self) -> str:
        return f"Dataset({self.rows} rows, columns {list(self.schema.attributes)})"
