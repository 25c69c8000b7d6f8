"""l-diversity: in every group the sensitive attribute has at least l well represented values.

Reference   Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007 (distinct, entropy, recursive (c, l))
Guarantee   distinct: at least l values, and l persons; entropy: entropy of the values at least log l;
            recursive: the most frequent value is rarer than c times those from the l-th on together
Cost        statistic O(members) and O(values) to ask; audit O(rows)
Randomness  none
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from heteronym.contracts import Kind, PromiseInWords, SensitiveLimit
from heteronym.errors import PromiseError
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._sensitive import ATTRIBUTE, need_values, sensitive_holdings
from heteronym.privacy._sensitive_groups import sensitive_groups
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Histogram, Limit, LimitKind


@privacy_models.register("l-diversity")
@dataclass(frozen=True)
class LDiversity:
    """Every group shows at least l well represented values of a sensitive attribute."""

    l: int = field(metadata={"help": "values that a group must have", "min": 2})
    kind: Literal["distinct", "entropy", "recursive"] = field(
        default="distinct", metadata={"help": "what counts as well represented"}
    )
    c: float = field(default=3.0, metadata={"help": "recursive: how dominant one value may be", "min": 0.001})
    attribute: str | None = field(default=None, metadata=ATTRIBUTE)

    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns"})  # a group has at least l persons
    limits_sensitive: ClassVar[SensitiveLimit] = "attribute"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every group of persons who look alike shows at least {l} different, well represented"
        " sensitive values.",
        attacker="Someone who knows all quasi-identifying columns of a person and wants to learn the "
        "sensitive value.",
        not_promised=(
            "Values that mean nearly the same are counted apart; a value may still be frequent in a group.",
        ),
    )

    @property
    def largest_share(self) -> float:
        """Below one: a group has at least two values; how frequent one may be is a matter of the kind."""
        return 1 - 1e-6

    @property
    def least_persons(self) -> int:
        return self.l

    @property
    def least_values(self) -> int:
        """Other kinds weigh values by persons, and none of them lets a group show a single one."""
        return self.l if self.kind == "distinct" else 2

    def start(self, view: PersonView) -> Histogram:
        _, holdings, _ = sensitive_holdings(view, "l-diversity", self.attribute)
        limit = {
            "distinct": Limit(LimitKind.DISTINCT, (float(self.l),)),
            "entropy": Limit(LimitKind.ENTROPY, (float(self.l),)),
            "recursive": Limit(LimitKind.RECURSIVE, (self.c, float(self.l))),
        }[self.kind]
        return Histogram(holdings, limit, least=self.l)

    def check(self, view: PersonView) -> None:
        """All persons together are as diverse as the least diverse group of any grouping can be."""
        name, holdings, _ = sensitive_holdings(view, "l-diversity", self.attribute)
        need_values("l-diversity", name, holdings, self.l)
        _, counts = np.unique(holdings.of_person.codes, return_counts=True)
        if self.kind == "entropy":
            share = counts / counts.sum()
            best = float(np.exp(-(share * np.log(share)).sum()))
            if best < self.l - 1e-9:
                raise PromiseError(
                    f"no grouping reaches l = {self.l} (entropy) for '{name}'; the best that can be reached "
                    f"is {best:.3g}. Nothing was released"
                )
        if self.kind == "recursive":
            ordered = np.sort(counts)[::-1]
            least_c = float(ordered[0] / ordered[self.l - 1 :].sum())
            if not least_c < self.c:
                raise PromiseError(
                    f"no grouping reaches l = {self.l} (recursive, c = {self.c:g}) for '{name}'; it takes c "
                    f"above {least_c:.3g}. Nothing was released"
                )

    def audit(self, released: Released) -> ModelVerdict:
        name, groups = sensitive_groups(released, "l-diversity", self.attribute)
        poor = [group for group in groups if group.persons < self.l or not self._is_diverse(group.holders)]
        smallest = min((group.persons for group in groups), default=0)
        detail = ""
        if poor:
            persons = sum(group.persons for group in poor)
            detail = (
                f"'{name}': {len(poor)} of {len(groups)} groups, {persons} {released.unit}, are not diverse"
            )
        parameters: dict[str, Any] = {"l": self.l, "kind": self.kind, "attribute": name}
        if self.kind == "recursive":
            parameters["c"] = self.c
        return ModelVerdict("l-diversity", parameters, bool(groups) and not poor, smallest, detail)

    def _is_diverse(self, holders: Counter[str]) -> bool:
        counts = sorted(holders.values(), reverse=True)
        if self.kind == "distinct":
            return len(counts) >= self.l
        total = sum(counts)
        if self.kind == "entropy":
            entropy = -sum(n / total * math.log(n / total) for n in counts)
            return bool(counts) and entropy >= math.log(self.l) - 1e-9
        return bool(counts) and counts[0] < self.c * sum(counts[self.l - 1 :])
