"""Columns, items, events and notes of patients under one guarantee: what stays, and does it agree?

    python -m benchmarks.studies.informs_visits [--persons 26735] [--k 5] [--m 2] [--delta 0.35]
        [--write PAGE]

The data is that of the generator `informs-visits`. Per run of the command: loss of the columns, share of the
visits that keep their quarter, share of the notes' terms kept or generalized (with mentions of codes and
columns: `mentions shown`), and contradictions counted by `benchmarks.consistency`. Bars at k = 5, m = 2: half
of the quarters, half of the terms, columns at most .35.
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
from benchmarks.figures import show
from benchmarks.generators.informs_visits import informs_visits

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


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=26_735)
    options.add_argument("--k", type=int, default=5)
    options.add_argument("--m", type=int, nargs="*", default=[1, 2])
    options.add_argument("--delta", type=float, nargs="*", default=[0.35])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "visits.csv"
        informs_visits(given.persons, given.seed).write_csv(data)
        for m in given.m:
            for delta in given.delta:
                model = {"model": "joint", "k": given.k, "m": m}
                partition = {"method": "joint", "delta": delta}
                facts = run(data, {**PLAN, "privacy": [model], "partition": partition})
                measures = facts["measures"]
                visit = measures["events"]["by_attribute"]["visit"]
                rows.append(
                    {
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
                )
    show(rows, name="informs-visits", page=given.write)


if __name__ == "__main__":
    main()
