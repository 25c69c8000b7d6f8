"""Document formats: a file becomes one text, and edits of that text become edits of the file.

Which format a file has is told by its first bytes, then by the end of its name; what is neither of
the known ones is read as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path, PurePath

from heteronym.errors import InputError, reading
from heteronym.io.formats.packages import within_budget
from heteronym.io.formats.source import Source

_LARGEST = 512 << 20  # bytes
_DEEPEST = 4  # documents inside of documents
_PLAIN = ("plain", "read_plain")
_MARKDOWN, _HTML, _TABLE, _SUBTITLES, _JSON = (
    ("lines", "read_markdown"),
    ("html", "read_html"),
    ("lines", "read_delimited"),
    ("lines", "read_subtitles"),
    ("json_text", "read_json"),
)
_TEXTS = {  # by the end of the name: the module, and what in it reads such texts
    **dict.fromkeys((".txt", ".text", ".log", ".rst", ".tex", ".yaml", ".yml", ".ics", ".vcf"), _PLAIN),
    **dict.fromkeys((".md", ".markdown"), _MARKDOWN),
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xml", ".svg"), _HTML),
    **dict.fromkeys((".csv", ".tsv"), _TABLE),
    **dict.fromkeys((".srt", ".vtt"), _SUBTITLES),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), _JSON),
}
_FILES = {
    **dict.fromkeys((".docx", ".docm", ".xlsx", ".xlsm", ".pptx"), ("office", "read_office")),
    **dict.fromkeys((".odt", ".ods", ".odp"), ("odf", "read_open_document")),
    ".pdf": ("pdf", "read_pdf"),
    ".rtf": ("rtf", "read_rtf"),
    ".eml": ("mail", "read_mail"),
    ".msg": ("outlook", "read_outlook"),
}
_SIGNS = ((b"%PDF-", ".pdf"), (b"{\\rtf", ".rtf"))
_FIRST_BYTES = (b"%PDF-", b"{\\rtf", b"PK\x03\x04")
# Ends of names that mean a document; other files of a folder are listed as not read.
ENDINGS = frozenset({*_TEXTS, *_FILES})
_PICTURES = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8|II\*\x00|MM\x00\*|BM|RIFF....WEBP"
    rb"|\x01\x00\x00\x00.{36} EMF|\xd7\xcd\xc6\x9a",
    re.S,
)


def open_document(path: str | Path, encoding: str | None = None) -> Source:
    """A document from a file; refused with a reason that names the file alone."""
    with reading(path):
        if Path(path).stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST >> 20} MB; split it")
        content = Path(path).read_bytes()
    return read_content(content, str(path), encoding)


def read_content(content: bytes, name: str, encoding: str | None = None) -> Source:
    """A document from its bytes; `name` decides where the bytes alone do not, and is named in messages."""
    with within_budget():
        return _read(content, name, encoding, 0)


def read_inside(content: bytes, name: str, depth: int, encoding: str | None = None) -> Source | str:
    """A document inside of another one, or the kind of what is not read."""
    if _PICTURES.match(content):
        return "picture"
    is_known = PurePath(name).suffix.lower() in ENDINGS or content.startswith(
        (b"%PDF-", b"{\\rtf", b"PK\x03\x04")
    )
    if not is_known or depth >= _DEEPEST:
        return "embedded file" if depth else "attachment"
    try:
        source = _read(content, name, encoding, depth + 1)
    except InputError:
        return "attachment"
    return source if source.ending is None else "attachment"


def _read(content: bytes, name: str, encoding: str | None, depth: int) -> Source:
    ending = PurePath(name).suffix.lower()
    for sign, kind in _SIGNS:
        ending = kind if content.startswith(sign) else ending
    if content.startswith(b"PK\x03\x04") and ending not in _FILES:
        ending = ".odt" if content[30:38] == b"mimetype" else ".docx"
    if content.startswith(b"\xd0\xcf\x11\xe0") and ending != ".msg":
        raise InputError(f"{name}: an old or encrypted Office file; save it as .docx without a password")
    if ending in _FILES:
        return _reader(*_FILES[ending])(content, name, **({} if ending == ".rtf" else {"depth": depth}))
    module, reader = _TEXTS.get(ending, _PLAIN)
    more = {"depth": depth} if module == "json_text" else {}
    return _reader(module, reader)(content, name, encoding, **more)


def _reader(module: str, name: str) -> Callable[..., Source]:
    reader: Callable[..., Source] = getattr(import_module(f"heteronym.io.formats.{module}"), name)
    return reader
