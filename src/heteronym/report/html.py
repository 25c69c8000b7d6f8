"""The report: one HTML file that opens offline. It draws facts.json and computes nothing about persons."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined


def render_report(facts: Mapping[str, Any]) -> str:
    return _render("report.html.jinja", facts=facts, bars=_bars(facts))


def render_summary(facts: Mapping[str, Any]) -> str:
    """The outcome in a few lines of HTML, for notebooks."""
    return _render("summary.html.jinja", facts=facts)


def _render(template: str, **given: Any) -> str:
    source = files("heteronym.report").joinpath(template).read_text("utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["percent"] = lambda share: f"{100 * share:.1f} %"
    environment.filters["figure"] = lambda value: (
        f"{value:,.3g}" if isinstance(value, float) else f"{value:,}"
    )
    return environment.from_string(source).render(**given)


def _bars(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Group sizes in at most 24 bars."""
    histogram = {int(k): v for k, v in facts["measures"].get("groups", {}).get("histogram", {}).items()}
    if not histogram:
        return []
    low, high = min(histogram), max(histogram)
    width = max(1, -(-(high - low + 1) // 24))
    bars: list[dict[str, Any]] = []
    for start in range(low, high + 1, width):
        count = sum(histogram.get(size, 0) for size in range(start, start + width))
        bars.append({"label": f"{start}" if width == 1 else f"{start}-{start + width - 1}", "count": count})
    most = max(bar["count"] for bar in bars)
    for bar in bars:
        bar["share"] = bar["count"] / most
    return bars
