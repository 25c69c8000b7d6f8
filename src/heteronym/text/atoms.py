"""A text as its atoms: the words that somebody wrote, however they were glued, escaped or accented.

"thePedroGomezShow", "Pedro%20Gomez", "pedro_gomez" and "PÉDRO gomez" all hold the atoms pedro and
gomez. A text is first made plain (escapes of URLs and web pages undone, accents and invisible
characters gone), then divided into words; a word that changes between letters, digits and capitals is
also divided into its pieces. Every atom knows its place in the text as it came.

Cost        O(characters), in C where a text is plain ASCII; Python touches odd characters and mixed words
Randomness  none
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple
from urllib.parse import unquote

from heteronym.model.terms import UNIFIED

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNSPACED = re.compile(f"[{UNSPACED}]")
_JOINS_NUMBERS = frozenset(".,:/")
FRACTIONS = "½¼¾⅓⅔⅛⅜⅝⅞"
_ODD = re.compile(
    r"[^\x00-\x7f]|(?:%[0-9a-fA-F]{2})+|&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[a-zA-Z]{2,8});|\\u[0-9a-fA-F]{4}"
)
_ESCAPES = ("%", "&", "\\u")
# A sign that belongs to a name ("C++", "F#") ends a word; one that joins two words does not.
RUN = re.compile(r"(\w+)", re.ASCII)
_ASCII_WORD = re.compile(r"([A-Za-z0-9]+(?:[+#]+(?![A-Za-z0-9]))?)")
_WORD = re.compile(rf"([{UNSPACED}{FRACTIONS}]|(?:(?![{UNSPACED}{FRACTIONS}])[^\W_])+(?:[+#]+(?![^\W_]))?)")
_MIXED = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|\d[^\W\d_]|[^\W\d_]\d|[+#]")
# The same for ASCII: each character by its kind, then pairs of kinds. That is five times as quick.
_KINDS = {"a": ascii_lowercase, "A": ascii_uppercase, "0": digits, "+": "#"}
_KIND_OF = str.maketrans({one: kind for kind, all_ones in _KINDS.items() for one in all_ones})
_MIXED_KINDS = ("aA", "AAa", "0a", "0A", "a0", "A0", "+")
_PIECE = re.compile(r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]")
_SPECIAL = {"ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d"}
_SPECIAL |= {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "TH", "ı": "i", "ς": "σ"}
_SPECIAL |= {sign: sign for sign in FRACTIONS}


class Plain(NamedTuple):
    """A text without escapes, accents and invisible characters, and where its characters come from."""

    text: str
    breaks: Sequence[int] = ()  # places in `text` from which on the offsets are others
    origins: Sequence[int] = ()  # what these places are in the text as it came

    def origin(self, place: int) -> int:
        if not self.breaks:
            return place
        which = bisect_right(self.breaks, place) - 1
        return place if which < 0 else self.origins[which] + place - self.breaks[which]


class Atoms(NamedTuple):
    """The words of a plain text in small letters, and where they stand in it."""

    words: Sequence[str]
    borders: Sequence[int]  # word i stands from borders[2 i] to borders[2 i + 1]; there may be one more

    @property
    def spans(self) -> list[tuple[int, int]]:
        return list(zip(self.borders[::2], self.borders[1::2]))


def plain(text: str) -> Plain:
    """The text as it would be typed on a plain keyboard."""
    if text.isascii() and not any(sign in text for sign in _ESCAPES):
        return Plain(text)
    pieces: list[str] = []
    breaks: list[int] = []
    origins: list[int] = []
    done = length = 0
    for odd in _ODD.finditer(text):
        start, end = odd.span()
        made = plain_character(odd.group())
        pieces += (text[done:start], made)
        length += start - done + len(made)
        done = end
        if len(made) != end - start:
            breaks.append(length)
            origins.append(end)
    return Plain("".join([*pieces, text[done:]]), breaks, origins)


@lru_cache(maxsize=16_384)
def plain_character(odd: str) -> str:
    """A character beyond ASCII, or an escape, in plain letters. Escaped digits stay: "%36" may be a share."""
    if len(odd) > 1:
        if odd[0] == "%":
            decoded = unquote(odd, errors="ignore")
        elif odd[0] == "&":
            decoded = html.unescape(odd)
        else:
            decoded = chr(int(odd[2:], 16))
        if decoded == odd or any(character.isascii() and character.isalnum() for character in decoded):
            return odd
        return "".join(one if one.isascii() else plain_character(one) for one in decoded) or " "
    if odd in _SPECIAL:
        return _SPECIAL[odd]
    odd = odd.translate(UNIFIED)
    stripped = "".join(c for c in unicodedata.normalize("NFKD", odd) if not "\u0300" <= c <= "\u036f")
    return stripped if len(stripped) <= 1 or stripped.isascii() else odd


def is_mixed(text: str) -> bool:
    """Whether words of a text have pieces of their own."""
    if not text.isascii():
        return _MIXED.search(text) is not None
    kinds = text.translate(_KIND_OF)
    return any(mixed in kinds for mixed in _MIXED_KINDS)


def words_of(text: str) -> Atoms:
    """The words of a plain text: runs of letters and digits."""
    if text.isascii() and not any(sign in text for sign in "_+#"):
        parts, ends = split_at_words(text)
    else:
        parts = (_ASCII_WORD if text.isascii() else _WORD).split(lowered(text))
        ends = list(accumulate(map(len, parts)))
    return Atoms(parts[1::2], ends)


@lru_cache(maxsize=64)  # terms are looked for in a person's texts first, then its values
def split_at_words(text: str) -> tuple[list[str], list[int]]:
    """Gap, word, gap, ... of a text in ASCII, in small letters, and where each of them ends."""
    parts = RUN.split(text.lower())
    return parts, list(accumulate(map(len, parts)))


def pieces_of(text: str) -> Atoms:
    """The words of a plain text, divided where letters, digits and capitals change."""
    borders: list[int] = []
    for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text):
        first, end = match.span()
        if is_mixed(match.group()):
            borders += (first + place for one in _PIECE.finditer(match.group()) for place in one.span())
        else:
            borders += (first, end)
    low = lowered(text)
    return Atoms([low[start:end] for start, end in zip(borders[::2], borders[1::2])], borders)


def lowered(text: str) -> str:
    """Small letters, character for character."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def continues_word(text: str, place: int) -> bool:
    """Whether the characters before and at a place belong to one word or number."""
    before, at = text[place - 1], text[place]
    if _is_of_words(before) and _is_of_words(at):
        return not (_UNSPACED.match(before) or _UNSPACED.match(at))
    if at in _JOINS_NUMBERS:
        return before.isdigit() and place + 1 < len(text) and text[place + 1].isdigit()
    return before in _JOINS_NUMBERS and at.isdigit() and place > 1 and text[place - 2].isdigit()


def _is_of_words(character: str) -> bool:
    return character.isalnum() or character == "_" or "\u0300" <= character <= "\u036f"


def continues_number(text: str, start: int, end: int) -> bool:
    """Whether digits at the borders of a place belong to a longer number."""
    digit, joins = str.isdigit, _JOINS_NUMBERS
    if start > 1 and text[start - 1] in joins and digit(text[start]) and digit(text[start - 2]):
        return True
    return end + 1 < len(text) and text[end] in joins and digit(text[end - 1]) and digit(text[end + 1])
