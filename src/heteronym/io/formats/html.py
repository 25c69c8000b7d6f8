"""HTML: texts between tags, and what attributes and comments say; scripts and styles are left alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.plain import decode
from heteronym.io.formats.source import Gathering, Source

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
_TOLD = frozenset("alt title placeholder value content label summary aria-label aria-description".split())
_RAW = ("script", "style")
_LINKS = frozenset({"href", "src", "action", "cite"})
_SCHEME = re.compile(r"\s*(?:mailto:|tel:|sms:|(?=https?://))", re.IGNORECASE)
_CHARSET = re.compile(
    rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)|^<\?xml[^>]+encoding=["']([\w.:-]+)""", re.I
)


def read_html(content: bytes, name: str, encoding: str | None) -> Source:
    declared = _CHARSET.search(content[:4096])
    if encoding is None and declared is not None:
        encoding = (declared[1] or declared[2]).decode("ascii")
        if encoding.lower() in ("iso-8859-1", "latin1", "ascii", "us-ascii"):
            encoding = "windows-1252"  # what browsers take these names to mean
    try:
        stream, codec = decode(content, name, encoding)
    except InputError:
        if encoding != "windows-1252":
            raise
        stream, codec = decode(content, name, "latin-1")  # five bytes have no meaning in windows-1252

    def pack(changed: Mapping[str, str]) -> bytes:
        # a letter that the encoding lacks is written as a reference
        return changed.get("", stream).encode(codec, "xmlcharrefreplace")

    gathering = Gathering()
    unread = _read_body(gathering, stream)
    _read_rest(gathering, stream)
    return gathering.source({"": stream}, pack, unread=unread)


def _read_body(gathering: Gathering, stream: str) -> int:
    """Texts in their order; blocks are lines. How many scripts and pictures were not read."""
    verbatim, unread = 0, 0
    for token in markup.tokens(stream, raw=_RAW):
        tag = token.name.lower()
        if token.kind == "text" or token.kind == "cdata":
            markup.add_text(
                gathering, stream, ("", token.at, token.to), escape=markup.as_text, flow=verbatim == 0
            )
        elif token.kind in ("open", "close"):
            if tag not in _INLINE:
                gathering.join("\n")
            if tag in ("pre", "textarea"):
                verbatim = max(0, verbatim + (1 if token.kind == "open" else -1))
            unread += token.kind == "open" and tag in ("script", "img", "object", "embed", "svg")
    return unread


def _read_rest(gathering: Gathering, stream: str) -> None:
    """What is written in attributes and comments, each on a line of its own behind the texts."""
    for token in markup.tokens(stream, raw=_RAW):
        if token.kind == "comment":
            gathering.join("\n")
            gathering.add(stream[token.at : token.to], "", token.at, token.to, markup.as_comment)
        elif token.kind == "open":
            for value in markup.attributes(stream, token):
                start = _told_from(value, stream)
                if start is not None:
                    gathering.join("\n")
                    escape = markup.as_link if value.name.lower() in _LINKS else markup.as_attribute
                    markup.add_text(gathering, stream, ("", start, value.to), escape=escape)


def _told_from(value: markup.Value, stream: str) -> int | None:
    """Where in an attribute begins what a reader may learn from; None if nothing does."""
    name = value.name.lower()
    if name in _TOLD or name.startswith("data-"):
        return value.at
    if name in _LINKS:
        scheme = _SCHEME.match(stream, value.at, value.to)
        return None if scheme is None else scheme.end()
    return None
