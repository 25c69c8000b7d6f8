"""The Private Information Analyzer: which statements are private, about whom, and how sensitive.

Reference   Al-Fedaghi (paper 004)
Guarantee   none: it tells what rules on a parse find, and nothing about whether an assertion is true
Cost        linear in the text, beside the parse
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heteronym.assertions.ledger import scrubber
from heteronym.assertions.read_document import read
from heteronym.model.assertion import Analysis, Assertion
from heteronym.model.document import Document, Finding
from heteronym.registry import analyzers


@analyzers.register("assertions")
@dataclass(frozen=True)
class Assertions:
    """Every assertion with class, proprietors, canonical forms, sensitivity and a suggestion."""

    author: str | None = field(default=None, metadata={"help": "who writes the text: what I stands for"})
    recipient: str | None = field(default=None, metadata={"help": "who is written to: what you stands for"})

    def analyze(self, document: Document) -> Sequence[Finding]:
        return findings(self.read(document))

    def read(self, document: Document) -> Analysis:
        """The whole analysis, of which the findings are a plain view."""
        return read(document, author=self.author, recipient=self.recipient)


def findings(analysis: Analysis) -> list[Finding]:
    hide = scrubber(analysis)
    return [Finding(a.start, a.end, a.kind, _fields_of(a, analysis, hide)) for a in analysis.assertions]


def _fields_of(assertion: Assertion, analysis: Analysis, hide: Callable[[str], str]) -> dict[str, object]:
    individuals = analysis.individuals
    return {
        "text": analysis.text[assertion.start : assertion.end],
        "proprietors": [individuals[number].label for number in assertion.proprietors],
        "groups": list(assertion.groups),
        "canonical": [
            [{"identity": individuals[atom.person].label, "assertion": hide(atom.zero)} for atom in part]
            for part in assertion.atoms
        ],
        "sensitivity": {
            "level": assertion.sensitivity.level,
            "categories": list(assertion.sensitivity.categories),
            "reasons": list(assertion.sensitivity.reasons),
        },
        "suggestion": assertion.suggestion,
        "suggested_level": assertion.suggested_level if assertion.suggestion else None,
    }
