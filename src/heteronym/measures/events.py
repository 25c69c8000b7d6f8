"""What the values of event columns lost, row by row.

Reference   normalized certainty penalty (Xu et al. 2006), by row
Guarantee   0 means that every row shows its own value, 1 that no row tells anything
Cost        O(rows) per column
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heteronym.measures.ncp import label_loss
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.recoding import Fate, Recoding
from heteronym.model.schema import Scale
from heteronym.registry import measures

_FORMS = {"day": r"\d{4}-\d\d-\d\d", "month": r"\d{4}-\d\d", "quarter": r"\d{4}-Q\d", "year": r"\d{4}"}


@measures.register("events")
@dataclass(frozen=True)
class EventLoss:
    """Loss of event columns over rows, the share of values kept, and how fine dates stayed."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        if not view.events:
            return {}
        by_attribute = {column.name: _figures(column, view, partition, recoding) for column in view.events}
        weights = np.array([column.weight for column in view.events])
        losses = np.array([figures["loss"] for figures in by_attribute.values()])
        return {"event_loss": float(losses @ weights / weights.sum()), "by_attribute": by_attribute}


def _figures(column: Column, view: PersonView, partition: Partition, recoding: Recoding) -> dict[str, float]:
    labels, cells = recoding.elements, view.elements.cells[column.name]
    group = partition.group[view.person_of_row]
    shown = np.flatnonzero(group >= 0)
    element = cells.of_cell.codes[cells.of_cell.ptr[cells.of_row[shown]]]
    fate, label = labels.fate_and_label(group[shown], element)
    meant = np.array([one.stands_for for one in labels.labels] or [0], np.float64)[label]
    widest = label_loss(column.shape, column, partition.covers(column))[group[shown]]
    narrow = np.where(meant > 1, meant / max(column.domain.size, 1), 0.0)
    loss = np.where(fate == Fate.KEPT, 0.0, np.where((label >= 0) & (meant > 0), narrow, widest))
    rows = max(view.rows, 1)
    out = {
        "loss": float(loss.sum() + (view.rows - len(shown))) / rows,
        "kept": float((fate == Fate.KEPT).sum()) / rows,
    }
    if column.domain.attribute.scale is Scale.DATE and column.domain.hierarchy is None:
        used, often = np.unique(np.where(fate == Fate.KEPT, -2, label), return_counts=True)
        for name, form in _FORMS.items():
            fits = [
                (n == -2 and name == "day")
                or (n >= 0 and re.fullmatch(form, labels.labels[n].text) is not None)
                for n in used.tolist()
            ]
            out[name] = float(often[fits].sum()) / rows
    return out
