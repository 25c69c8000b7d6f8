"""(k, l^m)-diversity: (k, k^m)-anonymity of the other items, and sensitive items stay uncertain.

Reference   Poulis et al. 2013, section 5; Terrovitis et al. 2011 (l^m-diversity)
Guarantee   the items that are not sensitive are (k, k^m)-anonymous; among the persons of a group that
            show any set of at most m of them, no sensitive item is held by more than one in l
Cost        statistic O(members); audit O(sum of sets * sensitive items per person)
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.contracts import Kind, PromiseInWords, SensitiveLimit
from heteronym.errors import PlanError
from heteronym.model.person_view import PersonView
from heteronym.privacy._held_items import PromisesItems
from heteronym.registry import privacy_models


@privacy_models.register("lm-diversity")
@dataclass(frozen=True)
class LmDiversity(PromisesItems):
    """Beyond (k, k^m)-anonymity, no known m items tie a sensitive item to more than one in l."""

    k: int = field(metadata={"help": "fewest persons that share all columns and any m items", "min": 2})
    l: int = field(metadata={"help": "a sensitive item is held by at most one in l", "min": 2})
    m: int = field(default=2, metadata={"help": "items an attacker may know", "min": 1})

    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "items"})
    limits_sensitive: ClassVar[SensitiveLimit] = "items"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Beyond being hidden among {k} persons, no sensitive item can be tied to a person "
        "with a probability above 1 in {l}.",
        attacker="Someone who knows all quasi-identifying columns and up to {m_items} of a person that"
        " are not sensitive.",
        not_promised=("Sensitive items that mean nearly the same are counted apart.",),
    )

    @property
    def largest_share(self) -> float:
        return 1 / self.l

    def check(self, view: PersonView) -> None:
        if not (view.elements.sensitive & ~view.elements.is_term).any():
            raise PlanError(
                "privacy: 'lm-diversity' needs sensitive items: name them in an items column's 'sensitive'"
            )
