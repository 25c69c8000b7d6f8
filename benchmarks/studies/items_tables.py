"""Items alone and large: INFORMS as one table, groceries, and the stand-in for YOUTUBE.

    python -m benchmarks.studies.items_tables [--informs informs_rt.csv] [--groceries FOLDER] [--size 131780]
        [--write PAGE]

Without `--informs`, patients-like records stand for it; without `--groceries` (groceries.csv and
hierarchy.csv, docs/data.md) that part is left out.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import polars as pl

from benchmarks.figures import write
from benchmarks.generators.baskets_like import baskets_like, patients_like
from benchmarks.studies.items_informs import HEAD, line, run, violations

PLAIN = (
    "month_of_birth",
    "year_of_birth",
    "race",
    "years_of_education",
    "income",
    "sex",
    "marital",
    "poverty",
)
NUMBERS = ("age", "length", "rate", "ratings", "comments")


def informs(data: Path, folder: Path) -> Iterator[str]:
    with data.open(newline="") as file:
        names = next(csv.reader(file))
    attributes: dict[str, object] = {"rid": {"role": "identifier"}}
    attributes |= {name: {"role": "plain"} for name in PLAIN if name in names}
    attributes["diagnosis_codes"] = {"role": "items", "separator": " "}
    for k in (25, 5):
        facts, cpu = run(data, _plan(attributes, "km-anonymity", k, 2, {"method": "k-member"}), folder)
        bad = violations(folder / "out" / "data.csv", k, "diagnosis_codes", " ", [])
        yield line(f"{data.stem}, whole table", k, facts, cpu, bad)


def groceries(source: Path, folder: Path) -> Iterator[str]:
    # some groups and departments are called like an item below them: a label must say which is meant
    tree = pl.read_csv(source / "hierarchy.csv").with_columns(
        pl.col("level2") + " (group)", pl.col("level1") + " (department)"
    )
    tree.write_csv(folder / "hierarchy.csv")
    for recode, m in product(("sets", "hierarchy"), (2, 3)):
        items: dict[str, object] = {"role": "items", "separator": "|"}
        if recode == "hierarchy":
            items["hierarchy"] = "hierarchy.csv"
        attributes = {"tid": {"role": "identifier"}, "items": items}
        plan = _plan(attributes, "km-anonymity", 5, m, {"method": "k-member"}) | {"recode": {"items": recode}}
        facts, cpu = run(source / "groceries.csv", plan, folder)
        bad = violations(folder / "out" / "data.csv", 5, "items", "|", [])
        yield line(f"groceries, {recode}, m = {m}", 5, facts, cpu, bad)


def baskets(size: int, folder: Path) -> Iterator[str]:
    data = folder / "baskets.csv"
    baskets_like(size).write_csv(data)
    attributes: dict[str, object] = {"rid": {"role": "identifier"}, "category": {"role": "quasi"}}
    attributes |= {name: {"role": "quasi", "scale": "numeric"} for name in NUMBERS}
    attributes["related"] = {"role": "items", "separator": " "}
    for merge in ("r", "t", "rt", "top-down"):
        method = {"method": "rum-bound", "merge": merge, "delta": 0.65}
        facts, cpu = run(data, _plan(attributes, "kkm-anonymity", 100, 2, method), folder)
        bad = violations(folder / "out" / "data.csv", 100, "related", " ", ["category", *NUMBERS])
        yield line(f"baskets, {merge}", 100, facts, cpu, bad)


def _plan(attributes: object, model: str, k: int, m: int, method: object) -> dict[str, object]:
    privacy = [{"model": model, "k": k, "m": m}]
    return {"version": 1, "attributes": attributes, "privacy": privacy, "partition": method}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--informs", type=Path, help="the real INFORMS; left out: records like it")
    parser.add_argument("--groceries", type=Path, help="folder of the real groceries")
    parser.add_argument("--size", type=int, default=131_780, help="baskets; patients are a fifth of them")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    rows = [HEAD]
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        patients = args.informs or folder / "patients.csv"
        if args.informs is None:
            patients_like(args.size // 5).write_csv(patients)
        studies = [informs(patients, folder), baskets(args.size, folder)]
        if args.groceries:
            studies.insert(1, groceries(args.groceries, folder))
        for row in chain(*studies):
            print(row, flush=True)
            rows.append(row)
    if args.write:
        write(args.write, "item tables", "\n".join(rows))


if __name__ == "__main__":
    main()
