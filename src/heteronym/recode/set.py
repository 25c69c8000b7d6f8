r"""The set of values of the group: `{Education,Student}`, with `\` before `,{}\` inside a value.

Reference   Singhofer et al. 2021, section 4.2
Guarantee   the label lists exactly the values that occur in the group
Cost        O(values) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape, ShapeKind
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import escaped, label_of_one
from heteronym.registry import recoders


@recoders.register("set")
@dataclass(frozen=True)
class ValueSet:
    """All values of the group in braces; a missing value is the empty entry."""

    def shape(self, domain: Domain) -> LabelShape:
        ordered = domain.attribute.scale is not Scale.NOMINAL or domain.hierarchy is not None
        return LabelShape(ShapeKind.SET, np.arange(len(domain.values), dtype=np.float64), ordered=ordered)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        plain: list[str | None] = [*domain.texts(), None]
        written = {value or "": escaped(value or "") for value in plain}
        different, number = covers.distinct()
        labels: list[str | None] = []
        for codes in (different[n].tolist() for n in range(len(different))):
            if len(codes) == 1:
                value = plain[codes[0]]
                labels.append(None if value is None else label_of_one(value))
            else:
                members = sorted(plain[code] or "" for code in codes)
                labels.append("{" + ",".join(written[member] for member in members) + "}")
        return [labels[n] for n in number.tolist()]
