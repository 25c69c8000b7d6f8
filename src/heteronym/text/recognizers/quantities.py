"""Percentages, measurements, and exact counts of things.

A measurement has a unit. A count has none, but "571 landowners" or "seventy-one hearings" singles out
a story as well as a date does; small round counts do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import find

_LEXICON = lexicon("quantities")


def _is_exact(match: re.Match[str]) -> bool:
    """A count that few others share: of three digits and more, or a compound number in words."""
    digits = re.sub(r"\D", "", match.group("n"))
    noun = match.group("noun").lower()
    if noun in _NOT_COUNTED or noun.endswith("ss"):
        return False
    if digits:
        return int(digits) > 20 and not 1500 <= int(digits) <= 2049
    return True


_NOT_COUNTED = _LEXICON.words("NOT_COUNTED")

_FINDING_UNIT = re.compile(r"(?<![a-z])(?:mm|cm|ml|g|degrees|litres?|liters?)$")
_FINDING = _LEXICON.compiled("FINDING")
_BUILD = _LEXICON.compiled("BUILD")
_VITAL = _LEXICON.compiled("VITAL")
_ON_AIR = _LEXICON.compiled("ON_AIR")


def _no_finding(match: re.Match[str]) -> bool:
    """'a 9 mm nodule' is a finding that many have; height and weight belong to a person."""
    text, start, end = match.string, match.start(), match.end()
    if _FINDING_UNIT.search(match.group()) is None:
        return True
    if _BUILD.search(text, max(0, start - 24), end + 12):
        return True
    return not is_clinical(text) and _FINDING.search(text, max(0, start - 60), end + 40) is None


def _no_vital_sign(match: re.Match[str]) -> bool:
    """'sats 91% on air' is no fact that singles a person out."""
    text, start, end = match.string, match.start(), match.end()
    return _VITAL.search(text, max(0, start - 36), start) is None and _ON_AIR.match(text, end) is None


_RULES = _LEXICON.rules(
    checks={"no_vital_sign": _no_vital_sign, "no_finding": _no_finding, "is_exact": _is_exact}
)


@recognizers.register("quantities")
@dataclass(frozen=True)
class Quantities:
    """Percentages, measurements and exact counts by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="quantities")
