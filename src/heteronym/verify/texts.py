"""What a released text shows in the place of each mention, read off by laying it over the original.

Text outside the mentions must have stayed as it was, byte for byte, except for an article or "on" before
a mention and a possessive mark behind it, which agree with what stands there. What stands between two such
stretches is what became of the mention. Nothing the producer says about its edits is believed; texts that
it wrote somewhere only tell where one of two adjoining labels ends.

Cost        O(characters) per text where nothing is ambiguous
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from heteronym.verify.reading import alike

_MOST_STEPS = 20_000  # a text in which more tries are needed cannot be told

Kind = Literal["term", "placeholder", "link"]


_BEFORE = re.compile(r"(?<![\w'’-])(?:on\s+)?(?:(?:an?|the)\s+)?\Z", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the)\s+$", re.IGNORECASE)
_BEHIND = re.compile(r"['’]s?(?!\w)")
_FRONT = re.compile(r"((?:on|in)\s+)?((?:an?|the)\s+)?", re.IGNORECASE)


class Shown(NamedTuple):
    """What a reader sees of a mention: a term or something more general, a placeholder, a column's label."""

    kind: Kind
    label: str


class Reading(NamedTuple):
    """What stands in the place of a mention, and where in the released text."""

    text: str
    start: int
    end: int
    changed: bool


Span = tuple[int, int, str]
Stands = tuple[str, int]  # what stands for a mention with what may change beside it, and where it begins


def read(
    original: str,
    released: str,
    spans: Sequence[Span],
    likely: Collection[str] = (),
    written: Collection[str] = frozenset(),
) -> list[Reading | None] | None:
    """What stands in the place of each mention (start, end, type); None if the rest of the text changed.

    Whole sentences may be gone, with at least one mention in what is gone together; None in the place of a
    mention says so. A text whose end is gone must end as the original does: space left there would tell.
    `likely` are labels that mentions may have become, tried before anything else; `written` (cores of) texts
    that stand in this release, preferred where several readings fit.
    """
    overlay = _Overlay(original, released, spans, likely, written)
    whole = overlay.whole()
    told: Sequence[Stands | None] | None = whole
    if whole is None or any(not text for text, _ in whole):
        without = _Without(overlay).read() if spans and overlay.may_be_shorter() else None
        told = without if without is not None else whole
    if told is None:
        return None
    return [None if at is None else overlay.reading(number, *at) for number, at in enumerate(told)]


def core(written: str) -> str:
    """A written label without its article and what else agrees with the words around it."""
    front = _FRONT.match(written)
    return written[front.end() if front is not None else 0 :]


def _widened(text: str, spans: Sequence[Span]) -> list[Span]:
    """Mentions with what may have changed beside them; none reaches into another."""
    wide: list[Span] = []
    reach = 0
    for number, (start, end, kind) in enumerate(spans):
        before = _BEFORE.search(text, max(reach, start - 12), start)
        behind = _BEHIND.match(text, end)
        following = spans[number + 1][0] if number + 1 < len(spans) else len(text)
        last = behind.end() if behind is not None and behind.end() <= following else end
        wide.append((start if before is None else before.start(), last, kind))
        reach = last
    return wide


def _core(text: str, before: str, behind: str) -> tuple[int, int] | None:
    """Where in what stands there the label is; None if a word around it came or went that may not."""
    front = _FRONT.match(text)
    assert front is not None  # it matches nothing, too
    start = front.end()
    if before[:2].lower() == "on":
        if front[1] is None:
            return None
    elif front[1] is not None:
        start = 0  # "in" belongs to the label where none of the kind stood before it
    end = len(text)
    if behind:
        mark = re.search(r"['’]s?$", text)
        if mark is None:
            return None
        end = mark.start()
    return (start, end) if start <= end else (end, end)


