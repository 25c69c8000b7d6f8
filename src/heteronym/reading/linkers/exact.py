"""Links a mention that is a value, once both are normalized.

Cost        O(surfaces + values) hashing
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.model.schema import Attribute
from heteronym.model.terms import normalize
from heteronym.registry import linkers


@linkers.register("exact")
@dataclass(frozen=True)
class Exact:
    """Equal but for case, quotes, dashes and spaces."""

    def links(
        self, surfaces: Sequence[str], values: Sequence[Any], *, attribute: Attribute
    ) -> list[tuple[int, int] | None]:
        known = {normalize(str(value)) for value in values}
        return [(0, len(surface)) if normalize(surface) in known else None for surface in surfaces]
