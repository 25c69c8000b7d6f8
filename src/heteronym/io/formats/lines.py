"""Texts made of lines with marks of their format: Markdown, subtitles, tables with separators.

The marks stand in the file and not in the text: "## Grace May" is read as the line "Grace May", and a
mask goes behind the marks. Times of subtitles say when a line is shown; they stay.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import partial

from heteronym.io.formats.plain import decode, encode
from heteronym.io.formats.source import Escape, Gathering, Source

Stretch = tuple[int, int, Escape]

_MARKS = re.compile(r"[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)?")
_CLOSING = re.compile(r"[ \t]+#+[ \t]*$")
_CUE = re.compile(r"\s*(?:\d+:)?\d+:\d+[.,]\d+\s*-->.*")
_VOICE = re.compile(r"<v(?:\.[\w.-]+)*[ \t]+|</?[A-Za-z\d][^<>]{0,200}>|</v>|>")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_SAMPLE = 64 << 10


def read_markdown(content: bytes, name: str, encoding: str | None) -> Source:
    return _read(content, name, encoding, _without_marks, lambda marks: "")


def read_subtitles(content: bytes, name: str, encoding: str | None) -> Source:
    return _read(content, name, encoding, _spoken, lambda marks: ": " if marks == ">" else "")


def read_delimited(content: bytes, name: str, encoding: str | None) -> Source:
    """Cells keep to themselves: what is written into one has no separator, and no quote that ends it."""
    return _read(content, name, encoding, _cells, _shown_between_cells)


def _read(
    content: bytes,
    name: str,
    encoding: str | None,
    stretches: Callable[[str], Iterator[Stretch]],
    shown: Callable[[str], str],
) -> Source:
    """Stretches of the file are text; `shown` is what a reader gets of the marks between them."""
    text, codec = decode(content, name, encoding)
    gathering, done = Gathering(), 0
    for start, end, escape in stretches(text):
        gathering.part(shown(text[done:start]))
        gathering.add(text[start:end], "", start, end, escape)
        done = end
    gathering.part(shown(text[done:]))
    return gathering.source({"": text}, lambda changed: encode(changed.get("", text), name, codec))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for match in _LINE.finditer(text):
        if match.group():
            yield match.start(), match.group()


def _without_marks(text: str) -> Iterator[Stretch]:
    fenced = False
    for start, line in _lines(text):
        if re.match(r"[ \t]*(?:```|~~~)", line):
            fenced = not fenced
        bare = line.rstrip("\r\n")
        marks = None if fenced else _MARKS.match(bare)
        begin = marks.end() if marks else 0
        closing = _CLOSING.search(bare, begin) if bare.lstrip(" >").startswith("#") else None
        end = closing.start() if closing else len(bare)
        if end > begin:
            yield start + begin, start + end, str
        if len(line) > len(bare):
            yield start + len(bare), start + len(line), str


def _spoken(text: str) -> Iterator[Stretch]:
    """What is said and noted, and names of cues; not their numbers, times and tags."""
    escape = _without_arrows
    for start, line in _lines(text):
        bare = line.rstrip("\r\n")
        if not _CUE.fullmatch(bare) and not bare.strip().isdigit() and not bare.startswith("WEBVTT"):
            done = 0
            for tag in _VOICE.finditer(bare):
                if tag.start() > done:
                    yield start + done, start + tag.start(), escape
                done = tag.end()
            if len(bare) > done:
                yield start + done, start + len(bare), escape
        elif bare.startswith("WEBVTT") and len(bare) > 6:
            yield start + 6, start + len(bare), escape
        if len(line) > len(bare):
            yield start + len(bare), start + len(line), str


def _without_arrows(text: str) -> str:
    return text.replace("-->", "- ->").replace("<", "(").replace(">", ")")


def _cells(text: str) -> Iterator[Stretch]:
    separator = _separator(text)
    if separator is None:
        yield 0, len(text), str
        return
    sign = re.escape(separator)
    form = re.compile(rf'"(?P<quoted>(?:[^"]|"")*+)"|(?P<bare>[^{sign}\r\n"][^{sign}\r\n]*)')
    for match in form.finditer(text):
        group = "quoted" if match["quoted"] is not None else "bare"
        if match.end(group) > match.start(group):
            escape = _in_quotes if group == "quoted" else partial(_in_cell, separator=separator)
            yield *match.span(group), escape


def _shown_between_cells(marks: str) -> str:
    """Line ends, and one sign for all kinds of separators, so that cells do not run together."""
    return re.sub(r"[^\r\n]", " | ", marks.replace('"', ""))


def _separator(text: str) -> str | None:
    try:
        return csv.Sniffer().sniff(text[:_SAMPLE], ",;\t|").delimiter
    except csv.Error:
        head = text.split("\n", 1)[0]
        return next((sign for sign in "\t;|," if sign in head), None)


def _in_quotes(text: str) -> str:
    return text.replace('"', '""')


def _in_cell(text: str, separator: str) -> str:
    return re.sub(rf'["\r\n{re.escape(separator)}]+', " ", text)
