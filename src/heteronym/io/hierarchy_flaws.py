"""What is wrong with a hierarchy's paths from leaf to root: told by row or line number, never by value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from heteronym.errors import row_list

ROOT = "*"


@dataclass(frozen=True)
class Flaw:
    """Something about a hierarchy that its owner should know; fatal ones make it unusable."""

    name: str
    fatal: bool
    rows: tuple[int, ...]
    about: str

    def __str__(self) -> str:
        return f"{row_list(self.rows)}: {self.about}" if self.rows else self.about


@dataclass(frozen=True, repr=False)
class Paths:
    """What a file says: from each leaf up to its root, with the row or line of the leaf."""

    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    source: str

    def __repr__(self) -> str:
        return f"Paths({self.source!r}, {len(self.rows)} rows)"


def filled(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Paths of one length that end in one root."""
    depth = max(len(row) for row in rows)
    filled = [row + (row[-1],) * (depth - len(row)) for row in rows]
    return filled if len({path[-1] for path in filled}) == 1 else [(*path, ROOT) for path in filled]


def flaws_of(paths: Paths) -> list[Flaw]:
    """Everything that is odd about a hierarchy, what makes it unusable first."""
    blank = tuple(n for n, row in zip(paths.numbers, paths.rows, strict=True) if not all(row))
    if blank:
        return [Flaw("blank", True, blank, "a leaf or a node has no name")]
    cyclic = _cycles(paths)
    found = [Flaw("cycle", True, cyclic, "a node lies above itself")] if cyclic else []
    found += _same_leaves(paths) + _like_labels(paths)
    rows = filled(paths.rows)
    # A node is known by its name and level; the same name under two parents would be two nodes.
    parent: dict[tuple[int, str], str] = {}
    torn = tuple(
        number
        for number, path in zip(paths.numbers, rows, strict=True)
        if any(parent.setdefault((level, path[level]), up) != up for level, up in enumerate(path[1:]))
    )
    if torn:
        found.append(Flaw("parents", True, torn, "a node has two different parents"))
    return found or _remarks(paths, rows)


def _same_leaves(paths: Paths) -> list[Flaw]:
    first: dict[str, int] = {}
    found = []
    for number, row in zip(paths.numbers, paths.rows, strict=True):
        if first.setdefault(row[0], number) != number:
            about = f"rows {first[row[0]]} and {number} have the same leaf"
            found.append(Flaw("duplicate", True, (), about))
    return found


def _like_labels(paths: Paths) -> list[Flaw]:
    """Names that a reader would take for a label of another kind: a star below the root, braces around
    anything but the leaves of the node."""
    leaves: dict[str, set[str]] = {}
    for row in paths.rows:
        for name in row:
            if name.startswith("{") and name.endswith("}"):
                leaves.setdefault(name, set()).add(row[0])
    misread = {name for name, mine in leaves.items() if _members(name) != sorted(mine) or name in mine}
    odd = tuple(
        number
        for number, row in zip(paths.numbers, paths.rows, strict=True)
        if row[0] == ROOT or not misread.isdisjoint(row)
    )
    about = "a name is a star or stands in braces, which mean something else in a release"
    return [Flaw("label", True, odd, about)] if odd else []


def _members(label: str) -> list[str]:
    """The values that a label in braces lists, in the order of their letters."""
    return sorted(
        re.sub(r"\\(.)", r"\1", part) for part in re.findall(r"((?:\\.|[^,\\])+)(?:,|\Z)", label[1:-1])
    )


def _cycles(paths: Paths) -> tuple[int, ...]:
    """Rows with a step that leads back to where it came from, by names alone."""
    up: dict[str, set[str]] = {}
    for row in paths.rows:
        for child, above in pairwise(row):
            if child != above:  # a filled-up row repeats its last node
                up.setdefault(child, set()).add(above)
    # Names are taken away from the roots downwards; those that never come free lie on or below a cycle.
    waiting = {name: len(parents) for name, parents in up.items()}
    below: dict[str, list[str]] = {}
    for child, parents in up.items():
        for above in parents:
            below.setdefault(above, []).append(child)
    free = [name for name in below if name not in up]
    while free:
        for child in below.get(free.pop(), ()):
            waiting[child] -= 1
            if waiting[child] == 0:
                free.append(child)
    stuck = {name for name, count in waiting.items() if count > 0}
    return tuple(
        number for number, row in zip(paths.numbers, paths.rows, strict=True) if any(n in stuck for n in row)
    )


def _remarks(paths: Paths, rows: Sequence[tuple[str, ...]]) -> list[Flaw]:
    found = []
    depths = {len(row) for row in paths.rows}
    if len(depths) > 1:
        found.append(Flaw("uneven", False, (), f"rows have {min(depths)} to {max(depths)} names"))
    if len(rows[0]) < 3:
        found.append(Flaw("flat", False, (), "no level between the values and the root"))
    leaves_of: dict[str, set[frozenset[int]]] = {}
    for level in range(len(rows[0])):
        below: dict[str, list[int]] = {}
        for leaf, row in enumerate(rows):
            below.setdefault(row[level], []).append(leaf)
        for name, leaves in below.items():
            leaves_of.setdefault(name, set()).add(frozenset(leaves))
    twofold = sum(len(ways) > 1 for ways in leaves_of.values())
    if twofold:
        about = f"{twofold} names of nodes mean different leaves at different levels"
        found.append(Flaw("ambiguous", False, (), about))
    return found