class _Overlay:
    """A released text laid over its original."""

    def __init__(
        self,
        original: str,
        released: str,
        spans: Sequence[Span],
        likely: Collection[str],
        written: Collection[str],
    ) -> None:
        self.original, self.released, self.spans = original, released, spans
        self.likely, self.written = likely, written
        self.wide = _widened(original, spans)

    def may_be_shorter(self) -> bool:
        """Whether sentences may be gone: a text that grew by more than labels cannot be read so."""
        grown = sum(len(text) + 8 for text in self.likely) * len(self.spans) + 64
        grown += self._longest * len(self.spans)
        return len(self.released) <= len(self.original) + grown

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.written), default=0) + 16

    def gaps(self, first: int, last: int, start: int, end: int) -> list[str]:
        """What must have stayed between start and end, around the mentions first to last - 1."""
        inner = [place for span in self.wide[first:last] for place in span[:2]]
        borders = [start, *inner, end]
        return [self.original[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]

    def whole(self) -> list[Stands] | None:
        """What stands in the place of each mention where no sentence is gone."""
        gaps = self.gaps(0, len(self.wide), 0, len(self.original))
        if not self.released.startswith(gaps[0]):
            return None
        steps = 0
        # Depth first over places where the next unchanged stretch may begin, likely ones first.
        tries: list[Iterator[int]] = [iter([len(gaps[0])])]
        starts: list[int] = []
        while tries:
            place = next(tries[-1], None)
            if place is None:
                tries.pop()
                if starts:
                    starts.pop()
                continue
            steps += 1
            if steps > _MOST_STEPS:
                return None
            number = len(tries) - 1
            starts.append(place)
            if number == len(self.wide):
                if place == len(self.released):
                    return [
                        (self.released[starts[i] : starts[i + 1] - len(gaps[i + 1])], starts[i])
                        for i in range(len(starts) - 1)
                    ]
                starts.pop()
                continue
            tries.append(self.next_places(number, place, gaps[number + 1]))
        return None

    def sides(self, number: int) -> tuple[str, str]:
        """What stood beside a mention and may have changed."""
        (start, end, _), (first, last, _) = self.spans[number], self.wide[number]
        return self.original[first:start], self.original[end:last]

    def guesses(self, number: int) -> Iterator[str]:
        """What a mention has most often become: itself, a placeholder, a likely label, an article with it."""
        first, last, kind = self.wide[number]
        yield self.original[first:last]
        before, behind = self.sides(number)
        fronts, bare = [before], _ARTICLE.sub("", before)
        if bare != before:
            gap = before[len(before.rstrip()) :]
            fronts += [f"{bare}{article}{gap}" for article in ("a", "A", "an", "An")] + [bare]
        for front in fronts:
            for label in (f"[{kind}]", "[...]", *self.likely):
                yield front + label + behind

    def next_places(self, number: int, place: int, gap: str) -> Iterator[int]:
        """Where the stretch behind a mention that begins at `place` may end, the best guess first."""
        released, seen = self.released, set[int]()
        for text in chain(self.guesses(number), ("",)):
            end = place + len(text) + len(gap)
            if end not in seen and released.startswith(text + gap, place):
                seen.add(end)
                yield end
        for at in self._other_ends(number, place, gap):
            if at + len(gap) not in seen:
                seen.add(at + len(gap))
                yield at + len(gap)

    def _other_ends(self, number: int, place: int, gap: str) -> list[int]:
        """Of all that fits, what is written elsewhere first; with no gap to go by, nothing else but all."""
        released, ends = self.released, list[int]()
        at = released.find(gap, place) if gap else -1
        while at >= 0 and len(ends) < 64:
            ends.append(at)
            at = released.find(gap, at + 1)
        if not gap:
            ends = [*range(place + 1, min(place + self._longest, len(released))), len(released)]
        sides = self.sides(number)
        fits = [(end, _core(released[place:end], *sides)) for end in ends]
        told = [end for end, inside in fits if inside and released[place:end][slice(*inside)] in self.written]
        return [*told, *(end for end, inside in fits if inside is not None and (gap or end == len(released)))]

    def is_plain(self, number: int, text: str) -> bool:
        """Whether a mention became what mentions of this release become."""
        inside = _core(text, *self.sides(number))
        return text in self.guesses(number) or (inside is not None and text[slice(*inside)] in self.written)

    def reading(self, number: int, text: str, at: int) -> Reading:
        (start, end, _), (first, last, _) = self.spans[number], self.wide[number]
        if text == self.original[first:last]:
            shift = at - first
            return Reading(self.original[start:end], start + shift, end + shift, changed=False)
        inside = _core(text, *self.sides(number)) or (0, len(text))
        return Reading(text[slice(*inside)], at + inside[0], at + inside[1], changed=True)


_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?![a-z\s])|[^\S\n]*\n[^\S\n]*\n\s*")


