"""How easily persons are found by their quasi columns, before and after.

Reference   see heteronym.risk.class_sizes
Guarantee   before: persons with equal original values are one class; after: persons with equal labels are
Cost        O(persons log persons * columns)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import Recoding
from heteronym.model.sets import one_number
from heteronym.registry import measures
from heteronym.risk.class_sizes import Risk, merged, risk_of


@measures.register("risk")
@dataclass(frozen=True)
class ReidentificationRisk:
    """Chances of attackers before and after; without survey weights the data is taken for the population."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]:
        if not view.columns:
            return {}
        stays = partition.group >= 0
        # groups whose labels are equal in every column, and whose surrogates tell the same, are one class
        columns = [pl.Series(c.name, recoding.columns[c.name], pl.String) for c in view.columns]
        columns += [pl.Series(name, told, pl.String) for name, told in recoding.told.items()]
        shown = pl.DataFrame(columns)
        number = shown.select(pl.struct(pl.all()).rank("dense").cast(pl.Int64) - 1).to_series()
        group_class = number.to_numpy()
        everybody = np.ones(view.persons, np.bool_)
        after = np.where(stays, group_class[partition.group], -1)
        before = one_number([(c.person_set, len(c.sets)) for c in view.columns], view.persons)
        return merged(_risk(view, before, everybody), _risk(view, after, stays))


def _risk(view: PersonView, classes: NDArray[np.int64], who: NDArray[np.bool_]) -> Risk:
    """Of these persons, with what the view knows about them."""
    place = np.cumsum(who) - 1
    held = []
    for column in view.sensitive:
        person, code = column.pairs()
        asked = who[person] & (code < column.domain.missing_code)
        held.append((place[person[asked]], code[asked].astype(np.int64)))
    return risk_of(
        classes[who],
        weights=None if view.weight is None else view.weight[who],
        households=None if view.household is None else view.household[who],
        held=held,
        times=None if view.times is None else view.times[who],
    )
