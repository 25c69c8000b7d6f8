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
_STREET_BEFORE_UNIT = _LEXICON.compiled("STREET_BEFORE_UNIT")
_RIGHT = _LEXICON.compiled("RIGHT")
_RIGHT_OF_UNIT = _LEXICON.compiled("RIGHT_OF_UNIT")
_NO_TOWN = _LEXICON.compiled("NO_TOWN")


@reader("addresses")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Postal addresses and postcodes by pattern."""
    for span in spans:
        if span.type != "ADDRESS" or span.rule in ("post box", "corner of two streets"):
            yield span
            continue
        start, end = span.start, span.end
        unit = span.rule == "flat or suite"
        left = (_STREET_BEFORE_UNIT if unit else _LEFT).search(text, max(0, start - 70), start)
        if left is not None:
            start = left.start()
        for _ in range(4):
            right = (_RIGHT_OF_UNIT if unit and end == span.end else _RIGHT).match(text, end)
            if right is None or right.end() == end or _NO_TOWN.match(text, end):
                break
            if text[right.end() : right.end() + 2].lstrip(" ").startswith(":"):
                break  # the key of the next field: "..., Leeds\nTelephone:"
            end = right.end()
        yield span._replace(start=start, end=end)
