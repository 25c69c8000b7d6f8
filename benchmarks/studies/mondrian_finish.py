"""What does ending small nodes by clusters buy over cuts alone, and what does it cost?

    python -m benchmarks.studies.mondrian_finish [--k 5 10 50]

Adult (30,162 persons, `;` separated), eight quasi columns, `mondrian` with `cut: gain`. NCP is that of the
values covered; CPU seconds are those of the partition step, without compilation.
"""

from __future__ import annotations

import argparse

from benchmarks.shared_data import need_shared, show
from heteronym.io.plans import make_plan
from heteronym.io.tables import read_tables
from heteronym.pipeline import make_dataset, make_draft
from heteronym.run import Run

NAMES = "sex race marital-status education native-country workclass occupation".split()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    options = parser.parse_args()
    adult = need_shared() / "data" / "adult" / "adult.csv"
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
            draft = make_draft(make_dataset(read_tables([adult]), plan), plan, run=clock)
            rows.append(
                {
                    "finish": finish,
                    "k": k,
                    "NCP": draft.measures["ncp"]["relational"],
                    "groups": draft.measures["groups"]["count"],
                    "search s": clock.seconds["partition"],
                }
            )
    show(rows)


if __name__ == "__main__":
    main()
