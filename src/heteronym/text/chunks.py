"""Cuts very long texts into pieces that a model can take, at line or sentence ends, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"\n+|(?<=[.!?])\s")
LONGEST = 50_000  # characters


def pieces(text: str, longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """(offset, piece) pairs that make up the text; no piece is longer than `longest`."""
    begin = 0
    while len(text) - begin > longest:
        cut = 0
        for match in _END.finditer(text, begin + longest // 2, begin + longest):
            cut = match.end()
        if not cut:
            cut = text.rfind(" ", begin + longest // 2, begin + longest) + 1 or begin + longest
        yield begin, text[begin:cut]
        begin = cut
    yield begin, text[begin:]
