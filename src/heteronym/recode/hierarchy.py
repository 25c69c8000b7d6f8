"""The lowest common ancestor in the attribute's hierarchy.

Reference   Sweeney 2002; hierarchies as ARX writes them
Guarantee   the label is the lowest node above all values of the group
Cost        O(depth) per group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass

from heteronym.errors import PlanError
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.person_view import Domain, LabelShape
from heteronym.model.sets import Sets
from heteronym.recode._shapes import SUPPRESSED, label_outer, run_shape
from heteronym.registry import recoders


@recoders.register("hierarchy")
@dataclass(frozen=True)
class LowestCommonAncestor:
    """The name of the lowest node of the hierarchy that covers the group."""

    def shape(self, domain: Domain) -> LabelShape:
        return run_shape(_hierarchy_of(domain).node)

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        hierarchy = _hierarchy_of(domain)

        def between(low: int, high: int) -> str:
            for level in range(1, hierarchy.levels):
                if hierarchy.node[level, low] == hierarchy.node[level, high]:
                    return hierarchy.names[level][int(hierarchy.node[level, low])]
            return SUPPRESSED

        return label_outer(domain, covers, between, [str(v) for v in domain.values])


def _hierarchy_of(domain: Domain) -> Hierarchy:
    if domain.hierarchy is None:
        raise PlanError(f"attributes.{domain.name}: recode 'hierarchy' needs `hierarchy: FILE.csv`")
    return domain.hierarchy
