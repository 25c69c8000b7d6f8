"""The plan's own regular expressions.

Cost        one pass of `re` per type over each text
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from heteronym.errors import PlanError
from heteronym.model.mention import Span
from heteronym.registry import recognizers

# An expression that can match nothing would mark every place of every text; these show most of them.
_PROBES = ("", "a", "0", " ", "aA0 -.\n", "x y")


@recognizers.register("patterns")
@dataclass(frozen=True)
class Patterns:
    """What the owner's regular expressions match, exactly as they are written."""

    patterns: Mapping[str, str] = field(
        default_factory=dict, metadata={"help": "entity type -> regular expression"}
    )

    languages: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        _ = self._compiled

    @cached_property
    def _compiled(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(kind, _checked(kind, pattern)) for kind, pattern in self.patterns.items()]

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        found: list[list[Span]] = []
        for text in texts:
            found.append(
                [
                    Span(match.start(), match.end(), kind, 1.0, "patterns", "pattern")
                    for kind, pattern in self._compiled
                    for match in pattern.finditer(text)
                    if match.end() > match.start()
                ]
            )
        return found


def _checked(type: str, pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        # The expression may spell out names, so only the place of the fault is told.
        raise PlanError(
            f"plan: text.patterns.{type}: not a regular expression (fault at character {error.pos})"
        ) from None
    if any(match.end() == match.start() for probe in _PROBES for match in compiled.finditer(probe)):
        raise PlanError(
            f"plan: text.patterns.{type}: matches the empty string; let it need at least one character"
        )
    return compiled
