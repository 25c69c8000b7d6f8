"""What does each method cost on INFORMS, and what does it lose? (paper 002, section 6)

    python -m benchmarks.studies.items_informs [--k 25 5] [--methods r t rt top-down ...]

Runs the command in a process of its own per method, then counts every released pair again with the
plain twin of the tests. CPU seconds leave the compilation of kernels out (once per installation).
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.shared_data import need_shared
from heteronym.verify.labels import split_entries

QUASI = {"month_of_birth": "numeric", "year_of_birth": "numeric", "race": "nominal"} | {
    "years_of_education": "numeric",
    "income": "numeric",
}
METHODS = {
    "r": {"method": "rum-bound", "merge": "r", "delta": 0.65},
    "t": {"method": "rum-bound", "merge": "t", "delta": 0.65},
    "rt": {"method": "rum-bound", "merge": "rt", "delta": 0.65},
    "top-down": {"method": "rum-bound", "merge": "top-down", "delta": 0.65},
    "tum r": {"method": "tum-bound", "merge": "r", "delta": 0.65},
    "tum t": {"method": "tum-bound", "merge": "t", "delta": 0.65},
    "tum rt": {"method": "tum-bound", "merge": "rt", "delta": 0.65},
    "r-first": {"method": "r-first"},
    "t-first": {"method": "t-first"},
}


def violations(data: Path, k: int, items: str, separator: str, quasi: list[str]) -> int:
    """Pairs and single labels that fewer than k rows of their group show, by plain counting."""
    groups: dict[tuple[str, ...], list[frozenset[str]]] = {}
    with data.open(newline="") as file:
        for row in csv.DictReader(file):
            key = tuple(row[name] for name in quasi)
            groups.setdefault(key, []).append(frozenset(split_entries(row[items], separator)))
    bad = 0
    for group in groups.values():
        count: dict[frozenset[str], int] = {}
        for labels in group:
            ordered = sorted(labels)
            for at, first in enumerate(ordered):
                for second in ordered[at:]:
                    pair = frozenset((first, second))
                    count[pair] = count.get(pair, 0) + 1
        bad += sum(n < k for n in count.values()) + (len(group) < k)
    return bad


def run(data: Path, plan: dict[str, object], folder: Path) -> tuple[dict, float]:  # type: ignore[type-arg]
    """Facts of a run, and its CPU seconds without compilation."""
    (folder / "plan.json").write_text(json.dumps(plan))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-c",
        "from heteronym.cli import main; main()",
        "anonymize",
        str(data),
        "-c",
        str(folder / "plan.json"),
    ]
    subprocess.run([*command, "-o", str(folder / "out"), "--overwrite", "-q"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    facts = json.loads((folder / "out" / "facts.json").read_text())
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return facts, cpu - facts["timing"].get("compile", 0.0)


def line(name: str, k: int, facts: dict, cpu: float, bad: int) -> str:  # type: ignore[type-arg]
    m = facts["measures"]
    errors = m["query_error"]
    ncp = m["ncp"].get("relational", 0.0)
    counts = " / ".join(
        f"{errors[kind]['mean']:.3f}" if kind in errors else "-" for kind in ("items", "both", "relational")
    )
    return (
        f"| {name} | {k} | {m['groups']['count']} | {ncp:.3f} | {m['transaction']['tncp']:.4f} | "
        f"{m['transaction']['ul']:.3f} | {counts} | {cpu:.1f} | {facts['peak_memory_mb']:.0f} | {bad} |"
    )


HEAD = (
    "| method | k | groups | NCP | TNCP | UL | ARE (0,2) / (1,2) / (2,0) | CPU s | MB | violations |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", nargs="+", type=int, default=[25, 5])
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    args = parser.parse_args()
    attributes: dict[str, object] = {"rid": {"role": "identifier"}}
    attributes |= {name: {"role": "quasi", "scale": scale} for name, scale in QUASI.items()}
    attributes |= {name: {"role": "plain"} for name in ("sex", "marital", "poverty")}
    attributes["diagnosis_codes"] = {"role": "items", "separator": " "}
    print(HEAD, flush=True)
    for k in args.k:
        for name in args.methods:
            plan = {
                "version": 1,
                "attributes": attributes,
                "privacy": [{"model": "kkm-anonymity", "k": k, "m": 2}],
                "partition": METHODS[name],
            }
            with tempfile.TemporaryDirectory() as folder:
                facts, cpu = run(need_shared() / "data" / "informs" / "informs_rt.csv", plan, Path(folder))
                bad = violations(Path(folder) / "out" / "data.csv", k, "diagnosis_codes", " ", list(QUASI))
            print(line(name, k, facts, cpu, bad), flush=True)


if __name__ == "__main__":
    main()
