"""DOCX: texts of all parts (body, headers, notes, comments, properties), and who wrote and changed them.

The parts are read by places (markup.py) after a parser has found them well-formed; parts that no edit touches
keep their bytes. Pictures and embedded files are not read.
"""

from __future__ import annotations

import io
import lzma
import re
import struct
import xml.parsers.expat
import zipfile
import zlib
from collections.abc import Mapping

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.source import Escape, Gathering, Source

_LARGEST_WHOLE = 512 << 20  # bytes, all parts unfolded
_LARGEST_PART = 128 << 20
_MOST_PARTS = 20_000
_DENSEST = 400  # unfolded bytes per stored byte; texts reach 30
_SMALL = 32 << 20  # below this, density harms nobody
_BODY = "word/document.xml"
_TEXTS = frozenset({"t", "delText", "instrText", "delInstrText"})
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n"}
_PROPERTIES = {
    "creator": "PERSON", "lastModifiedBy": "PERSON", "Manager": "PERSON", "Company": "ORG", "title": "",
    "subject": "", "description": "", "keywords": "", "category": "", "contentStatus": "", "lpwstr": "",
    "lpstr": "", "HyperlinkBase": "",
}  # fmt: skip
_PERSON_ATTRIBUTES = frozenset({"author", "userId"})
_TOLD_ATTRIBUTES = frozenset({"descr", "tooltip", "displayText", "instr"})
_TOLD_VALUES = frozenset({"docVar", "tblCaption", "tblDescription"})  # elements whose `val` is a text
_DECLARED = re.compile(r"""^\ufeff?<\?xml[^>]*encoding=["']([\w.:-]+)""")

# Word drops outer spaces of a run unless told; an edit may leave a run that begins with one.
_OUTER_SPACE = re.compile(r"<(w:t|w:delText)>(?=\s|[^<]*\s</)")

# Initials of an author are too short to be followed as a mention; they go when their part is changed.
_INITIALS = re.compile(r"""(\bw:initials)=(?:"[^"]*"|'[^']*')""")


def read_docx(content: bytes, name: str) -> Source:
    folded = _unfolded(content, name)
    if _BODY not in folded:
        raise InputError(f"{name}: a zip file, but no Word document (.docx)")
    streams: dict[str, str] = {}
    gathering = Gathering()
    order = sorted(folded, key=lambda part: (part != _BODY, part))
    for part in order:
        if _is_read(part):
            streams[part] = _decoded(folded[part], name)
    for part in order:
        if part.startswith("word/") and part in streams and not part.endswith(".rels"):
            _read_texts(gathering, streams[part], part)
    for part in order:
        if part in streams:
            _read_rest(gathering, streams[part], part)

    def pack(changed: Mapping[str, str]) -> bytes:
        return _folded(content, {part: _encoded(text) for part, text in changed.items()})

    unread = sum("/media/" in part or "/embeddings/" in part or "thumbnail" in part for part in folded)
    return gathering.source(streams, pack, unread=unread)


def _is_read(part: str) -> bool:
    return part.endswith((".xml", ".rels")) and not part.startswith("[")


def _unfolded(content: bytes, name: str) -> dict[str, bytes]:
    """The parts by name; a file that would unfold beyond all measure is refused before it does."""
    broken = InputError(f"{name}: is a broken DOCX file, or none")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as folder:
            members = folder.infolist()
            whole = sum(member.file_size for member in members)
            if (
                len(members) > _MOST_PARTS
                or whole > _LARGEST_WHOLE
                or any(member.file_size > _LARGEST_PART and _is_read(member.filename) for member in members)
                or (whole > _SMALL and whole > _DENSEST * len(content))
            ):
                raise InputError(f"{name}: unfolds to {whole >> 20} MB, which no document needs; not opened")
            if any(member.flag_bits & 1 for member in members):
                raise InputError(f"{name}: is protected by a password; save it without one")
            if len({member.filename for member in members}) < len(members):
                raise broken
            return {member.filename: folder.read(member) for member in members if not member.is_dir()}
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, LookupError, OSError,
            RuntimeError, ValueError):  # fmt: skip
        raise broken from None


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
        raise InputError(f"{name}: is a broken DOCX file (a part of it is no XML)") from None


def _encoded(stream: str) -> bytes:
    declared = _DECLARED.match(stream)
    stream = _OUTER_SPACE.sub(r'<\1 xml:space="preserve">', _INITIALS.sub(r'\1=""', stream))
    return stream.encode(declared[1] if declared else "utf-8", "xmlcharrefreplace")


def _folded(content: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The same file with some parts changed; a file without changes is the same bytes."""
    if not changed:
        return content
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for member in old.infolist():
            new.writestr(member, changed.get(member.filename, old.read(member)), member.compress_type)
    return made.getvalue()


def _local(name: str) -> str:
    return name.rsplit(":", 1)[-1]


def _read_texts(gathering: Gathering, stream: str, part: str) -> None:
    """Runs of paragraphs; a paragraph is a line."""
    inside = 0
    for token in markup.tokens(stream):
        name = _local(token.name)
        if token.kind in ("text", "cdata") and inside:
            escape = str if token.kind == "cdata" else markup.as_text
            markup.add_text(gathering, stream, (part, token.at, token.to), escape=escape)
        elif name in _TEXTS and stream[token.to - 2] != "/":
            inside = max(0, inside + (1 if token.kind == "open" else -1))
        elif token.kind == "open" and name in _BREAKS:
            gathering.join(_BREAKS[name])
        elif token.kind == "close" and name == "p":
            gathering.join("\n")
    gathering.join("\n")


def _read_rest(gathering: Gathering, stream: str, part: str) -> None:
    """Properties, custom data, links out of the document, and attributes that name or describe."""
    element = ""
    for token in markup.tokens(stream):
        if token.kind == "open":
            element = _local(token.name)
            for value in markup.attributes(stream, token):
                kind = _told_attribute(part, element, value, stream[token.at : token.to])
                if kind is not None:
                    escape = markup.as_link if part.endswith(".rels") else markup.as_attribute
                    _add_line(gathering, stream, (part, value.at, value.to), kind, escape=escape)
        elif token.kind == "close":
            element = ""
        elif token.kind == "text" and stream[token.at : token.to].strip():
            if part.startswith("docProps/") and element in _PROPERTIES:
                _add_line(gathering, stream, (part, token.at, token.to), _PROPERTIES[element])
            elif part.startswith("customXml/"):
                _add_line(gathering, stream, (part, token.at, token.to), "")


def _add_line(
    gathering: Gathering,
    stream: str,
    place: tuple[str, int, int],
    kind: str,
    *,
    escape: Escape = markup.as_text,
) -> None:
    gathering.join("\n")
    start = gathering.length
    markup.add_text(gathering, stream, place, escape=escape)
    if kind:
        gathering.is_known(start, kind, "property of a document")


def _told_attribute(part: str, element: str, value: markup.Value, tag: str) -> str | None:
    """The type of what an attribute names, "" for a text, None for markup."""
    name = _local(value.name)
    if part.endswith(".rels"):
        return "" if name == "Target" and 'TargetMode="External"' in tag else None
    if not part.startswith("word/"):
        return None
    if name in _PERSON_ATTRIBUTES:
        return "PERSON"
    if name in _TOLD_ATTRIBUTES or (name == "title" and element in ("docPr", "cNvPr")):
        return ""
    return "" if name == "val" and element in _TOLD_VALUES else None
