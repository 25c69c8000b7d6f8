"""Every value directly below the root: a list to be grouped by hand in an editor.

Reference   none
Guarantee   every value is there
Cost        O(values)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from heteronym.hierarchies._steps import ROOT
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders


@hierarchy_builders.register("flat")
@dataclass(frozen=True)
class Flat:
    """The values and the root, nothing between them; a start for an editor."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.NOMINAL, Scale.ORDINAL})

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        return [[text, ROOT] for text in texts]
