"""The report: one HTML file that opens offline. It draws facts.json and what the released table shows.

Every number in the text is a fact, found by its place in facts.json and marked with it (`data-fact`), so that
a test can read both. Nothing about persons is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from markupsafe import Markup

from heteronym.report.in_words import advice, columns_in_words, models_in_words, threshold, wording
from heteronym.report.pages import render
from heteronym.report.plots import meter, three
from heteronym.report.release_plots import distribution, group_plot

# measures for which the page has a place of their own
_DRAWN = frozenset(
    "withheld ncp groups splits risk certain transaction query_error drift terms events".split()
)


def render_report(facts: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
    """The page; with originals in `shown` it is the owner's, and says so."""
    return render(
        "report.html.jinja",
        facts=facts,
        fact=_Facts(facts),
        wording=wording(),
        models=models_in_words(facts),
        columns=columns_in_words(facts),
        advice=advice(facts),
        threshold=threshold(facts),
        groups_plot=group_plot(facts),
        shown=shown,
        plots=[distribution(column) for column in shown["columns"] if column["names"]],
        is_owners=any("original" in column for column in shown["columns"]),
        further={n: f for n, f in facts["measures"].items() if n not in _DRAWN},
    )


def render_summary(facts: Mapping[str, Any]) -> str:
    """The outcome in a few lines of HTML, for notebooks."""
    return render(
        "summary.html.jinja",
        facts=facts,
        fact=_Facts(facts),
        models=models_in_words(facts),
        threshold=threshold(facts),
    )


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
