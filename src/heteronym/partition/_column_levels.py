"""The levels to which a column can be recoded as a whole: from its values up to everything."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.elements import Elements
from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.sets import Sets
from heteronym.partition import _box_kernels as kernels
from heteronym.partition._clusters import covers_of
from heteronym.run import current

_FINEST = 32  # ranges of numbers at the level above the values


class Recoded(NamedTuple):
    """A column at one level."""

    nodes: NDArray[np.int64]  # per code, missing last
    number: NDArray[np.int64]  # per value set: what its persons show, by number
    different: int
    loss: NDArray[np.float64]  # per value set: what its label loses


def levels_of(column: Column) -> list[Recoded]:
    """From the values themselves to everything; what shows no more than the level before is left out."""
    recoded: list[Recoded] = []
    for nodes in _nodes_of(column):
        current().poll()
        widened = (
            _ends(column.sets, nodes) if column.shape.kind is ShapeKind.SPAN else column.sets.widened(nodes)
        )
        node, most = nodes[column.sets.codes], int(nodes.max()) + 1  # numbers may have gaps
        shown = Sets.of_pairs(column.sets.owners(), node, owners=len(column.sets), codes=most)
        _, number = np.unique([shown[n].tobytes() for n in range(len(shown))], return_inverse=True)
        count = int(number.max(initial=-1)) + 1
        if not recoded or count < recoded[-1].different:
            recoded.append(Recoded(nodes, number.reshape(-1), count, _losses(column, widened)))
    return recoded


def _nodes_of(column: Column) -> list[NDArray[np.int64]]:
    """Numbers of nodes per code, level by level; a missing value is a node of its own below the top."""
    values, shape = column.domain.missing_code, column.shape
    levels: list[NDArray[Any]] = [np.arange(values)]
    if shape.kind is ShapeKind.RUN:
        levels += [shape.starts[level, :values] for level in range(1, len(shape.starts))]
    elif shape.kind is ShapeKind.SPAN and values:
        whole = float(np.ptp(shape.position))
        width = _round_up(whole / _FINEST)
        # ranges as wide as all values meet them in two at the most, wherever zero lies
        while 0 < width < 2 * whole:
            levels.append(np.floor(shape.position / width) - np.floor(shape.position.min() / width))
            width *= 2
    nodes = [np.r_[level.astype(np.int64), values] for level in levels]
    return [*nodes, np.zeros(values + 1, np.int64)]


def _ends(sets: Sets, nodes: NDArray[np.int64]) -> Sets:
    """Each set with the first and the last value of its nodes: what lies between makes no label longer."""
    codes = np.arange(len(nodes))
    borders = nodes[1:] != nodes[:-1]
    is_end = np.r_[True, borders] | np.r_[borders, True] | (codes == len(nodes) - 2)  # missing comes last
    ends = codes[is_end]
    of_node = Sets.of_pairs(nodes[ends], ends, owners=int(nodes.max()) + 1, codes=len(nodes))
    place, known = of_node.expand(nodes[sets.codes])
    return Sets.of_pairs(sets.owners()[place], known, owners=len(sets), codes=len(nodes))


def _round_up(least: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    if least <= 0:
        return 0.0
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9)))


def _losses(column: Column, widened: Sets) -> NDArray[np.float64]:
    """What the label of each value set loses, as the search for groups counts it."""
    everyone = np.arange(len(widened), dtype=np.int32)
    alone = Column(column.domain, column.shape, widened, everyone)
    covers = covers_of(PersonView((alone,), Elements.none(len(widened)), everyone, len(widened)))
    losses: NDArray[np.float64] = kernels.box_losses(covers.shapes, *covers.persons)
    return losses
