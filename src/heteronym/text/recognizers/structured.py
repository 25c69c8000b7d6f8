"""Identifiers with a form of their own: mail, URL, phone, IP, card, IBAN, codes, postcodes.

The patterns and checksums are presidio-analyzer's. It is imported when the first text comes along that
may hold such a thing, because the import takes its time, and each recognizer runs only on
texts that pass a cheap test for it. Nothing here ever touches the network: mail domains are not
looked up, so a mail at an unknown domain is a mail as well.

Cost        one pass per recognizer over the texts that may hold its kind; phones only near digits
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.quick_imports import import_presidio
from heteronym.text.stretches import Covers

_LEXICON = lexicon("structured")

_SOURCE = "structured"
_SURE = 0.5  # a pattern below this needs a word nearby that speaks for it
_CONTEXT_BEFORE = 60
_CONTEXT_AFTER = 20

_MAY_BE_URL = re.compile(r"://|\bwww\.|[\w-]\.[A-Za-z]{2}")
_MAY_BE_IP = _LEXICON.compiled("MAY_BE_IP")
_MAY_BE_NUMBER = re.compile(r"\d(?:[\s\-./()]*\d){4}")
_MAY_BE_CODE = re.compile(r"\d\d|\d[A-Za-z]|[A-Za-z]\d")
_MAY_BE_IBAN = re.compile(r"\b[A-Za-z]{2}\d{2}")
_MAY_BE_CARD = re.compile(r"(?<![\d.,-])\d(?:[ -]?\d){11,18}(?![\d.,-]?\d)")
_NEAR_A_PHONE = re.compile(r"(?:\+|\(|\b)\d(?:[\s().\-/]{0,3}\d){6,16}")
_TWO_DIGITS = re.compile(r"\d\d")
_ANY = _LEXICON.compiled("ANY")

_WORDS_AS_DOMAINS = _LEXICON.words("WORDS_AS_DOMAINS")
_HOST_AND_PATH = _LEXICON.compiled("HOST_AND_PATH")
_BARE_HOST = re.compile(r"[\w-]+\.(\w+)")

_MAY_HOLD: dict[str, Callable[[str], object]] = {
    "MAIL": lambda text: "@" in text,
    "URL": _MAY_BE_URL.search,
    "IP": _MAY_BE_IP.search,
    "IBAN": _MAY_BE_IBAN.search,
}
_SPOKEN_FOR = _LEXICON.words("SPOKEN_FOR")
_OF_NUMBERS = _LEXICON.words("OF_NUMBERS")
# Unmistakable when written in capitals with their space, whatever stands around them.
_SURE_POSTCODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d")


@recognizers.register("structured")
@dataclass(frozen=True)
class Structured:
    """Mail and web addresses, numbers with checksums, and codes that a word nearby speaks for."""

    languages: ClassVar[frozenset[str]] = frozenset()
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [list(_spans(text)) if _ANY.search(text) else [] for text in texts]


def _spans(text: str) -> Iterator[Span]:
    folded = text.lower()
    for name, type_name in _LEXICON.table("recognizers").items():
        may_hold = _MAY_HOLD.get(type_name, (_MAY_BE_NUMBER if name in _OF_NUMBERS else _MAY_BE_CODE).search)
        if not may_hold(text):
            continue
        part, context = _loaded(f"{name}Recognizer")
        # Some of these patterns are slow on long texts, and without its word nothing counts.
        if name in _SPOKEN_FOR and (context is None or not context.search(folded)):
            continue
        for result in part.analyze(text, part.supported_entities):
            start, end, score = result.start, result.end, float(result.score)
            if name in _SPOKEN_FOR or score < _SURE:
                if type_name == "POSTCODE" and _SURE_POSTCODE.fullmatch(text, start, end):
                    score = 0.6
                elif _spoken_for(folded, start, end, context):
                    score = max(score, _SURE)
                else:
                    continue
            if type_name != "URL" or not _is_a_missing_space(text, start, end):
                yield Span(start, end, type_name, round(score, 3), _SOURCE, f"{name}Recognizer")
    if "/" in text:
        for match in _HOST_AND_PATH.finditer(text):
            yield Span(match.start(), match.end(), "URL", 0.8, _SOURCE, "host and path")
    for match in _MAY_BE_CARD.finditer(text):
        # presidio knows the common lengths only; the checksum is the same for all.
        if _passes_luhn(match.group()):
            yield Span(match.start(), match.end(), "CARD", 0.8, _SOURCE, "card number by checksum")
    yield from _phones(text)


_PHONES = "PhoneRecognizer"
# No telephone number has so many groups: a chain of them is data.
_CHAIN = re.compile(r"\d+(?:[-./]\d+){9,}")


def _phones(text: str) -> Iterator[Span]:
    found: set[tuple[int, int]] = set()
    chains = Covers(chain.span() for chain in _CHAIN.finditer(text))
    for candidate in _NEAR_A_PHONE.finditer(text):
        if chains.hold(candidate.span()) or not _TWO_DIGITS.search(candidate.group()):
            continue
        # Whole words around the digits, because what precedes a number decides whether it is one.
        begin = text.rfind(" ", 0, max(candidate.start() - 1, 0)) + 1
        begin = max(begin, candidate.start() - 12)
        window = text[begin : candidate.end() + 12]
        for start, end, score in _phones_in(window):
            place = (begin + start, begin + end)
            if place not in found:
                found.add(place)
                yield Span(*place, "PHONE", score, _SOURCE, _PHONES)


@lru_cache(maxsize=1024)
def _phones_in(window: str) -> tuple[tuple[int, int, float], ...]:
    """Asking all numbering plans is slow, and texts that repeat a number repeat its surroundings."""
    part, _ = _loaded(_PHONES)
    results = part.analyze(window, part.supported_entities)
    return tuple((result.start, result.end, round(float(result.score), 3)) for result in results)


def _spoken_for(folded: str, start: int, end: int, context: re.Pattern[str] | None) -> bool:
    return context is not None and bool(
        context.search(folded, max(start - _CONTEXT_BEFORE, 0), start)
        or context.search(folded, end, end + _CONTEXT_AFTER)
    )


def _is_a_missing_space(text: str, start: int, end: int) -> bool:
    host = _BARE_HOST.fullmatch(text, start, end)
    if host is None:
        return False
    domain = host[1]
    if domain[0].isupper() and not text[start:end].isupper():
        return True
    return domain.lower() in _WORDS_AS_DOMAINS


def _passes_luhn(number: str) -> bool:
    digits = [int(character) for character in reversed(number) if character.isdigit()]
    if len(set(digits)) == 1:
        return False
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[1::2]]
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


@cache
def _loaded(name: str) -> tuple[Any, re.Pattern[str] | None]:
    """One of presidio's recognizers, and its context words as an expression."""
    part: Any = getattr(import_presidio().predefined_recognizers, name)()
    if name == "EmailRecognizer":
        # Its validation asks tldextract, which asks the network for its list on first use.
        part.validate_result = lambda pattern_text: None
    if name == "InPanRecognizer":
        # Its weaker patterns take quadratic time, and match any ten letters and digits.
        part.patterns = [pattern for pattern in part.patterns if pattern.score >= _SURE]
    words = sorted({word.lower() for word in (part.context or ()) if len(word) > 2})
    if name == "UsPassportRecognizer":
        words = ["passport", "travel document"]
    if not words:
        return part, None
    return part, re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b")
