"""Generalization hierarchies from CSV as ARX writes them: leaf first, then its ancestors, root last."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from heteronym.errors import InputError, row_list
from heteronym.model.hierarchy import Hierarchy


def read_hierarchy(path: str | Path) -> Hierarchy:
    """A hierarchy from a file; rows of unequal depth are filled up with their last node."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: no such hierarchy file") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name}: hierarchy files are UTF-8") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or 'input error'})") from None
    first = text.split("\n", 1)[0]
    delimiter = max(";,\t|", key=first.count)
    cells = (row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row)
    # entries of set-valued cells are trimmed, so leaves are, too
    rows = [[cell.strip() for cell in row] for row in cells]
    # names of levels instead of a leaf: all other rows end in one root, this one does not
    if len(rows) > 2 and len({row[-1] for row in rows[1:]}) == 1 and rows[0][-1] != rows[1][-1]:
        rows = rows[1:]
    if not rows:
        raise InputError(f"{path.name}: the hierarchy is empty")
    return build_hierarchy(rows, source=path.name)


def build_hierarchy(rows: Sequence[Sequence[str]], *, source: str = "hierarchy") -> Hierarchy:
    """Leaves in depth-first order; a node with two parents is refused by row number."""
    depth = max(len(row) for row in rows)
    paths = [tuple(row) + (row[-1],) * (depth - len(row)) for row in rows]
    seen: dict[str, int] = {}
    for number, path in enumerate(paths, 1):
        if path[0] in seen:
            raise InputError(f"{source}: rows {seen[path[0]]} and {number} have the same leaf")
        seen[path[0]] = number
    if len({path[-1] for path in paths}) > 1:
        paths = [(*path, "*") for path in paths]
        depth += 1
    # A node is known by its name and level; the same name under two parents would be two nodes.
    parent: dict[tuple[int, str], str] = {}
    torn = []
    for number, path in enumerate(paths, 1):
        for level in range(depth - 1):
            if parent.setdefault((level, path[level]), path[level + 1]) != path[level + 1]:
                torn.append(number)
                break
    if torn:
        raise InputError(f"{source}: {row_list(torn)}: a node has two different parents")
    first_seen: dict[tuple[int, str], int] = {}
    for number, path in enumerate(paths):
        for level, name in enumerate(path):
            first_seen.setdefault((level, name), number)
    ordered = sorted(
        paths, key=lambda path: tuple(first_seen[level, path[level]] for level in range(depth - 1, -1, -1))
    )
    names: list[tuple[str, ...]] = []
    node = np.empty((depth, len(ordered)), np.int32)
    for level in range(depth):
        number_of: dict[str, int] = {}
        for leaf, path in enumerate(ordered):
            node[level, leaf] = number_of.setdefault(path[level], len(number_of))
        names.append(tuple(number_of))
    return Hierarchy(tuple(path[0] for path in ordered), node, tuple(names))
