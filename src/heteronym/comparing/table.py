"""The runs of a comparison as one tidy table: a row per run, a column per setting and per fact.

Names of facts are their paths in facts.json without `measures.` (`ncp.total`, `groups.mean`). Further figures
are added, so that any two runs can be compared whatever the plan holds:

    loss.total     mean of the losses of columns and terms as the plan weighs them, of items, and of events
    loss.terms     what terms lose; a broader term loses in part (ncp.information)
    loss.items     utility loss of items (UL)
    loss.events    what the values of event columns lose
    chance.mean    groups / persons released: how often a guess within the right group is right
    chance.most    1 / size of the smallest group
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from heteronym.comparing.grid import Setting, in_words

_BULKY = ("histogram",)  # belongs to the file of the run


def rows_of(settings: Sequence[Setting], facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Plain rows, in the order of the settings."""
    rows: list[dict[str, Any]] = []
    for setting, found in zip(settings, facts, strict=True):
        row: dict[str, Any] = {
            "run": setting.number,
            "kind": "baseline" if setting.baseline else "run",
            "status": found["status"],
            "reason": found.get("reason", ""),
            "setting": setting.name,
            **{f"set.{name}": value for name, value in setting.values.items()},
        }
        if found["status"] == "done":
            row |= _compared(found) | _flat(found["measures"])
            row |= _flat({"data": found["data"], "cpu": found["timing"]})
            row["cpu.total"] = round(sum(found["timing"].values()) - found["timing"].get("compile", 0.0), 4)
            row["peak_memory_mb"] = found["peak_memory_mb"]
        rows.append(row)
    return rows


def _compared(found: Mapping[str, Any]) -> dict[str, float]:
    measures = found["measures"]
    ncp, groups = measures.get("ncp", {}), measures.get("groups", {})
    parts = len({"relational", "textual"} & set(ncp))
    others = {
        "loss.items": measures.get("transaction", {}).get("ul"),
        "loss.events": measures.get("events", {}).get("event_loss"),
    }
    out: dict[str, float] = {name: loss for name, loss in others.items() if loss is not None}
    if parts or out:
        # the columns and the terms keep the weight they have between themselves
        both = ncp["total_information"] * parts if parts else 0.0
        out["loss.total"] = (both + sum(out.values())) / (parts + len(out))
    if "information" in ncp:
        out["loss.terms"] = ncp["information"]
    if groups:
        released = found["data"]["persons"] - found["data"]["persons_left_out"]
        out["chance.mean"] = groups["count"] / max(released, 1)
        out["chance.most"] = 1 / groups["min"]
    return out


def _flat(content: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Nested facts by their paths; lists and histograms stay in the file of the run."""
    found: dict[str, Any] = {}
    for name, value in content.items():
        path = f"{before}{name}"
        if isinstance(value, Mapping):
            if name not in _BULKY:
                found |= _flat(value, f"{path}.")
        elif isinstance(value, (int, float, str, bool)):
            found[path] = value
    return found


def frame_of(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """One column per name, empty where a run does not have it; a setting of mixed kinds is text."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {}
    for name in names:
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if kinds == {int, float}:
            values = [None if value is None else float(value) for value in values]
        elif len(kinds) > 1:
            values = [None if value is None else in_words(value) for value in values]
        columns[name] = pl.Series(name, values)
    return pl.DataFrame(columns)
