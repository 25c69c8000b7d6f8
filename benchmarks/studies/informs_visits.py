"""Columns, items, events and notes of patients under one guarantee: what stays, and does it agree?

    python -m benchmarks.studies.informs_visits [--persons 26735] [--k 5] [--m 2] [--delta 0.35]
        [--front] [--write PAGE]

The data is that of the generator `informs-visits`. Per run of the command: loss of the columns, share of the
visits that keep their quarter, share of the notes' terms kept or generalized (with mentions of codes and
columns: `mentions shown`), and contradictions counted by `benchmarks.consistency`. Bars at k = 5, m = 2: half
of the quarters, half of the terms, columns at most .35. With `--front` bounds from .2 to 1 are tried, and
what stays of events, items and terms is drawn over the loss of the columns (plots/informs_visits.svg).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.consistency import count
from benchmarks.drawing import save
from benchmarks.figures import show
from benchmarks.generators.informs_visits import informs_file, informs_visits
from heteronym.report.plots import Axis, lines

FRONT = (0.2, 0.275, 0.35, 0.5, 0.7, 1.0)
SHOWN = ("visits with quarter", "items kept", "terms shown", "information kept")
PLOT = Path(__file__).with_name("plots") / "informs_visits.svg"
PLAN: dict[str, Any] = {
    "version": 1,
    "data": {"person": "rid"},
    "attributes": {
        "rid": {"role": "identifier"},
        "month_of_birth": {"role": "quasi", "scale": "numeric"},
        "year_of_birth": {"role": "quasi", "scale": "numeric", "entities": ["DATE"]},
        "race": {"role": "quasi"},
        "years_of_education": {"role": "quasi", "scale": "numeric"},
        "income": {"role": "quasi", "scale": "numeric"},
        "visit": {"role": "event", "scale": "date"},
        "codes": {"role": "items", "separator": " ", "entities": ["DIAGNOSIS"]},
        "note": {"role": "text"},
    },
    "text": {
        "model": "none",
        "entities": ["GPE", "DATE", "AGE", "DIAGNOSIS"],
        "patterns": {"DIAGNOSIS": r"(?<=[Cc]ode )[EV]?\d{2,3}\b"},
    },
    "recode": {"terms": "generalize"},
}


def run(data: Path, plan: dict[str, Any]) -> dict[str, Any]:
    path = data.with_name("plan.yaml")
    path.write_text(json.dumps(plan))
    command = [sys.executable, "-c", "from heteronym.cli import main; main()", "anonymize", str(data)]
    target = ["-c", str(path), "-o", str(data.with_name("release")), "--overwrite", "--json", "-q"]
    done = subprocess.run([*command, *target], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def measured(data: Path, k: int, m: int, delta: float) -> dict[str, object]:
    """One run of the command, as a row."""
    model = {"model": "joint", "k": k, "m": m}
    facts = run(data, {**PLAN, "privacy": [model], "partition": {"method": "joint", "delta": delta}})
    measures = facts["measures"]
    visit = measures["events"]["by_attribute"]["visit"]
    return {
        "people": "patients-like" if informs_file() is None else "INFORMS",
        "m": m,
        "columns lost": measures["ncp"]["relational"],
        "visits with quarter": sum(visit[part] for part in ("day", "month", "quarter")),
        "items kept": measures["transaction"]["items_kept"],
        "terms shown": measures["terms"]["shown"],
        "mentions shown": measures["terms"]["mentions_shown"],
        "information kept": 1 - measures["ncp"]["information"],
        "contradictions": sum(count(data.with_name("release") / "data.csv").values()),
        "CPU s": sum(facts["timing"].values()),
    }


def draw(rows: list[dict[str, object]], title: str) -> None:
    """What stays over the loss of the columns."""
    series = {name: [(_share(row, "columns lost"), _share(row, name)) for row in rows] for name in SHOWN}
    save(lines(title, series, x=Axis("columns lost"), y=Axis("share that stays")), PLOT)


def _share(row: dict[str, object], name: str) -> float:
    value = row[name]
    assert isinstance(value, float)
    return value


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=26_735)
    options.add_argument("--k", type=int, default=5)
    options.add_argument("--m", type=int, nargs="*", default=[1, 2])
    options.add_argument("--delta", type=float, nargs="*", default=[0.35])
    options.add_argument("--front", action="store_true", help="many bounds at the last m, and a plot")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    runs = [(m, delta) for m in given.m for delta in given.delta]
    runs = [(given.m[-1], delta) for delta in FRONT] if given.front else runs
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "visits.csv"
        informs_visits(given.persons, given.seed).write_csv(data)
        for m, delta in runs:
            rows.append(measured(data, given.k, m, delta))
            print(rows[-1], file=sys.stderr, flush=True)
    if given.front:
        draw(rows, f"Visits of {given.persons:,} patients, k = {given.k}, m = {given.m[-1]}")
    show(rows, name="informs-visits-front" if given.front else "informs-visits", page=given.write)


if __name__ == "__main__":
    main()
