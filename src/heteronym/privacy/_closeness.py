"""What distances between values need: gaps between numbers, nodes of a tree, values put in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import InputError, PlanError
from heteronym.model.sets import Sets
from heteronym.statistics.histograms import Holdings


def gaps_of(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far numbers are from the next one, of the whole line."""
    width = positions[-1] - positions[0] if len(positions) > 1 else 0.0
    return np.diff(positions) / width if width > 0 else np.zeros(max(len(positions) - 1, 0))


def nodes_of(tree: Any) -> tuple[tuple[float, tuple[tuple[int, int], ...]], ...]:
    """Height of every inner node, the root's being 1, and the runs of leaves below its children."""
    nodes: list[tuple[int, tuple[tuple[int, int], ...]]] = []

    def grow(node: Any, first: int) -> tuple[int, int]:  # where its leaves end, its height
        if isinstance(node, str) or not isinstance(node, Sequence):
            return first + 1, 0
        below, height, end = [], 0, first
        for child in node:
            start = end
            end, depth = grow(child, start)
            below.append((start, end))
            height = max(height, depth)
        nodes.append((height + 1, tuple(below)))
        return end, height + 1

    _, top = grow(tree, 0)
    return tuple((height / max(top, 1), below) for height, below in nodes)


def leaves_of(tree: Any) -> list[str]:
    """All values in a tree."""
    if isinstance(tree, str) or not isinstance(tree, Sequence):
        return [str(tree)]
    return [leaf for node in tree for leaf in leaves_of(node)]


def in_order(holdings: Holdings, values: Sequence[str], order: Sequence[str], attribute: str) -> Holdings:
    """Holdings whose codes follow the given order of values."""
    if len(set(order)) < len(order):
        raise PlanError("privacy: 't-closeness': `order` or `groups` names a value twice")
    place = {value: number for number, value in enumerate(order)}
    lacking = len([value for value in values if value not in place])
    if lacking:
        raise InputError(
            f"privacy: 't-closeness': `order` or `groups` lacks {lacking} of the values of '{attribute}'"
        )
    to = np.array([place[value] for value in values], np.int64)
    sets = holdings.of_person
    moved = Sets.of_pairs(sets.owners(), to[sets.codes], owners=len(sets), codes=len(order))
    return Holdings(moved, len(order))
