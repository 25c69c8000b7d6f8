"""(alpha, k)-anonymity: groups of at least k persons in which no sensitive value has more than a share alpha.

Reference   Wong, Li, Fu and Wang 2006
Guarantee   who finds a person's group believes in no sensitive value with more than alpha
Cost        statistic O(members) and O(values) to ask; audit O(rows)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, PromiseInWords, SensitiveLimit
from heteronym.errors import PromiseError
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._sensitive import ATTRIBUTE, sensitive_holdings, shares_of
from heteronym.privacy._sensitive_groups import sensitive_groups
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Histogram, Limit, LimitKind


@privacy_models.register("alpha-k-anonymity")
@dataclass(frozen=True)
class AlphaKAnonymity:
    """At least k persons share all released columns, and at most a share alpha of them a sensitive value."""

    alpha: float = field(metadata={"help": "largest share of a sensitive value", "min": 0.001, "max": 0.999})
    k: int = field(metadata={"help": "smallest group of persons", "min": 2})
    attribute: str | None = field(default=None, metadata=ATTRIBUTE)

    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns"})
    limits_sensitive: ClassVar[SensitiveLimit] = "attribute"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every group of persons who look alike has at least {k} persons, and no sensitive "
        "value is held by more than a share of {alpha} of them.",
        attacker="Someone who knows all quasi-identifying columns of a person and wants to learn the "
        "sensitive value.",
        not_promised=("A value that is rare overall may rise to a share of {alpha} in a group.",),
    )

    @property
    def largest_share(self) -> float:
        return self.alpha

    @property
    def least_persons(self) -> int:
        return self.k

    def check(self, view: PersonView) -> None:
        """Some group shows a value at least as often as all persons together do."""
        name, holdings, _ = sensitive_holdings(view, "alpha-k-anonymity", self.attribute)
        best = float(shares_of(holdings, of_values=False).max(initial=0))
        if best > self.alpha + 1e-12:
            raise PromiseError(
                f"no grouping reaches alpha = {self.alpha:g} for '{name}'; the best that can be reached is "
                f"{best:.3g}. Nothing was released"
            )

    def start(self, view: PersonView) -> Histogram:
        _, holdings, _ = sensitive_holdings(view, "alpha-k-anonymity", self.attribute)
        reference = np.full(max(holdings.values, 1), self.alpha)
        return Histogram(holdings, Limit(LimitKind.SHARE, reference=reference), least=self.k)

    def audit(self, released: Released) -> ModelVerdict:
        name, groups = sensitive_groups(released, "alpha-k-anonymity", self.attribute)
        smallest = min((group.persons for group in groups), default=0)
        short = sum(group.persons < self.k for group in groups)
        sure = sum(
            max(group.holders.values(), default=0) > self.alpha * group.persons + 1e-9 for group in groups
        )
        reasons = [f"{short} groups have fewer than {self.k} {released.unit}"] if short else []
        if sure:
            reasons.append(f"in {sure} groups a value of '{name}' has a share above {self.alpha:g}")
        parameters = {"alpha": self.alpha, "k": self.k, "attribute": name}
        holds = bool(groups) and not reasons
        return ModelVerdict("alpha-k-anonymity", parameters, holds, smallest, "; ".join(reasons))
