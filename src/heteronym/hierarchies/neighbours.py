r"""Ordered values merged with their neighbours: `low`, `{low,mid}`, `*`.

Reference   none
Guarantee   every value is listed in its nodes
Cost        O(values * levels)
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heteronym.hierarchies._steps import merged_upwards
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders

_SPECIAL = re.compile(r"([,{}\\])")


@hierarchy_builders.register("neighbours")
@dataclass(frozen=True)
class Neighbours:
    """Values that stand side by side in the plan's order become one, level by level."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.ORDINAL})

    fan: int = field(default=2, metadata={"help": "nodes that become one at each level", "min": 2})

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        def name(first: int, last: int) -> str:
            if first == last:
                return texts[first]
            return "{" + ",".join(_SPECIAL.sub(r"\\\1", text) for text in texts[first : last + 1]) + "}"

        bins = [number // self.fan for number in range(len(texts))]
        return merged_upwards(texts, bins, fan=self.fan, name=name)
