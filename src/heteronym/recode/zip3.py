"""ZIP codes by their first three digits, `021`; areas with few people are `000`.

Reference   45 CFR 164.514(b)(2)(i)(B), HIPAA Safe Harbor
Guarantee   no label tells more than three digits, nor which of the sparse areas; what is no ZIP code is `*`
Cost        O(values) per group
Randomness  none
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

import polars as pl

from heteronym.errors import UsageError
from heteronym.knowledge.hipaa import SPARSE_AREAS, zip_area
from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import need_scale
from heteronym.recode.set import ValueSet
from heteronym.registry import recoders


@recoders.register("zip3")
@dataclass(frozen=True)
class ZipAreas:
    """The areas of the group's ZIP codes: three digits, or 000 where few people live."""

    sparse: tuple[str, ...] = field(
        default=SPARSE_AREAS,
        metadata={"help": "three-digit areas of at most 20,000 people, in quotes; of the census of 2000"},
    )

    coarsens: ClassVar[Scale] = Scale.NOMINAL

    def __post_init__(self) -> None:
        if not all(isinstance(area, str) and re.fullmatch(r"\d{3}", area) for area in self.sparse):
            raise UsageError("'sparse' of 'zip3': areas are three digits in quotes, like \"036\"")

    def coarsen(self, values: pl.Series) -> pl.Series:
        known = values.drop_nulls().unique().to_list()
        areas = [zip_area(code, self.sparse) or "*" for code in known]
        return values.replace_strict(known, areas, return_dtype=pl.String) if known else values

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "zip3", Scale.NOMINAL)
        return ValueSet().shape(domain)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        # beside what is no ZIP code nothing is told
        found = ValueSet().labels(domain, covers)
        return ["*" if label is not None and "*" in label else label for label in found]
