"""PDF: edited in place where all its letters can be told (pdf_pages.py), and checked by a second library.

A file with letters that cannot be told, or of which the two libraries read different ones, comes out as plain
text: its text layer, page by page, then what notes and form fields say. What is not read is not written
either, and is named as left out.
"""

from __future__ import annotations

import io
import logging
import unicodedata
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from heteronym.errors import InputError
from heteronym.io.formats.source import Piece, Source

if TYPE_CHECKING:
    from pypdf import PdfReader

_PAGE = "\n\n"
_MOST_NOTES = 10_000
_FEW_LETTERS = 0.005  # of all, that one library may read and the other not


def read_pdf(content: bytes, name: str, depth: int = 0) -> Source:
    plain = _read_as_text(content, name)
    return _read_in_place(content, plain.text) or plain


def _read_in_place(content: bytes, layer: str) -> Source | None:
    """The file as one that stays a PDF; None if it cannot be edited safely."""
    from pikepdf import PdfError

    from heteronym.io.formats.pdf_pages import read_pages

    try:
        source = read_pages(content)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        NotImplementedError,
        OSError,
        PdfError,
        RecursionError,
        RuntimeError,
        TypeError,
        ValueError,
    ):  # UnreadableError among them, and what a broken file makes of the reader
        return None
    letters = _letters(layer)
    missed = letters - _letters(source.text)
    return source if missed.total() <= _FEW_LETTERS * letters.total() + 3 else None


def _letters(text: str) -> Counter[str]:
    """Letters and digits, whatever the order in which a reader takes the parts of a page."""
    return Counter(filter(str.isalnum, unicodedata.normalize("NFKC", text)))


def _read_as_text(content: bytes, name: str) -> Source:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings may quote the document
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name}: is protected by a password; save it without one")
        pages = [page.extract_text() for page in reader.pages]
        layer = "".join(pages)
        said = [text for text in dict.fromkeys(_said_beside(reader)) if text not in layer]
        left_out = tuple(_left_out(reader))
    except (
        PyPdfError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        NotImplementedError,
        OSError,
        RecursionError,
        TypeError,
        ValueError,
        zlib.error,
    ):
        # what a broken file makes of the reader; its message may quote the file
        raise InputError(f"{name}: is a broken PDF, or one that cannot be read") from None
    if not any(page.strip() for page in pages) and not said:
        raise InputError(f"{name}: has no text layer; a scanned page needs character recognition first")
    if said:
        pages.append("\n".join(said))
    # Some files give halves of surrogate pairs, which no file can hold.
    text = _PAGE.join(pages).encode("utf-8", "replace").decode("utf-8").rstrip("\n") + "\n"
    whole = [Piece(0, len(text), "", 0, len(text), str)]
    return Source(
        text,
        whole,
        {"": text},
        lambda changed: changed.get("", text).encode(),
        ending=".txt",
        left_out=left_out,
    )


def _said_beside(reader: PdfReader) -> Iterator[str]:
    """Notes of readers, and what was filled into a form."""
    left = _MOST_NOTES
    for page in reader.pages:
        for note in page.annotations or ():
            left -= 1
            if left < 0:
                return
            annotation = note.get_object()
            for key in ("/Contents", "/V"):
                value = annotation.get(key)
                if isinstance(value, str) and value.strip() and not value.startswith("/"):
                    yield value
    for field in (reader.get_fields() or {}).values():
        value = field.get("/V")
        if isinstance(value, str) and value.strip() and not value.startswith("/"):
            yield value


def _left_out(reader: PdfReader) -> Iterator[str]:
    """Kinds of parts that the text does not hold."""
    root: Any = reader.root_object
    names: Any = root.get("/Names") or {}
    if "/EmbeddedFiles" in names.get_object() if names else False:
        yield "attachment"
    if reader.metadata or "/Metadata" in root:
        yield "set of properties"
    if "/Outlines" in root and reader.outline:
        yield "outline"
    for page in reader.pages:
        resources: Any = page.get("/Resources") or {}
        objects: Any = resources.get_object().get("/XObject") or {} if resources else {}
        for one in objects.get_object().values() if objects else ():
            if one.get_object().get("/Subtype") == "/Image":
                yield "picture"
