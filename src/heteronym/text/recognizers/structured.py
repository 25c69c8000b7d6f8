"""Identifiers with a form of their own: mail, URL, phone, IP, card, IBAN, codes, postcodes.

Their forms, and the words that speak for those that are not sure by themselves, are rows of
`knowledge/en/structured.toml`; checksums are in `text/checksums.py`, the numbering plans of telephones in
the package phonenumbers. Nothing here ever touches the network: domains are not looked up, so a mail at an
unknown domain is a mail as well.

Cost        one pass per kind over the texts that may hold it; phones only near digits
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.checksums import CHECKS, payment_card
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import compiled
from heteronym.text.stretches import Covers

_LEXICON = lexicon("structured")

_SOURCE = "structured"
_NEAR_A_WORD = 0.5  # how sure a form is that counts only near a word which speaks for it
_CONTEXT_BEFORE = 60
_CONTEXT_AFTER = 20

_MAY_BE_URL = re.compile(r"://|\bwww\.|[\w-]\.[A-Za-z]{2}")
_MAY_BE_IP = _LEXICON.compiled("MAY_BE_IP")
_MAY_BE_CODE = re.compile(r"\d\d|\d[A-Za-z]|[A-Za-z]\d")
_MAY_BE_IBAN = re.compile(r"\b[A-Z]{2}\d{2}")
_MAY_BE_CARD = re.compile(r"(?<![\d.,-])\d(?:[ -]?\d){11,18}(?![\d.,-]?\d)")
_NEAR_A_PHONE = re.compile(r"(?:\+|\(|\b)\d(?:[\s().\-/]{0,3}\d){6,16}")
_TWO_DIGITS = re.compile(r"\d\d")
_ANY = _LEXICON.compiled("ANY")

_WORDS_AS_DOMAINS = _LEXICON.words("WORDS_AS_DOMAINS")
_FIELDS_AS_DOMAINS = _LEXICON.words("FIELDS_AS_DOMAINS")
_HOST_AND_PATH = _LEXICON.compiled("HOST_AND_PATH")
_BARE_HOST = re.compile(r"[\w-]+\.(\w+)")
_FIELD = re.compile(r"(?!www\.)((?:[a-z]\w*[.-])+)(\w+)")

_MAY_HOLD: dict[str, Callable[[str], object]] = {
    "MAIL": lambda text: "@" in text,
    "URL": _MAY_BE_URL.search,
    "IP": _MAY_BE_IP.search,
    "IBAN": _MAY_BE_IBAN.search,
}


@recognizers.register("structured")
@dataclass(frozen=True)
class Structured:
    """Mail and web addresses, numbers with checksums, and codes that a word nearby speaks for."""

    languages: ClassVar[frozenset[str]] = frozenset()
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [list(_spans(text)) if _ANY.search(text) else [] for text in texts]


class Identifier(NamedTuple):
    """A row of the pack: what an identifier looks like, and what makes it sure."""

    name: str
    type: str
    form: str
    score: float = 0.0  # nought: it counts only near a word
    words: tuple[str, ...] = ()
    proof: str = ""
    refused: str = ""

    def find(self, text: str, folded: str) -> Iterator[Span]:
        """Its places in a text; `folded` is the text in small letters."""
        context = _context(self.words) if self.words else None
        if context is not None and not context.search(folded):
            return
        for match in compiled(self.form).finditer(text):
            place = match.span("m" if "m" in match.re.groupindex else 0)
            if context is not None and not _spoken_for(folded, place, context):
                continue
            said = text[slice(*place)]
            if self.refused and CHECKS[self.refused](said):
                continue
            if not self.proof:
                yield Span(*place, self.type, self.score or _NEAR_A_WORD, _SOURCE, self.name)
            elif CHECKS[self.proof](said):
                yield Span(*place, self.type, 1.0, _SOURCE, self.name)


@cache
def identifiers() -> tuple[Identifier, ...]:
    """The rows of the pack."""
    return tuple(
        Identifier(
            **{key: row[key] for key in ("name", "type", "score", "proof", "refused") if key in row},
            form=("" if row.get("capitals") else "(?i)") + _LEXICON.expanded(row["form"]),
            words=tuple(row.get("words", ())),
        )
        for row in _LEXICON.rows("identifiers")
    )


@cache
def _context(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b")


def _spoken_for(folded: str, place: tuple[int, int], context: re.Pattern[str]) -> bool:
    start, end = place
    return bool(
        context.search(folded, max(start - _CONTEXT_BEFORE, 0), start)
        or context.search(folded, end, end + _CONTEXT_AFTER)
    )


def _spans(text: str) -> Iterator[Span]:
    folded = text.lower()
    for kind in identifiers():
        if _MAY_HOLD.get(kind.type, _MAY_BE_CODE.search)(text):
            for span in kind.find(text, folded):
                if span.type != "URL" or not (
                    _is_a_missing_space(text, span.start, span.end) or _is_a_field(text, span.start, span.end)
                ):
                    yield span
    if "/" in text:
        for match in _HOST_AND_PATH.finditer(text):
            yield Span(match.start(), match.end(), "URL", 0.8, _SOURCE, "host and path")
    for match in _MAY_BE_CARD.finditer(text):
        if payment_card(match.group()):
            yield Span(match.start(), match.end(), "CARD", 0.8, _SOURCE, "card number by checksum")
    yield from _phones(text)


def _is_a_missing_space(text: str, start: int, end: int) -> bool:
    host = _BARE_HOST.fullmatch(text, start, end)
    if host is None:
        return False
    domain = host[1]
    if domain[0].isupper() and not text[start:end].isupper():
        return True
    return domain.lower() in _WORDS_AS_DOMAINS


def _is_a_field(text: str, start: int, end: int) -> bool:
    """Whether it is a setting or a file of a program ("app.config.name"): everyday words and such an end."""
    field = _FIELD.fullmatch(text, start, end)
    if field is None or field[2] not in _FIELDS_AS_DOMAINS:
        return False
    said = [word for word in re.split(r"[._-]", field[1]) if word]
    everyday = {word for word in said if word in words("common_words")}
    names = first_names() | words("surnames")
    return bool(everyday) and not any(w.capitalize() in names for w in said if w not in everyday)


_PHONE = "telephone number of a numbering plan"
_PHONE_SCORE = 0.4
# Where a number without its country may be from, besides wherever its prefix says
_PHONE_REGIONS = ("US", "GB", "DE", "FR", "IL", "IN", "CA", "BR")
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
        for start, end in _phones_in(window):
            place = (begin + start, begin + end)
            if place not in found:
                found.add(place)
                yield Span(*place, "PHONE", _PHONE_SCORE, _SOURCE, _PHONE)


@lru_cache(maxsize=1024)
def _phones_in(window: str) -> tuple[tuple[int, int], ...]:
    """Asking all numbering plans is slow, and texts that repeat a number repeat its surroundings."""
    phonenumbers: Any = _phonenumbers()
    matcher, valid = phonenumbers.PhoneNumberMatcher, phonenumbers.Leniency.VALID
    places = {
        (match.start, match.end) for region in _PHONE_REGIONS for match in matcher(window, region, valid)
    }
    # what lies inside of another is no number by itself
    return tuple(
        sorted(
            one
            for one in places
            if not any(one != other and other[0] <= one[0] and one[1] <= other[1] for other in places)
        )
    )


@cache
def _phonenumbers() -> Any:
    import phonenumbers

    return phonenumbers
