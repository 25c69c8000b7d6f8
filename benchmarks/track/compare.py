"""What does a grid of settings cost on blog-like persons?

    python -m benchmarks.track.compare [--persons 19319] [--k 2,50] [--weights 0,0.5,1] [--whole]
                                       [--keep FOLDER] [--write PAGE]

Bar: 7 values of k times 11 of lambda, GDF and the baselines (91 runs) on 19,319 persons under 20 minutes on
two cores and 4 GB. Without `--whole`, the ends of the grid are run and the whole is extrapolated: what all
runs share, and 91 times the mean CPU seconds of a run over two cores.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from benchmarks.figures import show
from benchmarks.track.blogs import PLAN, make_blogs

WHOLE = ("2,3,4,5,10,20,50", "0:1:0.1", 91)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--persons", type=int, default=19_319)
    parser.add_argument("--k", default="2,50")
    parser.add_argument("--weights", default="0,0.5,1")
    parser.add_argument("--whole", action="store_true", help="the whole grid, nothing extrapolated")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the comparison stays")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    ks, weights = WHOLE[:2] if args.whole else (args.k, args.weights)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = make_blogs(args.persons, folder)
        (folder / "plan.yaml").write_text(json.dumps(PLAN))
        grid = args.keep or folder / "grid"
        call = [sys.executable, "-c", "from heteronym.cli import main; main()", "compare", str(data)]
        call += ["-c", str(folder / "plan.yaml"), "-o", str(grid), "-q", "--processes", "2"]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [*call, "--k", ks, "--relational-weight", weights, "--method", "mondrian,gdf"], check=True
        )
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - begin
        table = pl.read_parquet(grid / "comparison.parquet")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    each = float(table["cpu.total"].mean())  # type: ignore[arg-type]
    shared = cpu - each * table.height
    # the parent, while it encodes, and two workers
    memory = after.ru_maxrss / 1024 + 2 * float(table["peak_memory_mb"].max())  # type: ignore[arg-type]
    row: dict[str, object] = {
        "persons": args.persons,
        "runs": table.height,
        "wall s": f"{wall:.0f}",
        "CPU s": f"{cpu:.0f}",
        "CPU s of a run": f"{each:.1f}",
        "91 runs on two idle cores, min": f"{(shared + WHOLE[2] * each / 2) / 60:.1f}",
        "peak MB, all processes": f"{memory:.0f}",
    }
    show([row], name="compare", page=args.write)


if __name__ == "__main__":
    main()
