"""The hierarchy of a column as an outline: built from values, checked against the data, kept with the plan.

A hierarchy is a file of the project that the plan names; it is written when it fits the data, not before.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import heteronym as hn
from heteronym.errors import HeteronymError, UsageError
from heteronym.io.hierarchies import read_paths, render_hierarchy
from heteronym.io.outlines import as_outline, parse_outline
from heteronym.registry import hierarchy_builders
from heteronym.web.actions import action
from heteronym.web.pages import render
from heteronym.web.plan_text import check_plan, content_of, with_value
from heteronym.web.project import Project

_FOLDER = "hierarchies"
_MOST = 2 << 20  # characters of an outline


def hierarchy_page(request: Request) -> Response:
    project: Project = request.app.state.project
    column = _column(request)
    settings = {} if column is None else _settings(project, column)
    text, fault = "", None
    if settings.get("hierarchy"):
        try:
            rows = read_paths(project.folder / str(settings["hierarchy"])).rows
            text = render_hierarchy(rows, outline=True)
        except HeteronymError as error:
            fault = str(error)
    return render(
        request,
        "hierarchy.html.jinja",
        column=column,
        number=request.path_params["number"],
        text=text,
        file=settings.get("hierarchy"),
        fault=fault,
        kinds={name: _about(name) for name in hierarchy_builders.names()},
    )


@action
def build(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """An outline of the values; those that are missing in the text as it stands are put at its end."""
    project: Project = request.app.state.project
    column = _known_column(request)
    text, kind = str(given.get("text", "")), str(given.get("kind", "")) or None
    if kind == "missing":
        lacking = [name for name in _values(project, column) if name not in _leaves(project, text)]
        if not lacking:
            return {"note": "Every value of the column is in the outline."}
        added = as_outline([(name,) for name in lacking])
        return {"text": text.rstrip("\n") + ("\n" if text.strip() else "") + added,
                "note": f"{len(lacking):,} values were put at the end: move them below a group."}  # fmt: skip
    built = hn.build_hierarchy(_data(project), column, kind=kind, plan=_plan(project))
    hint = " They have no order: group them below names of your own." if built.kind == "flat" else ""
    note = f"Built from {len(built.paths):,} values by {built.kind}; not kept yet.{hint}"
    return {"text": render_hierarchy(built.paths, outline=True), "note": note}


@action
def keep(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The outline as the column's hierarchy, if it fits the data; an empty one takes it out of the plan."""
    project: Project = request.app.state.project
    column = _known_column(request)
    text, plan = str(given.get("text", "")).replace("\r\n", "\n"), project.plan_text or ""
    if not text.strip():
        return _planned(
            project,
            with_value(plan, ["attributes", column, "hierarchy"], None),
            "The column has no hierarchy now.",
        )
    if len(text) > _MOST:
        raise UsageError("That is more than an outline holds here: name a file in the plan.")
    with tempfile.TemporaryDirectory(dir=project.folder, prefix=".outline-") as desk:
        path = Path(desk) / "outline.txt"
        project.write_private(path, text)
        cover = hn.check_hierarchy(
            path, against=_data(project), column=column, plan=_plan(project)
        ).hierarchies[0]
    if not cover.usable:
        fatal = next((flaw for flaw in cover.flaws if flaw.fatal), None)
        if fatal is not None:
            return {"error": str(fatal), "line": fatal.rows[0] if fatal.rows else None}
        lacking = f"{cover.uncovered:,} of the {cover.values:,} values are missing in the outline"
        return {"error": f"{lacking}. “Add missing values” puts them at its end."}
    name = f"{_FOLDER}/{request.path_params['number'] + 1}.txt"
    (project.folder / _FOLDER).mkdir(mode=0o700, exist_ok=True)
    project.write_private(project.folder / name, text)
    if "recode" in _settings(project, column):  # a hierarchy is itself a way to recode
        plan = with_value(plan, ["attributes", column, "recode"], None)
    plan = with_value(plan, ["attributes", column, "hierarchy"], name)
    return _planned(project, plan, f"Kept: {cover.leaves:,} values in {cover.levels} levels.")


def _planned(project: Project, text: str, note: str) -> dict[str, Any]:
    fault = check_plan(text, project.folder)
    if fault is not None:
        return {"error": f"The plan does not allow it: {fault.message}"}
    project.write_plan(text)
    return {"note": note}


def _column(request: Request) -> str | None:
    """By its number: names of columns stand in no address."""
    profile = request.app.state.project.get("profile")
    columns = [] if profile is None else profile["columns"]
    number: int = request.path_params["number"]
    return columns[number]["name"] if number < len(columns) else None


def _known_column(request: Request) -> str:
    column = _column(request)
    if column is None:
        raise UsageError("There is no such column.")
    return column


def _settings(project: Project, column: str) -> Mapping[str, Any]:
    attributes = content_of(project.plan_text).get("attributes")
    found = attributes.get(column) if isinstance(attributes, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _plan(project: Project) -> hn.Plan | None:
    """As far as it can be read: it says how the column compares."""
    text = project.plan_text
    return None if text is None or check_plan(text, project.folder) else hn.read_plan(project.plan_path)


def _data(project: Project) -> Any:
    if not project.data:
        raise UsageError("Look at the data first.")
    return project.data[0] if len(project.data) == 1 else project.data


def _values(project: Project, column: str) -> list[str]:
    built = hn.build_hierarchy(_data(project), column, kind=None, plan=_plan(project))
    return [path[0] for path in built.paths]


def _leaves(project: Project, text: str) -> set[str]:
    return {path[0] for _, path in parse_outline(text)}


def _about(name: str) -> str:
    return (hierarchy_builders.get(name).__doc__ or name).split("\n")[0].rstrip(".")
