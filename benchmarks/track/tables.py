"""Adult at three k, and a million adult-like rows: loss, CPU seconds, memory.

    python -m benchmarks.track.tables [--data adult.csv] [--rows 1000000] [--write PAGE]

Without `--data` (docs/data.md says where Adult is) 30,162 adult-like rows stand for it, which are harder:
they lack the dependencies between three and more columns.
Bars: Adult NCP at most .0295 / .052 / .127 at 0.5 CPU seconds of search each; a million rows within
5 CPU seconds of search, 30 for the whole command, 2 GB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like

QUASI = "age workclass education marital-status occupation race sex native-country".split()
BARS = {5: 0.0295, 10: 0.052, 50: 0.127}


def plan_for(folder: Path) -> Path:
    attributes = {name: {"role": "quasi"} for name in QUASI} | {"salary-class": {"role": "sensitive"}}
    attributes["age"]["scale"] = "numeric"
    plan = {"version": 1, "attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 5}]}
    path = folder / "plan.yaml"
    path.write_text(json.dumps(plan))
    return path


def anonymize(data: Path, plan: Path, k: int, folder: Path) -> dict[str, object]:
    """One run of the command, as a user would start it."""
    command = [sys.executable, "-c", "from heteronym.cli import main; main()", "anonymize", str(data)]
    options = ["-c", str(plan), "-o", str(folder / f"k{k}"), "--k", str(k), "--overwrite", "--json", "-q"]
    out = subprocess.run([*command, *options], check=True, capture_output=True, text=True).stdout
    facts = json.loads(out)
    timing = facts["timing"]
    return {
        "rows": facts["data"]["rows"],
        "k": k,
        "NCP": facts["measures"]["ncp"]["relational"],
        "bar": BARS.get(k, ""),
        "groups": facts["measures"]["groups"]["count"],
        "smallest": facts["verdict"]["models"][0]["smallest_group"],
        "search s": timing["partition"],
        "command s": sum(timing.values()),
        "peak MB": facts["peak_memory_mb"],
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path, help="the real Adult; left out: rows like it")
    options.add_argument("--rows", type=int, default=1_000_000, help="of the large adult-like table; 0: none")
    options.add_argument("--size", type=int, default=30_162, help="rows that stand for Adult")
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = plan_for(folder)
        adult = given.data or folder / "adult.csv"
        if given.data is None:
            adult_like(given.size).write_csv(adult)
        anonymize(adult, plan, 5, folder)  # compiles
        found = [anonymize(adult, plan, k, folder) for k in (5, 10, 50)]
        if given.data is None:
            found = [row | {"bar": ""} for row in found]
        if given.rows:
            adult_like(given.rows, seed=7).write_csv(folder / "big.csv")
            found.append(anonymize(folder / "big.csv", plan, 10, folder) | {"bar": ""})
        show(found, name="adult" if given.data else "adult-like", page=given.write)


if __name__ == "__main__":
    main()
