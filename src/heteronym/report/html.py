"""The report: one HTML file that opens offline. It draws facts.json and what the released table shows.

Every number in the text is a fact, found by its place in facts.json and marked with it (`data-fact`), so that
a test can read both. Nothing about persons is computed here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from heteronym.report.pages import render
from heteronym.report.plots import Axis, bars, histogram, meter, three

MOST_BARS = 24
_DRAWN = frozenset(
    {
        "withheld",
        "ncp",
        "groups",
        "splits",
        "risk",
        "certain",
        "transaction",
        "query_error",
        "drift",
        "terms",
        "events",
    }
)


def render_report(facts: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """The page; with originals in `shown` it is the owner's, and says so."""
    wording = _wording()
    return render(
        "report.html.jinja",
        facts=facts,
        fact=_Facts(facts),
        wording=wording,
        models=_models(facts, wording),
        columns=_columns(facts, wording),
        advice=_advice(facts, wording),
        threshold=_threshold(facts),
        groups_plot=_group_plot(facts),
        shown=shown,
        plots=[_distribution(column, facts) for column in shown["columns"] if column["names"]],
        is_owners=any("original" in column for column in shown["columns"]),
        further={n: f for n, f in facts["measures"].items() if n not in _DRAWN},
    )


def render_summary(facts: Mapping[str, Any]) -> str:
    """The outcome in a few lines of HTML, for notebooks."""
    return render(
        "summary.html.jinja",
        facts=facts,
        fact=_Facts(facts),
        models=_models(facts, _wording()),
        threshold=_threshold(facts),
    )


@cache
def _wording() -> dict[str, Any]:
    return tomllib.loads(files("heteronym.report").joinpath("wording.toml").read_text("utf-8"))


class _Facts:
    """Numbers by their place: `fact("measures", "ncp", "total", percent=True)` says and marks one."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = facts

    def get(self, *way: str | int, default: Any = None) -> Any:
        found: Any = self._facts
        try:
            for step in way:
                found = found[step]
        except (KeyError, IndexError):
            return default
        return found

    def __call__(self, *way: str | int, percent: bool = False, as_meter: bool = False) -> Markup:
        value = self.get(*way)
        if value is None or isinstance(value, (Mapping, list, str, bool)):
            raise KeyError("/".join(map(str, way)))
        if as_meter:
            return Markup(meter(value))
        pointer = "/" + "/".join(str(step).replace("~", "~0").replace("/", "~1") for step in way)
        said = three(value, percent=percent)
        return Markup(f'<span data-fact="{escape(pointer)}">{said}</span>')


def _models(facts: Mapping[str, Any], wording: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each model promises, in words, and what became of it."""
    found = []
    meanings, known = facts["method"].get("meanings", {}), _known(facts)
    for verdict in facts["verdict"]["models"]:
        given = _InWords(known | verdict["parameters"])
        if "m" in given:
            given["m_items"] = f"{given['m']} item{'' if given['m'] == 1 else 's'}"
            given["any_m"] = "all" if given["m"] == "all" else f"any {given['m']}"
        said = wording["privacy"].get(verdict["model"], {})
        name = verdict["model"]
        found.append(
            {
                **verdict,
                "promise": said.get("promise", meanings.get(name, name)).format_map(given),
                "attacker": said.get("attacker", "").format_map(given),
                "not_promised": [line.format_map(given) for line in said.get("not_promised", [])],
                "given": _given(verdict["parameters"]),
                "about": verdict["parameters"].get("attribute"),
            }
        )
    return found


def _given(parameters: Mapping[str, Any]) -> str:
    """Parameters that say something; what is left off or not given says nothing."""
    return ", ".join(f"{n} = {v}" for n, v in parameters.items() if v is not None and v is not False)


def _known(facts: Mapping[str, Any]) -> dict[str, str]:
    """What a record of this data consists of, in words."""
    roles = {attribute["role"] for attribute in facts["method"]["attributes"].values()}
    has_terms = bool(roles & {"text", "terms"})
    kinds = [kind for kind, has in (("items", "items" in roles), ("events", "event" in roles)) if has]
    kinds += ["terms"] if has_terms or not kinds else []
    return {
        "record": "a person's columns" + " and the recognized terms in the person's texts" * has_terms,
        "knowledge": "all of the person's quasi-identifying columns"
        + " and every recognized term" * has_terms,
        "elements": " and ".join([", ".join(kinds[:-1]), kinds[-1]]) if len(kinds) > 1 else kinds[0],
    }


