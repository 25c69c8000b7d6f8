"""What does ending small nodes by clusters buy over cuts alone, and what does it cost?

    python benchmarks/studies/mondrian_finish.py [--data adult.csv] [--k 5 10 50]

Adult (30,162 persons, `;` separated), eight quasi columns, `mondrian` with `cut: gain`. NCP is that of the
values covered; CPU seconds are those of the partition step, without compilation.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from heteronym.io.plans import make_plan
from heteronym.io.tables import read_tables
from heteronym.pipeline import Clock, make_dataset, run

SHARED = Path(os.environ.get("HETERONYM_SHARED", "."))
NAMES = "sex race marital-status education native-country workclass occupation".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "adult" / "adult.csv")
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    options = parser.parse_args()
    attributes = {name: {"role": "quasi"} for name in NAMES} | {
        "age": {"role": "quasi", "scale": "numeric"},
        "salary-class": {"role": "plain"},
    }
    print("| finish | k | NCP | groups | partition, CPU s |\n|---|---|---|---|---|")
    for finish in ("cuts", "clusters"):
        for k in options.k:
            plan = make_plan(
                {
                    "attributes": attributes,
                    "privacy": [{"model": "k-anonymity", "k": k}],
                    "partition": {"method": "mondrian", "finish": finish},
                }
            )
            clock = Clock()
            draft = run(make_dataset(read_tables([options.data]), plan), plan, clock=clock)
            loss, groups = draft.measures["ncp"]["relational"], draft.measures["groups"]["count"]
            print(f"| {finish} | {k} | {loss:.4f} | {groups} | {clock.seconds['partition']:.2f} |")


if __name__ == "__main__":
    main()
