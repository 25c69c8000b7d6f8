"""Random datasets through files and back, counted by a program that shares nothing with the one tried.

    python -m benchmarks.fuzz [--cases 2000] [--first 0]

For every case the files are written, `anonymize` runs on them, the released file and the owner's row map are
read with polars, and counted: persons per group, items per group, identifiers in columns and texts, values
that had to follow a column. Then `verify` is asked with owner's folder and data, and must say the same
as the run. A violation, a disagreement, a crash or a refusal is told with its seed.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.generators.fuzz_tables import BY_DEFAULT, IDENTIFIERS, FuzzCase, fuzz_case
from benchmarks.generators.joint_tables import JointCase, joint_case
from benchmarks.joint_count import joint_violations
from benchmarks.leaks import core, is_shown, left_over, stripped

READERS = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet, "xlsx": pl.read_excel}


def violations(case: FuzzCase | JointCase, folder: Path, private: Path) -> list[str]:
    """What is wrong with a release, in words; nothing, if nothing is."""
    path = next(folder.glob("data.*"))
    options: dict[str, Any] = {"infer_schema_length": 0} if case.format == "csv" else {}
    released = READERS[case.format](path, **options)
    with open(next(private.rglob("rows.csv")), encoding="utf-8", newline="") as file:
        known = [row for row in csv.DictReader(file) if row["released_row"]]
    source = [int(row["source_row"]) - 1 for row in known]
    person = [row["person"] for row in known]
    rows = released.to_dicts()
    found = [f"{column} is released" for column in released.columns if column in ("id", "home", *IDENTIFIERS)]
    if len(rows) != case.frame.height or sorted(source) != list(range(case.frame.height)):
        found.append("rows are missing or doubled")
    if isinstance(case, JointCase):
        return found + joint_violations(case, rows, person, source)
    return found + _small_groups(case, rows, person) + _leaks(case, rows, source)


def _small_groups(case: FuzzCase, rows: list[dict[str, Any]], person: list[str]) -> list[str]:
    quasi = [name for name, a in case.plan["attributes"].items() if a["role"] == "quasi"]
    members: dict[Any, set[str]] = defaultdict(set)
    shown: dict[Any, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row, who in zip(rows, person, strict=True):
        key = tuple(str(row[name]) for name in quasi)
        members[key].add(who)
        for entry in str(row.get("drugs") or "").split(" "):
            if entry:
                shown[key][who].add(entry)
    found = [f"a group of {len(who)}" for who in members.values() if len(who) < case.k]
    if "household" in case.plan["data"]:
        home = dict(case.frame.select("id", "home").iter_rows())
        homes = [len({home[one] for one in who}) for who in members.values()]
        found += [f"a group of {count} households" for count in homes if count < case.k]
    for by_person in shown.values():
        holders: Counter[Any] = Counter()
        for entries in by_person.values():
            for size in range(1, case.m + 1):
                holders.update(combinations(sorted(entries), size))
        found += [f"{size} persons show some items" for size in holders.values() if size < case.k]
    return found


def _leaks(case: FuzzCase, rows: list[dict[str, Any]], source: list[int]) -> list[str]:
    row_of = dict(zip(source, rows, strict=True))
    found = []
    for one in case.told:
        row = row_of[one.row]
        labels = {name: str(cell) for name, cell in row.items() if cell is not None and name != "note"}
        entries = labels.get("drugs", "").split(" ")
        if not _must_go(case, one.column, str(case.frame[one.column][one.row])):
            continue
        shown = entries if one.column == "drugs" else [labels.get(one.column, "")]
        if one.column not in IDENTIFIERS and any(is_shown(core(one), label) for label in shown):
            continue
        rest = stripped(str(row["note"] or ""), [*labels.values(), *entries])
        if left_over(one, rest):
            found.append(f"'{one.column}' is left in a text as {one.surface!r}")
    return found


def _must_go(case: FuzzCase, column: str, value: str) -> bool:
    if column in IDENTIFIERS or column == "drugs" or column in case.typed:
        return True
    return value in BY_DEFAULT.get(column, ())


def disagreements(run: Any, later: Any) -> list[str]:
    """Where a later `verify` does not say what the run said."""
    found = []
    for then, now in zip(run.models, later.models, strict=True):
        if (then.model, then.holds, then.smallest_group) != (now.model, now.holds, now.smallest_group):
            found.append(f"verify says otherwise of {then.model}: {now.holds}, {now.detail}")
    checks = {check.name: check for check in later.checks}
    for check in run.checks:
        if check.name in checks and checks[check.name].holds != check.holds:
            found.append(f"verify says otherwise of the check {check.name}: {checks[check.name].detail}")
    found += [f"verify fails {c.name}: {c.detail}" for c in later.checks if c.holds is False]
    return list(dict.fromkeys(found))


def case_of(seed: int) -> FuzzCase | JointCase:
    """Every fourth dataset is one for the joint model."""
    return joint_case(seed) if seed % 4 == 2 else fuzz_case(seed)


def run_case(seed: int, folder: Path) -> tuple[str, list[str]]:
    """released | refused | crashed, and what is wrong or was said."""
    import heteronym as hn
    from heteronym.errors import PromiseError

    case = case_of(seed)
    plan = dict(case.plan)
    if isinstance(case, FuzzCase) and case.joined:
        plan["data"] = plan["data"] | {"join": [{"table": "notes", "on": "id"}]}
    try:
        data = case.write(folder)
        release = hn.anonymize(data, plan, output=folder / "out", private=folder / "own")
        later = hn.verify(folder / "out", against=data, private=folder / "own")
    except PromiseError as error:
        return "refused", [str(error)]
    except Exception:  # noqa: BLE001 - whatever it is, it counts as a crash
        return "crashed", [traceback.format_exc()]
    told = disagreements(release.verdict, later)
    return "released", told + violations(case, folder / "out", folder / "own")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz")
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    begin = time.process_time()
    for seed in range(args.first, args.first + args.cases):
        with tempfile.TemporaryDirectory() as folder:
            outcome, told = run_case(seed, Path(folder))
        counts[outcome] += 1
        counts["violated"] += bool(told) and outcome == "released"
        if told:
            print(f"seed {seed}: {outcome}: {'; '.join(told[:3])}", flush=True)
    print(f"{args.cases} datasets, {time.process_time() - begin:.0f} CPU s: {dict(counts)}")


if __name__ == "__main__":
    main()
