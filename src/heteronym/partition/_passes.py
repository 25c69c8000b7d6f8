"""What a search does beside cutting; studies switch it off."""

from __future__ import annotations

from typing import NamedTuple


class Passes(NamedTuple):
    clusters: bool = True  # small nodes end as clusters
    rounds: int | None = None  # of moves between the clusters of a node; None: as many as kernels know best
    cells: bool = True  # cells of hierarchies come before cuts
