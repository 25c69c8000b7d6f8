"""t-closeness: in every group the sensitive attribute is spread nearly as among all released persons.

Reference   Li, Li and Venkatasubramanian 2007 (equal, ordered and hierarchical earth mover's distance)
Guarantee   the distance between the values of each group and those of all released persons is at most t
Cost        statistic O(members) and O(values) to ask; audit O(rows + groups * values)
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np

from heteronym.contracts import Kind, PromiseInWords, SensitiveLimit
from heteronym.errors import PlanError
from heteronym.model.person_view import Column, PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.model.schema import Scale
from heteronym.privacy._closeness import gaps_of, in_order, leaves_of, nodes_of
from heteronym.privacy._sensitive import ATTRIBUTE, sensitive_holdings, shares_of
from heteronym.privacy._sensitive_groups import everybody, sensitive_groups
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Histogram, Limit, LimitKind


@privacy_models.register("t-closeness")
@dataclass(frozen=True)
class TCloseness:
    """The values of a sensitive attribute in a group are at most t away from those of everybody."""

    t: float = field(metadata={"help": "largest distance to all released persons", "min": 0.0, "max": 1.0})
    distance: Literal["equal", "ordered", "numeric", "hierarchical"] = field(
        default="equal", metadata={"help": "how far two values are from each other"}
    )
    attribute: str | None = field(default=None, metadata=ATTRIBUTE)
    order: tuple[str, ...] = field(
        default=(), metadata={"help": "ordered: the values from low to high; not needed for numbers"}
    )
    groups: tuple[Any, ...] = field(
        default=(), metadata={"help": "hierarchical: the values in nested lists, near ones together"}
    )

    least_persons: ClassVar[int] = 1
    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset()
    limits_sensitive: ClassVar[SensitiveLimit] = "attribute"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="In every group of persons who look alike, sensitive values are spread nearly as "
        "among everybody (distance at most {t}).",
        attacker="Someone who knows all quasi-identifying columns of a person and how the sensitive "
        "values are spread overall.",
        not_promised=(
            "A rare value may still become several times likelier as long as its share stays small.",
        ),
    )

    @property
    def largest_distance(self) -> float | None:
        return self.t if self.distance == "equal" else None

    def start(self, view: PersonView) -> Histogram:
        name, holdings, column = sensitive_holdings(view, "t-closeness", self.attribute)
        shares = shares_of(holdings, of_values=True)
        if self.distance == "equal":
            return Histogram(holdings, Limit(LimitKind.EQUAL, (self.t,), shares))
        if self.distance == "numeric":
            _need_numbers(name, column, "numeric")
            assert column is not None
            gaps = gaps_of(column.domain.values.astype(np.float64))
            return Histogram(holdings, Limit(LimitKind.LINE, (self.t,), shares, gaps))
        if self.distance == "ordered" and not self.order:
            _need_numbers(name, column, "ordered")
            return Histogram(holdings, Limit(LimitKind.LINE, (self.t,), shares))
        chain = [str(v) for v in self.order] if self.distance == "ordered" else leaves_of(self.groups)
        if column is None or not chain:
            wanted = "order" if self.distance == "ordered" else "groups"
            raise PlanError(f"privacy: 't-closeness': distance {self.distance} needs a column and `{wanted}`")
        moved = in_order(holdings, [str(v) for v in column.domain.values], chain, name)
        shares = shares_of(moved, of_values=True)
        if self.distance == "ordered":
            return Histogram(moved, Limit(LimitKind.LINE, (self.t,), shares))
        return Histogram(moved, Limit(LimitKind.TREE, (self.t,), shares, tree=nodes_of(self.groups)))

    def audit(self, released: Released) -> ModelVerdict:
        name, groups = sensitive_groups(released, "t-closeness", self.attribute)
        reference = everybody(groups).holders
        distances = [self._distance(group.holders, reference) for group in groups]
        far = sum(distance > self.t + 1e-9 for distance in distances)
        worst = max(distances, default=0.0)
        detail = ""
        if far:
            detail = f"'{name}': {far} of {len(groups)} groups are too far, the farthest {worst:.4g}"
        smallest = min((group.persons for group in groups), default=0)
        parameters = {"t": self.t, "distance": self.distance, "attribute": name}
        return ModelVerdict("t-closeness", parameters, bool(groups) and not far, smallest, detail)

    def _distance(self, holders: Counter[str], everyone: Counter[str]) -> float:
        """Between two spreads of values; a group without any value has nothing to learn from."""
        held, all_held = sum(holders.values()), sum(everyone.values())
        if not held or not all_held:
            return 0.0
        more = {value: holders[value] / held - count / all_held for value, count in everyone.items()}
        if self.distance == "equal":
            return sum(abs(difference) for difference in more.values()) / 2
        if self.distance == "hierarchical":
            cost, _, height = _even_out(self.groups, more)
            return cost / max(height, 1)
        if self.distance == "ordered" and self.order:
            line = [(float(place), more.get(value, 0.0)) for place, value in enumerate(map(str, self.order))]
        else:
            by_number: dict[float, float] = {}
            for value, difference in more.items():
                by_number[float(value)] = by_number.get(float(value), 0.0) + difference
            line = sorted(by_number.items())
            if self.distance == "ordered":
                line = [(float(place), difference) for place, (_, difference) in enumerate(line)]
        return _carry(line)


def _need_numbers(name: str, column: Column | None, distance: str) -> None:
    if column is None or column.domain.attribute.scale is not Scale.NUMERIC:
        also = ", or `order: [...]`" if distance == "ordered" else ""
        raise PlanError(f"privacy: 't-closeness': distance {distance} needs '{name}' to be numeric{also}")


def _carry(line: list[tuple[float, float]]) -> float:
    """What it takes to carry the excess along a line, which is taken to have length 1."""
    carried, work = 0.0, 0.0
    for (here, excess), (there, _) in pairwise(line):
        carried += excess
        work += abs(carried) * (there - here)
    length = line[-1][0] - line[0][0]
    return work / length if length else 0.0


def _even_out(node: Any, more: Mapping[str, float]) -> tuple[float, float, int]:
    """Cost of evening out below a node, what is left over, and the node's height."""
    if isinstance(node, str) or not isinstance(node, (list, tuple)):
        return 0.0, more.get(str(node), 0.0), 0
    parts = [_even_out(child, more) for child in node]
    height = 1 + max((part[2] for part in parts), default=0)
    surplus = sum(part[1] for part in parts if part[1] > 0)
    shortage = -sum(part[1] for part in parts if part[1] < 0)
    cost = sum(part[0] for part in parts) + height * min(surplus, shortage)
    return cost, surplus - shortage, height
