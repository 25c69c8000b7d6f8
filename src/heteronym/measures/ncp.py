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
from math import log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.knowledge.ladders import ladder
from heteronym.measures._remaining_terms import remaining_terms
from heteronym.model.elements import Elements
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, LabelShape, PersonView, ShapeKind
from heteronym.model.recoding import ElementLabels, Fate, Label, Recoding
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets, blocks
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
            for name, losses in ("", headline), ("_covered", covered), ("_published", published):
                out[f"relational{name}"] = float(np.array([*losses.values()]) @ weights / weights.sum())
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
    return lost / max(partition.persons, 1)


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
    elements, lost_whole = view.elements, partition.group < 0
    seen = remaining_terms(view, partition, recoding)
    counts: dict[str, Counts] = {}
    for name, (owner, codes) in view.terms_by_column().items():
        fate, label = recoding.elements.fate_and_label(partition.group[owner], codes)
        stands = np.True_ if seen is None else seen[name]
        kept = (fate == Fate.KEPT) & stands
        losses = np.where(stands, _information_loss(view, recoding.elements, codes, fate, label), 1.0)
        counts[name] = _counts(view, owner, codes, kept, losses)
    weights = [elements.column_weights.get(name, 1.0) for name in counts]
    weights = weights if len(set(weights)) > 1 else [1.0] * len(weights)
    weighed = list(zip(weights, counts.values(), strict=True))
    nothing = np.zeros((view.persons, len(elements.domains)))
    held, *lost = (sum((weight * one[part] for weight, one in weighed), nothing) for part in range(3))
    (textual, by_type), (information, information_by_type) = (_means(held, one, lost_whole) for one in lost)
    out: dict[str, Any] = {"textual": textual, "information": information}
    of_parts = ("information_by_entity", "information_of_holders", "by_entity", "of_holders", "by_text")
    out |= {name: {} for name in of_parts}
    holders = (held > 0).sum(axis=0)
    for number, domain in enumerate(elements.domains):
        if domain.is_terms:
            scale = view.persons / max(int(holders[number]), 1)
            for name, shares in ("", by_type), ("information_", information_by_type):
                out[f"{name}by_entity"][domain.name] = shares[number]
                out[f"{name}of_holders"][domain.name] = min(shares[number] * scale, 1.0)
    for name, one in counts.items():
        whole, shares = _means(one.held, one.lost, lost_whole)
        out["by_text"][name] = {"all": whole} | {
            elements.domains[number].name: shares[number]
            for number in np.flatnonzero(one.held.sum(axis=0)).tolist()
        }
    return out


class Counts(NamedTuple):
    """[persons, types]: terms of a column, how many are not kept, and how much of what they tell is lost."""

    held: NDArray[Any]
    lost: NDArray[Any]
    information: NDArray[Any]


def _counts(
    view: PersonView,
    owner: NDArray[Any],
    codes: NDArray[Any],
    kept: NDArray[np.bool_],
    by_type: NDArray[np.float64],
) -> Counts:
    """`told` is how much of each term's information is lost."""
    persons, types = view.persons, len(view.elements.domains)
    held, lost = np.zeros(persons * types, np.int64), np.zeros(persons * types, np.int64)
    information = np.zeros(persons * types)
    for some in blocks(len(codes)):  # persons ascend: a block has cells of its own, and one that it shares
        cell = owner[some] * types + view.elements.domain[codes[some]]
        first = int(cell.min())
        cell -= first
        gone = ~kept[some]
        less = cell[gone]
        for total, *counted in (held, cell), (lost, less), (information, less, by_type[some][gone]):
            sums = np.bincount(*counted)
            total[first : first + len(sums)] += sums
    return Counts(*(total.reshape(persons, types) for total in (held, lost, information)))


def _means(
    held: NDArray[Any], lost: NDArray[Any], lost_whole: NDArray[np.bool_]
) -> tuple[float, list[float]]:
    """Over persons the mean of the share of each one's terms that is lost, and by type; none of no terms."""

    def mean(held: NDArray[Any], lost: NDArray[Any]) -> float:
        share = np.where(lost_whole, 1.0, lost / np.where(held > 0, held, 1.0))
        return float(share.sum() / max(len(share), 1))

    return mean(held.sum(axis=1), lost.sum(axis=1)), [mean(*one) for one in zip(held.T, lost.T, strict=True)]


def _information_loss(
    view: PersonView, labels: ElementLabels, codes: NDArray[Any], fate: NDArray[Any], label: NDArray[Any]
) -> NDArray[np.float64]:
    """How much of its information each term of a person loses: nothing if kept, 1 if suppressed.

    A label that stands in the ladder of the term loses 1 - log(N / n) / log(N / own): of the N things of
    its type the label may mean n, the term means `own`. Of any other label it is only known for how many
    terms of the data it stands; these are counted the same way.
    """
    loss = np.where(fate == Fate.KEPT, 0.0, 1.0)
    general = np.flatnonzero(fate == Fate.GENERALIZED)
    if not len(general):
        return loss
    count = max(len(labels.labels), 1)
    pairs, number = np.unique(codes[general].astype(np.int64) * count + label[general], return_inverse=True)
    sizes = view.elements.domain_sizes()
    lost = np.array(
        [
            _lost(view.elements, int(pair // count), labels.labels[int(pair % count)], sizes)
            for pair in pairs.tolist()
        ]
    )
    loss[general] = lost[number]
    return loss


def _lost(elements: Elements, element: int, label: Label, sizes: NDArray[np.int64]) -> float:
    term = elements.term(element)
    steps = ladder(term.text, term.type, term.sense)
    size = next((rung.size for rung in steps.rungs if rung.label == label.text), None)
    if size is not None:
        return 1.0 - steps.information(size)
    whole = int(sizes[elements.domain[element]])
    return min(1.0, log(max(label.stands_for, 1)) / log(whole)) if whole > 1 else 1.0
