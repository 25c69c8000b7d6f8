"""Whole commands as a user starts them: CPU and wall seconds, memory, what the steps account for.

    python -m benchmarks.track.commands [--scale 1.0] [--only notes] [--write PAGE]

Rows: 10,000 notes of a hundred words with each model, again from the cache; 132,000 baskets of 936 items for
one and two known items; a million rows of Excel.
`--scale 0.01` runs the same at a hundredth of the size. Wall seconds mean something on an idle machine only.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from benchmarks.generators.baskets_like import baskets_like
from benchmarks.generators.notes_like import long_notes
from benchmarks.track.tables import QUASI

Row = dict[str, object]
NUMERIC = ("age", "length", "rate", "ratings", "comments")
KKM = {"model": "kkm-anonymity", "k": 25, "m": 2}
TOP_DOWN = {"method": "rum-bound", "delta": 0.65, "merge": "top-down"}


def command(name: str, data: Path, plan: dict[str, object], *options: str) -> Row:
    """One run of `anonymize`."""
    folder = data.parent
    (folder / "plan.yaml").write_text(json.dumps(plan))
    words = ["anonymize", str(data), "-c", str(folder / "plan.yaml"), "-o", str(folder / "release")]
    words += ["--overwrite", "--json", "-q", *options]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "heteronym", *words], check=True, capture_output=True, text=True
    )
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    facts = json.loads(done.stdout)
    told = sum(facts["timing"].values())
    return {
        "command": name,
        "rows": facts["data"]["rows"],
        "CPU s": round(cpu, 1),
        "wall / CPU": round(wall / cpu, 2),
        "steps / CPU": round(told / cpu, 2),
        "compile s": round(facts["timing"].get("compile", 0.0), 1),
        "peak MB": round(facts["peak_memory_mb"]),
    }


def notes(folder: Path, scale: float) -> list[Row]:
    data = folder / "notes.csv"
    long_notes(max(int(10_000 * scale), 20)).write_csv(data)
    plan: dict[str, object] = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "city": {"role": "quasi", "entities": ["GPE"]},
            "job": {"role": "quasi", "entities": ["JOB"]},
            "date": {"role": "quasi", "scale": "date", "entities": ["DATE"]},
            "note": {"role": "text"},
        },
        "privacy": [{"model": "k-anonymity", "k": 5}],
    }
    rows = [
        command(f"notes, {model}", data, plan, "--language-model", model) for model in ("fast", "accurate")
    ]
    cached = ("--language-model", "fast", "--cache", str(folder / "cache"))
    command("", data, plan, *cached)
    return [*rows, command("notes, fast, again from the cache", data, plan, *cached)]


def basket_plan(frame: pl.DataFrame, *models: Mapping[str, object], **others: object) -> dict[str, object]:
    roles: dict[str, object] = {
        name: {"role": "quasi", **({"scale": "numeric"} if name in NUMERIC else {})}
        for name in frame.columns
        if name not in ("rid", "related")
    }
    roles |= {"rid": {"role": "identifier"}, "related": {"role": "items", "separator": " "}}
    return {"attributes": roles, "privacy": list(models), **others}


def baskets(folder: Path, scale: float) -> list[Row]:
    data = folder / "baskets.csv"
    frame = baskets_like(max(int(132_000 * scale), 500))
    frame.write_csv(data)
    plan = basket_plan(frame, KKM, partition=TOP_DOWN)
    return [command(f"baskets, m = {m}", data, plan, "--m", str(m)) for m in (1, 2)]


def table_plan(frame: pl.DataFrame) -> dict[str, object]:
    attributes: dict[str, dict[str, str]] = {name: {"role": "plain"} for name in frame.columns}
    attributes |= {name: {"role": "quasi"} for name in QUASI}
    attributes["age"]["scale"] = "numeric"
    return {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 10}]}


def excel(folder: Path, scale: float) -> list[Row]:
    from heteronym.io.workbooks import write_workbook

    data = folder / "adult.xlsx"
    frame = adult_like(max(int(1_000_000 * scale), 500), seed=7)
    data.write_bytes(write_workbook(frame, "data"))
    return [command("Excel", data, table_plan(frame))]


PARTS: dict[str, Callable[[Path, float], list[Row]]] = {
    "notes": notes,
    "baskets": baskets,
    "excel": excel,
}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--scale", type=float, default=1.0, help="of all sizes")
    options.add_argument(
        "--only", choices=sorted(PARTS), action="append", help="one kind of rows, or several"
    )
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    found: list[Row] = []
    for part in given.only or PARTS:
        with tempfile.TemporaryDirectory() as name:
            found += PARTS[part](Path(name), given.scale)
    show(found, name="commands", page=given.write)


if __name__ == "__main__":
    main()
