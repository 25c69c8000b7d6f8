"""What a released text shows in the place of each mention, read off by laying it over the original.

Text outside the mentions must have stayed as it was, byte for byte (but for "an" before one, which
tells how it begins); what stands between two such stretches is what became of the mention there.
Nothing the producer says about its edits is used.

Cost        O(characters) per text where nothing is ambiguous
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from heteronym.verify.reading import alike

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
    options = [_written(gap) if number < len(spans) else [gap] for number, gap in enumerate(gaps)]
    steps = 0
    # Depth first over places where the next unchanged stretch may stand, likely ones first.
    tries = [[_Stretch(0, len(gap)) for gap in options[0][::-1] if released.startswith(gap)]]
    taken: list[_Stretch] = []
    while tries:
        if not tries[-1]:
            tries.pop()
            if taken:
                taken.pop()
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return None
        taken.append(tries[-1].pop())
        number = len(tries) - 1
        if number == len(spans):
            if taken[-1].end == len(released):
                return [released[a.end : b.start] for a, b in pairwise(taken)]
            taken.pop()
            continue
        tries.append(_next(original, released, taken[-1].end, spans[number], options[number + 1], likely))
    return None


class _Stretch(NamedTuple):
    """Where an unchanged stretch of the original stands in the released text."""

    start: int
    end: int


def _written(gap: str) -> list[str]:
    """A stretch before a mention; "an" may have become "a", so that it does not tell the next letter."""
    article = _AN.search(gap)
    return [gap] if article is None else [gap, gap[: article.start(1)] + gap[article.end(1) :]]


_AN = re.compile(r"(?<![^\W_])a(n)\s+\Z", re.IGNORECASE)


def _next(
    original: str,
    released: str,
    place: int,
    span: tuple[int, int, str],
    gaps: Sequence[str],
    likely: Collection[str],
) -> list[_Stretch]:
    """Where the stretch behind a mention that begins at `place` may stand, the best guess last."""
    start, end, kind = span
    known = [original[start:end], f"[{kind}]", "[...]", *sorted(likely, key=lambda t: (-len(t), t)), ""]
    found: list[_Stretch] = []
    for gap in gaps:
        found += [
            _Stretch(place + len(text), place + len(text) + len(gap))
            for text in known
            if released.startswith(text + gap, place)
        ]
    for gap in gaps:
        at = released.find(gap, place) if gap else -1
        others = 0
        while at >= 0 and others < 64:
            others += 1
            found.append(_Stretch(at, at + len(gap)))
            at = released.find(gap, at + 1)
        if not gap:
            found.append(_Stretch(len(released), len(released)))
    return list(dict.fromkeys(found))[::-1]


def shown_as(surface: str, text: str, kind: str, labels: Collection[str]) -> Shown | None:
    """What a reader learns from `text` in the place of a mention; nothing, if there is nothing."""
    if text in (f"[{kind}]", "[...]"):
        return Shown("placeholder", kind)  # an untyped one counts under the type that it hides
    if not text:
        return None
    if text != surface and text in labels:
        return Shown("link", text)
    return Shown("term", alike(text))
