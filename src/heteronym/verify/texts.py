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
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

_MOST_STEPS = 20_000  # a text in which more tries are needed cannot be told

Kind = Literal["term", "placeholder", "link"]


_BEFORE = re.compile(r"(?<![\w'’-])(?:on\s+)?(?:(?:an?|the)\s+)?$", re.IGNORECASE)
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


def read(
    original: str,
    released: str,
    spans: Sequence[Span],
    likely: Collection[str] = (),
    written: Collection[str] = frozenset(),
) -> list[Reading] | None:
    """What stands in the place of each mention (start, end, type); None if the rest of the text changed.

    `likely` are labels that mentions may have become, tried before anything else; `written` (cores of)
    texts that stand in this release, preferred where several readings fit.
    """
    wide = _widened(original, spans)
    told = overlay(original, released, wide, likely, spans=spans, written=written)
    if told is None:
        return None
    found = []
    for (start, end, _), (first, last, _), (text, at) in zip(spans, wide, told, strict=True):
        if text == original[first:last]:
            shift = at - first
            found.append(Reading(original[start:end], start + shift, end + shift, changed=False))
            continue
        inside = _core(text, original[first:start], original[end:last])
        if inside is None:
            return None
        found.append(Reading(text[slice(*inside)], at + inside[0], at + inside[1], changed=True))
    return found


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


def overlay(
    original: str,
    released: str,
    wide: Sequence[Span],
    likely: Collection[str] = (),
    *,
    spans: Sequence[Span] = (),
    written: Collection[str] = frozenset(),
) -> list[tuple[str, int]] | None:
    """What stands in the place of each widened mention, and where it begins."""
    spans = spans or wide
    borders = [0, *(place for start, end, _ in wide for place in (start, end)), len(original)]
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
        if number == len(wide):
            if place == len(released):
                return _between(released, starts, gaps)
            starts.pop()
            continue
        guesses = _guesses(original, spans[number], wide[number], likely)
        sides = _sides(original, spans[number], wide[number])
        tries.append(_next_places(released, place, guesses, gaps[number + 1], written, sides))
    return None


def _sides(original: str, span: Span, wide: Span) -> tuple[str, str]:
    """What stood beside a mention and may have changed."""
    return original[wide[0] : span[0]], original[span[1] : wide[1]]


def _guesses(original: str, span: Span, wide: Span, likely: Collection[str]) -> list[str]:
    """What a mention has most often become: itself, a placeholder or a likely label, an article with it."""
    kind = span[2]
    before, behind = _sides(original, span, wide)
    bare = re.sub(r"(?:an?|the)\s+$", "", before, flags=re.IGNORECASE)
    fronts = [before]
    if bare != before:
        gap = before[len(before.rstrip()) :]
        fronts += [f"{bare}{article}{gap}" for article in ("a", "A", "an", "An")] + [bare]
    labels = (f"[{kind}]", "[...]", *likely)
    framed = [front + label + behind for front in fronts for label in labels]
    return [original[wide[0] : wide[1]], *framed, ""]


def _next_places(
    released: str,
    place: int,
    guesses: Sequence[str],
    gap: str,
    written: Collection[str],
    sides: tuple[str, str],
) -> list[int]:
    """Where the stretch behind a mention that begins at `place` may end, the best guess last."""
    places = [place + len(text) + len(gap) for text in guesses if released.startswith(text + gap, place)]
    ends: list[int] = []
    at = released.find(gap, place) if gap else -1
    while at >= 0 and len(ends) < 64:
        ends.append(at)
        at = released.find(gap, at + 1)
    if not gap:
        longest = max(map(len, written), default=0) + 16
        ends = [*range(place + 1, min(place + longest, len(released))), len(released)]
    # of all that fits, what is written elsewhere comes first; with no gap to go by, nothing else but all
    fits = [(end, _core(released[place:end], *sides)) for end in ends]
    told = [end for end, inside in fits if inside and released[place:end][slice(*inside)] in written]
    rest = [end for end, inside in fits if inside is not None and (gap or end == len(released))]
    return list(dict.fromkeys([*places, *(end + len(gap) for end in (*told, *rest))]))[::-1]


def _between(released: str, starts: Sequence[int], gaps: Sequence[str]) -> list[tuple[str, int]]:
    """`starts[i]` is where gap i ends."""
    return [
        (released[starts[i] : starts[i + 1] - len(gaps[i + 1])], starts[i]) for i in range(len(starts) - 1)
    ]


def shown_as(surface: str, text: str, kind: str, labels: Collection[str]) -> Shown | None:
    """What a reader learns from `text` in the place of a mention; nothing, if there is nothing."""
    if text in (f"[{kind}]", "[...]"):
        return Shown("placeholder", kind)  # an untyped one counts under the type that it hides
    if not text:
        return None
    if text != surface and text in labels:
        return Shown("link", text)
    return Shown("term", " ".join(text.split()).casefold())
