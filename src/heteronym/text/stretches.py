"""Stretches of a text, by start and end: which overlap, what they cover together, and what they leave.

Cost        O(n log n) for n stretches, O(log n) per question
Randomness  none
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from heteronym.model.mention import Span

Item = TypeVar("Item")
Stretch = Span | tuple[int, int]


def clusters(items: Iterable[Item], place: Callable[[Item], tuple[int, int]]) -> Iterator[list[Item]]:
    """Items in order, those together that overlap: few at a time, however long the text is."""
    cluster: list[Item] = []
    reach = 0
    for item in sorted(items, key=place):
        start, end = place(item)
        if cluster and start >= reach:
            yield cluster
            cluster = []
        cluster.append(item)
        reach = max(reach, end)
    if cluster:
        yield cluster


def joined(stretches: Iterable[tuple[int, int]], *, touching: bool = False) -> list[tuple[int, int]]:
    """Stretches of a text in order; those that overlap, or only touch, are one."""
    whole: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if whole and start < whole[-1][1] + touching:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((start, end))
    return whole


class Covers:
    """Stretches of a text that some spans cover; of a span, only its start and end count."""

    def __init__(self, spans: Iterable[Stretch]) -> None:
        whole = joined(span[:2] for span in spans)
        self._starts, self._ends = [start for start, _ in whole], [end for _, end in whole]

    def hold(self, span: Stretch) -> bool:
        """Whether the span lies inside one of them."""
        place = bisect_right(self._starts, span[0]) - 1
        return place >= 0 and span[1] <= self._ends[place]

    def gaps(self, span: Stretch) -> Iterator[tuple[int, int]]:
        """What none of them covers of the span."""
        start, end = span[:2]
        for place in range(bisect_right(self._ends, start), bisect_left(self._starts, end)):
            if start < self._starts[place]:
                yield start, self._starts[place]
            start = self._ends[place]
        if start < end:
            yield start, end

    def touch(self, span: Stretch) -> bool:
        """Whether the span shares a letter with one of them."""
        place = bisect_left(self._starts, span[1]) - 1
        return place >= 0 and self._ends[place] > span[0]
