"""A document as one text, with a way back from places in the text to places in its file.

A file holds one or several streams of characters (a DOCX has many, a text file one). The text is made of
pieces of streams; what joins them (a line break between two paragraphs) stands in no stream. An edit of the
text changes the streams where its pieces are and nothing else, so markup stays as it was. A document inside a
document (a workbook behind a chart, a page in an attribute) is a source of its own, whose streams are written
into the stretch of the outer stream that held them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
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


class Nested(NamedTuple):
    """A document inside another one: the stretch of the outer stream, and how its new bytes stand there."""

    prefix: str  # before the names of its streams
    source: Source
    stream: str
    at: int
    to: int
    encode: Callable[[bytes], str]


@dataclass(frozen=True, repr=False, eq=False)
class Source:
    """A document that was read. Holds personal data."""

    text: str
    pieces: Sequence[Piece]  # by start
    streams: Mapping[str, str]
    pack: Pack
    known: tuple[Span, ...] = ()  # what the format itself says: the author of a comment is a person
    ending: str | None = None  # of the name of what is written, if it is another
    unread: tuple[str, ...] = ()  # kinds of parts that are written and were not read, such as "picture"
    left_out: tuple[str, ...] = ()  # kinds of parts that were not read and are not written either
    nested: tuple[Nested, ...] = ()
    traces: tuple[tuple[str, Edit], ...] = ()  # (stream, edit): what else must go, such as times of editing
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_starts", [piece.start for piece in self.pieces])

    def __repr__(self) -> str:
        return f"Source({len(self.text)} characters, {len(self.pieces)} pieces)"

    def write(self, edits: Iterable[Edit], *, clear_traces: bool = False) -> bytes:
        """The file after edits of its text; on demand without its traces, which are no part of the text."""
        changes: dict[str, list[Edit]] = defaultdict(list)
        for edit in edits:
            for stream, change in self._changes(edit):
                changes[stream].append(change)
        if clear_traces:
            for stream, change in self.traces:
                changes[stream].append(change)
        return self._packed(changes)

    def _packed(self, changes: Mapping[str, list[Edit]]) -> bytes:
        own = {name: list(some) for name, some in changes.items() if name in self.streams}
        for nested in self.nested:
            inside = {
                name.removeprefix(nested.prefix): some
                for name, some in changes.items()
                if name.startswith(nested.prefix)
            }
            if inside:
                new = nested.encode(nested.source._packed(inside))
                own.setdefault(nested.stream, []).append(Edit(nested.at, nested.to, new))
        return self.pack({name: edited(self.streams[name], some) for name, some in own.items()})

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


def count_kinds(kinds: Iterable[str]) -> str:
    """Kinds of parts with their numbers, in words: "2 pictures, 1 macro"."""
    return ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(Counter(kinds).items()))


class Gathering:
    """Collects a text and its pieces while a file is read."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        self.known: list[Span] = []
        self.unread: list[str] = []
        self.nested: list[Nested] = []
        self.traces: list[tuple[str, Edit]] = []

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

    def nest(self, source: Source, place: tuple[str, int, int], encode: Callable[[bytes], str]) -> None:
        """A document inside this one: its text goes on here, its unread parts and traces are this one's."""
        stream, at, to = place
        prefix = f"{stream}@{at}/"
        self.join("\n")
        offset = self.length
        if source.text:
            self._put(source.text)
        for piece in source.pieces:
            moved = piece._replace(start=piece.start + offset, end=piece.end + offset)
            self.pieces.append(moved._replace(stream=prefix + piece.stream))
        self.known += [s._replace(start=s.start + offset, end=s.end + offset) for s in source.known]
        self.unread += source.unread
        self.traces += [(prefix + name, edit) for name, edit in source.traces]
        self.nested.append(Nested(prefix, source, stream, at, to, encode))
        self.join("\n")

    def source(self, streams: Mapping[str, str], pack: Pack) -> Source:
        return Source(
            "".join(self._texts),
            self.pieces,
            streams,
            pack,
            tuple(self.known),
            unread=tuple(self.unread),
            nested=tuple(self.nested),
            traces=tuple(self.traces),
        )
