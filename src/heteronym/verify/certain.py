"""Warns of sensitive values that the release makes certain, where no model of the plan is about them."""

from __future__ import annotations

import numpy as np
import polars as pl

from heteronym.model.plan import Plan
from heteronym.model.release import Check, Released

_OF_ITEMS = "lm-diversity"  # is about all sensitive items
_ABOUT_ONE = frozenset({"l-diversity", "t-closeness", "alpha-k-anonymity", "beta-likeness"})


def certain_values(released: Released, plan: Plan) -> list[Check]:
    """A remark for each sensitive attribute without a model: for how many its value is certain."""
    attributes = [*released.sensitive, *sorted({name for name, _ in released.sensitive_items})]
    named = {str(m.parameters["attribute"]) for m in plan.privacy if m.parameters.get("attribute")}
    of_items = any(model.name == _OF_ITEMS for model in plan.privacy)
    # a model without `attribute` is about the only one there is
    silent = [m for m in plan.privacy if m.name in _ABOUT_ONE and not m.parameters.get("attribute")]
    remarks = []
    for name in attributes:
        is_column = name in released.sensitive
        if name in named or (of_items and not is_column) or (silent and len(attributes) == 1):
            continue
        groups, persons, all_groups = _count(released, name)
        detail = (
            f"no model is about the sensitive {'column' if is_column else 'items of'} '{name}'; its value is "
            f"certain for {persons} {released.unit} in {groups} of {all_groups} groups"
        )
        remarks.append(Check("certain", None, detail))
    return remarks


def _count(released: Released, name: str) -> tuple[int, int, int]:
    """Groups all of whose persons show one same value, their persons, and how many groups there are."""
    rows = pl.DataFrame({"group": released.group_of_row, "person": released.person_of_row})
    once = rows.height > 0 and bool((released.person_of_row == np.arange(rows.height)).all())
    sizes = (rows if once else rows.unique()).group_by("group").agg(pl.len().alias("persons"))
    shown = rows.with_columns(_shown(released, name).alias("value"))
    several = shown["value"].dtype == pl.List
    if several:
        shown = shown.explode("value")
    shown = shown.drop_nulls("value")
    certain = (
        (shown if once and not several else shown.unique())
        .group_by("group", "value")
        .agg(pl.len().alias("holders"))
        .join(sizes, on="group")
        .filter(pl.col("holders") == pl.col("persons"))
        .unique("group")
    )
    return certain.height, int(certain["persons"].sum()), sizes.height


def _shown(released: Released, name: str) -> pl.Series:
    """Values of each row as text; lists of them where a row may hold several."""
    if name in released.sensitive:
        return pl.Series(released.sensitive[name])
    numbers = {n for n, (a, kind, _) in enumerate(released.labels) if kind == "item" and a == name}
    wanted = {n for n in numbers if (name, released.labels[n][2]) in released.sensitive_items}
    rows = range(len(released.group_of_row))
    shown = [[str(code) for code in released.shown[row].tolist() if code in wanted] for row in rows]
    return pl.Series(shown, dtype=pl.List(pl.String))
