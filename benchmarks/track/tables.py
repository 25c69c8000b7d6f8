"""Adult at three k, and a million adult-like rows: loss, CPU seconds, memory.

    python -m benchmarks.track.tables [--rows 1000000]

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

from benchmarks.shared_data import generate, need_shared, show

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
    options.add_argument("--rows", type=int, default=1_000_000)
    rows = options.parse_args().rows
    adult = need_shared() / "data" / "adult" / "adult.csv"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = plan_for(folder)
        anonymize(adult, plan, 5, folder)  # compiles
        found = [anonymize(adult, plan, k, folder) for k in (5, 10, 50)]
        if rows:
            generate(
                "make_adult_like.py", "--rows", str(rows), "--seed", "7", "--out", str(folder / "big.csv")
            )
            found.append(anonymize(folder / "big.csv", plan, 10, folder) | {"bar": ""})
        show(found)


if __name__ == "__main__":
    main()
