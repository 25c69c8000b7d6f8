"""Links a description to the value it describes: "Germany's capital" tells Berlin.

Cost        O(surfaces + values) look-ups in the knowledge bases
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.knowledge.bases import Sense, senses_of
from heteronym.model.schema import Attribute
from heteronym.registry import linkers


@linkers.register("described")
@dataclass(frozen=True)
class Described:
    """The same concept in the knowledge base of one of the attribute's entity types."""

    def links(
        self, surfaces: Sequence[str], values: Sequence[Any], *, attribute: Attribute
    ) -> list[tuple[int, int] | None]:
        meant: set[Sense] = set()
        for kind in attribute.entities:
            meant |= {senses[0] for value in values if (senses := senses_of(str(value), kind))}
        return [
            (0, len(surface)) if any(_means(surface, kind, meant) for kind in attribute.entities) else None
            for surface in surfaces
        ]


def _means(surface: str, kind: str, meant: set[Sense]) -> bool:
    senses = senses_of(surface.removeprefix("the ").removeprefix("The "), kind)
    return bool(senses) and senses[0] in meant
