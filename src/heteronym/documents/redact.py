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

from heteronym.documents._residue import stands
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit
from heteronym.model.release import Check
from heteronym.registry import document_methods

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*\]")


@document_methods.register("redact")
@dataclass(frozen=True)
class Redact:
    """Masks what was found: `My name is [PERSON].`"""

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        return Sanitized(
            [[Edit(m.start, m.end, f"[{m.type}]") for m in document.mentions] for document in documents]
        )

    def audit(self, document: Document, released: str) -> Check:
        """What was found must not be found again, word by word, outside the placeholders."""
        masked = _PLACEHOLDER.sub("\x00", released)
        surfaces = {document.text[mention.start : mention.end] for mention in document.mentions}
        left = sum(stands(surface, masked) for surface in surfaces)
        detail = (
            f"{left} of {len(surfaces)} mentions still stand in the text" if left else "nothing found is left"
        )
        return Check("residue", left == 0, detail)
