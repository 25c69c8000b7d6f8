"""Numbers in ranges between round bounds: 37, `[35-39]`, `[30-39]`, `[20-39]`, `*`.

Reference   hierarchies as ARX builds them from intervals
Guarantee   every value lies in its ranges; ranges of one level do not overlap
Cost        O(values * levels)
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heteronym.hierarchies._steps import ROOT
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders


@hierarchy_builders.register("ranges")
@dataclass(frozen=True)
class Ranges:
    """Ranges whose width is 1, 2 or 5 times a power of ten, then twice as wide at each level."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.NUMERIC})

    ranges: int = field(
        default=20, metadata={"help": "at most so many ranges at the lowest level", "min": 2, "max": 100_000}
    )

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        whole = all(float(value).is_integer() for value in values)
        low, high = float(values[0]), float(values[-1])
        width = _round_width((high - low) / self.ranges, whole)
        paths = [[text] for text in texts]
        while width < math.inf and math.floor(low / width) != math.floor(high / width):
            for path, value in zip(paths, values, strict=True):
                path.append(_name(math.floor(float(value) / width), width, whole))
            width *= 2
        return [[*path, ROOT] for path in paths]


def _round_width(least: float, whole: bool) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least this wide."""
    if least <= 0:
        return math.inf
    power = 10.0 ** math.floor(math.log10(least))
    width = next(power * step for step in (1, 2, 5, 10) if power * step >= least * (1 - 1e-9))
    return max(2.0, width) if whole else width


def _name(number: int, width: float, whole: bool) -> str:
    if whole:
        return f"[{number * width:.0f}-{(number + 1) * width - 1:.0f}]"
    return f"[{number * width:.12g}-{(number + 1) * width:.12g})"
