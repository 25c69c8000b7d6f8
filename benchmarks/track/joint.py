"""Blog-like persons under the joint model: what stays of their terms at which loss of the columns.

    python -m benchmarks.track.joint [--persons 19319] [--data blogs.csv] [--m 1 2] [--write PAGE]

k = 10, terms as role `terms`, `recode: {terms: suppress}`. `--data` takes posts with the columns of the
generator (all terms of a person on its first post). On the data the bars were set for (909,347 distinct
terms, 18,018 of them with 10 holders or more; one group of everybody keeps .453) they are: m = 1 keeps .372
at a relational loss of at most .57, .30 at .37, .22 at .23; m = 2 keeps .14 at .57 and .088 at .28; the whole
command within 60 CPU seconds and 2.5 GB, 120 seconds for m = 2. The generator of this project draws its
terms flatter: one group keeps .416, and figures are lower by that.
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
from benchmarks.track.blogs import PLAN, make_blogs

BOUNDS = {1: (0.57, 0.37, 0.23), 2: (0.57, 0.28)}


def anonymize(data: Path, folder: Path, *, m: int, delta: float, k: int) -> dict[str, Any]:
    plan = folder / "plan.json"
    content = {
        **PLAN,
        "privacy": [{"model": "joint", "k": k, "m": m}],
        "partition": {"method": "joint", "delta": delta},
        "recode": {"terms": "suppress"},
    }
    plan.write_text(json.dumps(content))
    command = [sys.executable, "-c", "from heteronym.cli import main; main()", "anonymize", str(data)]
    target = ["-c", str(plan), "-o", str(folder / "release"), "--overwrite", "--json", "-q"]
    facts = json.loads(subprocess.run([*command, *target], check=True, capture_output=True).stdout)
    timing, ncp = facts["timing"], facts["measures"]["ncp"]
    return {
        "m": m,
        "bound": delta,
        "columns lost": ncp["relational"],
        "terms kept": 1.0 - ncp["textual"],
        "groups": facts["measures"]["groups"]["count"],
        "holds": facts["verdict"]["holds"],
        "search s": timing["partition"],
        "recode s": timing["recode"],
        "verify s": timing["verify"],
        "command s": sum(timing.values()),
        "peak MB": facts["peak_memory_mb"],
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=19_319)
    options.add_argument("--data", type=Path, help="posts instead of generated ones")
    options.add_argument("--m", type=int, nargs="*", default=[1, 2], choices=(1, 2))
    options.add_argument("--k", type=int, default=10)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = given.data or make_blogs(given.persons, folder)
        rows = [anonymize(data, folder, m=m, delta=delta, k=given.k) for m in given.m for delta in BOUNDS[m]]
    show(rows, name="joint", page=given.write)


if __name__ == "__main__":
    main()
