"""delta-presence: how likely it is that a person of the population is in the data stays between two bounds.

Reference   Nergiz, Atzori and Clifton 2007
Guarantee   for every person of the population, presence_low <= chance to be released <= presence_high
Cost        statistic O(population records) per question; audit O(groups * population records)
Randomness  none

A group of n persons whose label may mean N of the population makes each of them present with n / N. Where
labels of several groups may mean one person, the auditor adds their shares up, and takes the largest for the
lower bound; a search looks at one group only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, PromiseInWords
from heteronym.errors import PromiseError, UsageError
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._population import Matching, crowd_of
from heteronym.registry import privacy_models

_CLOSE = 1e-9


@privacy_models.register("delta-presence")
@dataclass(frozen=True)
class DeltaPresence:
    """Who is in the population is in the data with a chance between presence_low and presence_high."""

    presence_high: float = field(
        metadata={"help": "largest chance of being in the data", "min": 0.0, "max": 1.0}
    )
    population: str = field(metadata={"help": "table of the population beside the plan, one row per person"})
    presence_low: float = field(
        default=0.0, metadata={"help": "smallest chance of being in the data", "min": 0.0, "max": 1.0}
    )

    least_persons: ClassVar[int] = 1
    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns"})
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Nobody of the population can be said to be in the data with a chance above "
        "{presence_high} or below {presence_low}.",
        attacker="Someone who knows all quasi-identifying columns of everybody in the population.",
        not_promised=("What is learned about a person who is known to be in the data is not bounded.",),
    )

    def __post_init__(self) -> None:
        if self.presence_low > self.presence_high:
            raise UsageError("'presence_low' of 'delta-presence' must not be more than 'presence_high'")

    def check(self, view: PersonView) -> None:
        """All persons in one group: nothing is reached where that is not."""
        everybody = crowd_of(view, self.population).count(np.arange(view.persons))
        share = view.persons / max(everybody, 1)
        if not self.presence_low - _CLOSE <= share <= self.presence_high + _CLOSE:
            raise PromiseError(
                f"no grouping reaches delta-presence: all persons together are present with {share:.3g}, the "
                f"bounds are {self.presence_low:g} and {self.presence_high:g}. Nothing was released"
            )

    def start(self, view: PersonView) -> Matching:
        low, high = self.presence_low, self.presence_high

        def is_between(persons: int, meant: int) -> bool:
            return persons == 0 or low * meant - _CLOSE <= persons <= high * meant + _CLOSE

        return Matching(crowd_of(view, self.population), is_between)

    def audit(self, released: Released) -> ModelVerdict:
        bounds = {"presence_low": self.presence_low, "presence_high": self.presence_high}
        parameters = {**bounds, "population": self.population}
        found = released.population.get(self.population)
        if found is None:
            detail = "cannot be told: the table of the population is not at hand, or labels cannot be read"
            return ModelVerdict("delta-presence", parameters, None, 0, detail)
        smallest = int(found.persons.min(initial=found.size))
        high, low = float(found.likely.max(initial=0.0)), float(found.surely.min(initial=1.0))
        nobody = int((found.persons == 0).sum())
        reasons = [f"{nobody} groups mean nobody of the population"] if nobody else []
        if high > self.presence_high + _CLOSE:
            reasons.append(f"somebody is present with {high:.4g}, the bound is {self.presence_high:g}")
        if low < self.presence_low - _CLOSE:
            reasons.append(f"somebody is present with {low:.4g} only, the bound is {self.presence_low:g}")
        return ModelVerdict("delta-presence", parameters, not reasons, smallest, "; ".join(reasons))
