"""What can be compared with the data by who does not know which released row came from which."""

from __future__ import annotations

import polars as pl

from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.truth import same_cells
from heteronym.verify.values import cell_text, coded, texts


def compare_unlinked(released: pl.DataFrame, plan: Plan, original: pl.DataFrame) -> list[Check]:
    """What can be compared without knowing which row became which: their number, and unchanged columns."""
    rows, before = released.height, original.height
    if rows > before or (rows < before and not plan.release.suppress_up_to):
        return [Check("rows", False, f"{rows} rows were released for {before} rows of data")]
    same = [
        name
        for name in plan.named(Role.PLAIN, Role.SENSITIVE)
        if rows == before and name in released.columns and name in original.columns
    ]
    changed = [name for name in same if not same_cells(_sorted(released[name]), _sorted(original[name]))]
    held = f"changed: {', '.join(changed)}" if changed else "all other columns hold the values that they held"
    remark = "labels were not compared with the data: that needs the row map (--private)"
    return [Check("unchanged", not changed, held), Check("truth", None, remark)]


def _sorted(cells: pl.Series) -> pl.Series:
    """Cells as texts in an order of their own, for columns whose rows nobody can pair up."""
    told = texts(coded(cells)).mapped(lambda text: text if text is None else _one_spelling(text))
    return pl.Series(cells.name, told.values, pl.String).gather(told.code).sort()


def _one_spelling(text: str) -> str:
    try:
        return str(cell_text(float(text))) if len(text) < 16 else text
    except ValueError:
        return text
