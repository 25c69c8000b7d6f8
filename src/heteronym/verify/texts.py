"""What a released text shows in the place of each mention, read off by laying it over the original.

Text outside the mentions must have stayed as it was, byte for byte; what stands between two such
stretches is what became of the mention there. Nothing the producer says about its edits is used.

Cost        O(characters) per text where nothing is ambiguous
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

_MOST_STEPS = 20_000  # a text in which more tries are needed cannot be told

Kind = Literal["term", "placeholder", "link"]


class Shown(NamedTuple):
    """What a reader sees of a mention: a term or something more general, a placeholder, a column's label."""

    kind: Kind
    label: str


def overlay(
    original: str,
    released: str,
    spans: Sequence[tuple[int, int, str]],
    likely: Collection[str] = (),
) -> list[str] | None:
    """What stands in the place of each mention (start, end, type); None if the rest of the text changed.

    `likely` are texts that mentions may have become, tried before anything else.
    """
    borders = [0, *(place for start, end, _ in spans for place in (start, end)), len(original)]
    gaps = [original[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
    if not released.startswith(gaps[0]):
        return None
    steps = 0
    # Depth first over places where the next unchanged stretch may begin, likely ones first.
    tries: list[list[int]] = [[len(gaps[0])]]
    starts: list[int] = []
    while tries:
        if not tries[-1]:
            tries.pop()
            if starts:
                starts.pop()
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return None
        place = tries[-1].pop()
        number = len(tries) - 1
        starts.append(place)
        if number == len(spans):
            if place == len(released):
                return _between(released, starts, gaps)
            starts.pop()
            continue
        tries.append(_next_places(original, released, place, spans[number], gaps[number + 1], likely))
    return None


def _next_places(
    original: str, released: str, place: int, span: tuple[int, int, str], gap: str, likely: Collection[str]
) -> list[int]:
    """Where the stretch behind a mention that begins at `place` may end, the best guess last."""
    start, end, kind = span
    known = [original[start:end], f"[{kind}]", "[...]", "", *likely]
    places = [place + len(text) + len(gap) for text in known if released.startswith(text + gap, place)]
    others: list[int] = []
    at = released.find(gap, place) if gap else -1
    while at >= 0 and len(others) < 64:
        others.append(at + len(gap))
        at = released.find(gap, at + 1)
    if not gap:
        others.append(len(released))
    return list(dict.fromkeys([*places, *others]))[::-1]


def _between(released: str, starts: Sequence[int], gaps: Sequence[str]) -> list[str]:
    """`starts[i]` is where gap i ends."""
    return [released[starts[i] : starts[i + 1] - len(gaps[i + 1])] for i in range(len(starts) - 1)]


def overlay_sentences(
    original: str,
    released: str,
    spans: Sequence[tuple[int, int, str]],
    likely: Collection[str] = (),
) -> list[str | None] | None:
    """As `overlay`, where whole sentences may be gone, with at least one mention in what is gone together.

    None in the place of a mention says that its sentence is gone.
    """
    whole = overlay(original, released, spans, likely)
    if whole is not None and "" not in whole:
        return list(whole)
    if not spans or len(released) > len(original) + sum(len(text) + 8 for text in likely) * len(spans) + 64:
        return None if whole is None else list(whole)
    without = _Without(original, released, spans, likely).read()
    return without if without is not None or whole is None else list(whole)


_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?![a-z\s])|[^\S\n]*\n[^\S\n]*\n\s*")


class _Without:
    """Reads a released text as the original without some of its sentences."""

    def __init__(
        self, original: str, released: str, spans: Sequence[tuple[int, int, str]], likely: Collection[str]
    ) -> None:
        self.original, self.released, self.spans, self.likely = original, released, spans, likely
        ends = [match.end() for match in _SENTENCE_END.finditer(original)]
        ends = [end for end in ends if end < len(original) and not any(a < end < b for a, b, _ in spans)]
        self.borders = [0, *ends, len(original)]
        starts = [start for start, _, _ in spans]
        self.first = [bisect_left(starts, border) for border in self.borders[:-1]] + [len(spans)]
        self.steps = 0

    def read(self) -> list[str | None] | None:
        """Depth first over sentences: stands, if it can be read here, before gone."""
        failed: set[tuple[int, int, bool]] = set()
        trail: list[tuple[Iterator[tuple[int, list[str] | None]], int]] = []
        found: list[list[str] | None] = []
        place, idle = 0, False  # idle: sentences without a mention were left out, and none with one yet
        sentences = len(self.borders) - 1
        while True:
            number = len(trail)
            if number == sentences and place == len(self.released) and not idle:
                return self._told(found)
            if number < sentences and (number, place, idle) not in failed:
                failed.add((number, place, idle))
                trail.append((self._readings(number, place), place))
                found.append(None)
            if not trail or self.steps > _MOST_STEPS:
                return None
            step = next(trail[-1][0], None)
            # what stands behind a stretch that went without holding a mention cannot be read so
            while step is None or (step[1] is not None and self._idle(found[:-1])):
                if step is None:
                    trail.pop()
                    found.pop()
                if not trail:
                    return None
                step = next(trail[-1][0], None)
            place, found[-1] = step
            idle = self._idle(found)

    def _idle(self, found: Sequence[list[str] | None]) -> bool:
        """Whether what is gone last holds no mention."""
        number = len(found)
        while number and found[number - 1] is None:
            number -= 1
        return number < len(found) and self.first[number] == self.first[len(found)]

    def _told(self, found: Sequence[list[str] | None]) -> list[str | None]:
        told: list[str | None] = []
        for number, texts in enumerate(found):
            many = self.first[number + 1] - self.first[number]
            told += [None] * many if texts is None else texts
        return told

    def _readings(self, number: int, place: int) -> Iterator[tuple[int, list[str] | None]]:
        """Where the sentence may end that begins at `place`, and what stands for its mentions; or gone."""
        spans = self.spans[self.first[number] : self.first[number + 1]]
        inner = [edge for start, end, _ in spans for edge in (start, end)]
        borders = [self.borders[number], *inner, self.borders[number + 1]]
        gaps = [self.original[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
        others: list[tuple[int, list[str] | None]] = []
        if self.released.startswith(gaps[0], place):
            for texts, end in self._fill(place + len(gaps[0]), spans, gaps[1:]):
                if all(self._plain(text, span) for text, span in zip(texts, spans, strict=True)):
                    yield end, texts
                elif all(text and not _SENTENCE_END.search(text) for text in texts):
                    others.append((end, texts))
        # gone is likelier than anything else that could stand there
        yield place, None
        yield from others

    def _plain(self, text: str, span: tuple[int, int, str]) -> bool:
        start, end, kind = span
        return text in (self.original[start:end], f"[{kind}]", "[...]") or text in self.likely

    def _fill(
        self, place: int, spans: Sequence[tuple[int, int, str]], gaps: Sequence[str]
    ) -> Iterator[tuple[list[str], int]]:
        self.steps += 1
        if not spans:
            yield [], place
            return
        after = _next_places(self.original, self.released, place, spans[0], gaps[0], self.likely)
        for end in reversed(after):
            if self.steps > _MOST_STEPS:
                return
            for texts, last in self._fill(end, spans[1:], gaps[1:]):
                yield [self.released[place : end - len(gaps[0])], *texts], last


def shown_as(surface: str, text: str | None, kind: str, labels: Collection[str]) -> Shown | None:
    """What a reader learns from `text` in the place of a mention; nothing, if its sentence is gone."""
    if text is None:
        return None
    if text in (f"[{kind}]", "[...]", ""):
        # an untyped one, or a hole in a sentence, counts under the type that it hides
        return Shown("placeholder", kind)
    if text != surface and text in labels:
        return Shown("link", text)
    return Shown("term", " ".join(text.split()).casefold())
