"""What a released text shows in the place of each mention, read off by laying it over the original.

Text outside the mentions must have stayed as it was, byte for byte; what stands between two such
stretches is what became of the mention there. Nothing the producer says about its edits is used.

Cost        O(characters) per text where nothing is ambiguous
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def shown_as(surface: str, text: str, kind: str, labels: Collection[str]) -> Shown | None:
    """What a reader learns from `text` in the place of a mention; nothing, if there is nothing."""
    if text in (f"[{kind}]", "[...]"):
        return Shown("placeholder", kind)  # an untyped one counts under the type that it hides
    if not text:
        return None
    if text != surface and text in labels:
        return Shown("link", text)
    return Shown("term", " ".join(text.split()).casefold())
