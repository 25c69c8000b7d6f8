"""When two spellings are one, in the auditor's own words.

What is equal to the search must be equal here: persons and items without the blanks around them,
sensitive values also however their accents are encoded and without what nobody sees, terms also without
case, quotes, dashes, invisible characters and the amount of white space. Written from that sentence alone; a
property test lets the two implementations meet on nasty strings.
"""

from __future__ import annotations

import unicodedata

# Characters with the property White_Space. Python's own strip also takes the separators 1C to 1F.
BLANKS = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_SINGLE_QUOTES = frozenset((0x60, 0xB4, 0x2B9, 0x2BC, 0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0xFF07))
_DOUBLE_QUOTES = frozenset((0xAB, 0xBB, 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0xFF02))
_DASHES = frozenset((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D))
_UNSEEN = frozenset((0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060))
_UNSEEN |= frozenset((*range(0x2066, 0x206A), 0xFE0E, 0xFE0F, 0xFEFF))
_MOST_ROUNDS = 8


def key_form(text: str) -> str:
    """Of person keys and items."""
    return text.strip(BLANKS)


def sensitive_form(text: str) -> str:
    """Of sensitive values: who reads them sees no difference."""
    seen = "".join(character for character in text if ord(character) not in _UNSEEN)
    return unicodedata.normalize("NFC", seen).strip(BLANKS)


def term_form(text: str) -> str:
    """Of terms: until nothing moves, because one step may uncover work for another."""
    now = text
    for _ in range(_MOST_ROUNDS):
        plain = "".join(map(_plain, now)).casefold()
        following = " ".join(unicodedata.normalize("NFKC", plain).split())
        if following == now:
            break
        now = following
    return now or text


def _plain(character: str) -> str:
    code = ord(character)
    if code in _SINGLE_QUOTES:
        return "'"
    if code in _DOUBLE_QUOTES:
        return '"'
    if code in _DASHES:
        return "-"
    return "" if code in _UNSEEN else character