class _Without:
    """Reads a released text as the original without some of its sentences."""

    def __init__(self, overlay: _Overlay) -> None:
        self.overlay, self.released = overlay, overlay.released
        original, spans = overlay.original, overlay.wide
        ends = [match.end() for match in _SENTENCE_END.finditer(original)]
        ends = [end for end in ends if end < len(original) and not any(a < end < b for a, b, _ in spans)]
        self.borders = [0, *ends, len(original)]
        self.tail = original[len(original.rstrip()) :]
        starts = [start for start, _, _ in spans]
        self.first = [bisect_left(starts, border) for border in self.borders[:-1]] + [len(spans)]
        self.steps = 0

    def read(self) -> list[Stands | None] | None:
        """Depth first over sentences: stands, if it can be read here, before gone."""
        failed: set[tuple[int, int, bool]] = set()
        trail: list[tuple[Iterator[tuple[int, list[Stands] | None]], int]] = []
        found: list[list[Stands] | None] = []
        place, idle = 0, False  # idle: sentences without a mention were left out, and none with one yet
        sentences = len(self.borders) - 1
        while True:
            number = len(trail)
            if number == sentences and place == len(self.released) and not idle and self._ends_well(found):
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

    def _ends_well(self, found: Sequence[list[Stands] | None]) -> bool:
        """Whether the end of the text tells nothing of sentences that stood there."""
        kept = self.released.rstrip()
        return found[-1] is not None or not kept or self.released == kept + self.tail

    def _idle(self, found: Sequence[list[Stands] | None]) -> bool:
        """Whether what is gone last holds no mention."""
        number = len(found)
        while number and found[number - 1] is None:
            number -= 1
        return number < len(found) and self.first[number] == self.first[len(found)]

    def _told(self, found: Sequence[list[Stands] | None]) -> list[Stands | None]:
        told: list[Stands | None] = []
        for number, texts in enumerate(found):
            many = self.first[number + 1] - self.first[number]
            told += [None] * many if texts is None else texts
        return told

    def _readings(self, number: int, place: int) -> Iterator[tuple[int, list[Stands] | None]]:
        """Where the sentence may end that begins at `place`, and what stands for its mentions; or gone."""
        first, last = self.first[number], self.first[number + 1]
        gaps = self.overlay.gaps(first, last, self.borders[number], self.borders[number + 1])
        others: list[tuple[int, list[Stands] | None]] = []
        for stretches in (gaps, [*gaps[:-1], gaps[-1].rstrip() + self.tail]):
            if stretches is not gaps and (number + 2 == len(self.borders) or stretches == gaps):
                continue  # the last sentence has its own end
            if not self.released.startswith(stretches[0], place):
                continue
            for texts, end in self._fill(place + len(stretches[0]), first, last, stretches[1:]):
                if stretches is not gaps and end != len(self.released):
                    continue  # only what is last now has the end of the text
                if all(self.overlay.is_plain(first + i, text) for i, (text, _) in enumerate(texts)):
                    yield end, texts
                elif all(text and not _SENTENCE_END.search(text) for text, _ in texts):
                    others.append((end, texts))
        # gone is likelier than anything else that could stand there
        yield place, None
        yield from others

    def _fill(
        self, place: int, first: int, last: int, gaps: Sequence[str]
    ) -> Iterator[tuple[list[Stands], int]]:
        self.steps += 1
        if first == last:
            yield [], place
            return
        for end in self.overlay.next_places(first, place, gaps[0]):
            if self.steps > _MOST_STEPS:
                return
            for texts, behind in self._fill(end, first + 1, last, gaps[1:]):
                yield [(self.released[place : end - len(gaps[0])], place), *texts], behind


def shown_as(
    surface: str, text: str | None, kind: str, labels: Collection[str], *, renamed: Collection[str] = ()
) -> Shown | None:
    """What a reader learns from `text` in the place of a mention; nothing, if its sentence is gone.

    Mentions of the types in `renamed` may be shown as surrogates, which count as the terms themselves.
    """
    if text is None:
        return None
    if text in (f"[{kind}]", "[...]", ""):
        # an untyped one, or a hole in a sentence, counts under the type that it hides
        return Shown("placeholder", kind)
    if text != surface and text in labels:
        return Shown("link", text)
    if text != surface and text[:1] + text[-1:] in ("()", "[]"):
        # another's item, or another's range: the label of a group, of which brackets are a part
        return Shown("term", " ".join(text.split()).casefold())
    return Shown("term", alike(surface if kind in renamed else text))
