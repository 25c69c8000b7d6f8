"""A document as one text, with a way back from places in the text to places in its file.

A file holds one or several streams of characters (a DOCX has many, a text file one). The text is made of
pieces of streams; what joins them (a line break between two paragraphs) stands in no stream. An edit of the
text changes the streams where its pieces are and nothing else, so markup stays as it was. A document inside a
document (a workbook behind a chart, a page in an attribute) is a source of its own, whose streams are written
into the stretch of the outer stream that held them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span

Escape = Callable[[str], str]  # how a text is written in a stream
Pack = Callable[[Mapping[str, str]], bytes]  # changed streams by name -> the file
Rewrite = Callable[[Mapping[str, Sequence[Edit]]], bytes]  # edits of streams by name -> the file


_WORDS = re.compile(r"\s+|\S+")


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


class Label(NamedTuple):
    """A stretch of the text that is context: a key, or what is stored once and shown again."""

    start: int
    end: int
    origin: int = -1  # where in the text it is stored, if a mention in it is one there


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
    labels: tuple[Label, ...] = ()  # shown for what they say of the text behind them
    rewrite: Rewrite | None = None  # instead of `pack`, where edits of streams are no edits of characters
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
        own: dict[str, list[Edit]] = {}
        inside: dict[str, dict[str, list[Edit]]] = defaultdict(dict)  # by the prefix of a nested document
        prefixes = {nested.prefix for nested in self.nested}
        for name, some in changes.items():
            if name in self.streams:
                own[name] = list(some)
                continue
            ends = (place.end() for place in re.finditer("/", name))
            prefix = next(name[:end] for end in ends if name[:end] in prefixes)
            inside[prefix][name.removeprefix(prefix)] = some
        for nested in self.nested:
            if nested.prefix in inside:
                new = nested.encode(nested.source._packed(inside[nested.prefix]))
                own.setdefault(nested.stream, []).append(Edit(nested.at, nested.to, new))
        if self.rewrite is not None:
            return self.rewrite(own)
        return self.pack({name: edited(self.streams[name], some) for name, some in own.items()})

    def _changes(self, edit: Edit) -> Iterable[tuple[str, Edit]]:
        """The new text goes where the old one begins; the rest of the old one is taken out."""
        first = bisect_right(self._starts, edit.start) - 1
        if first < 0 or self.pieces[first].end <= edit.start:
            first += 1
        touched = self.pieces[first : max(first, bisect_left(self._starts, edit.end))]
        if not touched and any(at <= edit.start < edit.end <= to for at, to, _ in self.labels):
            return  # a heading is shown again and again, and changes where it stands
        if not touched and self.pieces:
            # The edit lies between two pieces: behind the one before, or at the very beginning.
            piece = self.pieces[max(first - 1, 0)]
            place = piece.to if first else piece.at
            yield piece.stream, Edit(place, place, piece.escape(edit.text))
        for piece, text in zip(touched, self._shares(edit, touched), strict=True):
            low, high = max(edit.start, piece.start), min(edit.end, piece.end)
            if piece.end - piece.start == piece.to - piece.at:
                at, to = piece.at + low - piece.start, piece.at + high - piece.start
                yield piece.stream, Edit(at, to, piece.escape(text))
            else:
                around = self.text[piece.start : low], self.text[high : piece.end]
                yield piece.stream, Edit(piece.at, piece.to, piece.escape(text.join(around)))

    def _shares(self, edit: Edit, touched: Sequence[Piece]) -> list[str]:
        """What of the new text goes into which piece: word by word where old and new have as many words and
        no piece begins within one; else all of it into the first, so that it takes the style of the first.
        """
        shares = [""] * len(touched)
        old = self.text[edit.start : edit.end]
        words, new = _WORDS.findall(old), _WORDS.findall(edit.text)
        place, number, split = edit.start, 0, len(words) != len(new) or len(touched) < 2
        for word, other in zip(words, new):
            while number < len(touched) - 1 and touched[number].end <= place:
                number += 1
            split |= place + len(word) > touched[number].end or word.isspace() != other.isspace()
            if split or place < touched[number].start:
                break
            shares[number] += other
            place += len(word)
        return shares if place == edit.end and not split else [edit.text] + [""] * (len(touched) - 1)


def count_kinds(kinds: Iterable[str]) -> str:
    """Kinds of parts with their numbers, in words: "2 pictures, 1 macro"."""
    return ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in sorted(Counter(kinds).items()))


def outside_labels(spans: Sequence[Span], labels: Sequence[Label]) -> list[Span]:
    """Mentions without what they have of keys; one that goes over several cells becomes one in each.

    What is shown again is a mention where it is stored.
    """
    if not labels:
        return list(spans)
    ends = [label.end for label in labels]
    kept: list[Span] = []
    moved: list[Span] = []
    for span in spans:
        place = span.start
        for label in labels[bisect_right(ends, span.start) :]:
            if label.start >= span.end:
                break
            if label.start <= span.start and span.end <= label.end and label.origin >= 0:
                by = label.origin - label.start
                moved.append(span._replace(start=span.start + by, end=span.end + by))
            if label.start > place:
                kept.append(span._replace(start=place, end=label.start))
            place = max(place, label.end)
        if span.end > place:
            kept.append(span._replace(start=place))
    for span in sorted(set(moved)):
        if not any(span.start < other.end and other.start < span.end for other in kept):
            kept.append(span)
    return sorted(kept)


class Gathering:
    """Collects a text and its pieces while a file is read."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.length = 0
        self.pieces: list[Piece] = []
        self.known: list[Span] = []
        self.unread: list[str] = []
        self.nested: list[Nested] = []
        self.left_out: list[str] = []
        self.traces: list[tuple[str, Edit]] = []
        self.labels: list[Label] = []

    def add(self, text: str, stream: str, at: int, to: int, escape: Escape) -> None:
        if text:
            self.pieces.append(Piece(self.length, self.length + len(text), stream, at, to, escape))
            self.put(text)

    def join(self, text: str) -> None:
        """What stands in no stream; line breaks are not heaped up."""
        if text != "\n" or not self.ends_line():
            self.put(text)

    def since(self, start: int) -> str:
        """What was added last, from `start` on."""
        parts: list[str] = []
        left = self.length - start
        for text in reversed(self._texts):
            if left <= 0:
                break
            parts.append(text[-left:] if len(text) > left else text)
            left -= len(text)
        return "".join(reversed(parts))

    def ends_line(self) -> bool:
        return not self._texts or self._texts[-1].endswith("\n")

    def put(self, text: str) -> None:
        """What stands in no stream, as it is."""
        if text:
            self._texts.append(text)
            self.length += len(text)

    def is_known(self, start: int, kind: str, rule: str) -> None:
        """All that was added since `start` is a mention."""
        if self.length > start:
            self.known.append(Span(start, self.length, kind, 1.0, "format", rule))

    def part(self, text: str) -> None:
        """What stands between cells or values, over which no mention goes."""
        if text != "\n" or not self.ends_line():
            self.label(text)

    def label(self, text: str, origin: int = -1) -> None:
        """What stands elsewhere, shown once more."""
        self.put(text)
        self.is_label(self.length - len(text), origin)

    def is_label(self, start: int, origin: int = -1) -> None:
        """All that was added since `start` is context."""
        if self.length > start:
            self.labels.append(Label(start, self.length, origin))

    def nest(
        self,
        source: Source,
        place: tuple[str, int, int],
        encode: Callable[[bytes], str],
        *,
        around: str = "\n",
    ) -> None:
        """A document inside this one: its text goes on here, its unread parts and traces are this one's."""
        stream, at, to = place
        prefix = f"{stream}@{at}/"
        if around:
            self.join(around)
        offset = self.length
        if source.text:
            self.put(source.text)
        for piece in source.pieces:
            moved = piece._replace(start=piece.start + offset, end=piece.end + offset)
            self.pieces.append(moved._replace(stream=prefix + piece.stream))
        self.known += [s._replace(start=s.start + offset, end=s.end + offset) for s in source.known]
        self.labels += [
            Label(start + offset, end + offset, origin + offset if origin >= 0 else -1)
            for start, end, origin in source.labels
        ]
        self.unread += source.unread
        self.traces += [(prefix + name, edit) for name, edit in source.traces]
        self.left_out += source.left_out
        self.nested.append(Nested(prefix, source, stream, at, to, encode))
        if around:
            self.join(around)

    def source(self, streams: Mapping[str, str], pack: Pack) -> Source:
        return Source(
            "".join(self._texts),
            self.pieces,
            streams,
            pack,
            tuple(self.known),
            unread=tuple(self.unread),
            left_out=tuple(self.left_out),
            nested=tuple(self.nested),
            traces=tuple(self.traces),
            labels=tuple(self.labels),
        )
