"""Numeric columns released in numbers: the ends of each group's interval, or the mean of its values.

A group that mixes missing with other values shows nothing, and so does one in which all are missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView

DIGITS = 10  # of a mean that is written


def group_numbers(
    view: PersonView, partition: Partition, in_numbers: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[Any]]]:
    """For each column that is released in numbers, what each group shows in its released columns."""
    found: dict[str, dict[str, list[Any]]] = {}
    for column in view.columns:
        written = in_numbers.get(column.name, ())
        if len(written) == 2:
            found[column.name] = dict(zip(written, _ends(column, partition), strict=True))
        elif written:
            found[column.name] = {written[0]: _means(column, partition)}
    return found


def _ends(column: Column, partition: Partition) -> tuple[list[Any], list[Any]]:
    missing = column.domain.missing_code
    low, high, mixed = partition.covers(column).outer(missing)
    values = [*column.domain.values.tolist(), None]
    hidden = np.where(mixed, missing, low), np.where(mixed, missing, high)
    return [values[code] for code in hidden[0].tolist()], [values[code] for code in hidden[1].tolist()]


def _means(column: Column, partition: Partition) -> list[Any]:
    """Over all values of all members; a value that a person has on several rows counts once."""
    missing = column.domain.missing_code
    person, code = column.pairs()
    group = partition.group[person]
    lacks = np.bincount(group[(group >= 0) & (code == missing)], minlength=partition.count) > 0
    known = (group >= 0) & (code < missing)
    values = column.domain.values[code[known]].astype(np.float64)
    total = np.bincount(group[known], weights=values, minlength=partition.count)
    count = np.bincount(group[known], minlength=partition.count)
    means = (total / np.maximum(count, 1)).tolist()
    return [None if gone else float(f"{mean:.{DIGITS}g}") for mean, gone in zip(means, lacks, strict=True)]
