"""What the first use of a plan waits for: CPU seconds of compilation, with nothing compiled before.

    python -m benchmarks.track.compile [--only columns] [--runs 1] [--write PAGE]

Each kind of plan runs twice in a process of its own: first with an empty folder for compiled kernels, then
with what the first run left there. The difference in CPU seconds is what compilation cost, wherever in the
command it took place. Tables have 3,000 rows, more than is searched without compilation; with `--runs 3` the
median of three is shown.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from benchmarks.generators.baskets_like import baskets_like
from benchmarks.generators.blog_like import blog_known, blog_like
from benchmarks.track.commands import basket_plan, table_plan

Row = dict[str, object]
Plan = dict[str, object]
ROWS = 3000  # of tables; more than is searched without compilation
BAR = 10.0  # CPU seconds that any one plan may compile


def adult_plan(frame: pl.DataFrame, *models: Mapping[str, object], **others: object) -> Plan:
    plan = table_plan(frame)
    k: Mapping[str, object] = {"model": "k-anonymity", "k": 5}
    plan["privacy"] = [k, *models]
    roles = plan["attributes"]
    assert isinstance(roles, dict)
    if models:
        roles["occupation"] = {"role": "sensitive"}
    return {**plan, **others}


def hierarchies(frame: pl.DataFrame, folder: Path) -> Plan:
    """Two columns with trees of two levels."""
    plan = adult_plan(frame)
    roles = plan["attributes"]
    assert isinstance(roles, dict)
    for name in ("education", "marital-status"):
        values = sorted(frame[name].unique().to_list())
        lines = [f"{value};group {number // 3};*" for number, value in enumerate(values)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
        roles[name] = {"role": "quasi", "hierarchy": f"{name}.csv"}
    return plan


def lm_plan(frame: pl.DataFrame) -> Plan:
    """A few of the items are sensitive."""
    plan = basket_plan(frame, {"model": "lm-diversity", "k": 5, "m": 2, "l": 2})
    roles = plan["attributes"]
    assert isinstance(roles, dict)
    items = frame["related"].str.split(" ").explode().value_counts(sort=True)["related"].drop_nulls()
    roles["related"] = {**roles["related"], "sensitive": items.head(40).to_list()[::10]}
    return plan


def blog_plan(frame: pl.DataFrame, *models: Mapping[str, object], **others: object) -> Plan:
    roles: dict[str, object] = {name: {"role": "quasi"} for name in frame.columns}
    roles |= {"id": {"role": "identifier"}, "found": {"role": "terms", "separator": "|"}}
    return {"data": {"person": "id"}, "attributes": roles, "privacy": list(models), **others}


def plans(folder: Path) -> dict[str, tuple[str, Plan]]:
    """Name of the data file and plan, by kind of plan."""
    adult, baskets = adult_like(ROWS, seed=7), baskets_like(ROWS)
    blogs, known = blog_like(300), blog_known(300)
    for name, frame in (("adult", adult), ("baskets", baskets), ("blogs", blogs), ("known", known)):
        frame.write_csv(folder / f"{name}.csv")
    k = {"model": "k-anonymity", "k": 5}
    widest, tum = {"method": "mondrian", "cut": "widest"}, {"method": "tum-bound", "delta": 0.65}
    whole = {"method": "full-domain"}
    kkm = {"model": "kkm-anonymity", "k": 5, "m": 2}
    bound = {"method": "rum-bound", "delta": 0.65}
    return {
        "columns": ("adult", adult_plan(adult)),
        "columns, hierarchies": ("adult", hierarchies(adult, folder)),
        "columns, l-diversity": ("adult", adult_plan(adult, {"model": "l-diversity", "l": 3})),
        "columns, t-closeness": ("adult", adult_plan(adult, {"model": "t-closeness", "t": 0.3})),
        "columns, median cuts": ("adult", adult_plan(adult, partition=widest)),
        "columns, mdav": ("adult", adult_plan(adult, partition={"method": "mdav"})),
        "columns, full-domain": ("adult", hierarchies(adult, folder) | {"partition": whole}),
        "columns, k-member": ("adult", adult_plan(adult, partition={"method": "k-member"})),
        "items, km": ("baskets", basket_plan(baskets, k, {"model": "km-anonymity", "k": 5, "m": 2})),
        "items, kkm": ("baskets", basket_plan(baskets, kkm)),
        "items, lm": ("baskets", lm_plan(baskets)),
        "items, rum-bound": ("baskets", basket_plan(baskets, kkm, partition=bound)),
        "items, rum-bound rt": ("baskets", basket_plan(baskets, kkm, partition={**bound, "merge": "rt"})),
        "items, tum-bound": ("baskets", basket_plan(baskets, kkm, partition=tum)),
        "terms": ("blogs", blog_plan(blogs, k)),
        "terms, gdf": ("blogs", blog_plan(blogs, k, partition={"method": "gdf"})),
        "joint": (
            "known",
            blog_plan(
                known,
                {"model": "joint", "k": 5, "m": 2},
                partition={"method": "joint", "delta": 0.5},
                recode={"terms": "generalize"},
            ),
        ),
    }  # fmt: skip


def cpu_of(data: Path, plan: Path, kernels: Path) -> tuple[float, Mapping[str, float]]:
    """CPU seconds of one command, and what it tells of its steps."""
    words = ["anonymize", str(data), "-c", str(plan), "-o", str(data.parent / "release"), "--overwrite"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "heteronym", *words, "--json", "-q"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(kernels)},
    )
    if done.returncode:
        raise SystemExit(f"{plan.read_text()}\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, json.loads(done.stdout)["timing"]


def first_use(name: str, data: Path, plan: Plan, runs: int) -> Row:
    found: list[tuple[float, float]] = []
    kept: list[int] = []
    written = data.parent / "plan.yaml"
    written.write_text(json.dumps(plan))
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as kernels:
            first, _ = cpu_of(data, written, Path(kernels))
            second, _ = cpu_of(data, written, Path(kernels))
            found.append((first, second))
            kept.append(sum(1 for _ in Path(kernels).rglob("*.kernel")))
    return {
        "plan": name,
        "first CPU s": round(statistics.median(first for first, _ in found), 1),
        "second CPU s": round(statistics.median(second for _, second in found), 1),
        "compilation CPU s": round(statistics.median(first - second for first, second in found), 1),
        "kernels": kept[-1],
    }


def all_rows(runs: int = 1, only: tuple[str, ...] = ()) -> list[Row]:
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, (data, plan) in plans(folder).items():
            if not only or kind.startswith(only):
                found.append(first_use(kind, folder / f"{data}.csv", plan, runs))
                print(found[-1], file=sys.stderr, flush=True)
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--only", action="append", help="kinds of plans, by what their names begin with")
    options.add_argument("--runs", type=int, default=1)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    show(all_rows(given.runs, tuple(given.only or ())), name="compile", page=given.write)


if __name__ == "__main__":
    main()
