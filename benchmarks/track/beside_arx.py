"""Whole commands of ours and of ARX's local recoding on the same files, by turns in one run.

    python -m benchmarks.track.beside_arx --jar ARX.jar --hierarchies FOLDER --data adult.csv
        [--pairs 3] [--rows 1000000 3000000] [--k 5 10 50] [--write PAGE]

`--jar` is an ARX library that you have (a class path is fine), `--hierarchies` a folder with one file
`*_COLUMN.csv` per quasi column, as ARX brings them for Adult. Needs `java` and `javac`. Ratios are medians of
pairs of runs, ARX first, then we. Our command also writes a report and audits what it wrote; ARX's reads,
anonymizes and writes. NCP is that of the values which each class covers, suppressed rows count 1.
Bars: Adult at least 6 / 6 / 10 times less CPU at k = 5 / 10 / 50, a million rows 3, three million 2.5.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchmarks.figures import show
from benchmarks.generators.adult_like import adult_like
from benchmarks.track.tables import QUASI, plan_for

DRIVER = Path(__file__).with_name("LocalRecoding.java")
HEAP = "-Xmx6g"


@dataclass(frozen=True)
class Cost:
    cpu: float
    memory: float  # MB
    ncp: float


def spent(words: list[str]) -> tuple[float, float, str]:
    """CPU seconds and largest memory of a command with its children, and what it printed."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.PIPE)
        assert process.stderr is not None
        said = process.stderr.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{words[0]} ended with {process.returncode}:\n{said[-2000:]}")
        out.seek(0)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read().decode()


def ours(data: Path, plan: Path, k: int, folder: Path) -> Cost:
    words = [sys.executable, "-m", "heteronym", "anonymize", str(data), "-c", str(plan), "--k", str(k)]
    cpu, memory, said = spent([*words, "-o", str(folder / "ours"), "--overwrite", "--json", "-q"])
    return Cost(cpu, memory, json.loads(said)["measures"]["ncp"]["relational_covered"])


def theirs(data: Path, delimiter: str, k: int, folder: Path, *, jar: str, hierarchies: Path) -> Cost:
    released = folder / "theirs.csv"
    path = os.pathsep.join([jar, str(folder)])
    words = ["java", HEAP, "-cp", path, "LocalRecoding", str(data), delimiter, str(hierarchies), str(k)]
    cpu, memory, _ = spent([*words, str(released), *QUASI])
    before = pl.read_csv(data, separator=delimiter, infer_schema=False)
    return Cost(cpu, memory, covered_loss(before, pl.read_csv(released, infer_schema=False)))


def covered_loss(before: pl.DataFrame, after: pl.DataFrame) -> float:
    """NCP of the original values in each class of equal labels; rows are in the same order."""
    number = after.select(pl.struct(QUASI).rank("dense")).to_series().alias("class")
    values = before.select(pl.col("age").cast(pl.Int64), *(n for n in QUASI if n != "age"))
    wide = pl.col("age").max() - pl.col("age").min()
    span = values["age"].max() - values["age"].min()  # type: ignore[operator]
    kinds = {name: values[name].n_unique() for name in QUASI}
    several = [pl.col(name).n_unique().alias(name) for name in QUASI if name != "age"]
    by_class = values.with_columns(number).group_by("class")
    losses = by_class.agg(pl.len().alias("rows"), (wide / span).alias("age"), *several).with_columns(
        pl.when(pl.col(name) > 1).then(pl.col(name) / kinds[name]).otherwise(0.0).alias(name)
        for name in QUASI
        if name != "age"
    )
    gone = after.select(pl.all_horizontal(pl.col(name) == "*" for name in QUASI)).to_series()
    lost = number.filter(gone).unique()
    weighed = losses.with_columns(loss=pl.mean_horizontal(QUASI)).with_columns(
        loss=pl.when(pl.col("class").is_in(lost.implode())).then(1.0).otherwise(pl.col("loss"))
    )
    return float((weighed["loss"] * weighed["rows"]).sum() / before.height)


def compared(
    name: str, data: Path, delimiter: str, k: int, plan: Path, folder: Path, given: argparse.Namespace
) -> dict[str, object]:
    pairs = [
        (
            theirs(data, delimiter, k, folder, jar=given.jar, hierarchies=given.hierarchies),
            ours(data, plan, k, folder),
        )
        for _ in range(given.pairs)
    ]
    middle = statistics.median
    return {
        "data": name,
        "k": k,
        "ARX CPU s": f"{middle(a.cpu for a, _ in pairs):.1f}",
        "ours CPU s": f"{middle(b.cpu for _, b in pairs):.1f}",
        "times less": f"{middle(a.cpu / b.cpu for a, b in pairs):.1f}",
        "ARX MB": round(max(a.memory for a, _ in pairs)),
        "ours MB": round(max(b.memory for _, b in pairs)),
        "ARX NCP": pairs[0][0].ncp,
        "ours NCP": pairs[0][1].ncp,
        "pairs": given.pairs,
    }


def all_rows(given: argparse.Namespace) -> list[dict[str, object]]:
    """`given`: jar, hierarchies, data, pairs, rows, k."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(["javac", "-cp", given.jar, "-d", name, str(DRIVER)], check=True)
        plan = plan_for(folder)
        if given.k or given.rows:
            ours(given.data, plan, 10, folder)  # compiles
        found = [compared("Adult", given.data, ";", k, plan, folder, given) for k in given.k]
        for rows in given.rows:
            large = folder / "large.csv"
            adult_like(rows, seed=7).write_csv(large)
            found.append(compared(f"{rows:,} adult-like rows", large, ",", 10, plan, folder, given))
        return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--jar", required=True, help="an ARX library, or a class path that holds one")
    options.add_argument("--hierarchies", type=Path, required=True)
    options.add_argument("--data", type=Path, required=True, help="Adult, with `;` between cells")
    options.add_argument("--pairs", type=int, default=3)
    options.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 3_000_000])
    options.add_argument("--k", type=int, nargs="*", default=[5, 10, 50])
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    show(all_rows(given), name="beside ARX", page=given.write)


if __name__ == "__main__":
    main()
