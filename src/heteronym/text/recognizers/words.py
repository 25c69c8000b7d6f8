"""The plan's word lists: whole words, any case, flexible spaces, however long the list is.

Cost        O(words of the list) once, O(tokens) per text
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from heteronym.errors import PlanError
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.phrases import Phrases


@recognizers.register("words")
@dataclass(frozen=True)
class Words:
    """Terms of the owner's lists. Words like "it" or "will" count only in the list's own capitals."""

    lists: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict, metadata={"help": "entity type -> its terms"}
    )

    languages: ClassVar[frozenset[str]] = frozenset()

    @cached_property
    def _phrases(self) -> Phrases[str]:
        phrases: Phrases[str] = Phrases()
        for kind, words in self.lists.items():
            for word in words:
                phrases.add(word, kind)
        return phrases

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [
                Span(start, end, kind, 1.0, "words", "word list")
                for start, end, kind in self._phrases.find(text)
            ]
            for text in texts
        ]

    def __repr__(self) -> str:
        return f"Words({ {kind: len(words) for kind, words in self.lists.items()} })"


def read_word_list(name: str, *, type: str, folder: Path | None = None) -> tuple[str, ...]:
    """The terms of a list file: one a line, empty lines and lines that begin with # left out."""
    path = Path(name) if folder is None else folder / name
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise PlanError(f"plan: text.words.{type}: no such file: {path}") from None
    except (OSError, UnicodeDecodeError):
        raise PlanError(f"plan: text.words.{type}: cannot be read as UTF-8 text: {path}") from None
    terms = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not terms:
        raise PlanError(f"plan: text.words.{type}: the list is empty: {path}")
    return terms
