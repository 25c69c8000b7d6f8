"""k^m-anonymity of item sets over the whole table.

Reference   Terrovitis, Mamoulis, Kalnis 2011
Guarantee   every set of at most m released items that some person shows is shown by >= k persons
Cost        statistic O(members); audit O(sum of (items per person choose m))
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.contracts import Kind, PromiseInWords
from heteronym.privacy._held_items import PromisesItems
from heteronym.registry import privacy_models


@privacy_models.register("km-anonymity")
@dataclass(frozen=True)
class KmAnonymity(PromisesItems):
    """Whoever knows up to m items of a person, and no column, finds at least k persons with them."""

    k: int = field(metadata={"help": "fewest persons that share any m released items", "min": 2})
    m: int = field(default=2, metadata={"help": "items an attacker may know", "min": 1})

    protects: ClassVar[frozenset[Kind]] = frozenset({"items"})
    estimate_was_measured: ClassVar[bool] = True
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="Every combination of up to {m_items} that a person shows is shown by at least {k} persons.",
        attacker="Someone who knows up to {m_items} of a person, and none of the columns.",
        not_promised=("Knowledge of columns, or of more than {m_items}, is not covered.",),
    )
