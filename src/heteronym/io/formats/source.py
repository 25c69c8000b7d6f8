"""A document as one text, with a way back from places in the text to places in its file.

A file holds one or several streams of characters (a DOCX has many, a text file one). The text is made of
pieces of streams; what joins them (a line break between two paragraphs) stands in no stream. An edit of the
text changes the streams where its pieces are and nothing else, so markup stays as it was.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span

Escape = Callable[[str], str]  # how a text is written in a stream
Pack = Callable[[Mapping[str, str]], bytes]  # changed streams by name -> the file


class Piece(NamedTuple):
    """A stretch of the text and where it stands. Of unequal lengths: only as a whole."""

    start: int
    end: int
    stream: str
    at: int
    to: int
    escape: Escape


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """A document that was read. Holds personal data."""

    text: str
    pieces: Sequence[Piece]  # by start
    streams: Mapping[str, str]
    pack: Pack
    known: tuple[Span, ...] = ()  # what the format itself says: the author of a comment is a person
    ending: str | None = None  # of the name of what is written, if it is another
    unread: int = 0  # pictures, embedded files, scripts: parts that hold no text we read
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", [piece.start for piece in self.pieces])

    def __repr__(self) -> str:
        return f"Source({len(self.text)} characters, {len(self.pieces)} pieces)"

    def write(self, edits: Iterable[Edit]) -> bytes:
        """The file after edits of its text."""
        changes: dict[str, list[Edit]] = defaultdict(list)
        for edit in edits:
            for stream, change in self._changes(edit):
                changes[stream].append(change)
        return self.pack({name: edited(self.streams[name], some) for name, some in changes.items()})

    def _changes(self, edit: Edit) -> Iterable[tuple[str, Edit]]:
        """The new text goes where the old one begins; the rest of the old one is taken out."""
        first = bisect_right(self._starts, edit.start) - 1
        if first < 0 or self.pieces[first].end <= edit.start:
            first += 1
        touched = self.pieces[first : max(first, bisect_left(self._starts, edit.end))]
        if not touched and self.pieces:
            # The edit lies between two pieces: behind the one before, or at the very beginning.
            piece = self.pieces[max(first - 1, 0)]
            place = piece.to if first else piece.at
            yield piece.stream, Edit(place, place, piece.escape(edit.text))
        text = edit.text
        for piece in touched:
            low, high = max(edit.start, piece.start), min(edit.end, piece.end)
            if piece.end - piece.start == piece.to - piece.at:
                at, to = piece.at + low - piece.start, piece.at + high - piece.start
                yield piece.stream, Edit(at, to, piece.escape(text))
            else:
                around = self.text[piece.start : low], self.text[high : piece.end]
                yield piece.stream, Edit(piece.at, piece.to, piece.escape(text.join(around)))
            text = ""


class Gathering:
    """Collects a text and its pieces while a file is read."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        self.known: list[Span] = []

    def add(self, text: str, stream: str, at: int, to: int, escape: Escape) -> None:
        if text:
            self.pieces.append(Piece(self.length, self.length + len(text), stream, at, to, escape))
            self._put(text)

    def join(self, text: str) -> None:
        """What stands in no stream; line breaks are not heaped up."""
        if text != "\n" or (self._texts and not self._texts[-1].endswith("\n")):
            self._put(text)

    def _put(self, text: str) -> None:
        self._texts.append(text)
        self.length += len(text)

    def is_known(self, start: int, kind: str, rule: str) -> None:
        """All that was added since `start` is a mention."""
        if self.length > start:
            self.known.append(Span(start, self.length, kind, 1.0, "format", rule))

    def source(self, streams: Mapping[str, str], pack: Pack, *, unread: int = 0) -> Source:
        text = "".join(self._texts)
        return Source(text, self.pieces, streams, pack, tuple(self.known), unread=unread)
