"""Which rows are one person."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, row_list
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset

_known: WeakKeyDictionary[Dataset, tuple[NDArray[np.int32], int]] = WeakKeyDictionary()


def number_persons(dataset: Dataset) -> tuple[NDArray[np.int32], int]:
    """The person of each row, numbered by the order of their keys, and how many there are.

    Spaces around a key do not count. Asked by all who read texts or encode, answered once.
    """
    if dataset not in _known:
        _known[dataset] = _number(dataset)
    return _known[dataset]


def _number(dataset: Dataset) -> tuple[NDArray[np.int32], int]:
    key = dataset.schema.person
    if key is None:
        return np.arange(dataset.rows, dtype=np.int32), dataset.rows
    known = text_cells(dataset.frame[key], dataset.missing)
    if known.null_count():
        raise InputError(
            f"{dataset.source}: no person key in column '{key}', "
            f"{row_list((known.is_null().arg_true() + 1).to_list())}"
        )
    numbers = known.str.strip_chars().rank("dense").cast(pl.Int32).to_numpy() - 1
    return numbers.astype(np.int32), int(numbers.max(initial=-1)) + 1
