"""The longest common prefix, for postcodes and other codes read from the left: `881*`.

Reference   Sweeney 2002 (ZIP codes)
Guarantee   every value of the group begins with the label's prefix
Cost        O(length) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets
from heteronym.recode._shapes import label_outer, need_scale, run_shape
from heteronym.registry import recoders


@recoders.register("prefix")
@dataclass(frozen=True)
class CommonPrefix:
    """What all values of the group begin with, followed by a star."""

    def shape(self, domain: Domain) -> LabelShape:
        need_scale(domain, "prefix", Scale.NOMINAL)
        texts = [str(value) for value in domain.values]
        longest = max((len(text) for text in texts), default=0)
        # One level per prefix length, longest first; values are sorted, so equal prefixes are neighbours.
        levels = [np.arange(len(texts))]
        for length in range(longest, -1, -1):
            heads = [text[:length] for text in texts]
            changed = [a != b for a, b in zip(heads[1:], heads[:-1], strict=True)]
            levels.append(np.cumsum([0, *changed])[: len(texts)])
        return run_shape(np.stack(levels))

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        texts = [str(value) for value in domain.values]

        def between(low: int, high: int) -> str:
            same = 0
            while texts[low][same : same + 1] == texts[high][same : same + 1]:
                same += 1
            return texts[low][:same] + "*"

        return label_outer(domain, covers, between, texts)
