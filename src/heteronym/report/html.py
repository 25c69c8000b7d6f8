"""The report: one HTML file that opens offline. It draws facts.json and what the released table shows.

Nothing about persons is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heteronym.report.facts import Facts
from heteronym.report.in_words import advice, columns_in_words, models_in_words, threshold, wording
from heteronym.report.pages import render
from heteronym.report.release_plots import distribution, group_plot

# measures for which the page has a place of their own
_DRAWN = frozenset(
    "withheld ncp groups splits risk certain transaction query_error drift terms events".split()
)


def render_report(facts: Mapping[str, Any], shown: Mapping[str, Any], promises: Mapping[str, Any]) -> str:
    """The page; with originals in `shown` it is the owner's, and says so.

    `promises` are the words of the privacy models (`contracts.PromiseInWords`) by their names.
    """
    return render(
        "report.html.jinja",
        facts=facts,
        fact=Facts(facts),
        wording=wording(),
        models=models_in_words(facts, promises),
        columns=columns_in_words(facts),
        advice=advice(facts),
        threshold=threshold(facts),
        groups_plot=group_plot(facts),
        shown=shown,
        plots=[distribution(column) for column in shown["columns"] if column["names"]],
        is_owners=any("original" in column for column in shown["columns"]),
        further={n: f for n, f in facts["measures"].items() if n not in _DRAWN},
    )


def render_summary(facts: Mapping[str, Any], promises: Mapping[str, Any]) -> str:
    """The outcome in a few lines of HTML, for notebooks."""
    return render(
        "summary.html.jinja",
        facts=facts,
        fact=Facts(facts),
        models=models_in_words(facts, promises),
        threshold=threshold(facts),
    )
