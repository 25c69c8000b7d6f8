"""Postal addresses with street and number, post boxes, and postcodes that stand with a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.places import STATES
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import LOWER, UPPER, Rule, find, rule

_CAP = rf"[{UPPER}][{LOWER}][\w’'‑-]*"
_WAY = (
    r"(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Boulevard|Blvd\.?|Lane|Ln\.?|Drive"
    r"|Dr\.?|Court|Ct\.?|Square|Sq\.?|Place|Pl\.?|Terrace|Way|Parkway|Pkwy\.?"
    r"|Highway|Hwy\.?|Close|Crescent|Gardens|Row|Mews|Circle|Alley|Quay|Walk)"
)
_HOUSE = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?"
_UNIT = r"(?:,?\s(?:(?i:apt|apartment|suite|ste|unit|flat|floor|room)\.?\s?#?\w{1,5}|#\s?\d+\w?))?"
_UK = r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}"
_STATE = "(?:" + "|".join(STATES) + ")"
_TOWN = (
    rf"(?:,?\s(?:{_CAP}\s?){{1,3}}(?:,\s?(?:{_CAP}\s?){{1,2}})?(?:,?\s{_STATE})?"
    rf"(?:,?\s(?:{_UK}|\d{{5}}(?:-\d{{4}})?))?)"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "house number and street",
        rf"(?<![\w.,/-]){_HOUSE},?\s(?:(?:[NSEW]\.?|North|South|East|West)\s)?(?:{_CAP}\s|\d{{1,3}}(?:st"
        rf"|nd|rd|th)\s){{1,4}}{_WAY}(?!\w){_UNIT}(?:,\s{_CAP}(?:\s{_CAP})?,?\s{_STATE}"
        rf"(?:\s\d{{5}}(?:-\d{{4}})?)?|,\s{_CAP}(?:\s{_CAP}){{0,2}}?,?\s{_UK}|,\s{_CAP}"
        rf"(?:\s{_CAP})?)?",
        "ADDRESS",
        0.9,
        check=lambda match: (
            not 1900 <= int("".join(c for c in match.group().split()[0] if c.isdigit())[:4]) <= 2030
            or "," in match.group()
        ),
    ),
    # Hauptstraße 12, ul. Długa 5/3, Atatürk Caddesi No. 12, rue de Rivoli 12
    rule(
        "street and house number",
        rf"(?<!\w)(?:{_CAP}(?:straße|strasse|str\.|gasse|weg|platz|allee|straat|gatan"
        rf"|vägen|gata|vej|gade|utca)|(?:ul\.|al\.|pl\.|rue|avenue|via|calle|Calle"
        rf"|Via|Rue|Plaza|Piazza)\s(?:de\s|la\s|del\s|di\s|des\s)*{_CAP}(?:\s{_CAP})?)\s{_HOUSE}"
        rf"(?:,\s(?:[A-Z]{{1,2}}-)?\d{{4,5}}\s{_CAP})?",
        "ADDRESS",
        0.85,
    ),
    # After a word that announces one, anything with a house number in it
    rule(
        "after a word for an address",
        rf"\b(?:[Aa]ddress(?:\sis|\swas|:)|(?:[Ll]ive[sd]?|living|resid(?:es?|ed|ing)|stay(?:s|ed|ing)?)\sat)\s"
        rf"(?P<m>(?:\d[\w/-]*,?\s(?:{_CAP}\s?){{1,5}}|{_CAP}(?:\s{_CAP}){{0,3}}\s\d[\w/-]*)"
        rf"(?:,\s(?:\d{{4,5}}\s)?{_CAP}(?:\s{_CAP})?){{0,2}})",
        "ADDRESS",
        0.8,
    ),
    rule("post box", r"\b(?:P\.?\s?O\.?\s?Box|Postfach|BP)\s?\d{1,6}\b", "ADDRESS", 0.9),
    rule("british postcode", rf"(?<!\w){_UK}(?!\w)", "POSTCODE", 0.7),
    rule("zip code after a state", rf"(?<=,\s){_STATE}\s(?P<m>\d{{5}}(?:-\d{{4}})?)(?!\w)", "POSTCODE", 0.9),
    rule(
        "after a word for a postcode",
        r"\b(?i:zip(?:\scode)?|postcode|postal\scode|plz)\s?(?:is\s|was\s|:\s?)?"
        r"(?P<m>[A-Z0-9]{3,5}[\s-]?[A-Z0-9]{0,4})\b",
        "POSTCODE",
        0.85,
        check=lambda match: any(map(str.isdigit, match.group("m"))),
    ),
    rule(
        "postcode before a town",
        rf"(?<![\w.,/-])(?:[A-Z]{{1,2}}-)?\d{{5}}(?=\s{_CAP}(?:,|\.|\s\())(?<!\d\s)",
        "POSTCODE",
        0.5,
    ),
)


@recognizers.register("addresses")
@dataclass(frozen=True)
class Addresses:
    """Postal addresses and postcodes by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="addresses")
