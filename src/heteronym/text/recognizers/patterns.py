"""The plan's own regular expressions.

A backtracking engine may need years for one text ("(a+)+b"), so that every search has a time limit. It is
read by the `regex` package, which has one, in the mode in which it agrees with `re`.

Cost        one pass per type over each text, at most a few seconds per text
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import regex

from heteronym.errors import PlanError
from heteronym.model.mention import Span
from heteronym.registry import recognizers

# An expression that can match nothing would mark every place of every text; these show most of them.
_PROBES = ("", "a", "0", " ", "aA0 -.\n", "x y")
_SECONDS = 5.0  # for one text, and
_SECONDS_PER_CHARACTER = 2e-5  # more for a long one


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
    def _compiled(self) -> list[tuple[str, Any]]:
        return [(kind, _checked(kind, pattern)) for kind, pattern in self.patterns.items()]

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [
                Span(start, end, kind, 1.0, "patterns", "pattern")
                for kind, pattern in self._compiled
                for start, end in _found(kind, pattern, text)
                if end > start
            ]
            for text in texts
        ]


def _found(type: str, pattern: Any, text: str) -> list[tuple[int, int]]:
    limit = _SECONDS + _SECONDS_PER_CHARACTER * len(text)
    try:
        return [match.span() for match in pattern.finditer(text, timeout=limit)]
    except TimeoutError:
        raise PlanError(
            f"plan: text.patterns.{type}: took more than {limit:.0f} seconds for one text of {len(text)} "
            "characters. Repeats inside repeats, such as (a+)+, are the usual cause: one is enough"
        ) from None


def _checked(type: str, pattern: str) -> Any:
    try:
        compiled = regex.compile(pattern, regex.VERSION0)
    except regex.error as error:
        # The expression may spell out names, so only the place of the fault is told.
        raise PlanError(
            f"plan: text.patterns.{type}: not a regular expression (fault at character {error.pos})"
        ) from None
    if any(start == end for probe in _PROBES for start, end in _found(type, compiled, probe)):
        raise PlanError(
            f"plan: text.patterns.{type}: matches the empty string; let it need at least one character"
        )
    return compiled
