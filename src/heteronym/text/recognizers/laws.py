"""References to laws, articles, rules and conventions. They are not sensitive; marking them keeps their
numbers from being taken for dates and codes, and their names for organizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("laws")


_RULES = _LEXICON.rules()


@recognizers.register("laws")
@dataclass(frozen=True)
class Laws:
    """References to laws by pattern; not sensitive."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="laws")
