"""k-map: the label of every group may mean at least k persons of a population.

Reference   Sweeney 2001; El Emam and Dankar 2008
Guarantee   whoever looks for a released record in the population finds at least k persons it may be
Cost        statistic O(population records) per question; audit O(groups * population records)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, PromiseInWords
from heteronym.errors import PromiseError
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._population import Matching, crowd_of
from heteronym.registry import privacy_models


@privacy_models.register("k-map")
@dataclass(frozen=True)
class KMap:
    """Every released record may be that of at least k persons of the population, whoever is released."""

    k: int = field(metadata={"help": "fewest persons of the population that a record may mean", "min": 2})
    population: str = field(metadata={"help": "table of the population beside the plan, one row per person"})

    least_persons: ClassVar[int] = 1
    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns"})
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every released record may be that of at least {k} persons of the population.",
        attacker="Someone who knows all quasi-identifying columns of everybody in the population, but "
        "not who of them is in the data.",
        not_promised=(
            "A person who is known to be in the data may be found; groups may have a single member.",
        ),
    )

    def check(self, view: PersonView) -> None:
        everybody = crowd_of(view, self.population).count(np.arange(view.persons))
        if everybody < self.k:
            raise PromiseError(
                f"no grouping reaches k-map with k = {self.k}: labels that cover all persons may mean "
                f"{everybody} of the population. Nothing was released"
            )

    def start(self, view: PersonView) -> Matching:
        return Matching(crowd_of(view, self.population), lambda persons, meant: meant >= self.k)

    def audit(self, released: Released) -> ModelVerdict:
        parameters = {"k": self.k, "population": self.population}
        found = released.population.get(self.population)
        if found is None:
            detail = "cannot be told: the table of the population is not at hand, or labels cannot be read"
            return ModelVerdict("k-map", parameters, None, 0, detail)
        smallest = int(found.persons.min(initial=found.size))
        short = int((found.persons < self.k).sum())
        detail = f"{short} groups may mean fewer than {self.k} persons of the population" if short else ""
        return ModelVerdict("k-map", parameters, short == 0 and smallest >= self.k, smallest, detail)
