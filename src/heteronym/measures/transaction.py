"""What the items lost: TNCP, utility loss (UL) as in Poulis et al., and COAT's UL.

Reference   Poulis et al. 2013, section 5; Loukides et al. 2011 (COAT)
Guarantee   0 means every item is released as itself; sensitive items are left out
Cost        O(item occurrences)
Randomness  none

UL(r) = sum of (2^|u| - 1) w(u) over r's labels / (2^s - 1), s = sum of |u|. With w = 1 an untouched
record does not score 0 (`ul_unweighted`, as printed); `ul` takes w = 0 for single items, which the
definition allows. UL rewards coarse labels in long records; TNCP does not, and is what searches use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heteronym.measures._item_labels import Labelled, labelled_items
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Recoding
from heteronym.registry import measures


@measures.register("transaction")
@dataclass(frozen=True)
class TransactionLoss:
    """Loss of the items, per item occurrence (tncp) and per person (ul, coat_ul)."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        labelled = labelled_items(view, partition, recoding)
        if labelled is None:
            return {}
        return {
            "tncp": tncp(labelled),
            "ul": utility_loss(labelled, view.persons),
            "ul_unweighted": utility_loss(labelled, view.persons, single_weight=1.0),
            **coat_loss(labelled, view.persons),
            "items_kept": float(labelled.kept.mean()) if len(labelled.kept) else 1.0,
            "suppressed": int(labelled.suppressed),
        }


def tncp(labelled: Labelled) -> float:
    """Mean over item occurrences of (|u| - 1) / (|I| - 1), columns by their weight."""
    if not len(labelled.person):
        return 0.0
    size = labelled.size[labelled.label]
    domain = labelled.domain_size[labelled.domain]
    loss = np.where(domain > 1, (size - 1) / np.maximum(domain - 1, 1), 0.0)
    return float(np.average(loss, weights=labelled.weight[labelled.domain]))


def utility_loss(labelled: Labelled, persons: int, *, single_weight: float = 0.0) -> float:
    """Mean over persons of UL; persons without items lose nothing."""
    person, label = labelled.shown
    size = labelled.size[label].astype(np.float64)
    total = np.bincount(person, weights=size, minlength=persons)[person]
    # (2^|u| - 1) / (2^s - 1) in floats that cannot overflow
    part = (np.exp2(size - total) - np.exp2(-total)) / (1.0 - np.exp2(-total))
    return float((part * np.where(size > 1, 1.0, single_weight)).sum() / max(persons, 1))


def coat_loss(labelled: Labelled, persons: int) -> dict[str, float]:
    """Sum over labels of (2^|u| - 1) / (2^|I| - 1) times their share of the persons, and its log2."""
    person, label = labelled.shown
    holders = np.bincount(label, minlength=len(labelled.size))
    size = labelled.size.astype(np.float64)
    items = float(labelled.domain_size.sum())
    chosen = (labelled.size > 1) & (holders > 0)
    if not chosen.any() or not len(person):
        return {"coat_ul": 0.0, "coat_ul_log2": -items}
    # log2(2^x - 1) = x + log2(1 - 2^-x)
    exponent = size[chosen] + np.log2(1 - np.exp2(-size[chosen])) - items - np.log2(1 - np.exp2(-items))
    exponent += np.log2(holders[chosen] / persons)
    top = exponent.max()
    log2 = float(top + np.log2(np.exp2(exponent - top).sum()))
    return {"coat_ul": float(np.exp2(log2)), "coat_ul_log2": log2}
