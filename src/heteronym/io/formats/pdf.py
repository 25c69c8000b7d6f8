"""PDF: its text layer, page by page. It comes out as plain text, because a PDF's words have fixed places."""

from __future__ import annotations

import io
import logging
import zlib

from heteronym.errors import InputError
from heteronym.io.formats.source import Piece, Source

_PAGE = "\n\n"


def read_pdf(content: bytes, name: str) -> Source:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings may quote the document
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name}: is protected by a password; save it without one")
        pages = [page.extract_text() for page in reader.pages]
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
    if not any(page.strip() for page in pages):
        raise InputError(f"{name}: has no text layer; a scanned page needs character recognition first")
    # Some files give halves of surrogate pairs, which no file can hold.
    text = _PAGE.join(pages).encode("utf-8", "replace").decode("utf-8").rstrip("\n") + "\n"
    whole = [Piece(0, len(text), "", 0, len(text), str)]
    return Source(text, whole, {"": text}, lambda changed: changed.get("", text).encode(), ending=".txt")
