"""Days by the calendar: 2004-05-17, `2004-05`, `2004-Q2`, `2004`, `[2000-2009]`, `*`.

Reference   El Emam et al. 2009 (dates to month, quarter, year)
Guarantee   every day lies in its nodes
Cost        O(days)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

from heteronym.errors import UsageError, nearest
from heteronym.hierarchies._steps import ROOT
from heteronym.model.schema import Scale
from heteronym.registry import hierarchy_builders

_LEVELS: dict[str, Callable[[date], str]] = {
    "month": lambda day: f"{day.year:04}-{day.month:02}",
    "quarter": lambda day: f"{day.year:04}-Q{(day.month + 2) // 3}",
    "year": lambda day: f"{day.year:04}",
    "decade": lambda day: f"[{day.year // 10 * 10:04}-{day.year // 10 * 10 + 9:04}]",
}


@hierarchy_builders.register("dates")
@dataclass(frozen=True)
class Dates:
    """The levels of the calendar above a day."""

    scales: ClassVar[frozenset[Scale]] = frozenset({Scale.DATE})

    levels: tuple[str, ...] = field(
        default=tuple(_LEVELS), metadata={"help": "from fine to coarse: month, quarter, year, decade"}
    )

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        for level in self.levels:
            if level not in _LEVELS:
                raise UsageError(f"'levels' of 'dates': no level '{level}'.{nearest(level, _LEVELS)}")
        if list(self.levels) != [level for level in _LEVELS if level in self.levels]:
            raise UsageError(f"'levels' of 'dates' must go from fine to coarse: {', '.join(_LEVELS)}")
        return [
            [text, *(_LEVELS[level](day) for level in self.levels), ROOT]
            for text, day in zip(texts, values, strict=True)
        ]
