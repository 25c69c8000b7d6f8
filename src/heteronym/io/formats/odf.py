"""OpenDocument (ODT, ODS, ODP): every part of the package is read, known to tell nothing, or named.

All character data is read; of attributes, those that name or describe, values of cells among them, and those
whose value looks told. People who wrote or changed something are known. Times of editing are traces.
"""

from __future__ import annotations

import re
import xml.parsers.expat
from collections.abc import Mapping

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.packages import repack, unpack
from heteronym.io.formats.source import Gathering, Source
from heteronym.model.edit import Edit

_INLINE = frozenset(
    "text:span text:a text:bookmark text:s text:soft-page-break text:ruby text:ruby-base text:meta "
    "text:change text:change-start text:change-end text:bookmark-start text:bookmark-end text:reference-mark "
    "text:reference-mark-start text:reference-mark-end text:date text:time text:page-number text:hidden-text "
    "text:user-defined text:author-name text:title text:subject text:description text:sequence".split()
)
_PEOPLE = frozenset(
    "dc:creator meta:initial-creator meta:printed-by text:author-name text:creator text:initial-creator "
    "text:printed-by".split()
)
_INITIALS = frozenset({"meta:creator-initials", "loext:sender-initials", "text:author-initials"})
_TIMES = frozenset({"dc:date", "meta:creation-date", "meta:print-date", "meta:date-string"})
_TOLD = frozenset(
    "office:string-value office:date-value office:time-value office:value text:name table:name xlink:href "
    "xlink:title office:title svg:title draw:name text:string-value form:label form:value form:current-value "
    "form:name form:title table:title text:description presentation:name text:formula table:formula "
    "text:connection-name office:target-frame-name text:display-name text:reference-name".split()
)
_STYLES = frozenset(  # which other parts name by their names
    "draw:marker draw:gradient draw:hatch draw:stroke-dash draw:fill-image draw:opacity".split()
)
_VALUES_OF_CELLS = frozenset({"office:value", "office:date-value", "office:time-value"})
_MARKUP = re.compile(
    r"xmlns|(?:style|fo|svg|draw|chart|number|config|manifest|smil|dr3d|math|anim|loext|calcext|css3t|rpt|of|"
    r"officeooo|drawooo|field|tableooo):"
)
_BUILT_IN = re.compile(r"(?:__|_Toc|_Ref|Table\d+$|Bild\d+$|Frame\d+$|Image\d+$|Sheet\d+$|Tabelle\d+$)")
_TELLING = re.compile(r"[^\W\d_]|\d{3}|&")
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?")
_NO_TIME = "1980-01-01T00:00:00"
_PREVIEW = re.compile(r"Thumbnails/")
_QUIET = re.compile(r"mimetype$|Configurations2/|layout-cache$|manifest\.rdf$|META-INF/manifest\.xml$")
_UNREAD = (
    (
        re.compile(r"^Pictures/|ObjectReplacements/|\.(?:png|jpe?g|gif|svg|svm|emf|wmf|bmp|tiff?)$", re.I),
        "picture",
    ),
    (re.compile(r"^Basic/|^Scripts/"), "macro"),
    (re.compile(r"^Fonts/|\.(?:ttf|otf|odttf)$", re.I), "embedded font"),
    (re.compile(r"signatures\.xml$"), "digital signature"),
)
_FIRST = ("content.xml", "styles.xml", "meta.xml")


def read_open_document(content: bytes, name: str, depth: int = 0) -> Source:
    parts = unpack(content, name)
    if "content.xml" not in parts:
        raise InputError(f"{name}: a zip file, but no OpenDocument file")
    if b"encryption-data" in parts.get("META-INF/manifest.xml", b""):
        raise InputError(f"{name}: is protected by a password; save it without one")
    gathering = Gathering()
    streams: dict[str, str] = {}
    order = sorted(parts, key=lambda part: (_FIRST.index(part) if part in _FIRST else len(_FIRST), part))
    removed = {part for part in order if _PREVIEW.match(part)}
    for part in order:
        if part in removed or not parts[part]:
            continue
        kind = next((kind for form, kind in _UNREAD if form.search(part)), "")
        if kind:
            gathering.unread.append(kind)
        elif part.endswith((".xml", ".rdf")):
            streams[part] = _decoded(parts[part], name)
            if not _QUIET.search(part):
                _read(gathering, streams[part], part)
        elif not _QUIET.search(part):
            gathering.unread.append("embedded file")
    manifest = "META-INF/manifest.xml"
    for entry in re.finditer(r"<manifest:file-entry\b[^>]*Thumbnails/[^>]*/>", streams.get(manifest, "")):
        gathering.traces.append((manifest, Edit(*entry.span(), "")))

    def pack(changed: Mapping[str, str]) -> bytes:
        written = {part: text.encode("utf-8", "xmlcharrefreplace") for part, text in changed.items()}
        cleared = manifest in changed and "Thumbnails/" not in changed[manifest]
        return repack(content, written, removed if cleared else ())

    if depth == 0:
        gathering.traces.append(("content.xml", Edit(0, 0, "")))  # the package itself is written anew
    return gathering.source(streams, pack)


