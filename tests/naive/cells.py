"""Which records settle in which cell of a lattice, in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence


def settled(
    nodes: Sequence[Sequence[Sequence[int]]],
    weight: Sequence[int],
    vectors: Sequence[Sequence[int]],
    least: int,
) -> set[frozenset[int]]:
    """nodes[layer][level][record]; the cells as sets of records, whoever settles nowhere left out."""
    left, cells = set(range(len(weight))), set()
    for vector in vectors:
        found: dict[tuple[int, ...], set[int]] = {}
        for record in left:
            found.setdefault(tuple(nodes[b][level][record] for b, level in enumerate(vector)), set()).add(
                record
            )
        for members in found.values():
            if sum(weight[record] for record in members) >= least:
                cells.add(frozenset(members))
                left -= members
    return cells
