"""A text as the sweep reads it: letters and digits alone, folded, each with its place in the text.

Case, accents, look-alike letters of other scripts, invisible characters, separators, and, in a second
reading, tags and escapes are gone: `J<b>ö</b>hn`, `J%C3%B6hn`, `J\\u00f6hn` and `Ｊｏｈｎ` all read john.
Written from docs/own-values.md alone; shares nothing with what made the release.

Cost        O(characters), in C; places are worked out only for texts in which something was found
Randomness  none
"""

from __future__ import annotations

import binascii
import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

# A tag, or characters that are written by their codes.
_FORUM = r"(?:b|i|u|s|em|strong|url|img|color|size|font|code|quote|list|center|sub|sup|spoiler)"
_WRAPPED = re.compile(
    r"<!\[CDATA\[|\]\]>|[-\u2010\u2011]\s*<[Bb][Rr]\s*/?>\s*(?=[^\W_])"
    r"""|</?[A-Za-z!?](?:"[^"<]{0,200}"|'[^'<]{0,200}'|[^<>]){0,400}+>"""
    r"|%u[0-9A-Fa-f]{4}|(?:%(?:25)*[0-9A-Fa-f]{2})+"
    r"|&(?:amp;)*(?:#\d{1,7};?|#[xX][0-9A-Fa-f]{1,6};?|[A-Za-z]{2,31};)"
    r"|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\u\{[0-9A-Fa-f]{1,6}\}|\\x[0-9A-Fa-f]{2}"
    r"|=\?[\w-]{2,20}\?[bB]\?[A-Za-z0-9+/=]{4,200}\?="  # headers of mails
    r"|=\r?\n|(?:=[0-9A-F]{2})+"
    rf"|\[/?{_FORUM}(?:=[^\[\]\n]{{0,100}})?\]"  # of forums
    r"|\x1b\[[0-9;]{0,12}[A-Za-z]"  # of terminals
    # of Markdown, wikis and LaTeX, inside a word
    r"|(?<=[^\W_])(?:\*{1,3}|~~|['’]{2,5}|`{1,2}|__|\}|\]\([^()\s]{0,200}\)|\\[\"'`^~=.\-]\{?)(?=[^\W_])"
    r"|\u202e[^\u202c\u2066-\u2069\n]{1,400}\u202c?"  # written from right to left
    r"|(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{11,4000}={0,2}(?![A-Za-z0-9+/=])"  # base64, or a long word
)
_MAY_BE_WRAPPED = frozenset("<%&\\=[]*~`}\x1b\u202e")
_LONG_WORD = re.compile(r"[A-Za-z0-9+/]{11}")
_DOUBLED = re.compile("''|’’|__")
_ENCODED_TWICE = re.compile(r"%(?:25)+(?=[0-9A-Fa-f]{2})")
_QUOTED_PRINTABLE = re.compile(r"=([0-9A-F]{2})")
_UNSEEN = frozenset("\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2060\u2061\u2062\u2063\u2064\ufeff")
_UNSEEN |= frozenset(map(chr, (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x2070))))
_UNSEEN |= frozenset(map(chr, (*range(9), *range(14, 32), 127, 0xFFF9, 0xFFFA, 0xFFFB)))
_UNSEEN |= frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080))))
_SPELT = {
    "ß": "ss",
    "ẞ": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ı": "i",
}
_SPELT |= {"ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n", "ƒ": "f", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ɑ": "a", "ɡ": "g"}
# Letters of other scripts that look like a Latin one; capitals and small letters look like different ones.
_LOOKS: dict[str, str] = {}
for _latin, _others in {
    "a": "аαɑ᧐ѦᎪꓮΑАա", "b": "вβЬЪΒВᏏꓐƄ", "c": "сϲСϹᏟꓚ", "d": "ԁᏧꓒժ", "e": "еεёЕΕᎬꓰҽєЄ", "f": "ϝꓝſբ",
    "g": "ɡԌᏀꓖց", "h": "һнηНΗᎻꓧհ", "i": "іιїІΙӀᎥɩ", "j": "јЈᎫꓙյϳ", "k": "кκКΚᏦꓗ", "l": "ӏⅼᏞꓡոӀ", "m": "мМΜᎷꓟ",
    "n": "пνΝꓠո", "o": "оοσОΟօഠ૦Օ๐ჿ", "p": "рρРΡᏢꓑ", "q": "ԛզ", "r": "гᎡꓣꮁЯя", "s": "ѕЅᏚꓢՏ", "t": "тτТΤᎢꓔ",
    "u": "υսцՍꓴ", "v": "ѵνᏙꓦᴠ", "w": "ԝшωᏔꓪա", "x": "хχХΧꓫ", "y": "уүγУΥҮᎩꓬյ", "z": "ᴢΖᏃꓜʐ",
}.items():  # fmt: skip
    for _other in _others:
        _LOOKS.setdefault(_other, _latin)


for _base in (0x1F150, 0x1F170, 0x1F1E6):  # black circles and squares, letters of flags
    _LOOKS |= {chr(_base + place): chr(97 + place) for place in range(26)}


class _Folded(dict[int, str]):
    """What every character folds to, worked out when it is met first."""

    def __init__(self, *, looks: bool) -> None:
        super().__init__()
        self.looks = looks

    def __missing__(self, code: int) -> str:
        self[code] = made = "".join(_fold_character(chr(code), looks=self.looks))
        return made


def _is_unseen(character: str) -> bool:
    """Accents, what stands around a letter, and what nobody sees."""
    if character.isascii() and character.isprintable():
        return False
    around = unicodedata.category(character) == "Me"
    return around or character in _UNSEEN or unicodedata.combining(character) > 0


def _fold_character(character: str, *, looks: bool) -> Iterator[str]:
    if looks and character in _LOOKS:
        yield _LOOKS[character]
        return
    for one in unicodedata.normalize("NFKD", character):
        if _is_unseen(one):
            continue
        if looks and one in _LOOKS:
            yield _LOOKS[one]
            continue
        for low in one.casefold():
            low = _SPELT.get(low, low)
            digit = unicodedata.decimal(low, None) if len(low) == 1 else None
            if digit is not None:
                yield str(int(digit))
            elif low.isalnum():
                yield low


_AS_WRITTEN, _AS_SEEN = _Folded(looks=False), _Folded(looks=True)
_SMALL = bytes(range(256)).lower()
_SHORT = 64  # characters: not worth dividing
_BEYOND_ASCII = re.compile(r"([^\x00-\x7f]+)")
_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


def _fold(text: str, table: _Folded) -> str:
    if text.isascii():  # the same, ten times as quick
        return text.encode("ascii").translate(_SMALL, _SIGNS).decode("ascii")
    if len(text) < _SHORT:
        return text.translate(table)
    parts = _BEYOND_ASCII.split(text)
    parts[1::2] = [part.translate(table) for part in parts[1::2]]
    parts[::2] = [_fold(part, table) for part in parts[::2]]
    return "".join(parts)


class FoldedText(NamedTuple):
    """One way to read a text: what it folds to, and which way that was."""

    folded: str
    unwrapped: bool = False  # tags gone, escapes undone
    as_seen: bool = False  # look-alike letters are Latin ones


def readings_of(text: str) -> list[FoldedText]:
    """All ways to read a text that differ: one for most texts."""
    shown = [(text, False)]
    may_be = not _MAY_BE_WRAPPED.isdisjoint(text) or _DOUBLED.search(text) or _LONG_WORD.search(text)
    if may_be and _WRAPPED.search(text):
        shown.append(("".join(part for part, _, _ in _unwrap(text)), True))
    found: list[FoldedText] = []
    for one, unwrapped in shown:
        found.append(FoldedText(_fold(one, _AS_WRITTEN), unwrapped))
        if not one.isascii() and (seen := _fold(one, _AS_SEEN)) != found[-1].folded:
            found.append(FoldedText(seen, unwrapped, True))
    return found


@lru_cache(maxsize=65_536)
def folded_value(value: str) -> tuple[str, ...]:
    """What a value folds to: as it is written and as it is seen."""
    return tuple(dict.fromkeys((_fold(value, _AS_WRITTEN), _fold(value, _AS_SEEN))))


def _unwrap(text: str) -> Iterator[tuple[str, int, int]]:
    """The text without tags and escapes, piece by piece, with where each piece stands."""
    done = 0
    for wrapped in _WRAPPED.finditer(text):
        start, end = wrapped.span()
        if done < start:
            yield text[done:start], done, start
        if made := _plain_characters(wrapped.group()):
            yield made, start, end
        done = end
    if done < len(text):
        yield text[done:], done, len(text)


def _plain_characters(wrapped: str) -> str:
    if wrapped.startswith("=?"):
        _, charset, _, packed, _ = wrapped.split("?")
        return _unpacked(packed, charset) or wrapped
    if wrapped[0] == "\u202e":
        return wrapped[1:].rstrip("\u202c")[::-1]
    if wrapped[0].isalnum() or wrapped[0] in "+/":
        return _unpacked(wrapped, "utf-8") or wrapped
    if wrapped[0] == "\\":
        return chr(int(wrapped[2:].strip("{}"), 16) % 0x110000) if wrapped[1] in "uUx" else ""
    if wrapped[0] == "%":
        if wrapped[1] == "u":
            return chr(int(wrapped[2:], 16))
        return unquote(_ENCODED_TWICE.sub("%", wrapped), errors="replace")
    if wrapped[0] == "&":
        while wrapped.startswith("&amp;") and len(wrapped) > 5:
            wrapped = "&" + wrapped[5:]
        return html.unescape(wrapped)
    if wrapped[0] == "=":
        plain = _QUOTED_PRINTABLE.sub(r"%\1", wrapped)
        return "" if plain == wrapped else unquote(plain, errors="replace")
    return ""


def _unpacked(packed: str, charset: str) -> str:
    """What stands in base64; nothing, if that is no text."""
    try:
        text = binascii.a2b_base64(packed + "=" * (-len(packed) % 4)).decode(charset)
    except (ValueError, LookupError):
        return ""
    return text if text.isprintable() else ""


class Placed(NamedTuple):
    """A reading with its places: character i of the folded text is `shown[at[i]]`."""

    folded: str
    shown: str  # the text, unwrapped where the reading is
    at: list[int]
    starts: Sequence[int]  # of the characters of `shown`, in the text as it came
    ends: Sequence[int]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where the folded characters from `first` to before `last` stand in the text as it came."""
        return self.starts[self.at[first]], self.ends[self.at[last - 1]]

    def gap(self, place: int) -> str:
        """What one sees between a folded character and the one before."""
        between = self.shown[self.at[place - 1] + 1 : self.at[place]]
        return "".join(c for c in between if not _is_unseen(c))


def placed(text: str, reading: FoldedText) -> Placed:
    """Where everything of a reading stands."""
    table = _AS_SEEN if reading.as_seen else _AS_WRITTEN
    if not reading.unwrapped:
        return _placed(text, table, range(len(text)), range(1, len(text) + 1))
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, start, end in _unwrap(text):
        shown.append(piece)
        if end - start == len(piece):
            starts += range(start, end)
            ends += range(start + 1, end + 1)
        else:  # an escape is one thing
            starts += [start] * len(piece)
            ends += [end] * len(piece)
    return _placed("".join(shown), table, starts, ends)


def _placed(shown: str, table: _Folded, starts: Sequence[int], ends: Sequence[int]) -> Placed:
    if shown.isascii():
        at = [place for place, character in enumerate(shown) if character.isalnum()]
    else:
        at = [place for place, character in enumerate(shown) for _ in table[ord(character)]]
    return Placed(_fold(shown, table), shown, at, starts, ends)
