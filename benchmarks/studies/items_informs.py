"""What does each method cost on INFORMS, and what does it lose? (paper 002, section 6)

    python -m benchmarks.studies.items_informs [--data informs_rt.csv] [--k 25 5] [--methods r t rt ...]
        [--delta 0.65] [--write PAGE]

Without `--data` (docs/data.md says how the file looks) 26,735 patients-like records stand for INFORMS.

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
from itertools import product
from pathlib import Path

from benchmarks.figures import write
from benchmarks.generators.baskets_like import patients_like
from heteronym.verify.labels import split_entries

QUASI = {"month_of_birth": "numeric", "year_of_birth": "numeric", "race": "nominal"} | {
    "years_of_education": "numeric",
    "income": "numeric",
}
METHODS: dict[str, dict[str, object]] = {
    "r": {"method": "rum-bound", "merge": "r"},
    "t": {"method": "rum-bound", "merge": "t"},
    "rt": {"method": "rum-bound", "merge": "rt"},
    "top-down": {"method": "rum-bound", "merge": "top-down"},
    "tum r": {"method": "tum-bound", "merge": "r"},
    "tum t": {"method": "tum-bound", "merge": "t"},
    "tum rt": {"method": "tum-bound", "merge": "rt"},
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
    parser.add_argument("--delta", nargs="+", type=float, default=[0.65])
    parser.add_argument("--data", type=Path, help="the real INFORMS; left out: records like it")
    parser.add_argument("--size", type=int, default=26_735, help="records that stand for INFORMS")
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.data is None:
            patients_like(args.size).write_csv(Path(folder) / "patients.csv")
        data = args.data or Path(folder) / "patients.csv"
        name = "informs" if args.data else "patients-like"
        study(data, args.k, args.methods, args.delta, page=args.write, name=name)


def informs_attributes(data: Path) -> dict[str, object]:
    """What the columns of a file like INFORMS are."""
    attributes: dict[str, object] = {"rid": {"role": "identifier"}}
    attributes |= {name: {"role": "quasi", "scale": scale} for name, scale in QUASI.items()}
    with data.open(newline="") as file:
        names = next(csv.reader(file))
    attributes |= {name: {"role": "plain"} for name in ("sex", "marital", "poverty") if name in names}
    return attributes | {"diagnosis_codes": {"role": "items", "separator": " "}}


def study(
    data: Path,
    ks: list[int],
    methods: list[str],
    deltas: list[float],
    *,
    page: Path | None,
    name: str,
) -> list[str]:
    """One line per run, printed and written as it is found."""
    attributes = informs_attributes(data)
    print(HEAD, flush=True)
    rows = []
    for k, called in product(ks, methods):
        bounded = METHODS[called]["method"] in ("rum-bound", "tum-bound")
        for delta in deltas if bounded else [None]:
            plan = {
                "version": 1,
                "attributes": attributes,
                "privacy": [{"model": "kkm-anonymity", "k": k, "m": 2}],
                "partition": METHODS[called] | ({"delta": delta} if bounded else {}),
            }
            with tempfile.TemporaryDirectory() as folder:
                facts, cpu = run(data, plan, Path(folder))
                bad = violations(Path(folder) / "out" / "data.csv", k, "diagnosis_codes", " ", list(QUASI))
            rows.append(line(called if delta is None else f"{called}, {delta:g}", k, facts, cpu, bad))
            print(rows[-1], flush=True)
            if page is not None:
                write(page, name, "\n".join([HEAD, *rows]))
    return rows


if __name__ == "__main__":
    main()
