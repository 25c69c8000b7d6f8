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
from heteronym.text.rule import DIGITS, NUMBER_WORDS, Rule, any_of, find, rule

_UNIT = any_of(
    [
        *(
            "mm cm dm m km metre metres meter meters centimetre centimetres centimeter "
            "centimeters millimetre millimetres "
            "kilometre kilometres kilometer kilometers mile miles yard yards foot feet inch "
            "inches ft lb lbs pound "
            "ounce ounces oz g kg kilo kilos kilogram kilograms kilogramme kilogrammes "
            "gram grams gramme grammes "
            "ton tons tonne tonnes stone litre litres liter liters ml gallon "
            "gallons pint pints hectare hectares acre acres "
            "km2 m2 km² m² sqm mph kph km/h kW kWh MW Hz kHz MHz GHz KB MB GB TB degrees "
            "°C °F calories kcal dioptres diopters"
        ).split(),
        "square metres",
        "square meters",
        "square kilometres",
        "square feet",
        "square miles",
        "cubic metres",
        "sq m",
        "sq ft",
    ]
)
_ABOUT = r"(?:(?:[Aa]pproximately|[Aa]pprox\.|[Aa]bout|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost)\s)?"
_SPELT_UNITS = tuple(
    (
        "metres meters kilometres kilometers miles kilos kilograms acres hectares "
        "tonnes tons feet inches litres grams stone"
    ).split()
)
_PERCENT = r"(?:\s?%|\s?(?:per\scent|percent|percentage\spoints?)\b)"


def _is_exact(match: re.Match[str]) -> bool:
    """A count that few others share: of three digits and more, or a compound number in words."""
    digits = re.sub(r"\D", "", match.group("n"))
    noun = match.group("noun").lower()
    if noun in _NOT_COUNTED or noun.endswith("ss"):
        return False
    if digits:
        return int(digits) > 20 and not 1500 <= int(digits) <= 2049
    return True


_NOT_COUNTED = frozenset(
    "days weeks months years hours minutes seconds decades centuries per cents "
    "was is has its this his as does "
    "articles sections paragraphs times euros dollars pounds degrees thus plus "
    "unless across always others".split()
)

_RULES: tuple[Rule, ...] = (
    rule(
        "percentage",
        rf"(?<![\w.,]){_ABOUT}{DIGITS}(?:{_PERCENT})?(?:\s?(?:to|and|or|-|–)\s?{DIGITS})?{_PERCENT}",
        "PERCENT",
        0.95,
    ),
    rule(
        "percentage in words",
        rf"\b{NUMBER_WORDS}\s(?:per\scent|percent)\b",
        "PERCENT",
        0.95,
    ),
    rule(
        "measurement",
        rf"(?<![\w.,$€£]){_ABOUT}{DIGITS}(?:\s?(?:x|by|to|-|–)\s?{DIGITS})?[\s\-]?{_UNIT}"
        rf"(?![\w/])",
        "QUANTITY",
        0.85,
    ),
    rule(
        "measurement in words",
        rf"\b{NUMBER_WORDS}[\s\-]{any_of(_SPELT_UNITS)}\b",
        "QUANTITY",
        0.8,
    ),
    rule("feet and inches", r"\b[4-7]['’′]\s?(?:1[01]|0?\d)[\"”″]?(?!\w)", "QUANTITY", 0.75),
    rule(
        "exact count",
        r"(?<![\w.,/§$€£:-])(?P<m>(?P<n>\d{1,3}(?:[,.]\d{3})+|\d{2,6}|(?:(?:[Tt]wenty"
        r"|[Tt]hirty|[Ff]orty|[Ff]ifty|[Ss]ixty|[Ss]eventy|[Ee]ighty|[Nn]inety)[-‑\s]"
        r"(?:one|two|three|four|five|six|seven|eight|nine)))"
        r"(?:\s(?!of\b|in\b|to\b|and\b|at\b|the\b|by\b|on\b|for\b)[a-z]+)??\s(?P<noun>[a-z]{3,}s"
        r"|people|children|men|women))\b",
        "QUANTITY",
        0.6,
        check=_is_exact,
    ),
)


@recognizers.register("quantities")
@dataclass(frozen=True)
class Quantities:
    """Percentages, measurements and exact counts by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="quantities")
