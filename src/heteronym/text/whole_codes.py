"""Widens codes to the whole token: of "US-DL-73164773250" a rule may know the digits alone.

What stands around the dashes, slashes, points and underscores of a token belongs to its code if it has a
digit or is a few capitals. Words and names beside a code ("4417-Smith") do not.

Cost        a look to both sides of each code
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from heteronym.model.mention import Span

_TYPES = frozenset({"CODE", "IBAN", "CARD"})
_PIECE = r"(?:[A-Z]{1,4}|(?=[^\W\d]*\d)\w+)"
_BEFORE = re.compile(rf"(?<!\w)(?:{_PIECE}[-/._])+\Z")
_AFTER = re.compile(rf"(?:[-/._]{_PIECE}(?!\w))+")
_REACH = 40  # characters before a code that may be its own


def with_whole_codes(text: str, ranked: Iterable[tuple[int, Span]]) -> Iterator[tuple[int, Span]]:
    """The spans with their ranks, codes as long as their tokens."""
    for rank, span in ranked:
        if span.type in _TYPES:
            before = _BEFORE.search(text[max(0, span.start - _REACH) : span.start])
            after = _AFTER.match(text, span.end)
            if before or after:
                start = span.start - (len(before.group()) if before else 0)
                span = span._replace(start=start, end=after.end() if after else span.end)
        yield rank, span
