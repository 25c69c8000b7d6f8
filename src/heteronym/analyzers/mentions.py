"""The plainest answer to what a text tells: the mentions in it, with who found them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heteronym.model.document import Document, Finding
from heteronym.registry import analyzers


@analyzers.register("mentions")
@dataclass(frozen=True)
class MentionsFound:
    """Every mention with its type, score, source and rule."""

    def analyze(self, document: Document) -> Sequence[Finding]:
        return [
            Finding(m.start, m.end, m.type, {"score": m.score, "source": m.source, "rule": m.rule})
            for m in document.mentions
        ]
