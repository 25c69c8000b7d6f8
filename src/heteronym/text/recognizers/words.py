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

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.owner_lists import read_word_list
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

    @classmethod
    def of_files(cls, names: Mapping[str, str], *, folder: Path | None = None) -> Words:
        """The lists that a plan names, type by type."""
        return cls({kind: read_word_list(name, type=kind, folder=folder) for kind, name in names.items()})

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
