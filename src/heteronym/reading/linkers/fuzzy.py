"""Links a mention that is a value up to small spelling differences.

Short words and anything with digits must be exact: one letter makes Iran Iraq.

Cost        surfaces x values, with an early cut-off (rapidfuzz)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from heteronym.model.schema import Attribute, Scale
from heteronym.model.terms import normalize
from heteronym.registry import linkers


@linkers.register("fuzzy")
@dataclass(frozen=True)
class Fuzzy:
    """A slip of the pen apart: one edit, in long words two."""

    shortest: int = field(default=5, metadata={"help": "words below this length must be exact", "min": 3})
    long: int = field(default=9, metadata={"help": "from this length on two edits are forgiven", "min": 5})

    def links(
        self, surfaces: Sequence[str], values: Sequence[Any], *, attribute: Attribute
    ) -> list[tuple[int, int] | None]:
        if attribute.scale in (Scale.NUMERIC, Scale.DATE):
            return [None] * len(surfaces)
        names = [name for value in values if self._may_vary(name := normalize(str(value)))]
        return [(0, len(surface)) if self._near(normalize(surface), names) else None for surface in surfaces]

    def _may_vary(self, name: str) -> bool:
        return len(name) >= self.shortest and not any(character.isdigit() for character in name)

    def _near(self, surface: str, names: Sequence[str]) -> bool:
        if not names or not self._may_vary(surface):
            return False
        from rapidfuzz import process  # a plan that has no such linker does without
        from rapidfuzz.distance import OSA

        found = process.extractOne(surface, names, scorer=OSA.distance, score_cutoff=2)
        if found is None:
            return False
        name, distance, _ = found
        slips = 2 if min(len(name), len(surface)) >= self.long else 1
        return name[0] == surface[0] and distance <= slips
