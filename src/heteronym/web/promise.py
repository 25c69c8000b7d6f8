"""Promises in plain words, what they set in a plan, and what they cost: one picks a point of a comparison.

The sizes are those that `profile --for` knows: 3 under contract, 5 in a wider circle, 11 in public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from heteronym import registry
from heteronym.errors import HeteronymError, UsageError
from heteronym.io.plans import make_plan
from heteronym.report.comparison import CHANCE, LOSS, LOSSES, RISK
from heteronym.report.in_words import models_in_words
from heteronym.report.plots import Axis, Point, scatter
from heteronym.web.plan_text import content_of, with_value

if TYPE_CHECKING:
    from heteronym.api.compare import Comparison

SIZES = (2, 3, 5, 8, 11, 20)  # of groups, which a comparison tries
_SEARCHES = {"delta": (0.4, 0.8), "relational_weight": (0.3, 0.7)}  # and how groups are searched
_FEWEST = 4  # groups that must be possible
_NOW, _OTHER = "the plan as it is", "another setting"


@dataclass(frozen=True)
class Preset:
    """For whom a release is made."""

    name: str
    title: str
    who: str
    k: int


PRESETS = (
    Preset("partner", "A trusted partner", "One recipient under contract, who looks for nobody.", 3),
    Preset(
        "research",
        "A research circle",
        "Several readers under contract, who may know some of the persons.",
        5,
    ),
    Preset("public", "The public", "Everybody, for ever, also who looks for somebody.", 11),
)


def models_of(text: str | None) -> list[Mapping[str, Any]]:
    models = content_of(text).get("privacy") or []
    listed = [models] if isinstance(models, Mapping) else models
    return [model for model in listed if isinstance(model, Mapping)] if isinstance(listed, list) else []


def k_of(text: str | None) -> int | None:
    """The smallest group that the plan asks for."""
    found = [model["k"] for model in models_of(text) if isinstance(model.get("k"), int)]
    return min(found) if found else None


def with_k(text: str, k: int) -> str:
    """The plan with this k in every model that has one; k-anonymity is added where none has."""
    models = models_of(text)
    has_k = [number for number, model in enumerate(models) if "k" in model]
    if not has_k:
        return with_value(text, ["privacy"], [{"model": "k-anonymity", "k": k}, *map(dict, models)])
    single = isinstance(content_of(text).get("privacy"), Mapping)
    for number in has_k:
        text = with_value(text, ["privacy", "k"] if single else ["privacy", number, "k"], k)
    return text


# --- what it means --------------------------------------------------------------------------------


def meaning_of(text: str | None) -> list[dict[str, Any]]:
    """What each model promises, against whom, and what it does not; nothing if the plan cannot be read."""
    try:
        plan = make_plan(dict(content_of(text)))
    except HeteronymError:
        return []
    said_of = {
        model.name: part.in_words
        for model in plan.privacy
        if (part := registry.privacy_models.get(model.name)) is not None and hasattr(part, "in_words")
    }
    asked = [{"model": model.name, "parameters": dict(model.parameters)} for model in plan.privacy]
    meanings = {
        model.name: (registry.privacy_models.get(model.name).__doc__ or "").split("\n")[0].rstrip(".")
        for model in plan.privacy
    }
    attributes = {name: {"role": str(one.role)} for name, one in plan.attributes.items()}
    facts = {"verdict": {"models": asked}, "method": {"attributes": attributes, "meanings": meanings}}
    return models_in_words(facts, said_of)


# --- what it costs --------------------------------------------------------------------------------


def grid_for(text: str, persons: int) -> dict[str, list[Any]]:
    """Sizes of groups, and searches where the method has a choice; the plan's own values among them."""
    now = k_of(text)
    sizes = {size for size in SIZES if size * _FEWEST <= persons} | ({now} if now else {2})
    grid: dict[str, list[Any]] = {"k": sorted(sizes)}
    given = content_of(text).get("partition") or {}
    search: Mapping[str, Any] = given if isinstance(given, Mapping) else {"method": given}
    attributes = content_of(text).get("attributes")
    roles = {one.get("role") for one in dict(attributes or {}).values() if isinstance(one, Mapping)}
    if not roles & {"text", "terms", "items"}:  # nothing that the search could weigh against columns
        return grid
    able = [name for name in _SEARCHES if registry.partitioners.has(str(search.get("method")), name)]
    chosen = next((name for name in able if name in search), able[0] if able else None)
    if chosen is not None:
        own = search.get(chosen)
        grid[chosen] = sorted({*_SEARCHES[chosen], *([own] if isinstance(own, (int, float)) else [])})
    return grid


