"""How fast are risk figures, and what are they on Adult?

    HETERONYM_SHARED=... python benchmarks/studies/risk_adult.py [--rows 1000000]

With --rows, Adult's rows are drawn with replacement up to that number.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import polars as pl

from heteronym.risk.class_sizes import class_sizes, risk_of
from heteronym.risk.combinations import unique_combinations
from heteronym.risk.population import population_uniques


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int)
    rows = parser.parse_args().rows
    shared = Path(os.environ.get("HETERONYM_SHARED", "../shared"))
    frame = pl.read_csv(shared / "data" / "adult" / "adult.csv", separator=";").drop("salary-class")
    if rows:
        frame = frame.sample(rows, with_replacement=True, seed=7)
    codes = [frame[name].rank("dense").to_numpy() for name in frame.columns]
    began = time.process_time()
    found = unique_combinations(frame.columns, codes)
    print(
        f"{len(found.unique)} combinations of {frame.height} persons: {time.process_time() - began:.2f} CPU s"
    )
    for columns, persons in found.worst():
        print(f"  {persons:6} {', '.join(columns)}")
    print("  drivers", {name: round(share, 2) for name, share in found.drivers.items()})
    classes = np.zeros(frame.height, np.int64)
    for code in codes:
        _, classes = np.unique(classes * (int(code.max()) + 1) + code, return_inverse=True)
    print(risk_of(classes))
    for share in (0.01, 0.1, 0.5):
        began = time.process_time()
        guess = population_uniques(class_sizes(classes), round(frame.height / share))
        spent = time.process_time() - began
        print(f"as {share:.0%} of a population: {guess.share:.1%} unique ({guess.model}), {spent:.2f} CPU s")


if __name__ == "__main__":
    main()
