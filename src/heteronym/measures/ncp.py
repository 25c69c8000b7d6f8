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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.partition import ElementRecoding, Partition
from heteronym.model.person_view import Column, LabelShape, PersonView, Sets, ShapeKind
from heteronym.model.schema import Scale
from heteronym.registry import measures


@measures.register("ncp")
@dataclass(frozen=True)
class NormalizedCertaintyPenalty:
    """Loss of columns, terms and both, averaged over persons."""

    def measure(
        self, view: PersonView, partition: Partition, *, recodings: Sequence[ElementRecoding]
    ) -> Mapping[str, Any]:
        persons = partition.sizes()
        covered: dict[str, float] = {}
        published: dict[str, float] = {}
        for column in view.columns:
            covers = partition.covers(column)
            covered[column.name] = float(covered_loss(column, covers) @ persons) / view.persons
            published[column.name] = float(label_loss(column.shape, column, covers) @ persons) / view.persons
        weights = np.array([column.weight for column in view.columns])
        out: dict[str, Any] = {"by_attribute": covered, "published": published}
        parts: list[float] = []
        if view.columns:
            out["relational"] = float(np.array(list(covered.values())) @ weights / weights.sum())
            parts.append(out["relational"])
        if any(domain.is_terms for domain in view.elements.domains):
            out |= _textual(view, partition, recodings)
            parts.append(out["textual"])
        out["total"] = float(np.mean(parts)) if parts else 0.0
        return out


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
        part = np.ones(len(lo))
        if shape.open_top:
            part = (shape.ends[-1, hi] - shape.starts[-1, lo]) / values
        for level in range(shape.starts.shape[0] - 1, 0, -1):
            same = shape.starts[level, lo] == shape.starts[level, hi]
            part[same] = (shape.ends[level, lo[same]] - shape.starts[level, lo[same]]) / values
        loss[known] = part
    loss[low == high] = 0.0
    return loss


def _distinct_loss(column: Column, covers: Sets) -> NDArray[np.float64]:
    distinct = np.diff(covers.ptr)
    return np.where(distinct > 1, distinct / max(column.domain.size, 1), 0.0)


def _textual(view: PersonView, partition: Partition, recodings: Sequence[ElementRecoding]) -> dict[str, Any]:
    """Share of a person's terms not kept as they were; by type, over all persons and over its holders."""
    elements = view.elements
    owner = np.repeat(np.arange(view.persons), np.diff(elements.of_person.ptr))
    codes = elements.of_person.codes
    types = [domain.type for domain in elements.domains]
    is_term = np.array([t is not None for t in types], np.bool_)[elements.domain[codes]]
    owner, codes = owner[is_term], codes[is_term]
    kept = kept_pairs(partition.group[owner], codes, recodings, elements.names)
    out: dict[str, Any] = {
        "textual": _mean_lost(owner, kept, view.persons),
        "by_entity": {},
        "of_holders": {},
    }
    for type_ in sorted({t for t in types if t is not None}):
        mine = np.array([t == type_ for t in types])[elements.domain[codes]]
        out["by_entity"][type_] = _mean_lost(owner[mine], kept[mine], view.persons)
        holders = len(np.unique(owner[mine]))
        out["of_holders"][type_] = out["by_entity"][type_] * view.persons / max(holders, 1)
    return out


def _mean_lost(owner: NDArray[np.int64], kept: NDArray[np.bool_], persons: int) -> float:
    total = np.bincount(owner, minlength=persons)
    lost = np.bincount(owner[~kept], minlength=persons)
    return float((lost / np.maximum(total, 1)).sum() / persons)


def kept_pairs(
    group: NDArray[np.int32],
    codes: NDArray[np.int32],
    recodings: Sequence[ElementRecoding],
    names: Sequence[str],
) -> NDArray[np.bool_]:
    """Whether each element, seen in a member of its group, is released as itself."""
    kept = np.zeros(len(codes), np.bool_)
    count = len(names) + 1
    wanted = group.astype(np.int64) * count + codes
    all_names = np.array(names, object)
    for recoding in recodings:
        of_group = recoding.of_group
        owner = np.repeat(np.arange(len(of_group)), np.diff(of_group.ptr))
        shown = np.flatnonzero(recoding.label >= 0)
        released = np.array(recoding.labels, object)[recoding.label[shown]]
        same = shown[released == all_names[of_group.codes[shown]]]
        known = owner[same].astype(np.int64) * count + of_group.codes[same]
        kept |= np.isin(wanted, known)
    return kept
