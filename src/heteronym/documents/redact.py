"""Redaction: every mention becomes its type in brackets.

Reference   Singhofer et al. 2021, section 4.2 (suppression by entity type)
Guarantee   nothing that was found stands in the text any more
Cost        O(characters)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heteronym.model.mention import Span
from heteronym.registry import document_methods


@document_methods.register("redact")
@dataclass(frozen=True)
class Redact:
    """Masks what was found: `My name is [PERSON].`"""

    def sanitize(self, text: str, spans: Sequence[Span]) -> str:
        pieces: list[str] = []
        done = 0
        for span in sorted(spans):
            pieces += (text[done : span.start], f"[{span.type}]")
            done = span.end
        return "".join([*pieces, text[done:]])
