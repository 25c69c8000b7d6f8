"""What does each pass of the search for groups buy, and what do other ways to recode a table lose?

    python -m benchmarks.studies.table_passes [--data adult.csv] [--hierarchies FOLDER] [--k 5 10 50]
        [--write PAGE]

Adult (30,162 persons) or as many adult-like rows, eight quasi columns. FOLDER holds
`adult_hierarchy_<column>.csv`; with it, all columns have hierarchies in a second part. Losses are those of
the published labels, who is left out loses 1; CPU seconds are those of the search, without compilation.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from heteronym.io.plans import build_parts, make_plan
from heteronym.io.tables import Table, read_tables
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.partition._column_search import Passes
from heteronym.partition._leave_out import by_columns
from heteronym.partition._search import Search
from heteronym.pipeline import encode_persons, form_groups, make_dataset, measure_all, recode_groups
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.run import Run

QUASI = "age sex race marital-status education native-country workclass occupation".split()
Way = Callable[[PersonView, int], Partition]
Groups = Callable[[PersonView, Plan, Run], Partition]


def exact_first(view: PersonView, k: int) -> Partition:
    """Persons with k - 1 equals are groups by themselves, the others are searched."""
    records = np.stack([column.person_set for column in view.columns], axis=1)
    _, number, count = np.unique(records, axis=0, return_inverse=True, return_counts=True)
    number = number.reshape(-1)
    equal, rest = (np.flatnonzero(many) for many in (count[number] >= k, count[number] < k))
    if len(rest) < k:
        return Search(view, [KAnonymity(k)]).run()
    found = Search(by_columns(view, rest), [KAnonymity(k)]).run()
    group = np.empty(view.persons, np.int32)
    group[rest] = found.group
    group[equal] = found.count + np.unique(number[equal], return_inverse=True)[1].reshape(-1)
    return Partition(group)


def by_search(cut: Any = "gain", **switched: Any) -> Way:
    return lambda view, k: Search(view, [KAnonymity(k)], cut=cut, passes=Passes(**switched)).run()


PASSES: dict[str, Way] = {
    "cuts at the median of the widest column": by_search(cut="widest"),
    "cuts by gain": by_search(clusters=False, cells=False),
    "and clusters in small nodes": by_search(rounds=0, cells=False),
    "and moves between clusters": by_search(cells=False),
    "and cells of hierarchies first": by_search(),
    "exact-match groups before all that": exact_first,
}
METHODS: dict[str, tuple[str, float]] = {
    "mondrian": ("mondrian", 0.0),
    "mondrian, up to 5 % left out": ("mondrian", 0.05),
    "mdav": ("mdav", 0.0),
    "full-domain": ("full-domain", 0.0),
    "full-domain, up to 5 % left out": ("full-domain", 0.05),
    "full-domain, anybody may be left out": ("full-domain", 1.0),
}


def plan(table: Table, k: int, method: str = "mondrian", share: float = 0.0, *, trees: bool) -> Plan:
    attributes: dict[str, Any] = {name: {"role": "plain"} for name in table.frame.columns}
    for name in QUASI:
        attributes[name] = {"role": "quasi"}
        if trees:
            attributes[name]["hierarchy"] = f"adult_hierarchy_{name}.csv"
        elif name == "age":
            attributes[name]["scale"] = "numeric"
    return make_plan(
        {
            "attributes": attributes,
            "privacy": [{"model": "k-anonymity", "k": k}],
            "partition": {"method": method},
            "release": {"suppress_up_to": share},
        }
    )


class Studied:
    """One table, and rows of figures about it."""

    def __init__(self, table: Table, folder: Path | None, ks: list[int]) -> None:
        self.table, self.folder, self.ks = table, folder, ks

    def figures(
        self, name: str, groups: Callable[[PersonView, Plan, Run], Partition], **told: Any
    ) -> dict[str, Any]:
        row: dict[str, Any] = {"": name}
        for k in self.ks:
            made = plan(self.table, k, trees=self.folder is not None, **told)
            run, rng = Run(), np.random.default_rng(0)
            with run.active():
                dataset = make_dataset(self.table, made, folder=self.folder)
                _, _, view = encode_persons(dataset, made, run=run)
                partition = groups(view, made, run)
                parts = build_parts(made)
                found = measure_all(view, partition, recode_groups(view, partition, parts, rng), parts)
            row[f"k = {k}"] = found["ncp"]["relational_published"]
            row[f"left out, k = {k}"] = partition.left_out
            row[f"s, k = {k}"] = run.seconds["partition"]
        return row

    def passes(self) -> list[dict[str, Any]]:
        rows = []
        for name, way in PASSES.items():
            if "hierarchies" in name and self.folder is None:
                continue

            def groups(view: PersonView, made: Plan, run: Run, way: Way = way) -> Partition:
                way(view, made.privacy[0].parameters["k"])  # compiles
                with run.step("partition"):
                    return way(view, made.privacy[0].parameters["k"])

            row = self.figures(name, groups)
            rows.append({key: value for key, value in row.items() if not key.startswith("left out")})
        return rows

    def methods(self) -> list[dict[str, Any]]:
        def groups(view: PersonView, made: Plan, run: Run) -> Partition:
            return form_groups(view, made, run, np.random.default_rng(0))

        return [
            self.figures(name, groups, method=method, share=share)
            for name, (method, share) in METHODS.items()
        ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, nargs="+", default=[5, 10, 50])
    parser.add_argument("--data", type=Path, help="the real Adult; left out: rows like it")
    parser.add_argument("--hierarchies", type=Path, metavar="FOLDER")
    parser.add_argument("--size", type=int, default=30_162, help="rows that stand for Adult")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or Path(folder) / "adult.csv"
        if options.data is None:
            adult_like(options.size).write_csv(data)
        table = read_tables([data])
    for trees in [None, *([options.hierarchies] if options.hierarchies else [])]:
        studied, part = Studied(table, trees, options.k), " with hierarchies" if trees else ""
        show(studied.passes(), name=f"passes{part}", page=options.write)
        show(studied.methods(), name=f"methods{part}", page=options.write)


if __name__ == "__main__":
    main()
