"""Where a fact begins and ends: words that tell nothing are no part of it when they stand at its edge.

Cost        O(length) of what is asked about
Randomness  none
"""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_EDGE_WORDS = frozenset(
    "a an the of and or to in on at by for from with between until as my your his her its our their this "
    "that than but is was are were be been has have had who which if when so not no work works "
    "worked working employed diagnosed suffers suffering having studies studied aged nearly almost "
    "now made then completed graduated graduating achieved done doing did got took went goes go going "
    "read failed left dropped out sit sits under own one best friend friends".split()
)


def weighty(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The part from the first to the last word that tells something, if there is one."""
    words = [
        word.span() for word in _WORD.finditer(text, start, end) if word.group().lower() not in _EDGE_WORDS
    ]
    return (words[0][0], words[-1][1]) if words else None
