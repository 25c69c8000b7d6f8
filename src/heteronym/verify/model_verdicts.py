"""What an auditor can tell of a promise with what it was given, and what it cannot.

A class of fewer than k rows has fewer than k persons, whoever they are. More rows than that prove nothing
about persons, and texts prove nothing to whoever does not know what stood there: then a promise is
neither kept nor broken, it cannot be told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from heteronym import registry
from heteronym.errors import HeteronymError
from heteronym.model.part import Model
from heteronym.model.release import Check, ModelVerdict, Released


class Verifiable(NamedTuple):
    """Whether it is known whose rows they are, what the texts show, and what surrogates tell."""

    persons: bool
    texts: bool
    surrogates: bool = True


_UNVERIFIABLE = {
    "texts": "the texts were not searched: that needs the original data",
    "persons": "rows were counted, not persons: that needs the owner's row map (--private)",
    "surrogates": "what surrogates tell of their originals was not counted: that needs the original data",
}


def unverifiable_checks(verifiable: Verifiable) -> list[Check]:
    """A check without a verdict for each thing that cannot be checked, with the reason."""
    missing = [name for name in _UNVERIFIABLE if not getattr(verifiable, name)]
    return [Check(name, None, _UNVERIFIABLE[name]) for name in missing]


def model_verdict(model: Model, groups: Released, verifiable: Verifiable) -> ModelVerdict:
    """The word of one model, no larger than what is known."""
    part = registry.privacy_models.build(model.name, model.parameters)
    if verifiable.persons or not getattr(part, "counts_persons", True):
        try:
            verdict: ModelVerdict = part.audit(groups)
        except HeteronymError as error:  # what the model is about is not in the release
            return ModelVerdict(model.name, dict(model.parameters), False, 0, str(error))
        if verdict.holds and not verifiable.texts and "terms" in part.protects:
            detail = "cannot be told: the terms in texts were not searched, that needs the original data"
            return replace(verdict, holds=None, detail=detail)
        if verdict.holds and not verifiable.surrogates:
            detail = "cannot be told: what surrogates tell was not counted, that needs the original data"
            return replace(verdict, holds=None, detail=detail)
        return verdict
    sizes = np.bincount(groups.group_of_row) if len(groups.group_of_row) else np.zeros(0, np.int64)
    smallest = int(sizes.min(initial=len(groups.group_of_row)))
    broken = _broken_by_rows(part, groups, smallest)
    detail = broken or "cannot be told: rows were counted, and several may be one person's"
    return ModelVerdict(model.name, dict(model.parameters), False if broken else None, smallest, detail)


def _broken_by_rows(part: Any, groups: Released, smallest: int) -> str:
    """Why the promise is broken whoever the persons are; nothing if it may hold."""
    k = getattr(part, "k", None)
    if k is not None and "columns" in part.protects and smallest < k and not hasattr(part, "population"):
        return f"a group has {smallest} rows, fewer than {k}"
    least = getattr(part, "least_values", None)
    if least is not None:
        if smallest < part.least_persons:
            return f"a group has {smallest} rows, fewer than {part.least_persons}"
        alike = _fewest_values(part, groups)
        # however many of them are one person's: a class shows as many different values as its rows do
        if alike is not None and alike < least:
            return f"a group shows {alike} different sensitive values, fewer than {least}"
    promise = getattr(part, "item_promise", None)
    if promise is not None:
        fewest = _fewest_rows_of_an_item(groups, whole_table=promise.whole_table)
        if fewest < promise.k:
            return f"an item is shown by {fewest} rows, fewer than {promise.k}"
    return ""


def _fewest_values(part: Any, groups: Released) -> int | None:
    """How many different values of its sensitive column the poorest class shows; None: there is none."""
    if not hasattr(part, "attribute") or not len(groups.group_of_row):
        return None
    name = part.attribute or (next(iter(groups.sensitive)) if len(groups.sensitive) == 1 else None)
    if name is None or name not in groups.sensitive:
        return None
    shown = pl.DataFrame({"group": groups.group_of_row, "value": pl.Series(groups.sensitive[name])})
    if shown["value"].dtype == pl.List:
        shown = shown.explode("value")
    counts = shown.group_by("group").agg(pl.col("value").drop_nulls().n_unique())
    return int(counts["value"].min())  # type: ignore[arg-type]


def _fewest_rows_of_an_item(groups: Released, *, whole_table: bool) -> int:
    secret = groups.sensitive_items
    counts = [kind == "item" and (name, label) not in secret for name, kind, label in groups.labels]
    owner, code = groups.shown.owners(), groups.shown.codes.astype(np.int64)
    known = np.array(counts, np.bool_)[code] if len(code) else np.zeros(0, np.bool_)
    group = np.zeros(len(owner), np.int64) if whole_table else groups.group_of_row[owner]
    key = group[known] * max(len(counts), 1) + code[known]
    _, rows = np.unique(key, return_counts=True)
    return int(rows.min(initial=len(groups.group_of_row)))