class _InWords(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return f"the given {key}"


def _threshold(facts: Mapping[str, Any]) -> float | None:
    """The chance of a match that the models of the plan allow: 1 / k."""
    told = [m["parameters"] for m in facts["verdict"]["models"] if "population" not in m["parameters"]]
    sizes = [given["k"] for given in told if given.get("k")]
    return 1 / max(sizes) if sizes else None


def _columns(facts: Mapping[str, Any], wording: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each column with what it is and what was done to it."""
    found = []
    for name, attribute in facts["method"]["attributes"].items():
        role = attribute["role"]
        recode = attribute.get("recode") if role == "quasi" else role
        technique = wording["techniques"].get(recode, f"recoded by {recode}")
        found.append(
            {"name": name, "role": wording["roles"].get(role, role), "technique": technique, **_kept(role)}
        )
    return found


def _kept(role: str) -> dict[str, bool]:
    return {
        "counts": role in ("quasi", "items", "terms", "text", "event"),
        "as_is": role in ("sensitive", "plain"),
    }


def _advice(facts: Mapping[str, Any], wording: Mapping[str, Any]) -> dict[str, str]:
    """A line for each column and entity type that lost much."""
    said, measures = wording["advice"], facts["measures"]
    found = {}
    for name, loss in measures.get("ncp", {}).get("by_attribute", {}).items():
        attribute = facts["method"]["attributes"].get(name, {})
        kind = "hierarchy" if attribute.get("hierarchy") else attribute.get("scale", "nominal")
        if loss >= said["threshold"]:
            found[name] = f"{name} lost {three(loss, percent=True)}: {said[kind]}"
    is_general = facts["method"]["recode"]["terms"] == "generalize"
    if measures.get("ncp", {}).get("information" if is_general else "textual", 0) >= said["threshold"]:
        found["terms"] = said["terms_generalized" if is_general else "terms"]
    if measures.get("events", {}).get("event_loss", 0) >= said["threshold"]:
        found["events"] = said["events"]
    if measures.get("transaction", {}).get("tncp", 0) >= said["threshold"]:
        found["items"] = said[
            "items" if facts["method"]["partition"].get("delta") is not None else "items_alone"
        ]
    return found


def _group_plot(facts: Mapping[str, Any]) -> Markup:
    """Group sizes in at most so many bars; what lies far out is one bar."""
    given = facts["measures"].get("groups", {}).get("histogram", {})
    sizes = {int(size): count for size, count in given.items()}
    if not sizes:
        return Markup("")
    low, high = min(sizes), _far_out(sizes)
    width = max(1, -(-(high - low + 1) // MOST_BARS))
    starts = list(range(low, high + 1, width))
    names = [str(s) if width == 1 else f"{s}-{s + width - 1}" for s in starts]
    counts = [sum(sizes.get(size, 0) for size in range(s, s + width)) for s in starts]
    beyond = sum(count for size, count in sizes.items() if size >= starts[-1] + width)
    if beyond:
        names.append(f"{starts[-1] + width}+")
        counts.append(beyond)
    return Markup(
        histogram(
            "How large the groups are",
            names,
            {"groups": counts},
            x="persons in a group",
            y=Axis("groups", whole=True),
        )
    )


def _far_out(sizes: Mapping[int, int]) -> int:
    """The size below which 98 of 100 groups are."""
    seen, total = 0, sum(sizes.values())
    for size in sorted(sizes):
        seen += sizes[size]
        if seen >= 0.98 * total:
            return size
    return max(sizes)


def _distribution(column: Mapping[str, Any], facts: Mapping[str, Any]) -> Markup:
    """Rows by value, as a reader of the labels counts them; beside the originals for the owner."""
    series = {"original": column["original"]} if "original" in column else {}
    series |= {"released": column["released"]}
    name, rows = column["name"], Axis("rows", whole=True)
    if column["kind"] == "names":
        return Markup(bars(name, column["names"], series, value=rows))
    return Markup(histogram(name, column["names"], series, x=name, y=rows))
