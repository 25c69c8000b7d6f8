"""beta-likeness: no group makes a sensitive value much likelier than it is among everybody.

Reference   Cao and Karras 2012 (enhanced beta-likeness)
Guarantee   a value that a share p of all persons holds is held by at most p (1 + min(beta, -ln p)) of a group
Cost        statistic O(members) and O(values) to ask; audit O(rows)
Randomness  none
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, PromiseInWords, SensitiveLimit
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._sensitive import ATTRIBUTE, sensitive_holdings, shares_of
from heteronym.privacy._sensitive_groups import everybody, sensitive_groups
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Histogram, Limit, LimitKind


@privacy_models.register("beta-likeness")
@dataclass(frozen=True)
class BetaLikeness:
    """In no group is a sensitive value more than 1 + beta times as frequent as among everybody."""

    beta: float = field(metadata={"help": "largest relative gain of belief in a value", "min": 0.001})
    attribute: str | None = field(default=None, metadata=ATTRIBUTE)

    least_persons: ClassVar[int] = 1
    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset()
    limits_sensitive: ClassVar[SensitiveLimit] = "attribute"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="In no group of persons who look alike is a sensitive value more than 1 + {beta} "
        "times as frequent as among everybody.",
        attacker="Someone who knows all quasi-identifying columns of a person and how frequent each "
        "sensitive value is overall.",
        not_promised=("That a value is less likely in a group is not bounded.",),
    )

    def start(self, view: PersonView) -> Histogram:
        _, holdings, _ = sensitive_holdings(view, "beta-likeness", self.attribute)
        share = shares_of(holdings, of_values=False)
        gain = np.minimum(self.beta, -np.log(np.maximum(share, 1e-300)))
        return Histogram(holdings, Limit(LimitKind.SHARE, reference=np.minimum(share * (1 + gain), 1.0)))

    def audit(self, released: Released) -> ModelVerdict:
        name, groups = sensitive_groups(released, "beta-likeness", self.attribute)
        all_persons = everybody(groups)
        allowed = {}
        for value, count in all_persons.holders.items():
            share = count / all_persons.persons
            allowed[value] = share * (1 + min(self.beta, -math.log(share)))
        sure = sum(
            any(count > allowed[value] * group.persons + 1e-9 for value, count in group.holders.items())
            for group in groups
        )
        detail = f"in {sure} of {len(groups)} groups a value of '{name}' gains too much" if sure else ""
        smallest = min((group.persons for group in groups), default=0)
        parameters = {"beta": self.beta, "attribute": name}
        return ModelVerdict("beta-likeness", parameters, bool(groups) and not sure, smallest, detail)
