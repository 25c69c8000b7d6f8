"""A table of the population beside the persons of a release: how many of it the label of a group may mean.

Only values that the data have, too, are counted for lists, nodes and dates: a search may count too few, never
too many. The auditor reads the labels themselves.

Cost        O(different population records * columns) per group that is asked about
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import PlanError
from heteronym.io.tables import read_tables
from heteronym.io.values import days, numbers, text_cells
from heteronym.model.person_view import Column, PersonView, ShapeKind
from heteronym.model.plan import DataPlan
from heteronym.model.schema import Scale
from heteronym.registry import recoders
from heteronym.run import current

_UNKNOWN = -2


class Crowd:
    """The population's records in the codes of the columns, each with how many persons have it."""

    def __init__(self, view: PersonView, frame: pl.DataFrame, name: str) -> None:
        lacking = [column.name for column in view.columns if column.name not in frame.columns]
        if lacking:
            raise PlanError(f"privacy: population '{name}' has no column '{lacking[0]}'")
        counted = frame.group_by([column.name for column in view.columns], maintain_order=True).len("persons")
        self.weight = counted["persons"].to_numpy().astype(np.int64)
        self.view = view
        self.codes = [_coded(column, counted[column.name], name) for column in view.columns]

    def count(self, members: NDArray[Any]) -> int:
        """Persons of the population whom the labels of a group of these members may mean."""
        inside = np.ones(len(self.weight), np.bool_)
        for column, codes in zip(self.view.columns, self.codes, strict=True):
            sets = np.unique(column.person_set[members])
            inside &= _inside(column, np.unique(column.sets.expand(sets)[1]), codes)
        return int(self.weight[inside].sum())


def _coded(column: Column, cells: pl.Series, source: str) -> NDArray[np.float64]:
    """Codes of the column, between two of them for a number between; the missing code, or none at all."""
    attribute, domain = column.domain.attribute, column.domain
    if attribute.scale is Scale.NUMERIC:
        parsed = numbers(cells, source=source)
    elif attribute.scale is Scale.DATE:
        parsed = days(cells, attribute.format, source=source)
    else:
        parsed = text_cells(cells)
    given = {} if attribute.recode is None else attribute.recode.parameters
    recoder = recoders.build(attribute.labelled_by, given)
    if domain.hierarchy is None and getattr(recoder, "coarsens", None) is attribute.scale:
        parsed = recoder.coarsen(parsed)  # as the data's own values were
    known = parsed.is_not_null().to_numpy()
    found = np.full(len(parsed), float(domain.missing_code))
    if column.shape.kind is ShapeKind.SPAN:
        values = domain.values.astype(np.float64)
        mine = parsed.cast(pl.Float64).to_numpy()[known]
        low = np.searchsorted(values, mine, side="left")
        exact = (low < len(values)) & (values[np.minimum(low, len(values) - 1)] == mine)
        found[known] = np.where(exact, low, low - 0.5)
        return found
    texts = [str(value) for value in domain.values]
    place = {text: float(code) for code, text in enumerate(texts)}
    parsed_texts = parsed.cast(pl.String).to_list()
    found[known] = [place.get(str(text), _UNKNOWN) for text in parsed_texts if text is not None]
    return found


def _inside(column: Column, cover: NDArray[np.int32], codes: NDArray[np.float64]) -> NDArray[np.bool_]:
    missing, shape = column.domain.missing_code, column.shape
    lacks, known = bool((cover == missing).any()), cover[cover < missing].astype(np.int64)
    inside: NDArray[np.bool_] = np.zeros(len(codes), np.bool_)
    if len(known) and lacks and not shape.mixes:
        return ~inside
    if len(known) and shape.kind is ShapeKind.SET:
        inside |= np.isin(codes, known)
    elif len(known) and shape.kind is ShapeKind.SPAN:
        inside |= (codes >= known[0]) & (codes <= known[-1])
    elif len(known):
        start, end = shape.reach(known[:1], known[-1:], missing)
        inside |= (codes >= start[0]) & (codes < end[0])
    if lacks:
        inside |= codes == missing
    return inside


class Matching:
    """Persons of a set, and those of the population whom their labels may mean."""

    def __init__(self, crowd: Crowd, rule: Callable[[int, int], bool]) -> None:
        self.crowd, self.rule = crowd, rule
        self.chosen = np.zeros(crowd.view.persons, np.bool_)

    def add(self, members: NDArray[Any]) -> None:
        self.chosen[members] = True

    def remove(self, members: NDArray[Any]) -> None:
        self.chosen[members] = False

    def admits(self) -> bool:
        members = np.flatnonzero(self.chosen)
        return self.rule(len(members), self.crowd.count(members) if len(members) else 0)


@lru_cache(maxsize=1)
def crowd_of(view: PersonView, population: str) -> Crowd:
    """The population's file lies beside the plan."""
    path = Path(current().folder or Path()) / population
    return Crowd(view, read_tables([path], DataPlan()).frame, population)
