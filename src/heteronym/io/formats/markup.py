"""Tags, texts and attributes of HTML and XML with their places, so that nothing but text need be touched.

No tree is built: a reader that must write back the same bytes needs places, not nodes.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from heteronym.io.formats.source import Escape, Gathering

# Everything is bounded or taken once: a file made to be slow costs no more than a long one.
_TOKEN = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<\?(?P<instruction>[^<>]{0,5000}+)>"
    r"|<![^<>]{0,5000}>"
    r"|<(?P<close>/?)(?P<name>[A-Za-z_][^\s/<>]{0,200}+)"
    r"(?P<rest>(?>[^<>\"']++|\"[^\"]{0,20000}\"|'[^']{0,20000}'){0,500}+|[^<>]*+)>",
    re.S,
)
_ATTRIBUTE = re.compile(
    r"(?<=[\s\"'/])(?P<name>[^\s\"'<>/=]++)\s*+=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'<>=`]+))"
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});?")
_REFERENCE_IN_LINK = re.compile(rf"{_REFERENCE.pattern}|(?:%[0-9A-Fa-f]{{2}})+")
_IN_LINKS = {"%5B": "[", "%5D": "]", "%20": " "}
_SPACES = str.maketrans("\n\r\t\f", "    ")


class Token(NamedTuple):
    """A stretch of a stream: text, a comment, a CDATA section, a processing instruction, or a tag.

    What stands in a raw element (a script) is "raw", and has the element's name.
    """

    kind: Literal["text", "comment", "cdata", "instruction", "open", "close", "raw", "other"]
    at: int
    to: int
    name: str = ""  # of a tag, as it is written


class Value(NamedTuple):
    """The value of an attribute, without its quotes."""

    name: str
    at: int
    to: int


def tokens(stream: str, *, raw: tuple[str, ...] = ()) -> Iterator[Token]:
    """The tokens in their order; what stands in elements called `raw` (scripts) is one token."""
    done = 0
    while (match := _TOKEN.search(stream, done)) is not None:
        if match.start() > done:
            yield Token("text", done, match.start())
        done = match.end()
        if match["comment"] is not None:
            yield Token("comment", *match.span("comment"))
        elif match["cdata"] is not None:
            yield Token("cdata", *match.span("cdata"))
        elif match["instruction"] is not None:
            yield Token("instruction", *match.span("instruction"))
        elif match["name"] is None:
            yield Token("other", *match.span())
        else:
            kind: Literal["open", "close"] = "close" if match["close"] else "open"
            yield Token(kind, *match.span(), match["name"])
            if kind == "open" and match["name"].lower() in raw:
                # up to the closing tag, whatever it looks like
                end = re.compile(rf"</{match['name']}", re.IGNORECASE).search(stream, done)
                place = len(stream) if end is None else end.start()
                yield Token("raw", done, place, match["name"])
                done = place
    if done < len(stream):
        yield Token("text", done, len(stream))


def attributes(stream: str, tag: Token) -> Iterator[Value]:
    for match in _ATTRIBUTE.finditer(stream, tag.at + 1 + len(tag.name), tag.to):
        group = next(name for name in ("double", "single", "bare") if match[name] is not None)
        yield Value(match["name"], *match.span(group))


def add_text(
    gathering: Gathering, stream: str, place: tuple[str, int, int], *, escape: Escape, flow: bool = False
) -> None:
    """A stretch of a stream with its references read; in flowing text a line break is a space."""
    name, at, to = place
    form = _REFERENCE_IN_LINK if escape is as_link else _REFERENCE
    for match in form.finditer(stream, at, to):
        written = match.group()
        read = _percent_decoded(written) if written.startswith("%") else html.unescape(written)
        if read == written:
            continue
        _add_verbatim(gathering, stream, (name, at, match.start()), escape, flow)
        at = match.start()
        for character in read if written.startswith("%") else [read]:
            # a letter at a time: a piece of another length than its writing is replaced as a whole
            end = match.end() if written.startswith("&") else at + 3 * len(character.encode())
            gathering.add(character, name, at, end, escape)
            at = end
    _add_verbatim(gathering, stream, (name, at, to), escape, flow)


def _percent_decoded(written: str) -> str:
    """The letters that a run of %XX stands for; the run itself if these are none."""
    try:
        read = bytes.fromhex(written.replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return written
    return read if read.isprintable() else written


def _add_verbatim(
    gathering: Gathering, stream: str, place: tuple[str, int, int], escape: Escape, flow: bool
) -> None:
    name, at, to = place
    text = stream[at:to]
    gathering.add(text.translate(_SPACES) if flow else text, name, at, to, escape)


def as_text(text: str) -> str:
    return html.escape(text, quote=False)


def as_attribute(text: str) -> str:
    return html.escape(text)


def as_link(text: str) -> str:
    """As part of an address, in which brackets and blanks may not stand."""
    for code, character in _IN_LINKS.items():
        text = text.replace(character, code)
    return html.escape(text)


def as_comment(text: str) -> str:
    return text.replace("--", "- -").replace(">", "")


def as_instruction(text: str) -> str:
    return text.replace("?", "").replace(">", "").replace("<", "")


_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{200,}={0,2}")
_PROSE = re.compile(
    r"[^\W\d_]{2,}[,.]?\s+[^\W\d_]{2}|@|://|%[0-9A-Fa-f]{2}|[^\W\d_\x00-\x7f]|\d[\d ./-]{4,}\d"
)


def is_encoded(value: str) -> bool:
    """Whether a value is data in base64, which nobody here reads."""
    return _BASE64.fullmatch(re.sub(r"\s", "", value)) is not None


def is_prose(value: str) -> bool:
    """Whether a value that should be a word of the format looks like something told: several words, an
    address, foreign letters, a long number."""
    return _PROSE.search(html.unescape(value)) is not None


def from_base64(value: str) -> bytes | None:
    try:
        return base64.b64decode(re.sub(r"\s", "", value), validate=True)
    except (binascii.Error, ValueError):
        return None
