"""Amounts of money with their unit: symbol, code or name of a currency before or after the amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("money")


_COUNTED = _LEXICON.compiled("COUNTED")


def _is_an_amount(match: re.Match[str]) -> bool:
    """'450k' is money unless it counts something; "4k" and "10k" are screens and races as often."""
    return _COUNTED.match(match.string, match.end()) is None


_RULES = _LEXICON.rules(checks={"is_an_amount": _is_an_amount})


@recognizers.register("money")
@dataclass(frozen=True)
class Money:
    """Amounts of money by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="money")
