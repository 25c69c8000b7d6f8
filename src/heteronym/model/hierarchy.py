"""A generalization hierarchy over leaves in depth-first order, so that a node is a run of leaves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, repr=False, eq=False)
class Hierarchy:
    """Level 0 holds the leaves; `node[level, leaf]` is the leaf's ancestor at that level."""

    leaves: tuple[str, ...]
    node: NDArray[np.int32]  # [levels, leaves]
    names: tuple[tuple[str, ...], ...]  # per level, name of each node

    @property
    def levels(self) -> int:
        return len(self.names)

    def runs(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """First leaf and one past the last leaf of `node[level, leaf]`, per level and leaf."""
        starts = np.empty_like(self.node)
        ends = np.empty_like(self.node)
        for level, nodes in enumerate(self.node):
            edges = np.flatnonzero(np.r_[True, nodes[1:] != nodes[:-1]])
            run = np.cumsum(np.r_[True, nodes[1:] != nodes[:-1]]) - 1
            starts[level] = edges[run]
            ends[level] = np.r_[edges[1:], len(nodes)][run]
        return starts, ends

    def __repr__(self) -> str:
        return f"Hierarchy({len(self.leaves)} leaves, {self.levels} levels)"
