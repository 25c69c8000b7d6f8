"""One guarantee over columns, items, events and terms: any m known elements fit at least k persons.

Reference   ours, from Singhofer et al. 2021 (terms) and Poulis et al. 2013 ((k, k^m)-anonymity)
Guarantee   persons with equal released columns are >= k, and every combination of up to m labels that one of
            them shows, with how often it shows them, is shown by >= k of them; likewise within one row
Cost        statistic O(1); choice of labels see _settle; audit O(sum of (labels per person choose m))
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import GroupLabels, Kind, PromiseInWords, Trace
from heteronym.model.offers import Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.recoding import ElementLabels
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._joint_audit import count_shown, rare_labels
from heteronym.privacy._settle import settle
from heteronym.privacy._tallies import Promise
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Size

_BLOCKS = 2  # items that blocks are made for where all may be known


@privacy_models.register("joint")
@dataclass(frozen=True)
class Joint:
    """Whoever knows all columns and any m items, events or terms of a person finds at least k such."""

    k: int = field(metadata={"help": "fewest persons that share all columns and any m labels", "min": 2})
    m: int | Literal["all"] = field(
        default=2, metadata={"help": "elements an attacker may know, or all", "min": 1}
    )
    absence: bool = field(default=False, metadata={"help": "also count what is known not to be there"})
    types: bool = field(
        default=False,
        metadata={
            "help": "also count the type that an untyped placeholder hides, which words around it may tell"
        },
    )

    size_only: ClassVar[bool] = True
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "terms", "items", "events"})
    bounds_traces: ClassVar[frozenset[Trace]] = frozenset({"placeholders", "row counts"})
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Whoever knows a person's columns and {any_m} of the person's {elements} finds at "
        "least {k} persons who may be meant.",
        attacker="Someone who knows all quasi-identifying columns and {any_m} of the {elements} of a person.",
        not_promised=("What all persons who may be meant have in common is known of each of them.",),
    )

    @property
    def least_persons(self) -> int:
        return self.k

    @property
    def item_promise(self) -> ItemPromise:
        return ItemPromise(self.k, _BLOCKS if self.m == "all" else self.m)

    def start(self, view: PersonView) -> Size:
        return Size(self.k)

    def settle(
        self, view: PersonView, partition: Partition, offers: Offers, *, columns: Mapping[str, GroupLabels]
    ) -> ElementLabels:
        """Labels for all elements of all groups, under which the model holds."""
        promise = Promise(self.k, 0 if self.m == "all" else self.m, self.absence, not self.types)
        return settle(view, partition, offers, promise, columns=columns)

    def audit(self, released: Released) -> ModelVerdict:
        """Count persons per combination of labels in what was written, whatever the search believed."""
        counted = count_shown(released, k=self.k, m=self.m, absence=self.absence)
        parameters = {"k": self.k, "m": self.m, "absence": self.absence}
        return ModelVerdict(
            "joint", parameters, not counted.reasons, counted.fewest, "; ".join(counted.reasons)
        )

    def too_rare(self, released: Released) -> NDArray[np.bool_]:
        """Which of the shown labels break the promise, so that what stands in texts can be taken out."""
        return rare_labels(released, k=self.k, m=self.m)
