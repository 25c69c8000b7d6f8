"""Whether a term still stands in a text: asked by the audits of methods, never by what makes the edits."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

_LEAST = 8  # letters and digits of what is searched in other writings
_TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,400}>")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u0300-\u036f]")
_LINE_END = r"(?:[-\u2010]\s*\n\s*)?"
_LATIN = str.maketrans("аерсухіјѕοαενικρτυ", "aepcyxijsoaevikptu")


def stands(surface: str, text: str) -> bool:
    """As words of its own; "1928" of the law "1928:43" is not the year."""
    return times(surface, text) > 0


def times(surface: str, text: str) -> int:
    """How often it stands there."""
    behind = r"(?!\w)(?![:./]\d)" if surface[-1].isdigit() else r"(?!\w)"
    before = r"(?<!\w)(?<!\d[:./])" if surface[0].isdigit() else r"(?<!\w)"
    return len(re.findall(f"{before}{re.escape(surface)}{behind}", text))


def times_otherwise(surfaces: Iterable[str], text: str) -> int:
    """How many surfaces stand in a text in other writing: case, accents, escapes, tags, line ends, gaps."""
    shown = _folded(unquote(html.unescape(_TAG.sub("", text)), errors="replace"))
    left = 0
    for surface in surfaces:
        words = re.findall(r"[^\W_]+", _folded(surface))
        joined = "".join(words)
        if len(joined) < _LEAST or (len(words) < 2 and not any(map(str.isdigit, joined))):
            continue
        whole = r"[\W_]{0,3}".join(_LINE_END.join(map(re.escape, word)) for word in words)
        spaced = r"[ .\-_]{1,2}".join(joined)
        left += re.search(rf"(?<![^\W_])(?:{whole}|{spaced})(?![^\W_])", shown) is not None
    return left


def _folded(text: str) -> str:
    return _UNSEEN.sub("", unicodedata.normalize("NFKD", text)).casefold().translate(_LATIN)
