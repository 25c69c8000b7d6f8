"""Dealing persons into parts in which every sensitive value is as frequent as among all.

Where limits on sensitive values forbid every cut of a large table, its persons can still be halved along a
column, value by value: of those who hold a value, the lower half goes to the one part and the upper half to
the other. Both parts keep the spread of values, and near persons stay together as far as that allows.

Reference   ours
Guarantee   a value's share in two halves differs by at most one person
Cost        O(n log n log(n / largest)), with the column chosen on a sample
Randomness  none
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.run import current

SAMPLE = 4000  # persons of a part on whom columns are tried


def balanced_parts(
    view: PersonView, holding: NDArray[np.int64], *, largest: int, least: int
) -> list[NDArray[np.int64]]:
    """Parts of at most `largest` persons; `holding` numbers what each person holds."""
    code = np.stack([_typical(column) for column in view.columns], axis=1)
    waiting, parts = [np.arange(view.persons)], []
    while waiting:
        current().poll()
        part = waiting.pop()
        if len(part) <= largest:
            parts.append(part)
            continue
        sample = part[:: max(len(part) // SAMPLE, 1)]
        sides = [_upper(code[sample, number], holding[sample]) for number in range(len(view.columns))]
        losses = [_expected(view, code, sample, upper, least) for upper in sides]
        upper = _upper(code[part, int(np.argmin(losses))], holding[part])
        waiting += [part[upper], part[~upper]]
    return parts


def _typical(column: Column) -> NDArray[np.int32]:
    """One code per person: the first of those held, names numbered from the most frequent on."""
    code = column.sets.codes[column.sets.ptr[column.person_set]]
    if column.shape.kind is ShapeKind.SET and not column.shape.ordered:
        often = np.bincount(code, minlength=column.domain.missing_code + 1)
        rank = np.empty(len(often), np.int32)
        rank[np.argsort(-often, kind="stable")] = np.arange(len(often), dtype=np.int32)
        return rank[code]
    return code


def _upper(code: NDArray[np.int32], holding: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Per person, whether they are in the upper half of those with the same holding."""
    order = np.lexsort((code, holding))
    ordered = holding[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    size = np.diff(np.r_[first, len(ordered)])
    place = np.arange(len(ordered)) - np.repeat(first, size)
    # odd ones go to either side in turn
    spare = np.cumsum(size % 2) % 2 * (size % 2)
    upper = np.empty(len(ordered), np.bool_)
    upper[order] = place >= np.repeat(size // 2 + spare, size)
    return upper


def _expected(
    view: PersonView, code: NDArray[np.int32], part: NDArray[np.int64], upper: NDArray[np.bool_], least: int
) -> float:
    """What `least` persons drawn from each half can be expected to lose, for all persons."""
    total = 0.0
    for side in (part[upper], part[~upper]):
        for number, column in enumerate(view.columns):
            share = np.bincount(code[side, number], minlength=column.domain.missing_code + 1) / max(
                len(side), 1
            )
            if column.shape.kind is ShapeKind.SET:
                alone = float((share**least).sum())  # all hold one value
                loss = (float((1 - (1 - share) ** least).sum()) - alone) / max(column.domain.size, 1)
            else:
                below = np.cumsum(share)[:-1]
                spread = 1 - below**least - (1 - below) ** least  # somebody on either side of a gap
                position = column.shape.position[: column.domain.missing_code]
                gaps = np.diff(position) if len(position) > 1 else np.zeros(0)
                width = float(gaps.sum())
                loss = float(spread[: len(gaps)] @ gaps) / width if width > 0 else 0.0
            total += len(side) * column.weight * loss
    return total
