"""How the steps of a command grow with the data: CPU seconds by step, memory, exponents, plots.

    python -m benchmarks.track.growth [--only tables] [--rows 1000000 3000000 10000000]
        [--persons 20000 80000] [--baskets 33000 66000 132000] [--write PAGE] [--plots FOLDER]

`tables`: adult-like rows, eight quasi columns, k = 10. `blogs`: blog-like persons with terms, k = 5, lambda
0.5 and gdf. `items`: baskets of 936 items, k = 25, one and two known items. An exponent is that between the
two sizes before it: 1 means that twice as much takes twice the time. Memory is the largest of any process of
the command. Bars: ten million rows at most 100 CPU seconds and 5 GB; 80,000 persons at most 40 CPU seconds
and 2.5 GB, no step's exponent above 1.15 from 20,000 on; baskets, no exponent above 1.2 from 33,000 on.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.drawing import save
from benchmarks.figures import table, write
from benchmarks.generators.adult_like import adult_like
from benchmarks.generators.baskets_like import baskets_like
from benchmarks.generators.blog_like import blog_like
from benchmarks.track.beside_arx import spent
from benchmarks.track.blogs import PLAN
from benchmarks.track.commands import KKM, TOP_DOWN, basket_plan
from benchmarks.track.tables import plan_for
from heteronym.report.plots import Axis, lines

STEPS = ("read", "encode", "partition", "recode", "measure", "verify", "write", "report")
DRAWN = ("read", "encode", "partition", "recode", "measure", "verify")
PIECE = 1_000_000  # rows that are drawn at once
FEW = 3000  # rows or persons, yet more than is searched without compilation
SMALL = 0.3  # seconds below which an exponent tells about the clock
Row = dict[str, object]


def adult_file(rows: int, folder: Path) -> Path:
    path = folder / f"{rows}.csv"
    with path.open("wb") as out:
        for number, first in enumerate(range(0, rows, PIECE)):
            part = adult_like(min(PIECE, rows - first), seed=7 + number)
            part.write_csv(out, include_header=number == 0)
    return path


def blog_file(persons: int, folder: Path) -> Path:
    path = folder / f"{persons}.csv"
    blog_like(persons, 1).write_csv(path)
    return path


def basket_file(baskets: int, folder: Path) -> Path:
    path = folder / f"{baskets}.csv"
    baskets_like(baskets).write_csv(path)
    return path


def measured(data: Path, plan: Path, options: list[str]) -> Row:
    """One run of the command, as a user would start it."""
    words = [sys.executable, "-m", "heteronym", "anonymize", str(data), "-c", str(plan), *options]
    cpu, memory, said = spent([*words, "-o", str(data.parent / "release"), "--overwrite", "--json", "-q"])
    facts = json.loads(said)
    steps = {step: f"{facts['timing'].get(step, 0.0):.2f}" for step in STEPS}
    loss = facts["measures"]["ncp"]["relational"]
    return {"NCP": loss, **steps, "CPU s": f"{cpu:.1f}", "peak MB": round(memory)}


def grown(
    name: str, sizes: list[int], make: Callable[[int, Path], Path], plan: Path, options: list[str]
) -> list[Row]:
    """A row of figures per size, and behind each but the first a row of exponents."""
    found: list[Row] = []
    before: Row = {}
    measured(make(FEW, plan.parent), plan, options)  # compiles
    for size in sizes:
        path = plan.parent / f"{size}.csv"
        now = measured(path if path.exists() else make(size, plan.parent), plan, options)
        found.append({"run": name, "size": f"{size:,}", **now})
        if before:
            times = math.log(size / int(str(before["size"]).replace(",", "")))
            found.append(
                {
                    "run": "exponent",
                    "size": "",
                    "NCP": "",
                    **{key: _exponent(before[key], now[key], times) for key in list(now)[1:]},
                }
            )
        before = {"size": size, **now}
    return found


def _exponent(before: object, after: object, times: float) -> object:
    a, b = float(str(before)), float(str(after))
    return f"{math.log(b / a) / times:.2f}" if min(a, b) >= SMALL else ""


def draw(rows: list[Row], title: str, path: Path) -> None:
    """CPU seconds by size, both by their logarithms."""
    told = [row for row in rows if row["run"] != "exponent"]
    sizes = [float(str(row["size"]).replace(",", "")) for row in told]
    series = {
        step: [(size, float(str(row[step]))) for size, row in zip(sizes, told, strict=True)]
        for step in DRAWN
        if all(float(str(row[step])) > 0 for row in told)
    }
    save(lines(title, series, x=Axis("rows or persons", log=True), y=Axis("CPU s", log=True)), path)


def tables_grown(folder: Path, rows: list[int]) -> dict[str, list[Row]]:
    return {"adult-like": grown("adult-like", rows, adult_file, plan_for(folder), ["--k", "10"])}


def blogs_grown(folder: Path, persons: list[int]) -> dict[str, list[Row]]:
    plan = folder / "plan.yaml"
    plan.write_text(json.dumps(PLAN))
    methods = (("lambda 0.5", ["--relational-weight", "0.5"]), ("gdf", ["--method", "gdf"]))
    return {method: grown(method, persons, blog_file, plan, words) for method, words in methods}


def items_grown(folder: Path, baskets: list[int]) -> dict[str, list[Row]]:
    plan = folder / "plan.yaml"
    plan.write_text(json.dumps(basket_plan(baskets_like(500), KKM, partition=TOP_DOWN)))
    return {f"m = {m}": grown(f"m = {m}", baskets, basket_file, plan, ["--m", str(m)]) for m in (1, 2)}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--only", choices=["tables", "blogs", "items"])
    options.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 3_000_000, 10_000_000])
    options.add_argument("--persons", type=int, nargs="+", default=[20_000, 80_000])
    options.add_argument("--baskets", type=int, nargs="+", default=[33_000, 66_000, 132_000])
    options.add_argument("--write", type=Path, metavar="PAGE")
    options.add_argument("--plots", type=Path, metavar="FOLDER")
    given = options.parse_args()
    parts = {
        "tables": (tables_grown, given.rows),
        "blogs": (blogs_grown, given.persons),
        "items": (items_grown, given.baskets),
    }
    for part in [given.only] if given.only else parts:
        with tempfile.TemporaryDirectory() as name:
            make, sizes = parts[part]
            runs = make(Path(name), sizes)
            text = table([row for rows in runs.values() for row in rows])
            print(text, flush=True)
            if given.write is not None:
                write(given.write, f"growth of {part}", text)
            for method, rows in runs.items() if given.plots is not None else ():
                path = given.plots / f"growth_{method.replace(' ', '_')}.svg"
                draw(rows, f"CPU seconds by step: {method}", path)


if __name__ == "__main__":
    main()