def _decoded(part: bytes, name: str) -> str:
    parser = xml.parsers.expat.ParserCreate()

    def refuse(*declaration: object) -> None:
        raise InputError(f"{name}: a part declares entities, which no OpenDocument file needs")

    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(part, True)
        return part.decode()
    except (xml.parsers.expat.ExpatError, UnicodeError):
        raise InputError(f"{name}: is a broken OpenDocument file (a part of it is no XML)") from None


def _read(gathering: Gathering, stream: str, part: str) -> None:
    """Texts in their order; what attributes say stands behind them."""
    open_elements: list[str] = []
    attributes: list[tuple[markup.Token, markup.Value]] = []
    for token in markup.tokens(stream):
        text = stream[token.at : token.to]
        if token.kind == "open":
            attributes += [(token, value) for value in markup.attributes(stream, token)]
            if not text.endswith("/>"):
                open_elements.append(token.name)
            _break(gathering, token.name, stream, token)
        elif token.kind == "close":
            if open_elements:
                open_elements.pop()
            if token.name == "table:table-cell":
                gathering.part(" | ")
            elif token.name not in _INLINE and open_elements[-1:] != ["table:table-cell"]:
                gathering.join("\n")
        elif token.kind in ("text", "cdata"):
            element = open_elements[-1] if open_elements else ""
            _add(gathering, stream, (part, token.at, token.to), element)
        elif token.kind == "comment" and _TELLING.search(text):
            gathering.join("\n")
            gathering.add(text, part, token.at, token.to, markup.as_comment)
    for token, value in attributes:
        if token.name == "table:table-cell" and value.name in _VALUES_OF_CELLS:
            _nest_cell(gathering, stream, part, token, value)
        else:
            _attribute(gathering, stream, part, token.name, value)
    gathering.join("\n")


def _break(gathering: Gathering, name: str, stream: str, token: markup.Token) -> None:
    if name == "text:tab":
        gathering.put("\t")
    elif name == "text:s":
        gathering.put(" ")
    elif name == "text:line-break" or (name not in _INLINE and name not in ("text:p", "table:table-cell")):
        gathering.join("\n")


def _add(gathering: Gathering, stream: str, place: tuple[str, int, int], element: str) -> None:
    part, at, to = place
    text = stream[at:to]
    if element in _TIMES and _TIME.fullmatch(text.strip()):
        gathering.traces.append((part, Edit(at, to, _NO_TIME)))
    elif element in _INITIALS:
        gathering.traces.append((part, Edit(at, to, "")))
    elif element in ("meta:editing-duration", "meta:generator", "meta:editing-cycles", "config:config-item"):
        if element == "config:config-item" and markup.is_prose(text):
            gathering.traces.append((part, Edit(at, to, "")))  # printers, places of files
    elif text.strip():
        start = gathering.length
        if markup.is_encoded(text):
            gathering.unread.append("encoded data")
            return
        markup.add_text(gathering, stream, place, escape=markup.as_text, flow=True)
        if element in _PEOPLE:
            gathering.is_known(start, "PERSON", "property of a document")
    elif text and "\n" not in text:
        gathering.add(text, part, at, to, markup.as_text)


def _nest_cell(
    gathering: Gathering, stream: str, part: str, token: markup.Token, value: markup.Value
) -> None:
    """The number or date behind a cell; a cell that shows a mask instead is one of text."""
    text, tag = stream[value.at : value.to], stream[token.at : token.to]
    if value.name == "office:value" and not re.search(r"\d{5}", text):
        return
    source = Gathering()
    source.add(text, "", 0, len(text), markup.as_attribute)
    own = source.source({"": text}, lambda new: new.get("", text).encode())

    def encode(new: bytes) -> str:
        bare = re.sub(r'(value-type=")[a-z]+"', r'\1string"', tag)
        return bare.replace(f'{value.name}="{text}"', f'office:string-value="{new.decode()}"')

    gathering.nest(own, (part, token.at, token.to), encode)


def _attribute(gathering: Gathering, stream: str, part: str, element: str, value: markup.Value) -> None:
    name, text = value.name, stream[value.at : value.to]
    if not _TELLING.search(text) or (name == "office:value" and not re.search(r"\d{5}", text)):
        return
    if markup.is_encoded(text):
        gathering.unread.append("encoded data")
        return
    if name in _TOLD and not (name == "draw:name" and element in _STYLES):
        if _BUILT_IN.match(text) or (name == "xlink:href" and not re.search(r":|\.\w", text)):
            return
        if name in ("text:formula", "table:formula") and '"' not in text and "&quot;" not in text:
            return
    elif _MARKUP.match(name) or not markup.is_prose(text):
        return
    gathering.join("\n")
    escape = markup.as_link if name == "xlink:href" else markup.as_attribute
    start = gathering.length
    markup.add_text(gathering, stream, (part, value.at, value.to), escape=escape)
    if name in ("office:author", "text:author-name"):
        gathering.is_known(start, "PERSON", "property of a document")
