"""Generalization hierarchies: read from CSV or from an outline, looked over, written.

CSV as ARX writes it: leaf first, then its ancestors, root last. An outline (`.txt`) has one name a
line, deeper ones indented below their parent; what has nothing below it is a leaf. `flaws_of` says
what is wrong with the paths from leaf to root, by row or line number and never by value.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from heteronym.errors import InputError, row_list
from heteronym.model.hierarchy import Hierarchy

OUTLINE = ".txt"
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


def read_hierarchy(path: str | Path) -> Hierarchy:
    """A hierarchy from a file; rows of unequal depth are filled up with their last node."""
    return build_hierarchy(read_paths(path))


def read_paths(path: str | Path) -> Paths:
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such hierarchy file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: hierarchy files are UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or 'input error'})") from None
    found = _parse_outline(text) if path.suffix.lower() == OUTLINE else _parse_csv(text)
    if not found:
        raise InputError(f"{path.name}: the hierarchy is empty")
    return Paths(tuple(row for _, row in found), tuple(number for number, _ in found), path.name)


def _parse_csv(text: str) -> list[tuple[int, tuple[str, ...]]]:
    first = text.split("\n", 1)[0]
    delimiter = max(";,\t|", key=first.count)
    # entries of set-valued cells are trimmed, so leaves are, too
    found = [
        (number, tuple(cell.strip() for cell in row))
        for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), 1)
        if row
    ]
    # names of levels instead of a leaf: all other rows end in one root, this one does not
    roots = {row[-1] for _, row in found[1:]}
    if len(found) > 2 and len(roots) == 1 and found[0][1][-1] not in roots:
        return found[1:]
    return found


def _parse_outline(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Paths of the lines that have nothing below them."""
    lines = [
        (number, len(line) - len(line.lstrip()), _unquoted(line.strip()))
        for number, line in enumerate(text.expandtabs(8).splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    above: list[tuple[int, str]] = []  # indents and names from the top down to the last line
    found = []
    for place, (number, indent, name) in enumerate(lines):
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, name))
        if place + 1 == len(lines) or lines[place + 1][1] <= indent:
            found.append((number, tuple(node for _, node in reversed(above))))
    return found


def _unquoted(name: str) -> str:
    if len(name) > 1 and name.startswith('"') and name.endswith('"'):
        try:
            return str(json.loads(name))
        except ValueError:
            return name
    return name


def build_hierarchy(paths: Paths | Sequence[Sequence[str]], *, source: str = "hierarchy") -> Hierarchy:
    """Leaves in depth-first order; what cannot be used is refused by row number."""
    if not isinstance(paths, Paths):
        paths = Paths(tuple(map(tuple, paths)), tuple(range(1, len(paths) + 1)), source)
    fatal = [flaw for flaw in flaws_of(paths) if flaw.fatal]
    if fatal:
        raise InputError(f"{paths.source}: {fatal[0]}")
    rows = _filled(paths.rows)
    depth = len(rows[0])
    first_seen: dict[tuple[int, str], int] = {}
    for number, path in enumerate(rows):
        for level, name in enumerate(path):
            first_seen.setdefault((level, name), number)
    ordered = sorted(
        rows, key=lambda path: tuple(first_seen[level, path[level]] for level in range(depth - 1, -1, -1))
    )
    names: list[tuple[str, ...]] = []
    node = np.empty((depth, len(ordered)), np.int32)
    for level in range(depth):
        number_of: dict[str, int] = {}
        for leaf, path in enumerate(ordered):
            node[level, leaf] = number_of.setdefault(path[level], len(number_of))
        names.append(tuple(number_of))
    return Hierarchy(tuple(path[0] for path in ordered), node, tuple(names))


def _filled(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Paths of one length that end in one root."""
    depth = max(len(row) for row in rows)
    filled = [row + (row[-1],) * (depth - len(row)) for row in rows]
    return filled if len({path[-1] for path in filled}) == 1 else [(*path, ROOT) for path in filled]


# --- what is wrong with it ------------------------------------------------------------------------


def flaws_of(paths: Paths) -> list[Flaw]:
    """Everything that is odd about a hierarchy, what makes it unusable first."""
    blank = tuple(n for n, row in zip(paths.numbers, paths.rows, strict=True) if not all(row))
    if blank:
        return [Flaw("blank", True, blank, "a leaf or a node has no name")]
    cyclic = _cycles(paths)
    found = [Flaw("cycle", True, cyclic, "a node lies above itself")] if cyclic else []
    found += _same_leaves(paths)
    rows = _filled(paths.rows)
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


# --- out ------------------------------------------------------------------------------------------


def render_hierarchy(rows: Sequence[Sequence[str]], *, outline: bool) -> str:
    """Paths as the text of a file: an outline for an editor, or CSV with semicolons."""
    if outline:
        return _as_outline(_filled([tuple(row) for row in rows]))
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(rows)
    return out.getvalue()


def _as_outline(rows: Sequence[tuple[str, ...]]) -> str:
    leaves = Counter(tuple(reversed(row))[:level] for row in rows for level in range(1, len(row)))
    children: dict[tuple[str, ...], dict[str, None]] = {}
    for row in rows:
        way = tuple(reversed(row))
        # a leaf that repeats its parent is written once, unless the parent has other leaves
        while len(way) > 1 and way[-1] == way[-2] and leaves[way[:-1]] == 1:
            way = way[:-1]
        for level in range(len(way)):
            children.setdefault(way[:level], {})[way[level]] = None
    lines: list[str] = []
    ways: list[tuple[str, ...]] = [(name,) for name in reversed(children.get((), {}))]
    while ways:
        way = ways.pop()
        name = way[-1]
        plain = name == name.strip() and name.isprintable() and not name.startswith(("#", '"'))
        lines.append("  " * (len(way) - 1) + (name if plain else json.dumps(name)))
        ways += [(*way, child) for child in reversed(children.get(way, {}))]
    return "".join(f"{line}\n" for line in lines)
