"""Whole commands of an older checkout and of this one on the same files, by turns in one run.

    python -m benchmarks.track.beside_old --old FOLDER [--new FOLDER] [--adult adult.csv]
        [--informs informs_rt.csv] [--pairs 5] [--only adult million blog informs joined] [--write PAGE]

FOLDER is a checkout (`git worktree add FOLDER 8c4c403` for the state before the inside was redesigned);
both run in the Python that runs this. Every case is run once by either side before its pairs, which compiles
its kernels; machine code is kept in a folder of each side's own. Ratios are medians of pairs, old first, then
new. Without the files of Adult and INFORMS (docs/data.md) made-up rows like theirs stand for them.
Bars: loss within 5 % and CPU seconds within 10 % of the old ones, or better; 2 GB for the joined terms.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from benchmarks.generators.baskets_like import patients_like
from benchmarks.generators.blog_like import blog_like
from benchmarks.studies.items_informs import METHODS, informs_attributes
from benchmarks.track.beside_arx import spent
from benchmarks.track.blogs import PLAN, make_blogs
from benchmarks.track.tables import plan_for

CASES = ("adult", "million", "blog", "informs", "joined")


@dataclass(frozen=True)
class Case:
    name: str
    data: list[Path]
    plan: Path
    options: list[str] = field(default_factory=list)
    once: bool = False  # for its memory: one pair


@dataclass(frozen=True)
class Cost:
    cpu: float
    memory: float  # MB
    losses: dict[str, float]


def run(checkout: Path, case: Case, folder: Path) -> Cost:
    """One command of a checkout, as a user would start it."""
    kept = folder / "kept" / checkout.resolve().as_posix().replace("/", "+")
    os.environ |= {
        "PYTHONPATH": str(checkout / "src"),
        "NUMBA_CACHE_DIR": str(kept),
        "HETERONYM_CACHE_DIR": str(kept),
    }
    words = [sys.executable, "-m", "heteronym", "anonymize", *map(str, case.data), "-c", str(case.plan)]
    cpu, _, said = spent([*words, "-o", str(folder / "out"), "--overwrite", "--json", "-q", *case.options])
    facts = json.loads(said)
    found = facts["measures"]["ncp"] | facts["measures"].get("transaction", {})
    losses = {name: found[name] for name in ("relational", "textual", "tncp", "ul") if name in found}
    return Cost(cpu, facts["peak_memory_mb"], losses)


def cases(given: argparse.Namespace, folder: Path) -> Iterator[Case]:
    """One after the other, so that a large file is made when it is wanted."""
    table_plan = plan_for(folder)
    if "adult" in given.only:
        adult = given.adult or _written(adult_like(30_162), folder / "adult.csv")
        for k in (5, 10, 50):
            yield Case(f"Adult, k = {k}", [adult], table_plan, ["--k", str(k)])
    if "million" in given.only:
        rows = _written(adult_like(1_000_000, seed=7), folder / "million.csv")
        yield Case("a million adult-like rows, k = 10", [rows], table_plan, ["--k", "10"])
    blog_plan = _plan(folder / "blog.json", PLAN)
    if "blog" in given.only:
        blogs = make_blogs(given.persons, folder)
        yield Case("blog-like, gdf", [blogs], blog_plan, ["--method", "gdf"])
        yield Case("blog-like, lambda 0.5", [blogs], blog_plan, ["--relational-weight", "0.5"])
    if "informs" in given.only:
        records = given.informs or _written(patients_like(26_735), folder / "informs.csv")
        for name in ("rt", "top-down"):
            plan = {
                "version": 1,
                "attributes": informs_attributes(records),
                "privacy": [{"model": "kkm-anonymity", "k": 25, "m": 2}],
                "partition": METHODS[name] | {"delta": 0.65},
            }
            yield Case(f"INFORMS, k = 25, {name}", [records], _plan(folder / f"{name}.json", plan))
    if "joined" in given.only:  # a table of terms, one row per author, beside the posts
        posts = blog_like(given.persons, 1)
        files = [
            _written(posts.drop("found"), folder / "posts.csv"),
            _written(posts.select("id", "found").drop_nulls(), folder / "terms.csv"),
        ]
        joined = PLAN | {"data": {"person": "id", "join": [{"table": "terms", "on": "id"}]}}
        name = f"terms joined to {posts.height:,} posts"
        yield Case(name, files, _plan(folder / "joined.json", joined), once=True)


def _written(table: pl.DataFrame, path: Path) -> Path:
    table.write_csv(path)
    return path


def _plan(path: Path, plan: dict[str, object]) -> Path:
    path.write_text(json.dumps(plan))
    return path


def compared(case: Case, given: argparse.Namespace, folder: Path) -> dict[str, object]:
    pairs = [
        (run(given.old, case, folder), run(given.new, case, folder))
        for _ in range(1 if case.once else given.pairs + 1)
    ]
    pairs = pairs if case.once else pairs[1:]  # the first one compiles
    first, last = pairs[0]
    middle = statistics.median
    return {
        "case": case.name,
        "old CPU s": f"{middle(old.cpu for old, _ in pairs):.2f}",
        "new CPU s": f"{middle(new.cpu for _, new in pairs):.2f}",
        "new / old": f"{middle(new.cpu / old.cpu for old, new in pairs):.2f}",
        "losses, old": _listed(first.losses),
        "losses, new": _listed(last.losses),
        "old MB": round(max(old.memory for old, _ in pairs)),
        "new MB": round(max(new.memory for _, new in pairs)),
        "pairs": len(pairs),
    }


def _listed(losses: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.4f}" for name, value in losses.items())


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--old", type=Path, required=True, help="a checkout of the older state")
    options.add_argument("--new", type=Path, default=Path(__file__).parents[2], help="default: this checkout")
    options.add_argument("--adult", type=Path, help="the real Adult; left out: rows like it")
    options.add_argument("--informs", type=Path, help="the real INFORMS; left out: records like it")
    options.add_argument("--persons", type=int, default=19_319, help="of the blog-like posts")
    options.add_argument("--pairs", type=int, default=5)
    options.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = []
        for case in cases(given, Path(name)):
            found.append(compared(case, given, Path(name)))
            print(found[-1], file=sys.stderr, flush=True)
        show(found, name="beside the old state", page=given.write)


if __name__ == "__main__":
    main()
