"""Redaction: every mention becomes its type in brackets.

Reference   Singhofer et al. 2021, section 4.2 (suppression by entity type)
Guarantee   nothing that was found stands in the text any more
Cost        O(characters)
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from heteronym.documents._residue import times, times_otherwise
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.text.entity_types import is_direct

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*\]")


@document_methods.register("redact")
@dataclass(frozen=True)
class Redact:
    """Masks what was found: `My name is [PERSON].`"""

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        return Sanitized([_edits(document) for document in documents])

    def audit(self, document: Document, released: str) -> Check:
        """What was found must not be found again, word by word, outside the placeholders.

        A mention in small letters without a digit is an ordinary word elsewhere; it must only not stand
        more often than the original had it outside of mentions.
        """
        masked = _PLACEHOLDER.sub("\x00", released)
        bare, end = "", 0
        for mention in document.mentions:
            bare, end = bare + document.text[end : mention.start] + "\x00", mention.end
        bare += document.text[end:]
        surfaces = {document.text[mention.start : mention.end] for mention in document.mentions}
        left = sum(times(s, masked) > (times(s, bare) if _is_ordinary(s) else 0) for s in surfaces)
        named = {
            document.text[m.start : m.end]
            for m in document.mentions
            if m.type == "PERSON" or is_direct(m.type)
        }
        left += times_otherwise(named, masked)
        detail = f"{left} of {len(surfaces)} mentions still stand in the text"
        return Check("residue", left == 0, detail if left else "nothing that was found is left")


def _is_ordinary(surface: str) -> bool:
    """Small letters may be a word of English elsewhere; other letters than ASCII are none of it."""
    return surface.islower() and surface.isascii()


def _edits(document: Document) -> list[Edit]:
    """One edit per mention, and per further place where the words of one stand with a capital or digit."""
    edits = [Edit(m.start, m.end, f"[{m.type}]") for m in document.mentions]
    types = {document.text[m.start : m.end]: m.type for m in reversed(document.mentions)}
    for surface in sorted(types, key=len, reverse=True):
        if _is_ordinary(surface) and not any(map(str.isdigit, surface)):
            continue
        for place in re.finditer(rf"(?<!\w){re.escape(surface)}(?!\w)", document.text):
            start, end = place.span()
            if all(end <= edit.start or edit.end <= start for edit in edits):
                edits.append(Edit(start, end, f"[{types[surface]}]"))
    return sorted(edits)
