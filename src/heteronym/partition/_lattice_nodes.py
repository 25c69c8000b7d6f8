"""Nodes to begin a search with, where labels are nodes of hierarchies: cells of a lattice, cheapest first.

Cutting in two seldom pays under a hierarchy: of five children, one is cut off and the rest still need their
parent. So records first settle bottom-up: combinations of levels are tried from the cheapest on, and whoever
agrees with enough others at these levels is a node with them. Ranges take part by halves of the persons,
lists of names as they are or not at all.

Reference   Samarati 2001 (the lattice); Prasser et al. 2020 (what is not covered is recoded again)
Guarantee   every node has enough persons
Cost        O(combinations * records left), bounded
Randomness  none
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import ShapeKind
from heteronym.partition._pack import Packed
from heteronym.run import current

COMBINATIONS = 20_000  # of levels that are tried at most
VISITS = 300_000_000  # of records
HALVINGS = 5  # of the persons, for ranges of numbers


class _Ladder(NamedTuple):
    """The levels of one layer, from values to everything: nodes by record, and what they lose on average."""

    nodes: list[NDArray[np.int64]]
    loss: list[float]


def has_hierarchies(packed: Packed) -> bool:
    """Whether some label is a node that has more than one level above its values."""
    return bool(((packed.shapes.kind == ShapeKind.RUN) & (packed.shapes.levels > 1)).any())


def lattice_nodes(packed: Packed, least: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """An order of the records and where each node ends; who settles nowhere is in the last one."""
    from heteronym.partition._lattice_kernels import settle_on_lattice

    ladders = _thinned([_ladder(packed, layer) for layer in range(packed.sets.shape[1])])
    n, run = len(packed.weight), current()
    cell = np.full(n, -1, np.int64)
    if ladders is not None:
        steps = max(len(ladder.nodes) for ladder in ladders)
        nodes = np.zeros((len(ladders), steps, n), np.int32)
        for number, ladder in enumerate(ladders):
            for level, row in enumerate(ladder.nodes):
                nodes[number, level] = row
        cell, _ = run.call(
            settle_on_lattice, nodes, packed.weight, _vectors(ladders), least, np.int64(VISITS), run.stop
        )
    cell = np.where(cell < 0, cell.max(initial=-1) + 1, cell)
    order = np.argsort(cell, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(cell[order]) != 0, True]) + 1
    # too few are left: the cells that lose most are searched again together with them
    behind = np.cumsum(packed.weight[order][::-1])[::-1]
    enough = int((behind[np.r_[0, ends[:-1]]] >= least).sum())
    return order, np.r_[ends[: max(enough - 1, 0)], len(order)]


def _vectors(ladders: list[_Ladder]) -> NDArray[np.int64]:
    """All combinations of levels, those that lose less on average first."""
    levels = np.array(list(product(*(range(len(ladder.loss)) for ladder in ladders))), np.int64)
    loss = np.zeros(len(levels))
    for number, ladder in enumerate(ladders):
        loss += np.array(ladder.loss)[levels[:, number]]
    return np.ascontiguousarray(levels[np.argsort(loss, kind="stable")])


def _thinned(ladders: list[_Ladder]) -> list[_Ladder] | None:
    """With fewer levels where there are too many combinations; None where that does not help."""
    while np.prod([float(len(ladder.loss)) for ladder in ladders]) > COMBINATIONS:
        longest = max(range(len(ladders)), key=lambda number: len(ladders[number].loss))
        nodes, loss = ladders[longest]
        if len(loss) <= 2:
            return None
        # the level goes that is nearest to its neighbours
        near = min(range(1, len(loss) - 1), key=lambda level: loss[level + 1] - loss[level - 1])
        ladders[longest] = _Ladder(nodes[:near] + nodes[near + 1 :], loss[:near] + loss[near + 1 :])
    return ladders


def _ladder(packed: Packed, layer: int) -> _Ladder:
    shapes, sets = packed.shapes, packed.sets[:, layer].astype(np.int64)
    ptr, codes = packed.ptr[layer], packed.codes[layer]
    low, high = codes[ptr[sets]].astype(np.int64), codes[ptr[sets + 1] - 1].astype(np.int64)
    everything = np.zeros(len(sets), np.int64)
    levels: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
    values = int(shapes.values[layer])
    known = (low < values) & (high >= 0) & (high < values)
    if shapes.kind[layer] == ShapeKind.RUN:
        for level in range(1, int(shapes.levels[layer])):
            nodes = shapes.nodes[layer, level]
            wide = (shapes.ends[layer, level] - shapes.starts[layer, level]) / max(values, 1)
            same = known & (nodes[low * known] == nodes[high * known])
            levels.append(_level(nodes[low * known], same, sets, wide[low * known]))
    elif shapes.kind[layer] == ShapeKind.SPAN:
        place = _halves(packed, layer)
        for halving in range(HALVINGS, 0, -1):
            part = place >> (HALVINGS - halving)
            levels.append(_level(part, np.ones(len(sets), np.bool_), sets, np.full(len(sets), 0.5**halving)))
    exact = (sets, np.zeros(len(sets)))
    rungs = [exact, *levels, (everything, np.ones(len(sets)))]
    weight = packed.weight / max(packed.weight.sum(), 1) * float(shapes.weight[layer])
    ladder = _Ladder([nodes for nodes, _ in rungs], [float(loss @ weight) for _, loss in rungs])
    return _without_repeats(ladder)


def _level(
    node: NDArray[Any], is_known: NDArray[np.bool_], sets: NDArray[np.int64], loss: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Records whose values lie in several nodes, or that lack one, stay by themselves at this level."""
    nodes = np.where(is_known, node.astype(np.int64), int(node.max(initial=0)) + 1 + sets)
    return nodes, np.where(is_known, loss, 0.0).astype(np.float64)


def _halves(packed: Packed, layer: int) -> NDArray[np.int64]:
    """In which of so many equal parts of the persons each record lies, in the layer's order."""
    rank = packed.ranks[layer]
    persons = np.bincount(rank, weights=packed.weight)
    before = np.cumsum(persons) - persons / 2
    parts = 2**HALVINGS
    place: NDArray[np.int64] = np.minimum(before * parts / max(persons.sum(), 1), parts - 1).astype(np.int64)
    of_record: NDArray[np.int64] = place[rank]
    return of_record


def _without_repeats(ladder: _Ladder) -> _Ladder:
    """Levels that lose more than the one below."""
    nodes, loss = [ladder.nodes[0]], [ladder.loss[0]]
    for mine, lost in zip(ladder.nodes[1:], ladder.loss[1:], strict=True):
        if lost > loss[-1] + 1e-12:
            nodes.append(mine)
            loss.append(lost)
    return _Ladder(nodes, loss)
