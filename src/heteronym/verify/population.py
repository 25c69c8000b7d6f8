"""Whom of a population released labels may mean: every label read back, every record of the population tried.

Cost        O(groups * different population records * columns)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.release import Matched, Released
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.labels import meaning
from heteronym.verify.tables import read_data
from heteronym.verify.values import cell_text, coded, values_of


def matched_populations(
    labels: pl.DataFrame, plan: Plan, groups: Released, hierarchies: Mapping[str, Hierarchy]
) -> dict[str, Matched]:
    """By the file that a model names; without those that cannot be read here."""
    found = {}
    for model in plan.privacy:
        name = model.parameters.get("population")
        if not isinstance(name, str) or plan.release.numeric == "mean":
            continue
        try:
            frame = read_data(Path(current().folder or Path()) / name, DataPlan()).frame
        except InputError:
            continue
        one = _matched(labels, plan, groups, frame, hierarchies)
        if one is not None:
            found[name] = one
    return found


def _matched(
    labels: pl.DataFrame,
    plan: Plan,
    groups: Released,
    frame: pl.DataFrame,
    hierarchies: Mapping[str, Hierarchy],
) -> Matched | None:
    quasi = [n for n in labels.columns if n in plan.attributes and plan.attributes[n].role is Role.QUASI]
    unknown = [n for n in quasi if plan.attributes[n].hierarchy is not None and n not in hierarchies]
    if unknown or any(name not in frame.columns for name in quasi):
        return None
    if not quasi:
        return None
    records = frame.group_by(quasi, maintain_order=True).len("persons")
    weight = records["persons"].to_numpy().astype(np.int64)
    count = int(groups.group_of_row.max(initial=-1)) + 1
    first = np.zeros(count, np.int64)
    first[groups.group_of_row[::-1]] = np.arange(len(groups.group_of_row))[::-1]
    pairs = np.unique(np.stack([groups.group_of_row, groups.person_of_row]), axis=1)
    members = np.bincount(pairs[0], minlength=count)
    tables: list[tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]] = []
    for name in quasi:
        tree, attribute = hierarchies.get(name), plan.attributes[name]
        values = values_of(records[name], attribute, frozenset(), as_text=tree is not None)
        shown = coded(labels[name]).mapped(cell_text)
        read = [meaning(label, attribute, tree) for label in shown.values]
        fits = np.array([[one(value) for value in values.values] for one in read], np.bool_)
        tables.append((fits.reshape(len(read), -1), shown.code[first], values.code))
    persons = np.zeros(count, np.int64)
    likely, surely = np.zeros(len(weight)), np.zeros(len(weight))
    for group in range(count):
        inside = np.ones(len(weight), np.bool_)
        for fits, label, value in tables:
            inside &= fits[label[group]][value]
        persons[group] = weight[inside].sum()
        share = members[group] / max(int(persons[group]), 1)
        likely[inside] += share
        surely[inside] = np.maximum(surely[inside], share)
    return Matched(persons, likely, surely, int(weight.sum()))
