"""Identifiers are masked before a method generalizes the rest: names, codes and towns must not stay because
a method takes them for common enough.

Direct identifiers and names of people become their type in brackets, then the method works on that text.
What it leaves standing of towns is masked at the end. A method that is about people (assertions) replaces
their names itself; what it leaves standing of them, and of identifiers, is masked at the end.

Guarantee   no mention of a direct identifier stands in its own words; of a person, unless the method is
            asked to name people; of a town, unless the method is about people
Cost        that of the method
Randomness  none beside the method's
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from heteronym.contracts import DocumentMethod
from heteronym.documents._edits import composed
from heteronym.documents._residue import stands
from heteronym.knowledge.places import countries, regions, states
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span
from heteronym.model.release import Check
from heteronym.text.entity_types import is_direct

# Of people and towns: masked; people are replaced by the method itself; people are named on purpose.
People = Literal["mask", "replaced", "keep"]
_PLACES = frozenset({"GPE", "FAC"})
_DIRECT_HERE = frozenset({"PERSON", "POSTCODE"})  # beside the types that are always direct
_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*(?: \d+)?\]")


@dataclass(frozen=True)
class IdentifiersFirst:
    """A method that generalizes, behind a mask of identifiers."""

    method: DocumentMethod
    people: People = "mask"

    def hides(self, kind: str) -> bool:
        """Whether mentions of a type must not stand."""
        if kind == "PERSON":
            return self.people != "keep"
        return _is_masked_first(kind) or (self.people == "mask" and kind in _PLACES)

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        first = [self._first(document) for document in documents]
        result = self.method.sanitize([_after(one, edits) for one, edits in zip(documents, first)])
        both = [composed(one, two) for one, two in zip(first, result.edits, strict=True)]
        last = [self._last(one, edited(one.text, edits)) for one, edits in zip(documents, both)]
        edits = [composed(one, two) for one, two in zip(both, last)]
        masked = sum(map(len, first)) + sum(map(len, last))
        return replace(result, edits=edits, facts={**result.facts, "identifiers_masked": masked})

    def audit(self, document: Document, released: str) -> Check:
        """The method's own audit, and no identifier in its own words."""
        check = self.method.audit(_after(document, self._first(document)), released)
        rest = _PLACEHOLDER.sub("\x00", released)
        left = sum(stands(surface, rest) for surface in self._surfaces(document))
        if check.holds is False or not left:
            return check
        return Check("identifiers", False, f"{left} identifiers or names still stand in the text")

    def _first(self, document: Document) -> list[Edit]:
        if self.people != "mask":
            return []  # the method reads sentences, and masks identifiers in them where it speaks of people
        return [
            Edit(span.start, span.end, f"[{span.type}]")
            for span in document.mentions
            if _is_masked_first(span.type)
        ]

    def _last(self, document: Document, text: str) -> list[Edit]:
        """Masks for what still stands, the longest first; nothing inside of a mask."""
        taken = [match.span() for match in _PLACEHOLDER.finditer(text)]
        edits: list[Edit] = []
        surfaces = self._surfaces(document)
        for surface in sorted(surfaces, key=len, reverse=True):
            for place in re.finditer(rf"(?<!\w){re.escape(surface)}(?!\w)", text):
                if all(place.end() <= start or end <= place.start() for start, end in taken):
                    taken.append(place.span())
                    edits.append(Edit(*place.span(), f"[{surfaces[surface]}]"))
        return sorted(edits)

    def _surfaces(self, document: Document) -> dict[str, str]:
        """What must not stand, with its type; countries and states may, and ordinary words."""
        found: dict[str, str] = {}
        for span in document.mentions:
            whole = document.text[span.start : span.end]
            parts = re.split(r",\s*", whole) if span.type in _PLACES else [whole]
            for surface in filter(None, map(str.strip, parts)):
                ordinary = surface.islower() and surface.isascii()
                large = span.type in _PLACES and surface.lower() in _large_places()
                if self.hides(span.type) and not ordinary and not large:
                    found.setdefault(surface, span.type)
        return found


def _is_masked_first(kind: str) -> bool:
    return kind in _DIRECT_HERE or is_direct(kind)


@cache
def _large_places() -> frozenset[str]:
    return frozenset(name.lower() for name in (*countries(), *states().values(), *regions()))


def _after(document: Document, edits: Sequence[Edit]) -> Document:
    """The document with its masks, and the mentions that are left."""
    if not edits:
        return document
    lengths = {edit.start: len(edit.text) - (edit.end - edit.start) for edit in edits}
    kept: list[Span] = []
    moved = 0
    for span in sorted(document.mentions):
        if span.start in lengths:
            moved += lengths[span.start]
        else:
            kept.append(span._replace(start=span.start + moved, end=span.end + moved))
    return Document(edited(document.text, edits), tuple(kept), document.name, document.parser)
