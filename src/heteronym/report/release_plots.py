"""The plots of a release's report: how large its groups are, how its columns are distributed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from heteronym.report.plots import Axis, bars, histogram

MOST_BARS = 24


def group_plot(facts: Mapping[str, Any]) -> Markup:
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


def distribution(column: Mapping[str, Any]) -> Markup:
    """Rows by value, as a reader of the labels counts them; beside the originals for the owner."""
    series = {"original": column["original"]} if "original" in column else {}
    series |= {"released": column["released"]}
    name, rows = column["name"], Axis("rows", whole=True)
    if column["kind"] == "names":
        return Markup(bars(name, column["names"], series, value=rows))
    return Markup(histogram(name, column["names"], series, x=name, y=rows))
