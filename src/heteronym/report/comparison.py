"""Draws a comparison as one HTML file: what it says in words, risk against loss, lines, splits, every run.

Chooses what to draw, and computes nothing about persons. Points are links to the row of their run; the
script of the page shows that row beside the plot, and without it the link leads there.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from heteronym.report.pages import render
from heteronym.report.plots import Axis, Point, bars, histogram, lines, scatter

Row = Mapping[str, Any]
MOST_SERIES = 6  # more cannot be told apart
MOST_ROWS = 1000  # of the table on the page; the CSV file has all
MOST_BARS = 24
RISK, LOSS = "chance.mean", "loss.total"
CHANCE = "chance that a guess within the right group is right"
LOSSES = {
    LOSS: "all",
    "ncp.relational": "columns",
    "loss.terms": "terms",
    "loss.items": "items (UL)",
    "loss.events": "events",
}
BASELINE = "columns alone"


def render_comparison(comparison: Mapping[str, Any]) -> str:
    """`told` is what `Comparison.page_data` gives."""
    script = files("heteronym.report").joinpath("comparison.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = _Page(comparison)
    return render(
        "comparison.html.jinja",
        script=Markup(script),
        digest=digest,
        sections=[(title, lead, [Markup(plot) for plot in plots]) for title, lead, plots in page.sections()],
        runs=page.table(),
        all_runs=len(page.rows),
        done=len(page.done),
        refused=sum(row["status"] == "refused" for row in page.rows),
        on_front=len(page.front),
        best=page.best(comparison["best"]),
        **{key: comparison[key] for key in ("advice", "recommended", "names")},
    )


Section = tuple[str, str, list[str]]


class _Page:
    def __init__(self, comparison: Mapping[str, Any]) -> None:
        self.rows: list[Row] = list(comparison["rows"])
        self.names: list[str] = list(comparison["names"])
        self.promised: list[str] = list(comparison["promised"])
        self.front = set(comparison["front"])
        self.recommended = comparison["recommended"]
        self.histograms = comparison["histograms"]
        self.done = [row for row in self.rows if row["status"] == "done"]
        self.losses = {key: name for key, name in LOSSES.items() if any(key in row for row in self.done)}
        self.axis = self._main_axis()

    def _main_axis(self) -> str | None:
        """What lines run over: the promise that has most values, else any setting in numbers."""
        able = [n for n in (*self.promised, *self.names) if len(self._numbers(n)) > 1]
        return max(able, key=lambda n: (n in self.promised, len(self._numbers(n))), default=None)

    def _numbers(self, name: str) -> set[float]:
        values = {row.get(f"set.{name}") for row in self.done}
        return {float(v) for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)}

    def sections(self) -> Iterable[Section]:
        yield self._trade_off()
        yield from self._fronts()
        yield from self._over_axis()
        yield from self._splits()
        yield from self._entities()
        yield self._groups()

    # --- risk against loss ---

    def _trade_off(self) -> Section:
        plots = []
        family = self._family()
        for key, name in self.losses.items():
            front = [(row[RISK], row[LOSS]) for row in self._on_front()] if key == LOSS else ()
            points = [
                Point(row[RISK], row[key], f"run {row['run']}: {row['setting']}", family(row), _href(row))
                for row in self.done
                if RISK in row and key in row
            ]
            title = f"Chance against what is lost of {name}" if key != LOSS else "Chance against loss in all"
            across, up = Axis(CHANCE, percent=True, log=True), Axis("share lost", percent=True)
            plots.append(scatter(title, points, x=across, y=up, front=front))
        if {"ncp.relational", "loss.terms"} <= set(self.losses):
            points = [
                Point(
                    row["ncp.relational"],
                    row["loss.terms"],
                    f"run {row['run']}: {row['setting']}",
                    family(row),
                    _href(row),
                )
                for row in self.done
            ]
            axes = Axis("columns lost", percent=True), Axis("terms lost", percent=True)
            plots.append(scatter("What columns lose against what terms lose", points, x=axes[0], y=axes[1]))
        lead = (
            "Every point is a run; pick one to see its settings. The dashed line is the front: no other run "
            "has both less chance and less loss. The independent baseline forms groups by columns alone and "
            "suppresses every term and item."
        )
        return "Risk and what it costs", lead, plots

    def _on_front(self) -> list[Row]:
        return [row for row in self.done if row["run"] in self.front]

    def _family(self) -> Any:
        """What colours points: the setting in words with few values that tells runs apart, or nothing."""
        for name in ("m", "method", *self.names):
            values = list(dict.fromkeys(str(row.get(f"set.{name}")) for row in self.done if _is_run(row)))
            if 1 < len(values) <= MOST_SERIES - 1 and name != self.axis:
                return lambda row: (
                    BASELINE if not _is_run(row) else f"{name} = {row.get(f'set.{name}', 'as in the plan')}"
                )
        return lambda row: "runs" if _is_run(row) else BASELINE

    def _fronts(self) -> Iterable[Section]:
        """Where m varies, a front for each: what the attacker may know of terms and items."""
        values = list(dict.fromkeys(row.get("set.m") for row in self.done if _is_run(row)))
        if len(values) < 2:
            return
        series: dict[str, list[tuple[float, float]]] = {}
        for value in values[:MOST_SERIES]:
            best: list[tuple[float, float]] = []
            mine = [row for row in self.done if _is_run(row) and row.get("set.m") == value and RISK in row]
            for row in sorted(mine, key=lambda row: (row[RISK], row[LOSS])):
                if not best or row[LOSS] < best[-1][1]:
                    best.append((row[RISK], row[LOSS]))
            series[f"m = {value}"] = best
        plot = lines(
            "The front for every m",
            series,
            x=Axis(CHANCE, percent=True, log=True),
            y=Axis("share lost", percent=True),
        )
        yield "The front by what the attacker may know", "m is how many terms or items are known.", [plot]

    # --- lines ---

    def _over_axis(self) -> Iterable[Section]:
        if self.axis is None:
            return
        axis = self.axis
        series = self._series(axis)
        plots = []
        for key, name in self.losses.items():
            drawn = {called: _along(rows, axis, key) for called, rows in series.items()}
            drawn = {called: points for called, points in drawn.items() if points}
            if drawn:
                across = Axis(axis, log=_wide(self._numbers(axis)))
                plots.append(
                    lines(f"Loss of {name} over {axis}", drawn, x=across, y=Axis("lost", percent=True))
                )
        left = len({self._rest(row, axis) for row in self.done}) - len(series)
        lead = f"How the loss grows with {axis}."
        if left > 0:
            lead += f" {left} lines are left out, so that the others can be told apart; the table has all."
        yield f"Over {axis}", lead, plots

    def _rest(self, row: Row, axis: str) -> str:
        given = ((n, row.get(f"set.{n}")) for n in self.names if n != axis)
        said = ", ".join(
            f"{n} = {v:g}" if isinstance(v, float) else f"{n} = {v}" for n, v in given if v is not None
        )
        return (said or "runs") if _is_run(row) else BASELINE + (f", {said}" if said else "")

    def _series(self, axis: str) -> dict[str, list[Row]]:
        """Runs that differ in the axis alone; the baseline, and as many others as can be told apart."""
        found: dict[str, list[Row]] = {}
        for row in self.done:
            found.setdefault(self._rest(row, axis), []).append(row)
        baselines = [name for name, rows in found.items() if not _is_run(rows[0])][:1]
        others = [name for name, rows in found.items() if _is_run(rows[0])]
        return {name: found[name] for name in [*_spread(others, MOST_SERIES - len(baselines)), *baselines]}

    # --- splits, types, groups ---

    def _splits(self) -> Iterable[Section]:
        def share(row: Row) -> float | None:
            columns, terms = row.get("splits.relational", 0), row.get("splits.textual", 0)
            return columns / (columns + terms) if columns + terms else None

        known = [row for row in self.done if _is_run(row) and share(row) is not None]
        weights = {row.get("set.relational_weight") for row in known} - {None}
        if not known or not any(row.get("splits.textual") for row in known):
            return
        if len(weights) > 1:
            series: dict[str, list[tuple[float, float]]] = {}
            for row in known:
                if row.get("set.relational_weight") is not None:
                    point = (float(row["set.relational_weight"]), share(row) or 0.0)
                    series.setdefault(self._rest(row, "relational_weight"), []).append(point)
            chosen = {name: sorted(series[name]) for name in _spread(list(series), MOST_SERIES)}
            plot = lines(
                "Cuts that were made on columns",
                chosen,
                x=Axis("relational_weight (lambda)"),
                y=Axis("share of all cuts", percent=True, low=0.0, high=1.0),
            )
        else:
            some = known[:MOST_BARS]
            shares = [share(row) or 0.0 for row in some]
            plot = bars(
                "Cuts that were made on columns",
                [str(row["setting"]) for row in some],
                {"": shares},
                value=Axis("share of all cuts", percent=True),
            )
        yield "Where the search cut", "The other cuts were made on terms.", [plot]

    def _entities(self) -> Iterable[Section]:
        prefix = "ncp.of_holders."
        chosen = self._shown_runs()
        types = sorted({key[len(prefix) :] for row in chosen for key in row if key.startswith(prefix)})
        if not types:
            return
        types = sorted(types, key=lambda name: min(row.get(prefix + name, 1.0) for row in chosen))
        types = types[:MOST_BARS]
        series = {
            f"run {row['run']}: {row['setting']}": [float(row.get(prefix + name, 1.0)) for name in types]
            for row in chosen
        }
        plot = bars(
            "Loss by entity type, best kept first", types, series, value=Axis("share lost", percent=True)
        )
        lead = "Of the terms of each type the share that is not released as it was, among their holders."
        yield "What happens to which terms", lead, [plot]

    def _shown_runs(self) -> list[Row]:
        """The recommended run, and beside it the ends of what else is varied at its promise."""
        best = next((row for row in self.done if row["run"] == self.recommended), None)
        if best is None:
            return self.done[:1]
        same = [
            row
            for row in self.done
            if _is_run(row)
            and row is not best
            and all(row.get(f"set.{n}") == best.get(f"set.{n}") for n in self.promised)
        ]
        return [best, *_spread(same, 2)]

    def _groups(self) -> Section:
        plots = []
        if self.axis is not None:
            series = self._series(self.axis)
            for key, name in (("groups.count", "groups"), ("groups.mean", "persons in a group, on average")):
                drawn = {called: _along(rows, self.axis, key) for called, rows in series.items()}
                drawn = {called: points for called, points in drawn.items() if points}
                across = Axis(self.axis, log=_wide(self._numbers(self.axis)))
                plots.append(lines(name.capitalize(), drawn, x=across, y=Axis(name, log=True)))
        sizes = self.histograms.get(self.recommended)
        if sizes:
            names, counts = _binned({int(size): int(count) for size, count in sizes.items()})
            title = f"Sizes of groups in run {self.recommended}"
            groups = Axis("number of groups", whole=True)
            plots.append(histogram(title, names, {"": counts}, x="persons in a group", y=groups))
        return (
            "Groups",
            "More and smaller groups lose less; each has at least as many as was promised.",
            plots,
        )

    def best(self, given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """For each promise the setting that loses least, with its losses."""
        return [
            {
                "promise": one["promise"],
                "run": one["row"]["run"],
                "setting": one["row"]["setting"],
                "losses": [(name, one["row"].get(key)) for key, name in self.losses.items()],
                "gain": one["gain"],
            }
            for one in given
        ]

    def table(self) -> list[dict[str, Any]]:
        """The rows of the page's table: best first."""
        order = sorted(self.rows, key=lambda row: (row["status"] != "done", row.get(LOSS, 2.0), row["run"]))
        return [
            {
                "run": row["run"],
                "setting": row["setting"],
                "mark": self._mark(row),
                "reason": row["reason"],
                "done": row["status"] == "done",
                "losses": [(name, row.get(key)) for key, name in self.losses.items()],
                "chance": row.get(RISK),
                "most": row.get("chance.most"),
                "groups": [row.get(f"groups.{key}") for key in ("count", "mean", "std", "min", "max")],
                "splits": [row.get(f"splits.{kind}") for kind in ("relational", "textual")],
                "seconds": row.get("cpu.total"),
            }
            for row in order[:MOST_ROWS]
        ]

    def _mark(self, row: Row) -> str:
        if row["run"] == self.recommended:
            return "recommended"
        if not _is_run(row):
            return "baseline"
        return "front" if row["run"] in self.front else ""


