"""Items alone and large: INFORMS as one table, groceries, and the stand-in for YOUTUBE.

python -m benchmarks.studies.items_tables [informs] [groceries] [baskets]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.shared_data import generate, need_shared
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


def informs(folder: Path) -> None:
    attributes: dict[str, object] = {"rid": {"role": "identifier"}} | {n: {"role": "plain"} for n in PLAIN}
    attributes["diagnosis_codes"] = {"role": "items", "separator": " "}
    data = need_shared() / "data" / "informs" / "informs_rt.csv"
    for k in (25, 5):
        facts, cpu = run(data, _plan(attributes, "km-anonymity", k, 2, {"method": "k-member"}), folder)
        bad = violations(folder / "out" / "data.csv", k, "diagnosis_codes", " ", [])
        print(line("informs, whole table", k, facts, cpu, bad), flush=True)


def groceries(folder: Path) -> None:
    source = need_shared() / "data" / "groceries"
    (folder / "hierarchy.csv").write_bytes((source / "hierarchy.csv").read_bytes())
    for recode in ("sets", "hierarchy"):
        for m in (2, 3):
            items: dict[str, object] = {"role": "items", "separator": "|"}
            if recode == "hierarchy":
                items["hierarchy"] = "hierarchy.csv"
            attributes = {"tid": {"role": "identifier"}, "items": items}
            plan = _plan(attributes, "km-anonymity", 5, m, {"method": "k-member"}) | {
                "recode": {"items": recode}
            }
            facts, cpu = run(source / "groceries.csv", plan, folder)
            bad = violations(folder / "out" / "data.csv", 5, "items", "|", [])
            print(line(f"groceries, {recode}, m = {m}", 5, facts, cpu, bad), flush=True)


def baskets(folder: Path) -> None:
    data = folder / "baskets.csv"
    generate("make_baskets_like.py", "--out", str(data))
    attributes: dict[str, object] = {"rid": {"role": "identifier"}, "category": {"role": "quasi"}}
    attributes |= {name: {"role": "quasi", "scale": "numeric"} for name in NUMBERS}
    attributes["related"] = {"role": "items", "separator": " "}
    for merge in ("r", "t", "rt", "top-down"):
        method = {"method": "rum-bound", "merge": merge, "delta": 0.65}
        facts, cpu = run(data, _plan(attributes, "kkm-anonymity", 100, 2, method), folder)
        bad = violations(folder / "out" / "data.csv", 100, "related", " ", ["category", *NUMBERS])
        print(line(f"baskets, {merge}", 100, facts, cpu, bad), flush=True)


def _plan(attributes: object, model: str, k: int, m: int, method: object) -> dict[str, object]:
    privacy = [{"model": model, "k": k, "m": m}]
    return {"version": 1, "attributes": attributes, "privacy": privacy, "partition": method}


def main() -> None:
    chosen = sys.argv[1:] or ["informs", "groceries", "baskets"]
    print(HEAD, flush=True)
    for name, study in {"informs": informs, "groceries": groceries, "baskets": baskets}.items():
        if name in chosen:
            with tempfile.TemporaryDirectory() as folder:
                study(Path(folder))


if __name__ == "__main__":
    main()
