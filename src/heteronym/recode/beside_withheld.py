r"""Labels of groups in which some withhold their cell: `{*,[21-24]}`, withheld, or what the label says.

All members show it, those who withhold and those who do not. Beside a missing value it reads `{,*,[21-24]}`,
beside a missing value alone `{,*}`. A value that is itself a star is written `\*` inside braces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, ShapeKind
from heteronym.recode._shapes import SUPPRESSED, escaped


def beside_withheld(column: Column, partition: Partition, labels: Sequence[str | None]) -> list[str | None]:
    """The labels of a column with a star where somebody withholds."""
    found = list(labels)
    covers = partition.covers(column)
    is_set = np.diff(covers.ptr) > 1
    if column.shape.kind is not ShapeKind.SET:
        is_set = covers.outer(column.domain.missing_code)[2]
    for group in np.flatnonzero(partition.withheld_by_group(column.name)).tolist():
        found[group] = _starred(found[group], is_set=bool(is_set[group]))
    return found


def _starred(label: str | None, *, is_set: bool) -> str:
    if label is None:
        return "{,*}"
    if not is_set:
        return "{*," + escaped(label) + "}"
    if label == SUPPRESSED:
        return label  # it tells of nobody
    return "{,*," + label[2:] if label.startswith("{,") else "{*," + label[1:]
