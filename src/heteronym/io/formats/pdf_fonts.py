"""Fonts of PDF files: which letters the codes of a text show, and how wide they are.

A font whose letters cannot be told for sure (a code without a name, a kind that draws its own signs) makes
its file one that is not edited in place.

Reference   ISO 32000-1, 9.6 to 9.10
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_HEX = re.compile(rb"<([0-9A-Fa-f\s]*)>")
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.S)
_CHARS = re.compile(rb"beginbfchar(.*?)endbfchar", re.S)
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*(<[0-9A-Fa-f\s]*>|\[[^\]]*\])")
_MOST_CODES = 70_000
_CODECS = {"/WinAnsiEncoding": "cp1252", "/MacRomanEncoding": "mac-roman"}


class UnreadableError(ValueError):
    """Letters that cannot be told."""


class Glyph(NamedTuple):
    """A code of a text: its bytes, the letters that it shows, and its width in thousandths of its size."""

    code: bytes
    text: str
    width: float


@dataclass(frozen=True)
class Font:
    size_of_code: int
    letters: Mapping[int, str]
    widths: Mapping[int, float]
    usual_width: float

    def glyphs(self, shown: bytes) -> Iterator[Glyph]:
        step = self.size_of_code
        for at in range(0, len(shown) - step + 1, step):
            code = shown[at : at + step]
            number = int.from_bytes(code, "big")
            text = self.letters.get(number)
            if text is None:
                raise UnreadableError
            yield Glyph(code, text, self.widths.get(number, self.usual_width))


@cache
def helvetica() -> Mapping[str, int]:
    """Widths of the letters of Helvetica, which every reader of PDF has."""
    lines = files("heteronym.io.formats").joinpath("helvetica.txt").read_text(encoding="ascii").splitlines()
    return {chr(32 + n): int(width) for n, width in enumerate(" ".join(lines[1:]).split())}


@cache
def _names() -> Mapping[str, str]:
    lines = files("heteronym.io.formats").joinpath("glyph_names.txt").read_text(encoding="utf-8").splitlines()
    pairs = (pair.split("=", 1) for line in lines[1:] for pair in line.split())
    return {name: chr(int(text[2:], 16)) if text.startswith("\\u") else text for name, text in pairs}


_ACCENTS = {
    "acute": "\u0301",
    "grave": "\u0300",
    "circumflex": "\u0302",
    "dieresis": "\u0308",
    "tilde": "\u0303",
    "cedilla": "\u0327",
    "caron": "\u030c",
    "ring": "\u030a",
    "ogonek": "\u0328",
    "macron": "\u0304",
    "breve": "\u0306",
    "dotaccent": "\u0307",
    "hungarumlaut": "\u030b",
    "commaaccent": "\u0326",
}


def letter_of(name: str) -> str | None:
    """The letters that the name of a glyph stands for (Adobe's rules, as far as Latin letters need them)."""
    name = name.removeprefix("/").partition(".")[0]
    if match := re.fullmatch(r"uni([0-9A-F]{4})+", name):
        codes = [int(name[at : at + 4], 16) for at in range(3, len(name), 4)]
        return "".join(map(chr, codes)) if not any(0xD800 <= code < 0xE000 for code in codes) else None
    if match := re.fullmatch(r"u([0-9A-F]{4,6})", name):
        return chr(int(match[1], 16)) if int(match[1], 16) < 0xD800 else None
    if len(name) == 1:
        return name
    if name in _names():
        return _names()[name]
    accent = name[1:]
    return unicodedata.normalize("NFC", name[0] + _ACCENTS[accent]) if accent in _ACCENTS else None


def read_font(font: Any) -> Font:
    kind = str(font.get("/Subtype"))
    if kind == "/Type0":
        return _composite(font)
    if kind not in ("/Type1", "/TrueType", "/MMType1"):
        raise UnreadableError
    letters = _simple_letters(font, kind)
    first = int(font.get("/FirstChar", 0))
    widths = {first + n: float(width) for n, width in enumerate(font.get("/Widths", []))}
    descriptor = font.get("/FontDescriptor")
    usual = float(descriptor.get("/MissingWidth", 0)) if descriptor is not None and widths else 556.0
    if not widths:
        fixed = "Courier" in str(font.get("/BaseFont", ""))
        widths = {code: 600.0 if fixed else helvetica().get(text, 556) for code, text in letters.items()}
    return Font(1, letters, widths, usual)


def _simple_letters(font: Any, kind: str) -> dict[int, str]:
    letters: dict[int, str] = {}
    encoding = font.get("/Encoding")
    base = encoding if encoding is None or not hasattr(encoding, "keys") else encoding.get("/BaseEncoding")
    descriptor = font.get("/FontDescriptor")
    embedded = descriptor is not None and any(f"/FontFile{n}" in descriptor for n in ("", "2", "3"))
    symbolic = descriptor is not None and int(descriptor.get("/Flags", 0)) & 4
    named = str(font.get("/BaseFont", ""))
    if base is not None or not (symbolic or embedded or re.search("Symbol|Dingbats", named)):
        codec = _CODECS.get(str(base), "cp1252")
        for code in range(32, 256):
            try:
                letters[code] = bytes([code]).decode(codec)
            except UnicodeDecodeError:
                continue
        letters |= {0x27: "’", 0x60: "‘"} if base is None and kind == "/Type1" else {}
    if encoding is not None and hasattr(encoding, "keys"):
        code = 0
        for one in encoding.get("/Differences", []):
            if isinstance(one, int) or not str(one).startswith("/"):
                code = int(one)
                continue
            text = letter_of(str(one))
            letters.pop(code, None)
            if text is not None:
                letters[code] = text
            code += 1
    if "/ToUnicode" in font:
        letters |= _to_unicode(font["/ToUnicode"].read_bytes())
    return letters


def _composite(font: Any) -> Font:
    if str(font.get("/Encoding")) not in ("/Identity-H", "/Identity-V") or "/ToUnicode" not in font:
        raise UnreadableError
    [inner] = font["/DescendantFonts"]
    widths: dict[int, float] = {}
    entries = list(inner.get("/W", []))
    at = 0
    while at + 1 < len(entries):
        first = int(entries[at])
        if hasattr(entries[at + 1], "__len__") and not isinstance(entries[at + 1], (int, float)):
            widths |= {first + n: float(width) for n, width in enumerate(entries[at + 1])}
            at += 2
        else:
            last = min(int(entries[at + 1]), first + _MOST_CODES)
            widths |= dict.fromkeys(range(first, last + 1), float(entries[at + 2]))
            at += 3
    return Font(2, _to_unicode(font["/ToUnicode"].read_bytes()), widths, float(inner.get("/DW", 1000)))


def _to_unicode(table: bytes) -> dict[int, str]:
    letters: dict[int, str] = {}
    for block in _CHARS.findall(table):
        codes = [b"".join(code.split()) for code in _HEX.findall(block)]
        letters |= {int(code, 16): _utf16(text) for code, text in zip(codes[::2], codes[1::2]) if code}
    for block in _RANGES.findall(table):
        for first, last, target in _RANGE.findall(block):
            low, high = int(first, 16), min(int(last, 16), int(first, 16) + _MOST_CODES)
            if target.startswith(b"["):
                texts = [_utf16(b"".join(text.split())) for text in _HEX.findall(target)]
                letters |= dict(zip(range(low, high + 1), texts))
            else:
                text = _utf16(b"".join(target[1:-1].split()))
                if text:
                    for code in range(low, high + 1):
                        letters[code] = text[:-1] + chr(ord(text[-1]) + code - low)
    return {code: text for code, text in letters.items() if text}


def _utf16(written: bytes) -> str:
    try:
        return bytes.fromhex(written.decode()).decode("utf-16-be").replace("\x00", "")
    except (UnicodeDecodeError, ValueError):
        return ""
