"""Written files to bytes and texts, for the audit alone: it shares no code with what reads and writes them.

Packages, base64, quoted-printable, encoded words, the numbers and bytes of RTF, and PDF by another library
than the one that wrote it.
"""

from __future__ import annotations

import base64
import binascii
import io
import logging
import quopri
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

_BASE64 = re.compile(rb"[A-Za-z0-9+/]{16,}(?:\r?\n[A-Za-z0-9+/]{4,})*={0,2}")
_LINE_END = re.compile(rb"\s+")
_PLAIN_STRINGS = re.compile(rb"[\x20-\x7e]{4,}")
_WIDE_STRINGS = re.compile(rb"(?:[\x20-\x7e]\x00){4,}")
_ENCODED_WORD = re.compile(rb"=\?([\w.:*-]+)\?([bBqQ])\?([^?\s]*)\?=(?:\s+(?==\?))?")
_FOLD = re.compile(rb"\r?\n[ \t]+")
_RTF_BYTES = re.compile(r"\\'([0-9A-Fa-f]{2})")
_RTF_NUMBER = re.compile(r"\\u(-?\d{1,6}) ?(?:\\'[0-9A-Fa-f]{2}|\?)?")
_RTF_WORD = re.compile(r"\\[A-Za-z]{1,32}-?\d{0,10} ?|[{}\r\n]|\\\*")
_DEEPEST = 5
_LARGEST = 512 << 20
_MOST_OBJECTS = 2_000_000


def unpacked(content: bytes, name: str, depth: int = 0) -> Iterator[tuple[str, bytes]]:
    """Every part to bytes: members of packages, packages in packages, what is written in base64."""
    yield name, content
    if depth >= _DEEPEST:
        return
    if content[:4] == b"PK\x03\x04":
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as package:
                if sum(member.file_size for member in package.infolist()) > _LARGEST:
                    return
                yield name, package.comment
                for member in package.infolist():
                    yield member.filename, member.comment + member.extra
                    yield from unpacked(package.read(member), member.filename, depth + 1)
        except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, ValueError, NotImplementedError):
            return
        return
    for match in _BASE64.finditer(content):
        run = _LINE_END.sub(b"", match.group()).rstrip(b"=")
        try:
            inside = base64.b64decode(run + b"=" * (-len(run) % 4))
        except (binascii.Error, ValueError):
            continue
        if len(inside) > 8 and (inside[:4] == b"PK\x03\x04" or _is_text(inside)):
            yield from unpacked(inside, f"{name}, base64", depth + 1)


def _is_text(content: bytes) -> bool:
    try:
        return content.decode("utf-8").isprintable() or content.isascii()
    except UnicodeDecodeError:
        return False


def texts_of(part: bytes) -> list[str]:
    if part.startswith(b"%PDF-"):
        return []  # packed; `other_readings` has what it says
    if part[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return [part.decode("utf-16", "replace")]
    try:
        return [part.decode("utf-8")]
    except UnicodeDecodeError:
        pass
    if part[:4] == b"PK\x03\x04":
        return []  # its members come one by one
    if b"\x00" not in part:
        return [part.decode("windows-1252", "replace")]
    strings = b"\n".join(_PLAIN_STRINGS.findall(part)).decode("ascii")
    wide = b"\n\x00".join(_WIDE_STRINGS.findall(part)).decode("utf-16-le", "replace")
    return [strings, wide]


def other_readings(part: bytes) -> Iterator[str]:
    """A part as programs that know its format read it."""
    if part.startswith(b"%PDF-"):
        yield from _pdf(part)
    elif part.startswith(b"{\\rtf"):
        yield from _rtf(part)
    elif b"=?" in part or re.search(rb"=[0-9A-F]{2}|=\r?\n", part):
        yield _ENCODED_WORD.sub(_decoded_word, _FOLD.sub(b" ", part)).decode("utf-8", "replace")
        for codec in ("utf-8", "windows-1252"):
            yield quopri.decodestring(part).decode(codec, "replace")


def _decoded_word(word: re.Match[bytes]) -> bytes:
    charset, how, written = word.groups()
    try:
        if how in b"bB":
            content = base64.b64decode(written + b"=" * (-len(written) % 4))
        else:
            content = quopri.decodestring(written.replace(b"_", b"=20"))
        return content.decode(charset.decode().partition("*")[0]).encode()
    except (ValueError, LookupError):
        return written


def _rtf(part: bytes) -> Iterator[str]:
    """Letters of control words read, all other control words dropped, or taken for gaps."""
    text = part.decode("latin-1")
    declared = re.search(r"\\ansicpg(\d{3,4})", text[:4000])
    page = f"cp{declared[1]}" if declared else "cp1252"

    def by_number(match: re.Match[str]) -> str:
        code = int(match[1]) % 65_536
        return chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"

    def by_byte(match: re.Match[str]) -> str:
        try:
            return bytes.fromhex(match[1]).decode(page)
        except (ValueError, LookupError):
            return "\ufffd"

    text = _RTF_BYTES.sub(by_byte, _RTF_NUMBER.sub(by_number, text))
    yield _RTF_WORD.sub("", text)
    yield _RTF_WORD.sub(" ", text)


def _pdf(part: bytes) -> Iterator[str]:
    """The text of all pages, and every string of every object."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings may quote the document
    try:
        reader = PdfReader(io.BytesIO(part))
        for page in reader.pages:
            yield page.extract_text()
        yield "\n".join(_strings(reader))
    except (PyPdfError, ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RecursionError,
            TypeError, ValueError, zlib.error):  # fmt: skip
        yield part.decode("latin-1")  # what a reader stumbles over is searched as it stands


def _strings(reader: Any) -> Iterator[str]:
    """Texts anywhere below the trailer; an object is met once."""
    waiting: list[Any] = [reader.trailer]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_OBJECTS:
        one = waiting.pop()
        number = getattr(one, "idnum", None)
        if number is not None:
            if number in seen:
                continue
            seen.add(number)
            one = one.get_object()
        if isinstance(one, dict):
            waiting += [one.raw_get(key) if hasattr(one, "raw_get") else one[key] for key in one]
            waiting += [key.removeprefix("/") for key in one]
            if hasattr(one, "get_data") and one.get("/Subtype") in ("/XML", "/EmbeddedFile"):
                yield one.get_data().decode("utf-8", "replace")
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, str):
            yield str(one)
        elif isinstance(one, bytes):
            yield one.decode("utf-8", "replace")
