"""What callers of the Python functions give: data as frames or files, plans as files, mappings or Plans."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heteronym.io.plans import make_plan, read_plan, valid
from heteronym.io.tables import Table, from_frame, read_tables
from heteronym.model.plan import DataPlan, Plan, TextPlan

PlanLike = Plan | Mapping[str, Any] | str | Path
TextPlanLike = TextPlan | PlanLike


def plan_and_folder(plan: PlanLike) -> tuple[Plan, Path]:
    """The plan, and where the files are that it names."""
    if isinstance(plan, (str, Path)):
        return read_plan(plan), Path(plan).parent
    return make_plan(plan), Path()


def text_plan_of(plan: TextPlanLike | None, model: str | None = None) -> TextPlan:
    """What a plan, or its `text` part alone, says about texts; `model` overrides who reads them."""
    if isinstance(plan, (Plan, str, Path)) or (isinstance(plan, Mapping) and "attributes" in plan):
        plan = plan_and_folder(plan)[0].text
    elif not isinstance(plan, TextPlan):
        plan = valid(TextPlan, plan or {}, source="plan for texts")
    return plan.model_copy(update={"model": model}) if model else plan


def paths_in(data: Any) -> list[str | Path]:
    """The paths of files; nothing where data is a frame."""
    if isinstance(data, (str, Path)):
        return [data]
    if isinstance(data, (list, tuple)) and data and all(isinstance(d, (str, Path)) for d in data):
        return list(data)
    return []


def read_given(data: Any, plan: DataPlan | None = None) -> tuple[Table, Any]:
    """A table, and the caller's frame where it was given as one."""
    paths = paths_in(data)
    return (read_tables(paths, plan), None) if paths else from_frame(data)
