"""Postal addresses with street and number, post boxes, and postcodes that stand with a place.

A street is known by its way ("Road", "rue", "-straße") beside a house number, a flat by its unit
("Apt 4"). From there the address grows to both sides: the flat and the building before it, the town, the
postcode and the country behind it, as far as they are written like parts of an address.

Cost        rules are tried at numbers and capitals only; growing happens at hits
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator

from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("addresses")

_LEFT = _LEXICON.compiled("LEFT")
_RIGHT = _LEXICON.compiled("RIGHT")


@reader("addresses")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Postal addresses and postcodes by pattern."""
    for span in spans:
        if span.type == "ADDRESS" and span.rule not in ("post box", "corner of two streets"):
            left = _LEFT.search(text, max(0, span.start - 70), span.start)
            span = span if left is None else span._replace(start=left.start())
            for _ in range(4):
                right = _RIGHT.match(text, span.end)
                span = span if right is None else span._replace(end=right.end())
        yield span
