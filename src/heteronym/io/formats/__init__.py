"""Document formats: a file becomes one text, and edits of that text become edits of the file.

Which format a file has is told by its first bytes, then by the end of its name; what is neither of
the known ones is read as plain text.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from heteronym.errors import InputError, reading
from heteronym.io.formats.source import Source

# Ends of names that mean a document; other files of a folder are left alone.
ENDINGS = frozenset({".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".docx", ".pdf"})
_LARGEST = 512 << 20  # bytes


def open_document(path: str | Path, encoding: str | None = None) -> Source:
    """A document from a file; refused with a reason that names the file alone."""
    with reading(path):
        if Path(path).stat().st_size > _LARGEST:
            raise InputError(f"{path}: larger than {_LARGEST >> 20} MB; split it")
        content = Path(path).read_bytes()
    return read_content(content, str(path), encoding)


def read_content(content: bytes, name: str, encoding: str | None = None) -> Source:
    """A document from its bytes; `name` decides where the bytes alone do not, and is named in messages."""
    ending = PurePath(name).suffix.lower()
    if content.startswith(b"%PDF-") or ending == ".pdf":
        from heteronym.io.formats.pdf import read_pdf

        return read_pdf(content, name)
    if content.startswith(b"PK\x03\x04") or ending == ".docx":
        from heteronym.io.formats.docx import read_docx

        return read_docx(content, name)
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(f"{name}: an old or encrypted Office file; save it as .docx without a password")
    if content.startswith(b"{\\rtf"):
        raise InputError(f"{name}: RTF is not read; save it as .docx or plain text")
    if ending in (".html", ".htm", ".xhtml"):
        from heteronym.io.formats.html import read_html

        return read_html(content, name, encoding)
    from heteronym.io.formats.plain import read_plain

    return read_plain(content, name, encoding)
