"""k-anonymity over the quasi columns and the terms of a person.

Reference   Sweeney 2002; Singhofer et al. 2021, section 3.2
Guarantee   persons with equal released columns and equal visible terms are at least k
Cost        admits O(1) per group; audit O(n log n) sorting of released records
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.contracts import Kind, Members
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.registry import privacy_models


@privacy_models.register("k-anonymity")
@dataclass(frozen=True)
class KAnonymity:
    """Every person shares all released columns and terms with at least k - 1 others."""

    k: int = field(metadata={"help": "smallest group of persons", "min": 2})

    monotone: ClassVar[bool] = True
    size_only: ClassVar[bool] = True
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "terms"})

    @property
    def least_persons(self) -> int:
        return self.k

    def admits(self, view: PersonView, members: Members) -> bool:
        return len(members) >= self.k

    def audit(self, released: Released) -> ModelVerdict:
        """Count persons per equal record in what was written, whatever the search believed."""
        group_of: dict[int, set[int]] = {}
        terms_of: dict[int, set[int]] = {}
        term_numbers = {n for n, (_, kind, _) in enumerate(released.labels) if kind == "term"}
        ptr, codes = released.shown.ptr.tolist(), released.shown.codes.tolist()
        rows = zip(released.person_of_row.tolist(), released.group_of_row.tolist(), strict=True)
        for row, (person, group) in enumerate(rows):
            group_of.setdefault(person, set()).add(group)
            if ptr[row] < ptr[row + 1]:
                terms_of.setdefault(person, set()).update(
                    term_numbers.intersection(codes[ptr[row] : ptr[row + 1]])
                )
        records: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        for person, groups in group_of.items():
            record = (frozenset(groups), frozenset(terms_of.get(person, ())))
            records[record] = records.get(record, 0) + 1
        smallest = min(records.values(), default=0)
        short = sum(1 for size in records.values() if size < self.k)
        detail = (
            "" if short == 0 else f"{short} of {len(records)} groups have fewer than {self.k} {released.unit}"
        )
        return ModelVerdict("k-anonymity", {"k": self.k}, short == 0 and smallest >= self.k, smallest, detail)
