"""DOCX, XLSX, PPTX: every part of the package is read, known to tell nothing, or named as not read.

XML parts are read by places (markup.py) after a parser has found them well-formed; parts that no edit
touches keep their bytes. What their elements and attributes tell is decided in office_xml.py. Workbooks
behind charts, documents and pages inside of the package are documents of their own; the preview picture
goes; other pictures, programs and binary objects are named.
"""

from __future__ import annotations

import re
import xml.parsers.expat
from collections.abc import Mapping

from heteronym.errors import InputError
from heteronym.io.formats import office_xml, sheets
from heteronym.io.formats.html import read_page
from heteronym.io.formats.packages import repack, unpack
from heteronym.io.formats.plain import read_plain
from heteronym.io.formats.source import Gathering, Source
from heteronym.model.edit import Edit

_BODIES = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml")
_DEEPEST = 3  # packages inside of packages
_DECLARED = re.compile(r"""^\ufeff?<\?xml[^>]*encoding=["']([\w.:-]+)""")
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|\xff\xfe<\x00|\xfe\xff\x00<")
_PREVIEW = re.compile(r"docProps/thumbnail\.\w+$", re.IGNORECASE)
_PREVIEW_LINK = re.compile(r"<Relationship\b[^<>]*relationships/metadata/thumbnail\"[^<>]*/>")
_PICTURES = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8|II\*\x00|MM\x00\*|BM|RIFF....WEBP"
    rb"|\x01\x00\x00\x00.{36} EMF|\xd7\xcd\xc6\x9a",
    re.S,
)
_KINDS = (  # by the name of a part that is no text
    (re.compile(r"vbaProject|vbaData|\.bas$", re.IGNORECASE), "macro"),
    (re.compile(r"\.odttf$|/fonts/", re.IGNORECASE), "embedded font"),
    (re.compile(r"printerSettings", re.IGNORECASE), "printer setting"),
    (re.compile(r"_xmlsignatures/", re.IGNORECASE), "digital signature"),
    (re.compile(r"/media/|\.(?:png|jpe?g|gif|tiff?|bmp|emf|wmf|webp|wdp)$", re.IGNORECASE), "picture"),
    (re.compile(r"embeddings/|\.bin$|activeX/", re.IGNORECASE), "embedded object"),
)

# Word drops outer spaces of a run unless told; an edit may leave a run that begins with one.
_OUTER_SPACE = re.compile(r"<(w:t|w:delText)>(?=\s|[^<]*\s</)")


def read_office(content: bytes, name: str, depth: int = 0) -> Source:
    parts = unpack(content, name)
    if not any(body in parts for body in _BODIES):
        raise InputError(
            f"{name}: a zip file, but no Word, Excel or PowerPoint document; unfold an archive first"
        )
    return _read_package(content, parts, name, depth)


def _read_package(content: bytes, parts: Mapping[str, bytes], name: str, depth: int) -> Source:
    gathering = Gathering()
    streams: dict[str, str] = {}
    binary: set[str] = set()  # kept as one character per byte, written only if they hold a document
    order = sorted(parts, key=lambda part: (part not in _BODIES, part))
    removed = {part for part in order if _PREVIEW.match(part)}
    for part in order:
        if _is_xml(part, parts[part]):
            streams[part] = _decoded(parts[part], name)
    sheets.read_sheets(gathering, streams)
    for part in order:
        if part in streams and not part.endswith(".rels") and not sheets.is_sheet(part):
            office_xml.read_runs(gathering, streams[part], part)
    for part in order:
        if part in streams:
            office_xml.read_rest(gathering, streams[part], part)
        elif part not in removed and parts[part]:
            inside = _document_inside(part, parts[part], name, depth)
            if isinstance(inside, str):
                gathering.unread.append(inside)
            else:
                binary.add(part)
                streams[part] = parts[part].decode("latin-1")
                gathering.nest(inside, (part, 0, len(streams[part])), lambda made: made.decode("latin-1"))
    _clear_preview(gathering, streams, removed)

    def pack(changed: Mapping[str, str]) -> bytes:
        written = {
            p: _encoded(text) if p not in binary else text.encode("latin-1") for p, text in changed.items()
        }
        cleared = "_rels/.rels" in changed and _PREVIEW_LINK.search(changed["_rels/.rels"]) is None
        return repack(content, written, removed if cleared else ())

    if depth == 0:
        body = next(part for part in order if part in streams)
        gathering.traces.append((body, Edit(0, 0, "")))  # the package itself is written anew
    return gathering.source(streams, pack)


def _is_xml(part: str, content: bytes) -> bool:
    if part.startswith("_xmlsignatures/") or part.endswith((".htm", ".html", ".xhtml", ".txt")):
        return False
    return part.endswith((".xml", ".rels")) or _XML.match(content) is not None


def _clear_preview(gathering: Gathering, streams: Mapping[str, str], removed: set[str]) -> None:
    """The preview shows the first page: it goes, and so does what points to it."""
    rels = streams.get("_rels/.rels")
    if not removed or rels is None:
        gathering.unread += ["picture"] * len(removed)
        return
    links = list(_PREVIEW_LINK.finditer(rels))
    gathering.traces += [("_rels/.rels", Edit(*link.span(), "")) for link in links]
    if not links:
        gathering.unread += ["picture"] * len(removed)


def _document_inside(part: str, content: bytes, name: str, depth: int) -> Source | str:
    """A part that is a document of its own, or the kind of a part that is not read."""
    ending = part.rsplit(".", 1)[-1].lower()
    try:
        if content.startswith(b"PK\x03\x04") and depth < _DEEPEST:
            return _read_package(content, unpack(content, name), name, depth + 1)
        if ending in ("htm", "html", "xhtml"):
            page = content.decode("utf-8")
            return read_page(page)
        if ending in ("txt", "csv", "json", "md"):
            return read_plain(content, name, None)
    except (InputError, UnicodeDecodeError):
        return "embedded file"
    if _PICTURES.match(content):
        return "picture"
    return next((kind for form, kind in _KINDS if form.search(part)), "embedded file")


def _decoded(part: bytes, name: str) -> str:
    parser = xml.parsers.expat.ParserCreate()

    def refuse(*declaration: object) -> None:
        raise InputError(f"{name}: a part declares its own document type, which no DOCX file does")

    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(part, True)
        head = part[:200].decode("ascii", "ignore")
        wide = part[:2] in (b"\xff\xfe", b"\xfe\xff")
        declared = _DECLARED.match(head)
        return part.decode("utf-16" if wide else declared[1] if declared else "utf-8")
    except (xml.parsers.expat.ExpatError, UnicodeError, LookupError):
        raise InputError(f"{name}: is a broken Office file (a part of it is no XML)") from None


def _encoded(stream: str) -> bytes:
    declared = _DECLARED.match(stream)
    stream = _OUTER_SPACE.sub(r'<\1 xml:space="preserve">', stream)
    return stream.encode(declared[1] if declared else "utf-8", "xmlcharrefreplace")
