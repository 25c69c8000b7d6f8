"""Hierarchies as outlines (`.txt`), for an editor: one name a line, deeper ones indented below their parent.

What has nothing below it is a leaf. A name that a line cannot hold stands in quotes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

OUTLINE = ".txt"


def parse_outline(text: str) -> list[tuple[int, tuple[str, ...]]]:
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


def as_outline(rows: Sequence[tuple[str, ...]]) -> str:
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
