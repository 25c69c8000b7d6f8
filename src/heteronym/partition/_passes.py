"""What a search does beside cutting; studies switch it off."""

from __future__ import annotations

from typing import NamedTuple


class Passes(NamedTuple):
    clusters: bool = True  # small nodes end as clusters
    rounds: int = 3  # over the records of a node that may move between its clusters
    cells: bool = True  # cells of hierarchies come before cuts
