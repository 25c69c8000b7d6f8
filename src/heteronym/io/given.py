"""What callers of the Python functions give: data as frames or files, plans as files, mappings or Plans."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import wraps
from numbers import Integral
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from heteronym.databases.address import Address, with_relations
from heteronym.errors import PlanError, UsageError
from heteronym.io.joined_frames import joined_frames
from heteronym.io.plans import make_plan, read_plan, valid
from heteronym.io.tables import Table, from_frame, in_one, read_table
from heteronym.model.plan import DataPlan, Plan, TextPlan
from heteronym.run import Run

PlanLike = Plan | Mapping[str, Any] | str | Path
TextPlanLike = TextPlan | PlanLike
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_KINDS: dict[str, tuple[type, str]] = {  # as signatures name them, and in words
    "str": (str, "a text"),
    "Path": (os.PathLike, "a path"),
    "int": (Integral, "a whole number"),
    "bool": (bool, "true or false"),
    "Run": (Run, "a Run"),
    "None": (type(None), "None"),
}


def door(call: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A public function whose arguments are what its signature says, or it refuses in words of ours."""
    signature = inspect.signature(call)
    wanted = {name: str(p.annotation).split(" | ") for name, p in signature.parameters.items()}
    wanted = {name: kinds for name, kinds in wanted.items() if set(kinds) <= _KINDS.keys()}

    @wraps(call)
    def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        given = signature.bind(*args, **kwargs).arguments
        for name, kinds in wanted.items():
            if name in given and not isinstance(given[name], tuple(_KINDS[kind][0] for kind in kinds)):
                said = [kind for kind in kinds if kind != "str" or "Path" not in kinds]
                known = " or ".join(_KINDS[kind][1] for kind in said)
                raise UsageError(f"{name} must be {known}, not {type(given[name]).__name__}")
        return call(*args, **kwargs)

    return checked


def plan_and_folder(plan: PlanLike) -> tuple[Plan, Path]:
    """The plan, and where the files are that it names."""
    if isinstance(plan, (str, Path)):
        return read_plan(plan), Path(plan).parent
    if not isinstance(plan, (Plan, Mapping)):
        message = f"must be the path of a plan file, a mapping or a Plan, not {type(plan).__name__}"
        raise PlanError(f"plan: {message}")
    return make_plan(plan), Path()


def is_whole(plan: Any) -> bool:
    """Whether this is a plan for tables, and not for texts alone."""
    return isinstance(plan, (Plan, str, Path)) or (isinstance(plan, Mapping) and "attributes" in plan)


def text_plan_of(plan: TextPlanLike | None, model: str | None = None) -> TextPlan:
    """What a plan, or its `text` part alone, says about texts; `model` overrides who reads them."""
    if isinstance(plan, TextPlan):
        found = plan
    elif isinstance(plan, (Plan, str, Path)) or (isinstance(plan, Mapping) and "attributes" in plan):
        found = plan_and_folder(plan)[0].text
    else:
        alone = isinstance(plan, Mapping) and plan.keys() <= {"version", "text"}
        content = plan.get("text", {}) if alone and plan is not None else plan
        found = valid(TextPlan, {} if content is None else content, source="plan for texts")
    return found.model_copy(update={"model": model}) if model else found


def run_for(run: Run | None, plan: Any, cache: str | Path | None = None) -> Run:
    """The caller's run, or a new one, that knows where the plan's files and the cache are."""
    run = run or Run()
    run.folder = run.folder or (Path(plan).parent if isinstance(plan, (str, Path)) else Path())
    run.cache = run.cache if cache is None else Path(cache)
    return run


def documents_in(data: Any) -> list[str]:
    """The documents and folders that are named; names are Paths, since a str is a text."""
    given = list(data) if isinstance(data, (list, tuple)) else [data]
    if not given or not all(isinstance(one, Path) for one in given):
        kinds = sorted({type(one).__name__ for one in given if not isinstance(one, Path)})
        raise UsageError(f"give one text, or documents as Path, not {', '.join(kinds) or 'nothing'}")
    return [str(one) for one in given]


def paths_in(data: Any) -> list[str | Path]:
    """The paths of files; nothing where data is a frame."""
    given = [one for _, one in _named(data)]
    return given if all(isinstance(one, (str, Path)) for one in given) else []


def _named(data: Any) -> list[tuple[str | None, Any]]:
    """One table or several, with names where they have been given some."""
    if isinstance(data, Mapping):
        return [(str(name), one) for name, one in data.items()]
    return [(None, one) for one in (data if isinstance(data, (list, tuple)) else [data])]


def tables_in(data: Any, plan: DataPlan | None = None) -> list[tuple[Table, Any]]:
    """Every table that is given, beside the caller's frame where it is one.

    Frames in a list have no names: they come in the order of the joins.
    """
    plan, found = plan or DataPlan(), []
    for place, (name, one) in enumerate(with_relations(_named(data), plan)):
        if isinstance(one, (str, Path, Address)):
            table = read_table(one, plan)
            found.append((replace(table, name=name or table.name), None))
            continue
        joined = [join.table for join in plan.join][:place]
        called = name or (
            joined[-1] if len(joined) == place > 0 else f"data-{place + 1}" if place else "data"
        )
        found.append(from_frame(one, called))
    if not found:
        raise UsageError("data: name at least one file, or give a frame")
    return found


def as_frames(data: Any, wanted: Collection[str] | None = None) -> Any:
    """What was given, with a column in place of a series, and named levels of an index of pandas as columns.

    `wanted`: only the levels that a plan names; what it does not name stays behind, as an index always did.
    """
    if isinstance(data, Mapping):
        return {name: as_frames(one, wanted) for name, one in data.items()}
    if isinstance(data, (list, tuple)):
        return [as_frames(one, wanted) for one in data]
    if hasattr(data, "to_frame") and not hasattr(data, "columns"):
        data = data.to_frame()
    levels = [
        name
        for name in getattr(getattr(data, "index", None), "names", ())
        if isinstance(name, str) and name not in data.columns and (wanted is None or name in wanted)
    ]
    return data.reset_index(level=levels) if levels else data


def with_index(released: Any, data: Any) -> Any:
    """A released frame with what is left of the index of the caller's frame as its index again."""
    names = getattr(getattr(data, "index", None), "names", ())
    columns = getattr(data, "columns", ())
    levels = [name for name in names if name in released.columns and name not in columns]
    return released.set_index(levels) if levels else released


def read_given(data: Any, plan: DataPlan | None = None) -> tuple[Table, Any]:
    """One table, joined and united as the plan says, and the caller's frames seen as one."""
    plan, given = plan or DataPlan(), tables_in(data, plan)
    tables, frames = [table for table, _ in given], [frame for _, frame in given if frame is not None]
    if len(frames) == len(given) > 1:
        return joined_frames(tables, frames, plan)
    if frames and len(given) > 1:
        raise UsageError("data: give files or frames, not both")
    return in_one(tables, plan), frames[0] if frames else None
