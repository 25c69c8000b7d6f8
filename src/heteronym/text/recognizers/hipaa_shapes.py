"""What HIPAA Safe Harbor lists and has a shape, found whatever else reads the texts.

Takes part where a plan has the model `hipaa`.

Cost        some fifty patterns per text
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.knowledge.listed_identifiers import find_listed
from heteronym.model.mention import Span
from heteronym.registry import recognizers


@recognizers.register("hipaa-shapes")
@dataclass(frozen=True)
class SafeHarborShapes:
    """Dates finer than a year, ages over 89, numbers, addresses and postcodes, by their shape."""

    until: int = field(default=0, metadata={"help": "years up to this one tell an age over 89"})

    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [
                Span(one.start, one.end, one.type, 1.0, "hipaa-shapes", "shape")
                for one in find_listed(text, until=self.until)
            ]
            for text in texts
        ]
