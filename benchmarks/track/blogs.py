"""Blog-like persons with terms: what the parts cost, and how cost grows.

    python -m benchmarks.track.blogs [--persons 19319] [--growth 5000 20000] [--write PAGE]

Bars at 19,319 persons, k = 5: encode + partition + recode + measure within 10 CPU seconds for gdf and for
lambda 0, 0.5 and 1; the whole command within 60 CPU seconds and 2 GB; exponent from 5,000 to 20,000
persons at most 1.2.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.figures import show
from benchmarks.generators.blog_like import blog_like

PLAN = {
    "version": 1,
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "gender": {"role": "quasi"},
        "age": {"role": "quasi", "scale": "numeric"},
        "topic": {"role": "quasi"},
        "sign": {"role": "quasi"},
        "date": {"role": "quasi", "scale": "date"},
        "found": {"role": "terms", "separator": "|"},
    },
    "privacy": [{"model": "k-anonymity", "k": 5}],
}
METHODS = {
    "gdf": ["--method", "gdf"],
    "lambda 0": ["--relational-weight", "0"],
    "lambda 0.5": ["--relational-weight", "0.5"],
    "lambda 1": ["--relational-weight", "1"],
}


def make_blogs(persons: int, folder: Path, *, seed: int = 1) -> Path:
    """Posts with all terms of a person on its first row."""
    path = folder / "blogs.csv"
    blog_like(persons, seed).write_csv(path)
    return path


def anonymize(data: Path, plan: Path, options: list[str]) -> dict[str, float]:
    command = [sys.executable, "-c", "from heteronym.cli import main; main()", "anonymize", str(data)]
    target = ["-c", str(plan), "-o", str(data.parent / "release"), "--overwrite", "--json", "-q"]
    facts = json.loads(subprocess.run([*command, *target, *options], check=True, capture_output=True).stdout)
    timing, ncp = facts["timing"], facts["measures"]["ncp"]
    return {
        "columns lost": ncp["relational"],
        "terms lost": ncp["textual"],
        "core s": sum(timing[step] for step in ("encode", "partition", "recode", "measure")),
        "search s": timing["partition"],
        "command s": sum(timing.values()),
        "peak MB": facts["peak_memory_mb"],
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=19_319)
    options.add_argument("--growth", type=int, nargs="*", default=[5_000, 20_000], help="further sizes")
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    rows: list[dict[str, object]] = []
    core: dict[tuple[int, str], float] = {}
    with tempfile.TemporaryDirectory() as name:
        plan = Path(name) / "plan.yaml"
        plan.write_text(json.dumps(PLAN))
        for count in (*given.growth, given.persons):
            folder = Path(name) / str(count)
            folder.mkdir(exist_ok=True)
            data = make_blogs(count, folder)
            for method, arguments in METHODS.items():
                found = anonymize(data, plan, arguments)
                core[count, method] = found["core s"]
                rows.append({"persons": count, "method": method, **found})
    show(rows, name="blog-like", page=given.write)
    for method in METHODS if len(given.growth) > 1 else ():
        small, large = given.growth[0], given.growth[-1]
        growth = math.log(core[large, method] / core[small, method]) / math.log(large / small)
        print(f"{method}: cost grows with exponent {growth:.2f}")


if __name__ == "__main__":
    main()
