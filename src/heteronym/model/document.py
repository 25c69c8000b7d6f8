"""A single document with what was found in it, and what a document method makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from heteronym.model.edit import Edit
from heteronym.model.mention import Span

Parser = Callable[[str], Sequence[tuple[int, Any]]]  # text -> (offset, spaCy Doc) of its pieces


@dataclass(frozen=True, repr=False, eq=False)
class Document:
    """A text with its mentions; parsed only if somebody asks. Holds personal data."""

    text: str
    mentions: tuple[Span, ...] = ()  # by start, none overlapping
    name: str = "text"
    parser: Parser | None = None

    @cached_property
    def parsed(self) -> Sequence[tuple[int, Any]]:
        """(offset, parsed piece) pairs that make up the text; a piece holds whole sentences."""
        return [] if self.parser is None else self.parser(self.text)

    def __repr__(self) -> str:
        return f"Document({len(self.text)} characters, {len(self.mentions)} mentions)"


@dataclass(frozen=True, repr=False, eq=False)
class Sanitized:
    """What a method wants done to its documents, in their order."""

    edits: Sequence[Sequence[Edit]]
    facts: Mapping[str, Any] = field(default_factory=dict)  # figures that may be shown to anybody
    owner: Mapping[str, bytes] = field(default_factory=dict)  # files for the private folder alone

    def __repr__(self) -> str:
        return f"Sanitized({len(self.edits)} documents, {sum(map(len, self.edits))} edits)"


@dataclass(frozen=True, repr=False)
class Finding:
    """Something an analyzer says about a stretch of a text. Holds personal data."""

    start: int
    end: int
    kind: str
    details: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Finding({self.kind}, {self.start}-{self.end})"
