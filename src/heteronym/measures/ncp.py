"""Normalized certainty penalty: what share of its possible precision a release lost.

Reference   Xu et al. 2006; Singhofer et al. 2021, section 5.3, with the corrections of RX: exact
            ranges, every person of a group counted
Guarantee   0 means unchanged, 1 means everything suppressed
Cost        O(n log n) per column, O(pairs) for terms
Randomness  none

Two readings per column: the values a group covers (`by_attribute`), and the label that is
published (`published`), which for hierarchies also covers leaves that do not occur.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, LabelShape, PersonView, Sets, ShapeKind
from heteronym.model.recoding import Recoding
from heteronym.model.schema import Scale
from heteronym.registry import measures


@measures.register("ncp")
@dataclass(frozen=True)
class NormalizedCertaintyPenalty:
    """Loss of columns, terms and both, averaged over persons."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        covered: dict[str, float] = {}
        published: dict[str, float] = {}
        for column in view.columns:
            covers = partition.covers(column)
            covered[column.name] = _mean(covered_loss(column, covers), partition)
            published[column.name] = _mean(label_loss(column.shape, column, covers), partition)
        weights = np.array([column.weight for column in view.columns])
        out: dict[str, Any] = {"by_attribute": covered, "published": published}
        parts: list[float] = []
        if view.columns:
            out["relational"] = float(np.array(list(covered.values())) @ weights / weights.sum())
            parts.append(out["relational"])
        if view.elements.has_terms:
            out |= _textual(view, partition, recoding)
            parts.append(out["textual"])
        out["total"] = float(np.mean(parts)) if parts else 0.0
        return out


def _mean(loss: NDArray[np.float64], partition: Partition) -> float:
    """Over persons; who is left out loses everything."""
    return (float(loss @ partition.sizes()) + partition.left_out) / max(len(partition.group), 1)


def covered_loss(column: Column, covers: Sets) -> NDArray[np.float64]:
    """Loss per group by the values it covers, whatever label is published."""
    scale = column.domain.attribute.scale
    if scale is Scale.DATE and column.shape.kind is ShapeKind.RUN and column.shape.open_top:
        return label_loss(column.shape, column, covers)
    if scale is Scale.NUMERIC and column.domain.hierarchy is None:
        shape = LabelShape(
            ShapeKind.SPAN, column.domain.values.astype(np.float64), column.shape.starts, column.shape.ends
        )
        return label_loss(shape, column, covers)
    return _distinct_loss(column, covers)


def label_loss(shape: LabelShape, column: Column, covers: Sets) -> NDArray[np.float64]:
    """Loss per group of the label that a shape gives to its covered codes."""
    if shape.kind is ShapeKind.SET:
        return _distinct_loss(column, covers)
    values = len(column.domain.values)
    low = covers.codes[covers.ptr[:-1]]
    high = covers.codes[covers.ptr[1:] - 1]
    loss = np.ones(len(covers))
    known = high < values
    lo, hi = low[known], high[known]
    if shape.kind is ShapeKind.SPAN:
        span = float(np.ptp(shape.position)) if values else 0.0
        loss[known] = (shape.position[hi] - shape.position[lo]) / span if span > 0 else 0.0
    else:
        start, end = shape.reach(lo, hi, values)
        loss[known] = (end - start) / values
    loss[low == high] = 0.0
    return loss


def _distinct_loss(column: Column, covers: Sets) -> NDArray[np.float64]:
    distinct = np.diff(covers.ptr)
    return np.where(distinct > 1, distinct / max(column.domain.size, 1), 0.0)


def _textual(view: PersonView, partition: Partition, recoding: Recoding) -> dict[str, Any]:
    """Share of a person's terms not kept as they were; by type, over all persons and over its holders."""
    elements = view.elements
    owner, codes = elements.terms()
    group = partition.group[owner]
    kept = np.zeros(len(codes), np.bool_)
    released = group >= 0
    kept[released] = recoding.elements.kept(group[released], codes[released])
    lost_whole = partition.group < 0
    out: dict[str, Any] = {
        "textual": _mean_lost(owner, kept, lost_whole),
        "by_entity": {},
        "of_holders": {},
    }
    for number, domain in enumerate(elements.domains):
        if domain.is_terms:
            mine = elements.domain[codes] == number
            out["by_entity"][domain.name] = lost = _mean_lost(owner[mine], kept[mine], lost_whole)
            holders = len(np.unique(owner[mine]))
            out["of_holders"][domain.name] = min(lost * view.persons / max(holders, 1), 1.0)
    return out


def _mean_lost(owner: NDArray[np.int64], kept: NDArray[np.bool_], lost_whole: NDArray[np.bool_]) -> float:
    persons = len(lost_whole)
    total = np.bincount(owner, minlength=persons)
    lost = np.bincount(owner[~kept], minlength=persons)
    share = np.where(lost_whole, 1.0, lost / np.maximum(total, 1))
    return float(share.sum() / max(persons, 1))
