"""Terms, and their one normalization: texts of terms are equal if and only if they are normalized alike.

Case, quotes, dashes, invisible characters and the amount of white space do not count; every word
does, so terms made of stop words only stay different. Terms, linking and the search for further
occurrences all use this file.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

_QUOTES = dict.fromkeys("‘’‚‛′´`ʼʹ＇", "'") | dict.fromkeys("“”„‟″«»＂", '"')
_DASHES = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
# Zero-width and direction marks, soft hyphen, variation selectors: they change nothing one can read.
_INVISIBLE: dict[str, str | None] = dict.fromkeys(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)
_ROUNDS = 6
UNIFIED = str.maketrans({**_QUOTES, **_DASHES, **_INVISIBLE})


class Term(NamedTuple):
    """What a mention says, whoever spells it how: two mentions are one element if their terms are equal.

    `sense` tells the state of Georgia from the country, `context` what governs the mention ("live in").
    """

    type: str
    text: str  # normalized
    sense: str = ""
    context: str = ""


@lru_cache(maxsize=65_536)  # a person's terms and cells are compared many times
def normalize(text: str) -> str:
    """The comparable form of a term; `normalize` of it changes nothing more."""
    if text.isascii():
        return " ".join(text.replace("`", "'").lower().split())
    # NFKC may uncover capitals, quotes and spaces, and casefold may decompose: until nothing moves.
    given = text
    for _ in range(_ROUNDS):
        before = text
        text = " ".join(unicodedata.normalize("NFKC", text.translate(UNIFIED).casefold()).split())
        if text == before:
            break
    return text or given
