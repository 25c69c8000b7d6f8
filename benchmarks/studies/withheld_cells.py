"""What is gained by withholding single cells, and what does it cost?

    python -m benchmarks.studies.withheld_cells [--data adult.csv] [--hierarchies FOLDER] [--k 5 10 50]
        [--shares 0.001 0.01 1] [--size 30162] [--write PAGE]

Adult (30,162 persons) or as many adult-like rows, eight quasi columns; FOLDER holds
`adult_hierarchy_<column>.csv`, with which all columns have hierarchies in a second part. The last part is
made up: three numeric columns and one of names, in which one cell of a thousand is far from all others.
Losses are those of the published labels, each withheld cell loses 1; CPU seconds are those of choosing the
cells, after compilation, and do not count the search for groups.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from benchmarks.studies.table_passes import plan
from heteronym.io.plans import build_parts, make_plan
from heteronym.io.tables import Table, read_tables
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.partition._withhold import withholding
from heteronym.pipeline import encode_persons, form_groups, make_dataset, measure_all, recode_groups
from heteronym.run import Run


def far_values(persons: int = 20_000, seed: int = 0, share: float = 0.001) -> pl.DataFrame:
    """Four columns; a share of the cells of each is far from all others."""
    rng = np.random.default_rng(seed)
    numbers = {}
    for name, low, high, far in (
        ("age", 20, 60, 100),
        ("income", 1_000, 5_000, 90_000),
        ("height", 150, 200, 240),
    ):
        values = rng.integers(low, high, persons)
        away = rng.random(persons) < share
        values[away] = rng.integers(high, far, int(away.sum()))
        numbers[name] = values
    common = rng.choice(list("abcdef"), persons)
    rare = rng.choice([f"r{n}" for n in range(40)], persons)
    return pl.DataFrame(numbers | {"town": np.where(rng.random(persons) < share, rare, common)})


def figures(
    table: Table, plans: dict[int, Plan], shares: list[float], folder: Path | None = None
) -> list[dict[str, Any]]:
    """One row per k and share, the groups being the same for all shares."""
    rows = []
    for k, made in plans.items():
        run, rng = Run(), np.random.default_rng(0)
        with run.active():
            _, _, view = encode_persons(make_dataset(table, made, folder=folder), made, run=run)
            groups = form_groups(view, made, run, rng)
            withholding(view, groups, 1.0)  # compiles
            for share in [0.0, *shares]:
                begun = time.process_time()
                found = withholding(view, groups, share)[0]
                seconds = time.process_time() - begun
                rows.append({"k": k, "up to": share} | _told(view, found, made) | {"s": seconds})
    return rows


def _told(view: PersonView, partition: Partition, made: Plan) -> dict[str, Any]:
    parts, rng = build_parts(made), np.random.default_rng(0)
    found = measure_all(view, partition, recode_groups(view, partition, parts, rng), parts)
    cells = found.get("withheld", {"cells": 0, "share": 0.0, "groups": 0})
    return {
        "loss": found["ncp"]["relational_published"],
        "cells": cells["cells"],
        "share of cells": cells["share"],
        "groups": f"{cells['groups']} of {partition.count}",
    }


def _far_plan(k: int) -> Plan:
    attributes: dict[str, Any] = {
        n: {"role": "quasi", "scale": "numeric"} for n in ("age", "income", "height")
    }
    attributes["town"] = {"role": "quasi"}
    return make_plan({"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": k}]})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.001, 0.01, 1.0])
    parser.add_argument("--data", type=Path, help="the real Adult; left out: rows like it")
    parser.add_argument("--hierarchies", type=Path, metavar="FOLDER")
    parser.add_argument("--size", type=int, default=30_162, help="rows that stand for Adult")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, far = options.data or Path(folder) / "adult.csv", Path(folder) / "far.csv"
        if options.data is None:
            adult_like(options.size).write_csv(data)
        far_values(min(options.size, 20_000)).write_csv(far)
        adult, others = read_tables([data]), read_tables([far])
    for trees in [None, *([options.hierarchies] if options.hierarchies else [])]:
        plans = {k: plan(adult, k, trees=trees is not None) for k in options.k}
        name = f"withheld cells{' with hierarchies' if trees else ''}"
        show(figures(adult, plans, options.shares, trees), name=name, page=options.write)
    plans = {k: _far_plan(k) for k in options.k}
    show(figures(others, plans, options.shares), name="withheld cells, far values", page=options.write)


if __name__ == "__main__":
    main()
