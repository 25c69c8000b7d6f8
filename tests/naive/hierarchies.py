"""What is wrong with a hierarchy, by walking every path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def has_cycle(rows: Sequence[Sequence[str]]) -> bool:
    """Whether some name can be reached from itself by going from child to parent."""
    steps = {(a, b) for row in rows for a, b in pairwise(row) if a != b}
    names = {name for row in rows for name in row}

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        front = {start}
        while front:
            front = {b for a, b in steps if a in front} - seen
            seen |= front
        return seen

    return any(name in reach(name) for name in names)
