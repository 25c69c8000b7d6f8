"""Warns of sensitive values that the release makes certain, where no model of the plan is about them."""

from __future__ import annotations

import numpy as np
import polars as pl

from heteronym.model.plan import Plan
from heteronym.model.release import Check, Released
from heteronym.registry import privacy_models
from heteronym.verify.values import coded, counted_pairs, is_numbering


def certain_values(released: Released, plan: Plan) -> list[Check]:
    """A remark for each sensitive attribute without a model: for how many its value is certain."""
    attributes = [*released.sensitive, *sorted({name for name, _ in released.sensitive_items})]
    named = {str(m.parameters["attribute"]) for m in plan.privacy if m.parameters.get("attribute")}
    limits = [getattr(privacy_models.get(model.name), "limits_sensitive", None) for model in plan.privacy]
    of_items = "items" in limits
    # a model without `attribute` is about the only one there is
    silent = [
        model
        for model, limit in zip(plan.privacy, limits, strict=True)
        if limit == "attribute" and not model.parameters.get("attribute")
    ]
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
    once = is_numbering(released.person_of_row)
    sizes = np.bincount((rows if once else rows.unique())["group"].to_numpy())
    values = _shown(released, name)
    group = released.group_of_row
    if not once or values.dtype == pl.List:
        shown = rows.with_columns(values.alias("value"))
        shown = (shown.explode("value") if values.dtype == pl.List else shown).unique()
        group, values = shown["group"].to_numpy(), shown["value"]
    groups, _, holders = counted_pairs(group, coded(values))
    certain = np.unique(groups[holders == sizes[groups]])
    return len(certain), int(sizes[certain].sum()), int((sizes > 0).sum())


def _shown(released: Released, name: str) -> pl.Series:
    """Values of each row as text; lists of them where a row may hold several."""
    if name in released.sensitive:
        return pl.Series(released.sensitive[name])
    numbers = {n for n, (a, kind, _) in enumerate(released.labels) if kind == "item" and a == name}
    wanted = {n for n in numbers if (name, released.labels[n][2]) in released.sensitive_items}
    rows = range(len(released.group_of_row))
    shown = [[str(code) for code in released.shown[row].tolist() if code in wanted] for row in rows]
    return pl.Series(shown, dtype=pl.List(pl.String))