def kept_of(found: Comparison) -> dict[str, Any]:
    """What the page needs of a comparison."""
    named = {LOSS, RISK, "chance.most", *LOSSES, "groups.count", "data.persons"}
    rows = [
        {name: value for name, value in row.items() if name in named or name.startswith("set.")}
        | {name: row[name] for name in ("run", "kind", "status", "setting", "reason")}
        for row in found.rows
    ]
    persons = max((row.get("data.persons", 0) for row in rows), default=0)
    best = {"front": found.front, "recommended": found.recommended}
    return {"rows": rows, "persons": persons, "advice": found.page_data()["advice"], **best}


def setting_of(kept: Mapping[str, Any], run: Any) -> dict[str, Any]:
    """What a point of the comparison sets."""
    row = next((row for row in kept["rows"] if row["run"] == run and row["kind"] == "run"), None)
    if row is None or row["status"] != "done":
        raise UsageError("Choose a point of the comparison.")
    return {name.removeprefix("set."): value for name, value in row.items() if name.startswith("set.")}


def with_setting(text: str, setting: Mapping[str, Any]) -> str:
    """The plan with what a point sets."""
    for name, value in setting.items():
        text = with_k(text, value) if name == "k" else with_value(text, ["partition", name], value)
    return text


def is_now(text: str | None, setting: Mapping[str, Any]) -> bool:
    """Whether the plan says this already."""
    search = content_of(text).get("partition") or {}
    search = search if isinstance(search, Mapping) else {}
    return all((k_of(text) if name == "k" else search.get(name)) == v for name, v in setting.items())


def picture_of(kept: Mapping[str, Any], text: str | None) -> tuple[str, list[dict[str, Any]]]:
    """The runs as points with the front, and as lines of a table."""
    front, best = set(kept["front"]), kept["recommended"]
    points, lines = [], []
    for row in kept["rows"]:
        if row["kind"] != "run" or row["status"] != "done" or RISK not in row:
            continue
        now = is_now(text, setting_of(kept, row["run"]))
        series = _NOW if now else _OTHER
        points.append(Point(row[RISK], row[LOSS], row["setting"], series, f"#point-{row['run']}"))
        marks = [name for name, is_so in (("now", now), ("good compromise", row["run"] == best)) if is_so]
        losses = [(name, row.get(key)) for key, name in LOSSES.items()]
        lines.append({**row, "marks": marks, "front": row["run"] in front, "losses": losses, "now": now})
    points.sort(key=lambda point: point.series != _OTHER)
    drawn = [(row[RISK], row[LOSS]) for row in kept["rows"] if row["run"] in front]
    across, up = Axis(CHANCE, percent=True, log=True), Axis("share lost", percent=True)
    plot = scatter("What a promise costs", points, x=across, y=up, front=sorted(drawn)) if points else ""
    named = [name for key, name in LOSSES.items() if any(row.get(key) is not None for row in lines)]
    for line in lines:
        line["losses"] = [(name, loss) for name, loss in line["losses"] if name in named]
    return plot, lines


def refused_of(kept: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return [row for row in kept["rows"] if row["kind"] == "run" and row["status"] != "done"]
