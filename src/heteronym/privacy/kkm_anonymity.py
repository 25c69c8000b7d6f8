"""(k, k^m)-anonymity of columns and item sets together.

Reference   Poulis, Loukides, Gkoulalas-Divanis, Skiadopoulos 2013, definitions 1 and 2
Guarantee   persons with equal released columns are >= k, and every set of at most m released items
            that one of them shows is shown by >= k of them
Cost        statistic O(members); audit O(sum of (items per person choose m))
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.contracts import Kind, PromiseInWords
from heteronym.privacy._held_items import PromisesItems
from heteronym.registry import privacy_models


@privacy_models.register("kkm-anonymity")
@dataclass(frozen=True)
class KkmAnonymity(PromisesItems):
    """Whoever knows all columns and up to m items of a person finds at least k such persons."""

    k: int = field(metadata={"help": "fewest persons that share all columns and any m items", "min": 2})
    m: int = field(default=2, metadata={"help": "items an attacker may know", "min": 1})

    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "items"})
    estimate_was_measured: ClassVar[bool] = True
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Persons with the same columns are at least {k}, and whoever knows all columns and up"
        " to {m_items} of a person finds at least {k} such persons.",
        attacker="Someone who knows all quasi-identifying columns and up to {m_items} of a person that"
        " are not sensitive.",
        not_promised=(
            "Knowledge of more than {m_items}, or that a person does not have an item, is not covered.",
        ),
    )
