"""Generalization hierarchies for the auditor, read from their files by code of its own.

A tree knows for every name which leaves it stands for. CSV has a leaf first and its ancestors behind it, an
outline (`.txt`) its leaves below them, deeper ones indented.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence

import numpy as np

from heteronym.errors import InputError
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.limits import MOST_HIERARCHY_LEVELS

_ANY = "*"


def read_tree(text: str, name: str) -> Hierarchy:
    """The hierarchy of a file's text."""
    text = text.removeprefix("\ufeff")
    try:
        paths = _outline(text) if name.lower().endswith(".txt") else _table(text)
    except csv.Error:
        paths = []
    if any(len(path) > MOST_HIERARCHY_LEVELS for path in paths):
        raise InputError(f"{name}: more than {MOST_HIERARCHY_LEVELS} levels")
    if not paths or not all(all(path) for path in paths):
        raise InputError(f"{name}: not readable as a hierarchy")
    return _tree(paths)


def _table(text: str) -> list[list[str]]:
    first = text.split("\n", 1)[0]
    delimiter = max((";", ",", "\t", "|"), key=first.count)
    rows = [[c.strip() for c in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter) if row]
    tops = {row[-1] for row in rows[1:]}
    has_header = len(rows) > 2 and len(tops) == 1 and rows[0][-1] not in tops
    return rows[1:] if has_header else rows


def _outline(text: str) -> list[list[str]]:
    """Every line without a deeper one right below it is a leaf."""
    found: list[list[str]] = []
    above: list[tuple[int, str]] = []
    waiting = False
    for line in text.expandtabs(8).splitlines():
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        if waiting and above[-1][0] >= indent:
            found.append([node for _, node in above[::-1]])
        above = [one for one in above if one[0] < indent]
        above.append((indent, _unquoted(name)))
        waiting = True
    return [*found, [node for _, node in above[::-1]]] if waiting else found


def _unquoted(name: str) -> str:
    if len(name) < 2 or not (name.startswith('"') and name.endswith('"')):
        return name
    try:
        return str(json.loads(name))
    except ValueError:
        return name


def _tree(paths: Sequence[Sequence[str]]) -> Hierarchy:
    depth = max(map(len, paths))
    full = [[*path, *[path[-1]] * (depth - len(path))] for path in paths]
    if len({path[-1] for path in full}) > 1:
        full = [[*path, _ANY] for path in full]
    levels = list(zip(*full, strict=True))
    names = [tuple(dict.fromkeys(level)) for level in levels]
    node = np.array(
        [[place[name] for name in level] for level, place in zip(levels, map(_places, names), strict=True)],
        np.int32,
    )
    return Hierarchy(tuple(path[0] for path in full), node, tuple(names))


def _places(names: Sequence[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def read_trees(content: bytes) -> Mapping[str, Hierarchy]:
    """The owner's `hierarchies.json`: column -> name and text of the file that the plan names."""
    try:
        files = json.loads(content)
        return {str(column): read_tree(str(one["text"]), str(one["name"])) for column, one in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError("hierarchies.json: not readable as the owner's hierarchies") from None
