"""What can be compared with the data by who does not know which released row came from which."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl

from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.values import cell_text, coded, texts


def compare_unlinked(released: pl.DataFrame, plan: Plan, original: pl.DataFrame) -> list[Check]:
    """What can be compared without knowing which row became which: their number, and unchanged columns."""
    rows, before = released.height, original.height
    if rows > before or (rows < before and not plan.release.suppress_up_to):
        return [Check("rows", False, f"{rows} rows were released for {before} rows of data")]
    shared = set(released.columns) & set(original.columns)
    both = [name for name in plan.named(Role.PLAIN, Role.SENSITIVE) if name in shared]
    # no value more often than before: where as many rows are released, it stands there as often
    changed = [name for name in both if _counts(released[name]) - _counts(original[name])]
    held = f"changed: {', '.join(changed)}" if changed else "all other columns hold the values that they held"
    remark = "labels were not compared with the data: that needs the row map (--private)"
    return [Check("unchanged", not changed, held), Check("truth", None, remark)]


def _counts(cells: pl.Series) -> Counter[str | None]:
    """How often each value stands in a column whose rows nobody can pair up."""
    unique, found = texts(coded(cells)), Counter[str | None]()
    for text, times in zip(
        unique.values, np.bincount(unique.code, minlength=len(unique.values)), strict=True
    ):
        found[None if text is None else _one_spelling(text)] += int(times)
    return found


def _one_spelling(text: str) -> str:
    try:
        return str(cell_text(float(text))) if len(text) < 16 else text
    except ValueError:
        return text
