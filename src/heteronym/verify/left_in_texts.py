"""What had to go and still stands in the texts of a release, row by row, and what the verdict says of it.

Puts together what the auditor's search (`verify.residue`) compares: the release and the data, each with
its texts, labels or values, and what is told of columns and events.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.column_texts import told_of_columns
from heteronym.verify.entries import entries_of
from heteronym.verify.event_texts import told_of_events
from heteronym.verify.numbers import labelled, with_ranges
from heteronym.verify.originals import Originals
from heteronym.verify.residue import Residue, Side, find_residue
from heteronym.verify.shown import Stands, labels_in_texts, labels_of, read_texts, text_columns, texts_of


def left_in_texts(
    released: pl.DataFrame, plan: Plan, originals: Originals, stands: Stands | None = None
) -> Residue:
    """What had to go and still stands in the texts, with its places."""
    if stands is None:
        released = with_ranges(labelled(released, plan), plan, originals)[0]
        stands = read_texts(released, plan, originals)
    assert originals.mentions is not None
    texts = text_columns(released, plan)
    # Who does not know what was meant to stay leaves terms to the models, which count their holders.
    kept = originals.kept if originals.kept is not None else np.ones(len(originals.mentions), np.bool_)
    columns = [n for n, a in plan.attributes.items() if a.role not in (Role.TEXT, Role.TERMS)]

    def cells(frame: pl.DataFrame, name: str) -> list[Any]:
        if plan.attributes[name].role is Role.ITEMS:
            return entries_of(frame[name], plan.attributes[name].separator, held=frame is not released)
        return [v.isoformat() if isinstance(v, date) else v for v in frame[name].to_list()]

    short = labels_in_texts(released, plan)
    both = {
        name: [None if a is None else [a, b] for a, b in zip(labels, short[name], strict=True)]
        for name, labels in labels_of(released, plan).items()
    }
    labels = {name: cells(released, name) for name in columns if name in released.columns} | both
    values = {name: cells(originals.frame, name) for name in columns if name in originals.frame.columns}
    residue = find_residue(
        Side(originals.released_person, texts_of(released, texts), labels),
        Side(originals.person, texts_of(originals.frame, texts), values),
        plan.attributes,
        mentions=originals.mentions,
        kept=kept,
        missing=originals.missing,
        put=stands.put,
    )
    more = told_of_events(released, plan, originals, stands)
    more += told_of_columns(released, plan, originals, stands)
    return residue._replace(places=sorted({*residue.places, *more}))


def residue_checks(residue: Residue) -> list[Check]:
    """What the verdict says of it."""
    left = Check("residue", True, "no value or term that had to go stands in the person's texts")
    if residue.places:
        counts = Counter(one.name for one in residue.places)
        found = ", ".join(f"{n} of '{name}'" for name, n in sorted(counts.items()))
        where = row_list(sorted({one.row + 1 for one in residue.places}))
        left = Check("residue", False, f"left in the texts: {found}, released {where}")
    if not residue.words:
        return [left]
    names = ", ".join(sorted({one.name for one in residue.words}))
    detail = (
        f"values of {names} occur {len(residue.words)} times as ordinary words in texts; give the columns "
        "`entities` to have them follow the columns"
    )
    return [left, Check("words", None, detail)]
