"""`profile`: look at data, propose a scale and a role for each column, and draft a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from heteronym.io.given import door
from heteronym.io.unplanned import join_for_profile
from heteronym.model.plan import DataPlan
from heteronym.run import Run

if TYPE_CHECKING:
    from heteronym.profiling import Profile


@door
def profile(
    data: Any,
    *,
    person: str | None = None,
    household: str | None = None,
    weight: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    run: Run | None = None,
) -> Profile:
    """Look at data (frames or files): scales, roles with reasons, uniqueness; `.plan` is a draft plan.

    `person`, `household` and `weight` name columns: the person key, the household, survey weights. Several
    tables (a list of files, or frames by name) are joined on the columns that they share.
    """
    from heteronym.profiling import look_at

    with (run or Run()).active() as running:
        running.tell(None, "read")
        table = join_for_profile(data, DataPlan(delimiter=delimiter, encoding=encoding, sheet=sheet))
        found = look_at(table, person=person, household=household, weight=weight)
        return replace(found, sheet=sheet)
