"""Sorts released rows and numbers persons by released content alone, so that neither reveals more."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.repeated import REPEATED, distinct_cells
from heteronym.io.values import comparable_cells

Ranks = NDArray[np.int64]
_ROOM = 1 << 62


def sort_by_released_content(
    frame: pl.DataFrame, group: NDArray[np.int64] | None = None
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Rows sorted by what is released, so that their order adds nothing; a seeded shuffle could be undone.

    `group` may say whose labels are likely to be alike: columns that agree within groups are compared once
    per group.
    """
    group = np.zeros(frame.height, np.int64) if group is None else group
    member = np.zeros(int(group.max(initial=-1)) + 1, np.int64)
    member[group] = np.arange(len(group))
    keys: list[pl.Series | Ranks] = []
    by_group: Ranks | None = None
    for cells in frame:
        if _agrees(cells, member, group):
            by_group = _joined(by_group, _ranks(cells.gather(member)))
            continue
        if by_group is not None:
            _add(keys, by_group[group])
            by_group = None
        _add(keys, _sortable(cells))
    if by_group is not None:
        _add(keys, by_group[group])
    order = _order(keys, frame.height)
    return frame[order], order


def _agrees(cells: pl.Series, member: NDArray[np.int64], group: NDArray[np.int64]) -> bool:
    """Whether all rows of each group show the same."""
    if cells.dtype not in (pl.String, REPEATED):
        return False
    shown = cells.to_physical()
    return bool(shown.eq_missing(shown.gather(member).gather(group)).all())


def _add(keys: list[pl.Series | Ranks], key: pl.Series | Ranks) -> None:
    """Append a key, or make one of two that are ranks."""
    if keys and isinstance(key, np.ndarray) and isinstance(keys[-1], np.ndarray):
        keys[-1] = _joined(keys[-1], key)
    else:
        keys.append(key)


def _joined(before: Ranks | None, after: Ranks) -> Ranks:
    """Ranks by two keys, the first one first."""
    if before is None:
        return after
    span = int(after.max(initial=0)) + 1
    if int(before.max(initial=0)) >= _ROOM // span:
        before = np.unique(before, return_inverse=True)[1]
    return before * span + after


def _order(keys: list[pl.Series | Ranks], rows: int) -> NDArray[np.int64]:
    if len(keys) == 1 and isinstance(keys[0], np.ndarray):
        bits = rows.bit_length()
        if int(keys[0].max(initial=0)) < _ROOM >> bits:  # with the row's number behind it, any sort is stable
            return np.sort((keys[0] << bits) | np.arange(rows)) & ((1 << bits) - 1)
    table = pl.DataFrame([pl.Series(str(number), key) for number, key in enumerate(keys)])
    order = table.select(pl.arg_sort_by(table.columns, nulls_last=True, maintain_order=True)).to_series()
    return order.to_numpy().astype(np.int64)


def _sortable(cells: pl.Series) -> pl.Series | Ranks:
    """Cells as something that sorts fast in the order of their text."""
    cells = comparable_cells(cells)
    if cells.dtype == REPEATED or (cells.dtype == pl.String and 8 * cells.n_unique() <= len(cells)):
        return _ranks(cells)
    return cells


def _ranks(cells: pl.Series) -> Ranks:
    """The place of each text among the different ones, those without text last."""
    if cells.dtype == pl.String:
        cells = cells.cast(REPEATED)
    texts, number = distinct_cells(cells)
    place = np.empty(len(texts) + 1, np.int64)
    place[texts.arg_sort().to_numpy()] = np.arange(len(texts))
    place[-1] = len(texts)
    return place[number]


def numbered_by_content(
    frame: pl.DataFrame, person: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number per row that is the same for rows of one person, and the rows in order of content and number.

    Persons are numbered by all that they show. Persons who show the same get their numbers by
    chance: the bytes are the same either way, and nothing of the data's order is left.
    """
    same = frame.select(pl.struct(comparable_cells(c).alias(c.name) for c in frame).rle_id()).to_series()
    content = same.to_numpy().astype(np.int64)
    persons, inverse = np.unique(person, return_inverse=True)
    by_person = np.lexsort((content, inverse))
    ends = np.cumsum(np.bincount(inverse))
    shown = [part.tobytes() for part in np.split(content[by_person].astype(">i8"), ends[:-1])]
    chance = np.random.default_rng().permutation(len(persons)).tolist()
    number = np.empty(len(persons), np.int64)
    number[sorted(range(len(persons)), key=lambda p: (shown[p], chance[p]))] = np.arange(1, len(persons) + 1)
    return number[inverse], np.lexsort((number[inverse], content))
