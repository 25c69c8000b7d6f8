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
    if scale is Scale.DATE and column.shape.most is not None:  # ranges of months or years
        return label_loss(column.shape, column, covers)
    if scale is Scale.NUMERIC and column.domain.hierarchy is None:
        position = column.domain.values.astype(np.float64)
        return label_loss(LabelShape(ShapeKind.SPAN, position, mixes=column.shape.mixes), column, covers)
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
    fate, label = recoding.elements.told(partition.group[owner], codes)
    kept, loss = fate == Fate.KEPT, information_loss(view, recoding.elements, codes, fate, label)
    if (seen := seen_terms(view, partition, recoding)) is not None:
        stands = np.concatenate(list(seen.values()))
        kept, loss = kept & stands, np.where(stands, loss, 1.0)
    [[textual], [information]] = _means(owner, 1, [~kept, loss], lost_whole, weights).tolist()
    out: dict[str, Any] = {
        "textual": textual,
        "information": information,
        "information_by_entity": {},
        "information_of_holders": {},
        "by_entity": {},
        "of_holders": {},
        "by_text": {},
    }
    types = len(elements.domains)
    by_type = owner * types + elements.domain[codes]
    lost = _means(by_type, types, [~kept, loss], lost_whole, weights)
    holders = (np.bincount(by_type, minlength=view.persons * types).reshape(-1, types) > 0).sum(axis=0)
    for number, domain in enumerate(elements.domains):
        if domain.is_terms:
            scale = view.persons / max(int(holders[number]), 1)
            for name, share in zip(("", "information_"), lost[:, number].tolist(), strict=True):
                out[f"{name}by_entity"][domain.name] = share
                out[f"{name}of_holders"][domain.name] = min(share * scale, 1.0)
    ends = np.cumsum([len(code) for _, code in by_column.values()])[:-1]
    for (name, (person, code)), stays in zip(by_column.items(), np.split(kept, ends), strict=False):
        of_type = elements.domain[code]
        [shares] = _means(person * types + of_type, types, [~stays], lost_whole)
        out["by_text"][name] = {"all": float(_means(person, 1, [~stays], lost_whole)[0, 0])} | {
            elements.domains[number].name: float(shares[number])
            for number in np.flatnonzero(np.bincount(of_type)).tolist()
        }
    return out


def _means(
    cell: NDArray[np.int64],
    types: int,
    losses: list[NDArray[Any]],
    lost_whole: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """[losses, types]: over persons the mean of each one's mean over its terms of a type.

    Who holds none loses none. `cell` is person times `types` plus type.
    """
    persons = len(lost_whole)

    def summed(what: NDArray[Any] | None) -> NDArray[Any]:
        return np.bincount(cell, weights=what, minlength=persons * types).reshape(persons, types)

    total, found = summed(weights), []
    for loss in losses:
        lost = summed(loss if weights is None else weights * loss)
        share = np.where(lost_whole[:, None], 1.0, lost / np.where(total > 0, total, 1.0))
        found.append([float(column.sum() / max(persons, 1)) for column in np.ascontiguousarray(share.T)])
    return np.array(found)
