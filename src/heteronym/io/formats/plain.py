"""Plain text and Markdown: the file is its text, every byte of it."""

from __future__ import annotations

import codecs

from heteronym.errors import InputError
from heteronym.io.formats.source import Piece, Source

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(content: bytes, name: str, encoding: str | None) -> tuple[str, str]:
    """The text, line ends and byte order mark included, and the encoding that gives the same bytes back."""
    marked = next((codec for mark, codec in _MARKS if content.startswith(mark)), None)
    codec = encoding or marked or "utf-8"
    if codec.lower().replace("_", "-") in ("utf-8-sig", "utf-16", "utf-32"):
        codec = marked or "utf-8"  # these drop the mark, or write one of their own
    try:
        text = content.decode(codec)
        if text.encode(codec) != content:
            raise InputError(f"{name}: not clean {codec}; its bytes would not come back")
    except (UnicodeError, LookupError):
        raise InputError(f"{name}: not {encoding or 'UTF-8'}. Name its encoding with --encoding") from None
    if "\x00" in text:
        raise InputError(f"{name}: holds null bytes; it is no text")
    return text, codec


def encode(text: str, name: str, codec: str) -> bytes:
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        raise InputError(
            f"{name}: {codec} has no letters for what is to be written; convert the document to UTF-8"
        ) from None


def read_plain(content: bytes, name: str, encoding: str | None) -> Source:
    text, codec = decode(content, name, encoding)
    whole = [Piece(0, len(text), "", 0, len(text), str)] if text else []
    return Source(text, whole, {"": text}, lambda changed: encode(changed.get("", text), name, codec))
