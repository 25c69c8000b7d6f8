"""Ages. The number alone where words around it say that it is one ("aged 36"), so that a replaced
age still reads; the whole phrase where the words belong to it ("36 years old", "36-year-old").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import NAME_WORD, NUMBER_WORDS, Rule, find, rule

_NUMBER = rf"(?:1?\d{{1,2}}(?:½|\.5)?|{NUMBER_WORDS}(?:\sand\sa\shalf)?)"
_DECADE = r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[1-9]0['’]?s)"

_RULES: tuple[Rule, ...] = (
    rule(
        "years old",
        rf"(?<![\w.,]){_NUMBER}[\s\-‑]+(?:(?i:years?|yrs?|months?|weeks?)[\s\-‑]+)"
        rf"(?i:olds?)\b",
        "AGE",
        0.97,
        needs=("old",),
    ),
    rule(
        "years of age",
        rf"(?<![\w.,]){_NUMBER}\s(?i:years?|yrs?|months?)\s(?i:of\sage)\b",
        "AGE",
        0.97,
        needs=("of age",),
    ),
    rule(
        "years old, abbreviated", r"(?<![\w.,])1?\d{1,2}\s?(?:y/o|yo|y\.o\.|yrs\.?\sold)(?!\w)", "AGE", 0.95
    ),
    rule(
        "after aged or turned",
        rf"\b(?:[Aa]ged(?:\sbetween)?|[Aa]ges|[Aa]ge\sof|[Aa]ge\swas|[Aa]ge\sis|[Aa]ge:"
        rf"|[Tt]urn(?:ed|ing|s)?)\s(?P<m>{_NUMBER}(?:\s(?:and|to|or|-)\s{_NUMBER})?)\b"
        r"(?!\s?(?:%|:\d|hours?|minutes?|days?|into|to\b|in\b|off\b|down\b|out\b|of\b))",
        "AGE",
        0.9,
    ),
    rule("after age", rf"\b[Aa]ge\s(?P<m>{_NUMBER})\b", "AGE", 0.85),
    rule(
        "decade of life",
        rf"\b(?:[Ii]n(?:to)?\s(?:his|her|their|my|your|the)\s)(?P<m>(?:(?:early|mid"
        rf"|late)[\s\-])?{_DECADE})\b(?!\s(?:and\s)?(?:century|music))",
        "AGE",
        0.85,
        needs=("teens", "ties", "0s", "0's", "0’s"),
    ),
    rule(
        "number behind a name",
        rf"\b{NAME_WORD},\s(?P<m>[1-9]\d)(?=,\s(?:single|married|divorced|widowed|male|female|who|whose|of|from|was|is|has|had"
        rf"|an?\s|said|told))",
        "AGE",
        0.8,
    ),
    rule(
        "number said of a person",
        r"\b(?:I(?:['’]m|\sam|\swas)|(?:[Hh]e|[Ss]he)(?:['’]s|\sis|\swas))\s(?:now\s|only\s|just\s|already"
        r"\s)?(?P<m>[1-9]\d)(?=\s?(?:[.,;!?)]|and\b|but\b|when\b|$))",
        "AGE",
        0.75,
    ),
)


@recognizers.register("ages")
@dataclass(frozen=True)
class Ages:
    """Ages by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="ages")