def _is_run(row: Row) -> bool:
    return bool(row["kind"] == "run")


def _href(row: Row) -> str:
    return f"#run-{row['run']}"


def _along(rows: Sequence[Row], axis: str, key: str) -> list[tuple[float, float]]:
    able = [
        row for row in rows if row.get(key) is not None and isinstance(row.get(f"set.{axis}"), (int, float))
    ]
    return sorted((float(row[f"set.{axis}"]), float(row[key])) for row in able)


def _spread(found: Sequence[Any], most: int) -> list[Any]:
    """At most so many of them, evenly chosen, the first and the last among them."""
    if len(found) <= most:
        return list(found)
    return (
        [found[round(n * (len(found) - 1) / (most - 1))] for n in range(most)]
        if most > 1
        else [found[-1]][:most]
    )


def _wide(values: set[float]) -> bool:
    """Whether a logarithmic axis shows them better."""
    return bool(values) and min(values) > 0 and max(values) / min(values) >= 8


def _binned(sizes: Mapping[int, int]) -> tuple[list[str], list[float]]:
    """Sizes one by one up to a dozen, then in bins that double."""
    ordered = sorted(sizes)
    if len(ordered) <= 14:
        return [str(size) for size in ordered], [float(sizes[size]) for size in ordered]
    names, counts, low = [], [], ordered[0]
    wide = max((ordered[min(len(ordered) - 1, 12)] - low) // 8, 1)
    while low <= ordered[-1]:
        high = low + wide
        inside = sum(count for size, count in sizes.items() if low <= size < high)
        names.append(str(low) if wide == 1 else f"{low}-{high - 1}")
        counts.append(float(inside))
        low, wide = high, wide if len(names) < 8 else wide * 2
    return names, counts
