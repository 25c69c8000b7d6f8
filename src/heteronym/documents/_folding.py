"""One folding of texts for searches that must not be misled by writing: case, accents, look-alike letters,
invisible signs, references of HTML, percent signs and backslashes of addresses and scripts, tags and
line ends inside words.

A folded text has small letters and digits, and one blank for whatever stands between them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

# Letters of other scripts, and special Latin ones, beside the plain letter that they look like.
_PAIRS = (
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw кk мm тt вb нh ӏl "
    "АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЈJ ЅS ҺH ԚQ ԜW "
    "αa εe ηh ιi κk μm νn οo ρp τt υy χx βb ζz ΑA ΒB ΕE ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ΖZ "
    "ıi łl ŁL øo ØO đd ĐD ħh ĦH ŧt ŋn ſs ɑa ɡg"
)
_LOOK_ALIKES = {pair[0]: pair[1].lower() for pair in _PAIRS.split()}
_LOOK_ALIKES |= {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"}
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")
_REFERENCE = (
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|(?:%[0-9A-Fa-f]{2})+"
    r"|\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})"
)
_TAG = r"<!--.{0,2000}?-->|</?[A-Za-z][^<>]{0,2000}>|<[!?][^<>]{0,2000}>"
_HYPHEN = r"(?<=[^\W\d_])[-\u2010\u2011]\s{1,8}(?=[^\W\d_])"  # where lines flow, their ends are blanks
_KEPT_TAGS = re.compile(rf"{_REFERENCE}|[^\x00-\x7f]|(?<=[a-z])(?=[A-Z])", re.S)
_DROPPED_TAGS = re.compile(rf"{_TAG}|{_HYPHEN}|{_REFERENCE}|\\\\[nrt]|[^\x00-\x7f]", re.S)
_RUN = re.compile(r"[^\W_]+")


class Folded(NamedTuple):
    """A folded text, and where in the text that was folded each of its characters stands."""

    text: str
    places: list[int]


def fold(text: str, *, drop_tags: bool) -> Folded:
    """With tags, and capitals inside of words, as gaps; or with tags and line ends dropped."""
    letters: list[str] = []
    places: list[int] = []
    at = 0
    for match in (_DROPPED_TAGS if drop_tags else _KEPT_TAGS).finditer(text):
        if match.start() > at:
            letters.append(text[at : match.start()].lower())
            places += range(at, match.start())
        at = match.end()
        read = _read(match.group())
        letters.append(read)
        places += [match.start()] * len(read)
    letters.append(text[at:].lower())
    places += range(at, len(text))
    return _with_single_gaps("".join(letters), places)


def _read(written: str) -> str:
    """What a special stretch stands for, folded."""
    if not written:
        return " "  # between a small letter and a capital
    if written.startswith(("<", "-", "\u2010", "\u2011")) and len(written) > 1:
        return ""
    if written.startswith("&"):
        read = html.unescape(written)
    elif written.startswith("%"):
        read = bytes.fromhex(written.replace("%", "")).decode("utf-8", "replace")
    elif written.startswith("\\"):
        read = " " if written[1] in "nrt" else chr(int(written[2:], 16))
    else:
        read = written
    return "".join(map(_plain, read))


@lru_cache(maxsize=65_536)
def _plain(character: str) -> str:
    """One character without case, accent or foreign look; nothing for what cannot be seen."""
    if _INVISIBLE.match(character):
        return ""
    parts = unicodedata.normalize("NFKD", character)
    bare = "".join(_LOOK_ALIKES.get(c, c) for c in parts if not unicodedata.combining(c))
    return "".join(_LOOK_ALIKES.get(c, c) for c in bare.casefold())


def _with_single_gaps(text: str, places: list[int]) -> Folded:
    letters: list[str] = []
    kept: list[int] = []
    for run in _RUN.finditer(text):
        if letters:
            letters.append(" ")
            kept.append(places[run.start() - 1])
        letters.append(run.group())
        kept += places[run.start() : run.end()]
    return Folded("".join(letters), kept)
