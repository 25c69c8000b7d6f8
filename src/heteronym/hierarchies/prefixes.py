"""Codes read from the left: 88131, `8813*`, `881*`, ..., `*`.

Reference   Sweeney 2002 (ZIP codes)
Guarantee   every value begins with the prefix of its nodes
Cost        O(values * length)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from heteronym.hierarchies._steps import ROOT
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders


@hierarchy_builders.register("prefixes")
@dataclass(frozen=True)
class Prefixes:
    """One level per character that is cut off from the right; levels that change nothing are left out."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.NOMINAL, Scale.ORDINAL})

    step: int = field(default=1, metadata={"help": "characters that are cut off at each level", "min": 1})

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        longest = max(map(len, texts))
        lengths = range(longest - self.step, 0, -self.step)
        levels = [[text[:n] + "*" if len(text) > n else text for text in texts] for n in lengths]
        useful = []
        nodes = len(texts)  # a level with as many nodes as the one below it generalizes nothing
        for level in levels:
            if 1 < len(set(level)) < nodes:
                useful.append(level)
                nodes = len(set(level))
        return [[text, *nodes_above, ROOT] for text, *nodes_above in zip(texts, *useful, strict=True)]
