"""HTML: texts between tags, and what attributes, comments, scripts and style sheets say.

Of attributes, those that are made to tell something are read, addresses among them; of the others those whose
value looks told. Pages, scripts and data inside of attributes are documents of their own. Pictures inside of
the page are not read, and are named.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote_to_bytes

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.plain import decode
from heteronym.io.formats.scripts import read_script, read_style
from heteronym.io.formats.source import Gathering, Source

_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span "
    "strike strong sub sup time tspan tt u var wbr".split()
)
_TOLD = frozenset(
    "abbr alt content datetime default download label placeholder prompt standby summary title value".split()
)
_LINKS = frozenset(
    "about action archive background cite classid codebase data formaction href icon longdesc manifest ping "
    "poster profile resource src srcset usemap xlink:href".split()
)
# Lists of words or numbers of the format; what is told about a person does not belong there.
_MARKUP = frozenset(
    "accept accept-charset allow autocomplete class coords d font-family gradienttransform headers "
    "integrity itemtype keysplines keytimes media nonce points rel sandbox sizes transform typeof values "
    "viewbox".split()
)
_NAMES_OF_PARTS = frozenset(
    "activedescendant controls describedby details errormessage flowto labelledby owns".split()
)
_RAW = ("script", "style")
_DATA = re.compile(r"\s*data:(?P<type>[^,;]*)(?P<more>(?:;[^,;]*)*),", re.IGNORECASE)
_TEXT_TYPES = re.compile(
    r"text/|application/(?:\w+\+)?(?:json|xml|javascript)|image/svg\+xml|$", re.IGNORECASE
)
_SCRIPT_LINK = re.compile(r"\s*javascript:", re.IGNORECASE)
_DOCTYPE = re.compile(
    r"<!doctype\s+html(?:\s+(?:public|system)\s+[\"'][^\"']*[\"'](?:\s*[\"'][^\"']*[\"'])?)?\s*>", re.I
)
_SCHEME = re.compile(r"\s*(?:mailto:|tel:|sms:)", re.IGNORECASE)
_TELLING = re.compile(r"[^\W\d_]|\d{3}")
_DEEPEST = 4  # pages inside of pages
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

    return _read(stream, pack)


def read_page(stream: str, depth: int = 0) -> Source:
    """A page that is no file of its own, such as one in an attribute."""
    return _read(stream, lambda changed: changed.get("", stream).encode("utf-8", "surrogatepass"), depth)


def _read(stream: str, pack: Callable[[Mapping[str, str]], bytes], depth: int = 0) -> Source:
    gathering = Gathering()
    _read_body(gathering, stream)
    for token in markup.tokens(stream, raw=_RAW):
        _read_token(gathering, stream, token, depth)
    return gathering.source({"": stream}, pack)


def _read_body(gathering: Gathering, stream: str) -> None:
    """Texts in their order; blocks are lines."""
    verbatim = 0
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


def _read_token(gathering: Gathering, stream: str, token: markup.Token, depth: int) -> None:
    """What no reader of the page sees, each on a line of its own behind the texts."""
    text = stream[token.at : token.to]
    if token.kind == "open":
        for value in markup.attributes(stream, token):
            _read_attribute(gathering, stream, value, depth)
    elif token.kind == "raw":
        read = read_style if token.name.lower() == "style" else read_script
        gathering.nest(read(text), ("", token.at, token.to), bytes.decode)
    elif token.kind == "comment" or (token.kind == "instruction" and not text.startswith("xml ")):
        gathering.join("\n")
        escape = markup.as_comment if token.kind == "comment" else markup.as_instruction
        gathering.add(text, "", token.at, token.to, escape)
    elif token.kind == "other" and not _DOCTYPE.fullmatch(text) and _TELLING.search(text[2:]):
        gathering.join("\n")
        gathering.add(text[2:-1], "", token.at + 2, token.to - 1, markup.as_instruction)


def _read_attribute(gathering: Gathering, stream: str, value: markup.Value, depth: int) -> None:
    name, text = value.name.lower(), html.unescape(stream[value.at : value.to])
    place = ("", value.at, value.to)
    if not _TELLING.search(text):
        return
    if name == "srcdoc" and depth < _DEEPEST:
        gathering.nest(read_page(text, depth + 1), place, _in_attribute)
    elif name == "style" or name.startswith("on"):
        gathering.nest((read_style if name == "style" else read_script)(text), place, _in_attribute)
    elif _SCRIPT_LINK.match(text):
        gathering.nest(read_script(text), place, _in_attribute)
    elif (data := _DATA.match(text)) is not None:
        _read_data(gathering, text, data, place, depth)
    elif markup.is_encoded(text):
        gathering.unread.append("encoded data")
    elif (start := _start_of_content(name, value, stream)) is not None:
        gathering.join("\n")
        escape = markup.as_link if name in _LINKS else markup.as_attribute
        markup.add_text(gathering, stream, ("", start, value.to), escape=escape)


def _in_attribute(content: bytes) -> str:
    return markup.as_attribute(content.decode("utf-8", "surrogatepass"))


def _read_data(
    gathering: Gathering, value: str, data: re.Match[str], place: tuple[str, int, int], depth: int
) -> None:
    """A file inside of an address: text is read and written back as it was encoded, the rest is named."""
    kind, coded = data["type"].strip().lower(), "base64" in data["more"].lower()
    content = markup.from_base64(value[data.end() :]) if coded else unquote_to_bytes(value[data.end() :])
    try:
        text = None if content is None or not _TEXT_TYPES.match(kind) else content.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is None or depth >= _DEEPEST:
        gathering.unread.append("picture" if kind.startswith("image/") else "embedded file")
        return
    if "json" in kind or "javascript" in kind:
        source = read_script(text)
    else:
        source = read_style(text) if kind == "text/css" else read_page(text, depth + 1)

    def encode(new: bytes) -> str:
        written = base64.b64encode(new).decode() if coded else quote(new)
        return markup.as_attribute(data.group() + written)

    gathering.nest(source, place, encode)


def _start_of_content(name: str, value: markup.Value, stream: str) -> int | None:
    """Where in an attribute begins what a reader may learn from; None if nothing does."""
    if name in _LINKS:
        scheme = _SCHEME.match(stream, value.at, value.to)
        return value.at if scheme is None else scheme.end()
    text = stream[value.at : value.to]
    if name in _TOLD or name.startswith("data-"):
        return value.at
    if name.startswith("aria-"):
        return None if name[5:] in _NAMES_OF_PARTS or text in ("true", "false", "mixed") else value.at
    if name.startswith("xmlns"):
        return None
    return value.at if name not in _MARKUP and markup.is_prose(text) else None
