"""The owner's page on what a release is still good for. It draws, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from heteronym.report.pages import render
from heteronym.report.plots import Axis, bars

_MOST, _MOST_PAIRS = 20, 10


def render_utility(figures: Mapping[str, Any], *, alone: bool = True) -> str:
    """One HTML file; without `alone` only what stands in its body, for notebooks."""
    columns = {n: c["distance"] for n, c in figures["columns"].items() if "distance" in c}
    drift = sorted(figures["pairs"], key=lambda pair: -pair["contingency_drift"])[:_MOST_PAIRS]
    plots = []
    if columns:
        share = Axis("share of rows at another place", percent=True)
        plots.append(
            bars("How far each column moved", list(columns), {"": list(columns.values())}, value=share)
        )
    if drift:
        names = [" × ".join(pair["columns"]) for pair in drift]
        both = {side: [p["association"][side] for p in drift] for side in ("before", "after")}
        association = Axis("association (Cramér's V)")
        plots.append(bars("How columns go together", names, both, value=association))
    kept = {n: c for n, c in figures["terms"].items() if n != "all"}
    if kept:
        most = sorted(kept, key=lambda n: kept[n]["kept_share"])[:_MOST]
        shares = {
            "kept": [kept[n]["kept_share"] for n in most],
            "information": [kept[n]["information_share"] for n in most],
        }
        plots.append(bars("Most lost types first", most, shares, value=Axis("share kept", percent=True)))
    template = "utility.html.jinja" if alone else "utility_body.html.jinja"
    return render(template, figures=figures, plots=[Markup(p) for p in plots])
