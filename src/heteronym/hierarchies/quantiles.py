"""Numbers in ranges that hold about equally many rows each.

Reference   equal-frequency binning
Guarantee   every value lies in its ranges; equal values are never torn apart
Cost        O(values * levels)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, ClassVar

from heteronym.hierarchies._steps import merged_upwards
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders


@hierarchy_builders.register("quantiles")
@dataclass(frozen=True)
class Quantiles:
    """Ranges of about equally many rows, from the least to the largest value that each holds."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.NUMERIC, Scale.DATE})

    ranges: int = field(
        default=16, metadata={"help": "at most so many ranges at the lowest level", "min": 2, "max": 100_000}
    )

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        rows = sum(counts)
        before = [0, *accumulate(counts)][:-1]
        # the middle row of a value decides, so that a frequent value does not push all others upwards
        bins = [int((2 * b + c) * self.ranges / (2 * rows)) for b, c in zip(before, counts, strict=True)]

        def name(first: int, last: int) -> str:
            return texts[first] if first == last else f"[{texts[first]}-{texts[last]}]"

        return merged_upwards(texts, bins, fan=2, name=name)
