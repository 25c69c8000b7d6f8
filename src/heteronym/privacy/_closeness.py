"""Statistics of closeness beyond those that searches have compiled: distances that know more about values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import InputError, PlanError
from heteronym.model.person_view import Sets
from heteronym.statistics.counts import Histogram, Holdings, Rule, RuleKind

Tree = Sequence[Any]  # values, and nested sequences of them


class NumericDistance(Histogram):
    """Earth mover's distance along numbers: the mass that crosses each gap times how wide the gap is."""

    def __init__(
        self, holdings: Holdings, t: float, *, reference: NDArray[np.float64], positions: NDArray[np.float64]
    ) -> None:
        super().__init__(holdings, Rule(RuleKind.ORDERED, (t,), reference))
        width = positions[-1] - positions[0] if len(positions) > 1 else 0.0
        self.t = t
        self.gaps = np.diff(positions) / width if width > 0 else np.zeros(max(len(positions) - 1, 0))

    def admits(self) -> bool:
        held = self.counts.sum()
        if self.persons < self.least or held == 0:
            return self.persons >= self.least
        crossing = np.cumsum(self.counts / held - self.reference)[:-1]
        return bool(np.abs(crossing) @ self.gaps <= self.t + 1e-12)


class TreeDistance(Histogram):
    """Earth mover's distance in a tree: below each node, what can be evened out costs the node's height."""

    def __init__(
        self,
        holdings: Holdings,
        t: float,
        *,
        reference: NDArray[np.float64],
        tree: Tree,
        leaves: Sequence[str],
    ) -> None:
        super().__init__(holdings, Rule(RuleKind.EQUAL, (t,), reference))
        self.t = t
        place = {leaf: number for number, leaf in enumerate(leaves)}
        self.nodes: list[tuple[float, NDArray[np.float64]]] = []  # height of a node, its children's leaves
        top = self._grow(tree, place)[1]
        self.nodes = [(height / max(top, 1), children) for height, children in self.nodes]

    def _grow(self, node: Any, place: dict[str, int]) -> tuple[NDArray[np.float64], int]:
        """The leaves below a node, and its height."""
        below = np.zeros(len(self.counts))
        if isinstance(node, str) or not isinstance(node, Sequence):
            if str(node) in place:
                below[place[str(node)]] = 1.0
            return below, 0
        children = [self._grow(child, place) for child in node]
        height = 1 + max((depth for _, depth in children), default=0)
        self.nodes.append((float(height), np.array([leaves for leaves, _ in children])))
        return np.asarray(sum((leaves for leaves, _ in children), below)), height

    def admits(self) -> bool:
        held = self.counts.sum()
        if self.persons < self.least or held == 0:
            return self.persons >= self.least
        extra = self.counts / held - self.reference
        cost = 0.0
        for height, children in self.nodes:
            of_child = children @ extra
            cost += height * min(of_child[of_child > 0].sum(), -of_child[of_child < 0].sum())
        return bool(cost <= self.t + 1e-12)


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
