"""Lays a released text over its original: what was kept, and what stands in the place of what.

A text that only lost words to placeholders is cut at these, and the pieces are found in order; any other one
is compared word by word. How much of it could be laid over the original is told with it.

Cost        O(characters) for masked texts; for reworded ones as `difflib` on their words
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise

_PUT = re.compile(
    r"[<\[({]{1,2}\s*/?[A-Z][A-Za-z0-9 _:#./-]{1,38}\s*[>\])}]{1,2}"
    r"|[*#█▇■●•▪⬛…_]{2,}|\b[xX]{3,}\b|\bREDACTED\b"
)
_WORD = re.compile(r"\w+|[^\w\s]+")
_MOST_WORDS = 3000  # beyond that, two reworded texts are not compared


@dataclass(frozen=True)
class Swap:
    """A stretch of the original, and what stands in its place; offsets are half-open."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, repr=False)
class Alignment:
    """What was kept, as (start in the original, start in the release, length), in order."""

    original: str
    released: str
    kept: Sequence[tuple[int, int, int]]

    def __repr__(self) -> str:
        return f"Alignment({len(self.kept)} stretches, {self.share:.2f})"

    @property
    def share(self) -> float:
        """Share of the released text that lies over the original."""
        return sum(length for _, _, length in self.kept) / max(len(self.released), 1)

    @cached_property
    def swaps(self) -> list[Swap]:
        """What lies between the kept stretches, where either side has something there."""
        ends = [(0, 0, 0), *self.kept, (len(self.original), len(self.released), 0)]
        found = []
        for (a, b, length), (c, d, _) in pairwise(ends):
            one = Swap(a + length, c, b + length, d)
            if one.start < one.end or one.new_start < one.new_end:
                found.append(one)
        return found

    def is_kept(self, start: int, end: int) -> bool:
        """Whether a stretch of the original stands in the release where it stood."""
        return any(a <= start and end <= a + length for a, _, length in self.kept)

    def place_of(self, start: int, end: int) -> tuple[int, int] | None:
        """Where in the release a kept stretch of the original stands."""
        for a, b, length in self.kept:
            if a <= start and end <= a + length:
                return b + start - a, b + end - a
        return None

    def put_in(self) -> list[tuple[int, int]]:
        """Stretches of the release that do not come from the original."""
        return [(one.new_start, one.new_end) for one in self.swaps if one.new_start < one.new_end]


def align(original: str, released: str) -> Alignment:
    """The release over the original."""
    if original == released:
        return Alignment(original, released, ((0, 0, len(original)),) if original else ())
    found = _by_pieces(original, released)
    if found is None:
        found = _by_words(original, released)
    return Alignment(original, released, found)


def _by_pieces(original: str, released: str) -> list[tuple[int, int, int]] | None:
    """What stands between placeholders, in order; the last piece must end the original."""
    found: list[tuple[int, int, int]] = []
    at = done = 0
    ends = [match.span() for match in _PUT.finditer(released)]
    if not ends:
        return None
    for start, end in [*ends, (len(released), len(released))]:
        piece = released[done:start]
        if piece:
            is_last = start == len(released)
            place = len(original) - len(piece) if is_last else original.find(piece, at)
            if (
                place < at
                or not original.startswith(piece, place)
                or (not done and place and piece[0].isalnum())
            ):
                return None
            if done and len(piece) < 4 and not is_last and original.count(piece, at) > 1:
                return None  # a blank or a full stop stands everywhere: words decide
            found.append((place, done, len(piece)))
            at = place + len(piece)
        done = end
    return found


def _by_words(original: str, released: str) -> list[tuple[int, int, int]]:
    mine, theirs = ([match.span() for match in _WORD.finditer(text)] for text in (original, released))
    if max(len(mine), len(theirs)) > _MOST_WORDS:
        return []
    a, b = ([text[i:j].lower() for i, j in spans] for text, spans in ((original, mine), (released, theirs)))
    first = 0
    while first < min(len(a), len(b)) and a[first] == b[first]:
        first += 1
    last = 0
    while last < min(len(a), len(b)) - first and a[-1 - last] == b[-1 - last]:
        last += 1
    blocks = [(0, 0, first)] if first else []
    inner = SequenceMatcher(None, a[first : len(a) - last], b[first : len(b) - last], autojunk=False)
    blocks += [(i + first, j + first, n) for i, j, n in inner.get_matching_blocks() if n]
    if last:
        blocks.append((len(a) - last, len(b) - last, last))
    return _in_characters(original, released, mine, theirs, blocks)


def _in_characters(
    original: str,
    released: str,
    mine: Sequence[tuple[int, int]],
    theirs: Sequence[tuple[int, int]],
    blocks: Sequence[tuple[int, int, int]],
) -> list[tuple[int, int, int]]:
    """Blocks of words as stretches of characters; where spaces differ, a stretch ends."""
    found: list[tuple[int, int, int]] = []
    for i, j, n in blocks:
        for offset in range(n):
            (s, e), (t, u) = mine[i + offset], theirs[j + offset]
            if found:
                a, b, length = found[-1]
                if offset and original[a + length : s] == released[b + length : t] and s - a == t - b:
                    found[-1] = (a, b, e - a)
                    continue
            found.append((s, t, min(e - s, u - t)))
    return found
