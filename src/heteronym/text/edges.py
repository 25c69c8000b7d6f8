"""Where a fact begins and ends: words that tell nothing are no part of it when they stand at its edge.

Cost        O(length) of what is asked about
Randomness  none
"""

from __future__ import annotations

import re

from heteronym.text.lexicon import lexicon

_WORD = re.compile(r"\w+")
_EDGE_WORDS = lexicon("facts").words("EDGE")


def weighty(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The part from the first to the last word that tells something, if there is one."""
    words = [
        word.span() for word in _WORD.finditer(text, start, end) if word.group().lower() not in _EDGE_WORDS
    ]
    return (words[0][0], words[-1][1]) if words else None
