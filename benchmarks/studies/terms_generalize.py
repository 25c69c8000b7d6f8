"""How much more do places, dates and jobs tell if they generalize than if they are suppressed?

    python -m benchmarks.studies.terms_generalize [--persons 19319] [--k 10] [--m 1 2] [--delta BOUND ...]
        [--write PAGE]

Blog-like authors whose places, dates and jobs the knowledge bases know; model and partitioner `joint`, at the
bounds of benchmarks.track.joint or those given. Every row is a run of the command; `kept` is 1 - the
information lost by a holder's terms of the type; `more` is what generalizing adds to what suppression keeps.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.figures import show
from benchmarks.generators.blog_like import blog_known
from benchmarks.track.blogs import PLAN
from benchmarks.track.joint import BOUNDS

TYPES = ("GPE", "DATE", "JOB")


def run(data: Path, plan: dict[str, Any]) -> dict[str, Any]:
    """The facts of one run of the command."""
    path = data.with_name("plan.yaml")
    path.write_text(json.dumps(plan))
    command = [sys.executable, "-c", "from heteronym.cli import main; main()", "anonymize", str(data)]
    target = ["-c", str(path), "-o", str(data.with_name("release")), "--overwrite", "--json", "-q"]
    done = subprocess.run([*command, *target], check=True, capture_output=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=19_319)
    options.add_argument("--k", type=int, default=10)
    options.add_argument("--m", type=int, nargs="*", default=[1, 2])
    options.add_argument("--delta", type=float, nargs="*", help="bounds of the columns' loss, for every m")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "blogs.csv"
        blog_known(given.persons, given.seed).write_csv(data)
        for m in given.m:
            for delta in given.delta or BOUNDS[m]:
                before: dict[str, float] = {}
                for recode in ("suppress", "generalize"):
                    plan = {
                        **PLAN,
                        "privacy": [{"model": "joint", "k": given.k, "m": m}],
                        "partition": {"method": "joint", "delta": delta},
                        "recode": {"terms": recode},
                    }
                    facts = run(data, plan)
                    ncp = facts["measures"]["ncp"]
                    row: dict[str, object] = {"m": m, "terms": recode, "columns lost": ncp["relational"]}
                    kept = {name: 1 - ncp["information_of_holders"].get(name, 1.0) for name in TYPES}
                    row |= {f"{name} kept": share for name, share in kept.items()}
                    row |= {f"{name} more": kept[name] / before[name] - 1 if before else "" for name in TYPES}
                    before = kept
                    row |= {"all kept": 1 - ncp["information"], "unchanged": 1 - ncp["textual"]}
                    row |= {"CPU s": sum(facts["timing"].values()), "peak MB": facts["peak_memory_mb"]}
                    rows.append(row)
    show(rows, name="terms-generalize", page=given.write)


if __name__ == "__main__":
    main()
