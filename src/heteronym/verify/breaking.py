"""Which rows break a privacy model, and where in texts the labels stand that do, so that they can be masked.

A model says by `too_rare` which of the shown labels too few persons share; groups of fewer than k persons are
counted here.

Cost        O(shown labels); only where a model failed
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from heteronym import registry
from heteronym.model.release import ModelVerdict, Released
from heteronym.verify.groups import Label
from heteronym.verify.residue import Left


class Broken(NamedTuple):
    """A released row that breaks a model: by a label that too few show, or by a group that is too small."""

    model: str
    row: int
    label: Label | None  # None: all quasi columns together


def broken_rows(verdicts: Sequence[ModelVerdict], released: Released) -> list[Broken]:
    """Rows that break a model that failed; none where a model cannot say which do."""
    found: set[Broken] = set()
    rows, codes = released.shown.owners(), released.shown.codes
    for verdict in verdicts:
        if verdict.holds is not False:
            continue
        part = registry.privacy_models.build(verdict.model, verdict.parameters)
        if hasattr(part, "too_rare"):
            rare = part.too_rare(released)
            for row, code in zip(rows[rare].tolist(), codes[rare].tolist(), strict=True):
                found.add(Broken(verdict.model, row, released.labels[code]))
        k = getattr(part, "k", None)
        if k is not None and "columns" in part.protects and len(released.group_of_row):
            pairs = np.unique(np.c_[released.group_of_row, released.person_of_row], axis=0)
            small = np.bincount(pairs[:, 0]) < k
            for row in np.flatnonzero(small[released.group_of_row]).tolist():
                found.add(Broken(verdict.model, row, None))
    return sorted(found, key=lambda one: (one.model, one.row, one.label or ()))


def breaking_places(
    broken: Sequence[Broken], where: Mapping[tuple[int, Label], Sequence[Left]]
) -> list[Left]:
    """Places in texts of labels that break one of the models; none where texts are not the cause."""
    found: set[Left] = set()
    for one in broken:
        if one.label is not None:
            found.update(where.get((one.row, one.label), ()))
    return sorted(found)
