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

    def __repr__(self) -> str:
        return f"Hierarchy({len(self.leaves)} leaves, {self.levels} levels)"
