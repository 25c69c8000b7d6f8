"""Generalization hierarchies: read from CSV or from an outline, looked over, written.

CSV as ARX writes it: leaf first, then its ancestors, root last.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heteronym.errors import InputError, reading
from heteronym.io.hierarchy_flaws import Paths, filled, flaws_of
from heteronym.io.outlines import OUTLINE, as_outline, parse_outline
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.limits import MOST_HIERARCHY_LEVELS


def read_hierarchy(path: str | Path) -> Hierarchy:
    """A hierarchy from a file; rows of unequal depth are filled up with their last node."""
    return build_hierarchy(read_paths(path))


def read_paths(path: str | Path) -> Paths:
    path = Path(path)
    with reading(path, "hierarchy file"):
        text = path.read_bytes().decode("utf-8-sig")
    try:
        found = parse_outline(text) if path.suffix.lower() == OUTLINE else _parse_csv(text)
    except csv.Error:  # a name of more than 131,072 characters, or a quote that never ends
        raise InputError(f"{path.name}: not readable as a table of nodes") from None
    if not found:
        raise InputError(f"{path.name}: the hierarchy is empty")
    deepest = max(len(row) for _, row in found)
    if deepest > MOST_HIERARCHY_LEVELS:
        raise InputError(
            f"{path.name}: {deepest} levels, and at most {MOST_HIERARCHY_LEVELS} can be used. Leave out "
            "levels that join nothing"
        )
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


def build_hierarchy(paths: Paths | Sequence[Sequence[str]], *, source: str = "hierarchy") -> Hierarchy:
    """Leaves in depth-first order; what cannot be used is refused by row number."""
    if not isinstance(paths, Paths):
        paths = Paths(tuple(map(tuple, paths)), tuple(range(1, len(paths) + 1)), source)
    fatal = [flaw for flaw in flaws_of(paths) if flaw.fatal]
    if fatal:
        raise InputError(f"{paths.source}: {fatal[0]}")
    rows = filled(paths.rows)
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


def render_hierarchy(rows: Sequence[Sequence[str]], *, outline: bool) -> str:
    """Paths as the text of a file: an outline for an editor, or CSV with semicolons."""
    if outline:
        return as_outline(filled([tuple(row) for row in rows]))
    out = io.StringIO()
    csv.writer(out, delimiter=";", lineterminator="\n").writerows(rows)
    return out.getvalue()
