"""What does ending small nodes by clusters buy over cuts alone, and what does it cost?

    python -m benchmarks.studies.mondrian_finish [--data adult.csv] [--k 5 10 50] [--write PAGE]

Adult (30,162 persons) or as many adult-like rows, eight quasi columns, `mondrian` with `cut: gain`.
NCP is that of the values covered; CPU seconds are those of the partition step, without compilation.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from heteronym.io.plans import make_plan
from heteronym.io.tables import read_tables
from heteronym.pipeline import make_dataset, make_draft
from heteronym.run import Run

NAMES = "sex race marital-status education native-country workclass occupation".split()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    parser.add_argument("--data", type=Path, help="the real Adult; left out: rows like it")
    parser.add_argument("--size", type=int, default=30_162, help="rows that stand for Adult")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder) / "adult.csv"
        if options.data is None:
            adult_like(options.size).write_csv(data)
        adult = read_tables([data])
    attributes = {name: {"role": "quasi"} for name in NAMES} | {
        "age": {"role": "quasi", "scale": "numeric"},
        "salary-class": {"role": "plain"},
    }
    rows: list[dict[str, object]] = []
    for finish in ("cuts", "clusters"):
        for k in options.k:
            plan = make_plan(
                {
                    "attributes": attributes,
                    "privacy": [{"model": "k-anonymity", "k": k}],
                    "partition": {"method": "mondrian", "finish": finish},
                }
            )
            clock = Run()
            draft = make_draft(make_dataset(adult, plan), plan, run=clock)
            rows.append(
                {
                    "finish": finish,
                    "k": k,
                    "NCP": draft.measures["ncp"]["relational"],
                    "groups": draft.measures["groups"]["count"],
                    "search s": clock.seconds["partition"],
                }
            )
    show(rows, name="mondrian finish", page=options.write)


if __name__ == "__main__":
    main()
