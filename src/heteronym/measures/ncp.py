"""Normalized certainty penalty: what share of its possible precision a release lost.

Reference   Xu et al. 2006; Singhofer et al. 2021, section 5.3, with the corrections of RX: exact
            ranges, every person of a group counted
Guarantee   0 means unchanged, 1 means everything suppressed
Cost        O(n log n) per column, O(pairs) for terms
Randomness  none

Two readings per column: the values a group covers (`covered`), and the label that is published
(`published`), which for hierarchies also covers leaves that do not occur. The headline (`by_attribute`,
`relational`) is the published one for columns with a hierarchy, else the covered one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.measures._information import information_loss
from heteronym.measures._seen import seen_terms
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, LabelShape, PersonView, ShapeKind
from heteronym.model.recoding import Fate, Recoding
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.registry import measures


@measures.register("ncp")
@dataclass(frozen=True)
class NormalizedCertaintyPenalty:
    """Loss of columns, terms and both, averaged over persons."""

    relational_weight: float = field(default=1.0, metadata={"help": "w_A: weight of columns", "min": 0.0})
    textual_weight: float = field(default=1.0, metadata={"help": "w_X: weight of terms", "min": 0.0})

    def __post_init__(self) -> None:
        if self.relational_weight + self.textual_weight <= 0:
            raise UsageError("one of 'relational_weight' and 'textual_weight' of 'ncp' must be more than 0")

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        covered: dict[str, float] = {}
        published: dict[str, float] = {}
        for column in view.columns:
            covers = partition.covers(column)
            away = partition.withheld_by_group(column.name)
            covered[column.name] = _mean(covered_loss(column, covers), partition, away)
            published[column.name] = _mean(label_loss(column.shape, column, covers), partition, away)
        # A hierarchy's node also stands for leaves that no member has: what is published counts.
        headline = {
            column.name: (published if column.domain.hierarchy is not None else covered)[column.name]
            for column in view.columns
        }
        out: dict[str, Any] = {"by_attribute": headline, "covered": covered, "published": published}
        parts: list[tuple[float, float]] = []
        if view.columns:
            weights = np.array([column.weight for column in view.columns])
            for name, losses in (
                ("relational", headline),
                ("relational_covered", covered),
                ("relational_published", published),
            ):
                out[name] = float(np.array(list(losses.values())) @ weights / weights.sum())
            parts.append((self.relational_weight, out["relational"]))
        if view.elements.has_terms:
            out |= _textual(view, partition, recoding)
            parts.append((self.textual_weight, out["textual"]))
        weight = sum(weight for weight, _ in parts)
        out["total"] = sum(weight * loss for weight, loss in parts) / weight if weight else 0.0
        kept = self.textual_weight * (out.get("textual", 0.0) - out.get("information", 0.0))
        out["total_information"] = out["total"] - (kept / weight if weight else 0.0)
        return out


def _mean(loss: NDArray[np.float64], partition: Partition, withheld: NDArray[np.int64]) -> float:
    """Over persons; who is left out, or withholds the cell, loses everything."""
    lost = float(loss @ (partition.sizes() - withheld)) + int(withheld.sum()) + partition.left_out
    return lost / max(len(partition.group), 1)


def covered_loss(column: Column, covers: Sets) -> NDArray[np.float64]:
    """Loss per group by the values it covers, whatever label is published."""
    scale = column.domain.attribute.scale
    if scale is Scale.DATE and column.shape.kind is ShapeKind.RUN and column.shape.is_calendar:
        return label_loss(column.shape, column, covers)
    if scale is Scale.NUMERIC and column.domain.hierarchy is None:
        shape = LabelShape(
            ShapeKind.SPAN,
            column.domain.values.astype(np.float64),
            column.shape.starts,
            column.shape.ends,
            mixes=column.shape.mixes,
        )
        return label_loss(shape, column, covers)
    return _distinct_loss(column, covers)


def label_loss(shape: LabelShape, column: Column, covers: Sets) -> NDArray[np.float64]:
    """Loss per group of the label that a shape gives to its covered codes."""
    if shape.kind is ShapeKind.SET:
        return _distinct_loss(column, covers)
    values = len(column.domain.values)
    low, high, mixed = covers.outer(values)
    loss = np.zeros(len(covers))
    several = low < high
    lo, hi = low[several], high[several]
    if shape.kind is ShapeKind.SPAN:
        span = float(np.ptp(shape.position)) if values else 0.0
        loss[several] = (shape.position[hi] - shape.position[lo]) / span if span > 0 else 0.0
    else:
        start, end = shape.reach(lo, hi, values)
        loss[several] = (end - start) / values
    if not shape.mixes:
        return np.where(mixed, 1.0, loss)
    missing = 1.0 / column.domain.size if column.counts_missing else 0.0  # one value of the domain
    return np.asarray(loss * (1.0 - missing) + missing * mixed, np.float64)


def _distinct_loss(column: Column, covers: Sets) -> NDArray[np.float64]:
    distinct = np.diff(covers.ptr)
    return np.where(distinct > 1, distinct / max(column.domain.size, 1), 0.0)


def _textual(view: PersonView, partition: Partition, recoding: Recoding) -> dict[str, Any]:
    """Share of a person's terms not kept as they were: over all persons, by type also over its holders.

    A term that two text columns hold counts in both, with their weights; one whose sentences are all left out
    is lost, whatever its label.
    """
    elements = view.elements
    lost_whole = partition.group < 0
    by_column = view.terms_by_column()
    weight = {name: elements.column_weights.get(name, 1.0) for name in by_column}
    owner = np.concatenate([np.empty(0, np.int64), *(mine for mine, _ in by_column.values())])
    codes = np.concatenate([np.empty(0, np.int32), *(mine for _, mine in by_column.values())])
    weights = None
    if len({weight[name] for name in by_column}) > 1:
        lengths = [len(mine) for mine, _ in by_column.values()]
        weights = np.repeat(np.array([weight[name] for name in by_column]), lengths)
    place = _places(owner, codes, partition, recoding)
    stands = np.concatenate([np.empty(0, np.bool_), *seen_terms(view, partition, recoding).values()])
    kept = np.append(recoding.elements.fate == Fate.KEPT, False)[place] & stands
    loss = np.where(stands, information_loss(view, recoding, codes, place), 1.0)
    out: dict[str, Any] = {
        "textual": _mean_loss(owner, ~kept, lost_whole, weights),
        "information": _mean_loss(owner, loss, lost_whole, weights),
        "information_by_entity": {},
        "information_of_holders": {},
        "by_entity": {},
        "of_holders": {},
        "by_text": {},
    }
    of_types = len(elements.domains)
    cell = owner * of_types + elements.domain[codes]
    lost = _means_by_type(cell, of_types, [~kept, loss], lost_whole, weights)
    holders = _by_type(cell, of_types, len(lost_whole)) > 0
    for number, domain in enumerate(elements.domains):
        if domain.is_terms:
            scale = view.persons / max(int(holders[:, number].sum()), 1)
            for name, share in zip(("", "information_"), lost[:, number].tolist(), strict=True):
                out[f"{name}by_entity"][domain.name] = share
                out[f"{name}of_holders"][domain.name] = min(share * scale, 1.0)
    ends = np.cumsum([len(code) for _, code in by_column.values()])[:-1]
    for (name, (person, code)), stays in zip(by_column.items(), np.split(kept, ends), strict=False):
        of_type = elements.domain[code]
        [shares] = _means_by_type(person * of_types + of_type, of_types, [~stays], lost_whole)
        out["by_text"][name] = {"all": _mean_loss(person, ~stays, lost_whole)} | {
            elements.domains[number].name: float(shares[number])
            for number in np.flatnonzero(np.bincount(of_type)).tolist()
        }
    return out


def _places(
    owner: NDArray[np.int64], codes: NDArray[Any], partition: Partition, recoding: Recoding
) -> NDArray[Any]:
    """Where the element of each person stands in the recoding; -1 for who is left out."""
    group = partition.group[owner]
    if not partition.left_out:
        return recoding.elements.places(group, codes)
    place = np.full(len(codes), -1, np.int64)
    place[group >= 0] = recoding.elements.places(group[group >= 0], codes[group >= 0])
    return place


def _means_by_type(
    cell: NDArray[np.int64],
    of_types: int,
    losses: list[NDArray[Any]],
    lost_whole: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """`_mean_loss` of each loss among the terms of every type; a cell is a person and a type."""
    persons = len(lost_whole)
    total = _by_type(cell, of_types, persons, weights)
    found = []
    for loss in losses:
        lost = _by_type(cell, of_types, persons, loss if weights is None else weights * loss)
        share = np.where(lost_whole[:, None], 1.0, lost / np.where(total > 0, total, 1.0))
        found.append([float(column.sum() / max(persons, 1)) for column in np.ascontiguousarray(share.T)])
    return np.array(found)


def _by_type(
    cell: NDArray[np.int64], of_types: int, persons: int, weights: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Sums over the terms of each person (rows) that are of each type (columns)."""
    summed = np.bincount(cell, weights=weights, minlength=persons * of_types)
    return summed.reshape(persons, of_types)


def _mean_loss(
    owner: NDArray[np.int64],
    loss: NDArray[Any],
    lost_whole: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> float:
    """Over persons the mean of each one's mean over terms; who holds none loses none."""
    persons = len(lost_whole)
    total = np.bincount(owner, weights=weights, minlength=persons)
    lost = np.bincount(owner, weights=loss if weights is None else weights * loss, minlength=persons)
    share = np.where(lost_whole, 1.0, lost / np.where(total > 0, total, 1.0))
    return float(share.sum() / max(persons, 1))
