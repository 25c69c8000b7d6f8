"""Cells whose owner withholds them: found by the auditor itself, by comparing starred labels with the data.

A label `{*,[21-24]}` says "withheld, or 21 to 24". Whoever shows it and is not 21 to 24 withholds the cell.
Everybody else's label must be true (`verify.truth`), so that the two together look at every cell once.

Cost        O(rows) per column with such labels
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.verify.label_forms import is_starred, unstarred
from heteronym.verify.originals import Originals
from heteronym.verify.truth import untrue_labels
from heteronym.verify.values import cell_text, coded, values_of


def withheld_cells(released: pl.DataFrame, plan: Plan, known: Originals) -> dict[str, NDArray[np.int64]]:
    """Released rows that show a starred label which is not true of their value, by column."""
    found = {}
    for name in _quasi(released, plan):
        attribute, tree, shown = plan.attributes[name], known.hierarchies.get(name), released[name]
        if shown.dtype == pl.String and not shown.str.starts_with("{").any():
            continue
        labels = coded(shown).mapped(cell_text)
        if not any(map(is_starred, labels.values)) or (attribute.hierarchy is not None and tree is None):
            continue
        starred = labels.mapped(lambda label: label if is_starred(label) else "*")
        values = values_of(known.frame[name], attribute, known.missing, as_text=tree is not None)
        rows = untrue_labels(starred, values.of(known.source_row), attribute, tree)
        if len(rows):
            found[name] = rows
    return found


def _quasi(released: pl.DataFrame, plan: Plan) -> list[str]:
    return [n for n, a in plan.attributes.items() if a.role is Role.QUASI and n in released.columns]


def withheld_checks(
    released: pl.DataFrame, plan: Plan, known: Originals, claimed: Mapping[str, int] | None = None
) -> list[Check]:
    """Whether the plan allows so many, facts.json tells as many, and more of each group are told than not.

    A person's cells of a column are one. Nothing is said where nothing is withheld and nobody claims it.
    """
    found, person = withheld_cells(released, plan, known), known.person[known.source_row]
    counts = {name: len(np.unique(person[rows])) for name, rows in found.items()}
    if not counts and not claimed:
        return []
    total, persons, columns = sum(counts.values()), len(np.unique(person)), len(_quasi(released, plan))
    share = plan.release.suppress_cells_up_to
    if total > share * persons * columns + 1e-9:
        detail = f"{total} of {persons * columns} cells are withheld; the plan allows a share of {share:g}"
        return [Check("withheld", False, detail)]
    for name in () if claimed is None else sorted({*counts, *claimed}):
        claimed_count, seen = (claimed or {}).get(name, 0), counts.get(name, 0)
        attribute = plan.attributes.get(name)
        # areas that may not be told are `000`, which may mean any: who withholds them cannot be seen
        unseen = attribute is not None and attribute.recoder == "zip3"
        if seen > claimed_count or (seen < claimed_count and not unseen):
            detail = f"'{name}': {seen} cells are withheld, facts.json tells of {claimed_count}"
            return [Check("withheld", False, detail)]
    hidden = [name for name, rows in found.items() if _outnumbered(rows, released, plan, person)]
    if hidden:
        detail = f"{', '.join(hidden)}: labels that are true of no more than half of those who show them"
        return [Check("withheld", False, detail)]
    detail = f"{total} of {persons * columns} cells are withheld, as the plan allows"
    return [Check("withheld", True, detail)]


def _outnumbered(
    rows: NDArray[np.int64], released: pl.DataFrame, plan: Plan, person: NDArray[np.int64]
) -> bool:
    """Whether in a group those who withhold are as many as those who do not."""
    away = np.zeros(released.height, np.bool_)
    away[rows] = True
    quasi = _quasi(released, plan)
    shown = released.select(quasi).with_columns(pl.Series("\x00person", person), pl.Series("\x00away", away))
    persons = shown.group_by([*quasi, "\x00person"]).agg(pl.col("\x00away").any())
    groups = persons.group_by(quasi).agg(pl.len(), pl.col("\x00away").sum())
    return bool((groups["\x00away"] * 2 >= groups["len"]).any())


def as_known(released: pl.DataFrame, plan: Plan, known: Originals) -> pl.DataFrame:
    """What is left of every cell: nothing of those withheld, of the others what the label tells beside."""
    frame = released
    for name, rows in withheld_cells(released, plan, known).items():
        labels = coded(frame[name]).mapped(cell_text)
        plain = [unstarred(label) for label in labels.values]
        person = known.person[known.source_row]
        number = np.where(np.isin(person, person[rows]), len(plain), labels.code)  # on all rows of the person
        frame = frame.with_columns(pl.Series(name, [*plain, "*"], pl.String).gather(number))
    return frame


def claimed_cells(facts: Any) -> dict[str, int] | None:
    """What facts.json tells of withheld cells, by column; None if it cannot be read."""
    measures = facts.get("measures") if isinstance(facts, Mapping) else None
    if not isinstance(measures, Mapping):
        return None
    withheld = measures.get("withheld")
    by_attribute = withheld.get("by_attribute") if isinstance(withheld, Mapping) else None
    if not isinstance(by_attribute, Mapping):
        return {}
    return {
        str(name): n for name, n in by_attribute.items() if isinstance(n, int) and not isinstance(n, bool)
    }
