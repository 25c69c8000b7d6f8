"""All bars on speed in one table: what is asked, what was measured, whether it is met.

    python -m benchmarks.track.bars [--only start --only items] [--scale 1.0] [--write PAGE]
        [--kept FILE] [--jar ARX.jar --hierarchies FOLDER --data adult.csv] [--pairs 3]

Parts: arx (with `--jar`), tables, persons, notes, items, excel, start, install. Each measures whole
commands with the benchmark of its name in this folder, which shows more figures. With `--kept FILE` rows that
were measured before stay in the table until their part is measured again. `--scale` makes sizes smaller, to
see that all runs; the bars are those of the whole sizes.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import show
from benchmarks.track import beside_arx, commands, growth, install, start

Row = dict[str, object]


def bar(what: str, asked: float, found: float, unit: str = "", *, least: bool = False) -> Row:
    met = found >= asked if least else found <= asked
    return {
        "bar": what,
        "asked": f"{'at least' if least else 'at most'} {asked:g}{unit}",
        "measured": f"{found:.3g}{unit}",
        "met": "yes" if met else "no",
    }


def number(cell: object) -> float:
    return float(str(cell).replace(",", ""))


def arx(given: argparse.Namespace) -> list[Row]:
    if given.jar is None:
        return []
    given.k, given.rows = [5, 10, 50], [int(n * given.scale) for n in (1_000_000, 3_000_000)]
    rows = beside_arx.all_rows(given)
    asked = [6.0, 6.0, 10.0, 3.0, 2.5]
    found = []
    for row, times in zip(rows, asked, strict=True):
        what = f"times less CPU than ARX: {row['data']}, k = {row['k']}"
        found.append(bar(what, times, number(row["times less"]), least=True))
    return found


def tables(given: argparse.Namespace) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        (row,) = growth.tables_grown(Path(name), [int(10_000_000 * given.scale)])["adult-like"]
    return [
        bar("ten million rows: CPU", 100, number(row["CPU s"]), " s"),
        bar("ten million rows: memory", 5, number(row["peak MB"]) / 1000, " GB"),
    ]


def persons(given: argparse.Namespace) -> list[Row]:
    found: list[Row] = []
    sizes = [int(20_000 * given.scale), int(80_000 * given.scale)]
    with tempfile.TemporaryDirectory() as name:
        runs = growth.blogs_grown(Path(name), sizes)
    for method, (_, large, exponents) in runs.items():
        steepest = max(_exponents(exponents, *growth.STEPS), default=0.0)
        found += [
            bar(f"80,000 persons, {method}: CPU", 40, number(large["CPU s"]), " s"),
            bar(f"80,000 persons, {method}: memory", 2.5, number(large["peak MB"]) / 1000, " GB"),
            bar(f"80,000 persons, {method}: steepest step's exponent", 1.15, steepest),
        ]
    return found


def notes(given: argparse.Namespace) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        fast, accurate, again = commands.notes(Path(name), given.scale)
    found = []
    for model, row, most in (("fast", fast, 80), ("accurate", accurate, 160)):
        found += [
            bar(f"10,000 notes, {model}: CPU", most, number(row["CPU s"]), " s"),
            bar(f"10,000 notes, {model}: wall of CPU", 0.6, number(row["wall / CPU"])),
            bar(f"10,000 notes, {model}: steps of CPU", 0.95, number(row["steps / CPU"]), least=True),
        ]
    return [*found, bar("10,000 notes again, from the cache: CPU", 10, number(again["CPU s"]), " s")]


def items(given: argparse.Namespace) -> list[Row]:
    sizes = [int(33_000 * given.scale), int(132_000 * given.scale)]
    with tempfile.TemporaryDirectory() as name:
        one, two = growth.items_grown(Path(name), sizes).values()
    cpu = [number(run[1]["CPU s"]) for run in (one, two)]
    steepest = [max(_exponents(run[2], *growth.STEPS, "CPU s"), default=0.0) for run in (one, two)]
    return [
        bar("132,000 baskets, m = 2: CPU", 20, cpu[1], " s"),
        bar("132,000 baskets, m = 1 of m = 2", 0.6, cpu[0] / cpu[1]),
        *(bar(f"132,000 baskets, m = {m}: steepest exponent", 1.2, steepest[m - 1]) for m in (1, 2)),
    ]


def _exponents(row: Row, *names: str) -> list[float]:
    """Of what takes long enough to have one."""
    return [number(row[name]) for name in names if row[name]]


def excel(given: argparse.Namespace) -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        (row,) = commands.excel(Path(name), given.scale)
    return [bar("a million rows of Excel: CPU", 40, number(row["CPU s"]), " s")]


def started(given: argparse.Namespace) -> list[Row]:
    rows = [row for row in start.all_rows(5) if row["bar"]]
    return [bar(f"{row['what']}: CPU", number(row["bar"]), number(row["CPU s"]), " s") for row in rows]


def installed(given: argparse.Namespace) -> list[Row]:
    rows = install.all_rows()
    row = bar("installation", 700, number(rows[-1]["MB"]), " MB")
    if row["met"] == "no" and all(one["what for"] != install.UNKNOWN for one in rows):
        row["met"] = "by reasons"  # or the measured reason for every package above 30 MB
    return [row]


PARTS: dict[str, Callable[[argparse.Namespace], list[Row]]] = {
    "arx": arx, "tables": tables, "persons": persons, "notes": notes, "items": items, "excel": excel,
    "start": started, "install": installed,
}  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--only", action="append", choices=list(PARTS))
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--kept", type=Path, metavar="FILE")
    options.add_argument("--jar")
    options.add_argument("--hierarchies", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--pairs", type=int, default=3)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    found: dict[str, list[Row]] = {}
    if given.kept is not None and given.kept.exists():
        found = json.loads(given.kept.read_text("utf-8"))
    for part in given.only or PARTS:
        found[part] = PARTS[part](given) or found.get(part, [])
        if given.kept is not None:
            given.kept.write_text(json.dumps(found, indent=1), "utf-8")
    show([row for part in PARTS for row in found.get(part, [])], name="bars", page=given.write)


if __name__ == "__main__":
    main()
