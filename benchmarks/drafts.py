"""What drafts of messy records leave when they are carried out as they are, one line per data set.

    python -m benchmarks.drafts --kind chats,orders --persons 300 --seed 1,5 [--for research] [--show]

`profile`, `anonymize` with the draft and `verify` run as commands of their own on data of
`tools/make_trial.py`; `tools/count_trial.py` of the shared data counts with the truth about what was planted.
Identifiers left are told apart by whether the value also stands in a column of the person (`own`, must be 0)
or not (`others`, at most 2 % of all). `--show` prints what is left and the words around it: all data are
made up.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).parents[2] / "shared"))
KINDS = ("visits", "survey", "tickets", "chats", "orders", "incidents")
_KEPT = ("vital", "dose", "lab", "measure", "eponym", "time", "duration", "word")


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SHARED / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*words: str) -> tuple[int, str, float]:
    """Exit code, what was said, and CPU seconds with all processes beside."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", "heteronym", *words], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout + done.stderr, seconds


def tokens(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def own_values(rows: list[dict[str, str]], columns: dict[str, Any]) -> set[str]:
    """Words of a person's identifier columns."""
    found: set[str] = set()
    for row in rows:
        for name, cell in row.items():
            about = columns.get(re.sub(r"\.\d+\.", ".*.", name), {"is": "plain"})
            if about["is"] == "identifier":
                found |= tokens(cell) | {"".join(re.findall(r"\w", cell.casefold()))}
    return found


def line(
    folder: Path, kind: str, persons: int, seed: int, purpose: str, *, show: bool, flat: bool
) -> Iterator[str]:
    data = folder / "data"
    make = [
        sys.executable,
        str(SHARED / "tools" / "make_trial.py"),
        "--kind",
        kind,
        "--persons",
        str(persons),
    ]
    subprocess.run(
        [*make, "--seed", str(seed), "--out", str(data), *(["--flat"] if flat else [])],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    file, plan, out, own = (
        next(data.glob("data.*")),
        folder / "plan.yaml",
        folder / "release",
        folder / "owner",
    )
    name = f"{kind}{' flat' if flat else ''} {persons} seed {seed}"
    code, said, first = run("profile", str(file), "-o", str(plan), "--for", purpose, "--overwrite")
    if code:
        yield f"{name}: profile {code}: {said[-800:]}"
        return
    code, said, second = run(
        "anonymize", str(file), "-c", str(plan), "-o", str(out), "--private", str(own), "--overwrite"
    )
    if code:
        yield f"{name}: anonymize {code}, CPU {second:.0f}: {said[-1500:]}"
        return
    verified, said, third = run("verify", str(out), "--against", str(file), "--private", str(own))
    count_trial = tool("count_trial")
    truth = json.loads((data / "truth.json").read_text("utf-8"))
    layout = truth["file"]
    original = count_trial.read_table(file, layout.get("delimiter"), layout["encoding"])
    released, pairs = count_trial.read_release(out), count_trial.read_pairs(own)
    found = count_trial.count(original, released, pairs, truth)
    facts = json.loads((out / "facts.json").read_text("utf-8"))
    beside = sum(s for step, s in facts["timing"].items() if step != "scan" and isinstance(s, (int, float)))
    spent = f"CPU {first:.0f} + {second:.0f} + {third:.0f}, anonymize without scan {beside:.0f}"
    yield f"{name}: exit {verified}, {counted(found, truth, original)}, {spent}"
    if show:
        yield from left(found, truth, original, released)


def counted(found: dict[str, Any], truth: dict[str, Any], original: list[dict[str, str]]) -> str:
    """All counts on one line."""
    words, told = found["words"], []
    kept = words["all kept"] / max(words["all"], 1), words["neutral kept"] / max(words["neutral"], 1)
    told.append(f"words {kept[0]:.3f} ({kept[1]:.3f} unplanted)")
    planted = sum(c["planted"] for (of, _), c in found["places"].items() if of == "identifier")
    by_person = defaultdict(list)
    who = {row["row"]: row["person"] for row in truth["rows"]}
    for number, row in enumerate(original, 1):
        by_person[who[number]].append(row)
    mine, others = Counter[str](), Counter[str]()
    for _, source, _, kind, _, value in found["shown"]:
        known = own_values(by_person[who[source]], truth["columns"])
        is_own = tokens(value) <= known or "".join(re.findall(r"\w", value.casefold())) in known
        (mine if is_own else others)[kind] += 1
    for title, of in (("own", mine), ("others", others)):
        kinds = ", ".join(f"{kind} {n}" for kind, n in of.most_common())
        told.append(f"{title} {of.total()}{f' ({kinds})' if kinds else ''}")
    told.append(f"of {planted}: {100 * others.total() / max(planted, 1):.1f} %")
    for name, c in found["items"].items():
        told.append(f"{name} {c['same'] / c['before']:.2f}+{c['in a label'] / c['before']:.2f}")
    stay = [
        f"{kind} {100 * c['left'] / c['planted']:.1f}"
        for kind, c in found["survival"].items()
        if kind in _KEPT
    ]
    told.append("kept " + ", ".join(stay))
    single = [
        name
        for name, c in found["labels"].items()
        if c["after"] is not None and c["after"] < 2 <= c["before"]
    ]
    told.append(f"single {single or 'none'}")
    gone = [
        n
        for n, c in found["labels"].items()
        if c["is"] in ("sensitive", "plain")
        and c["after"]
        and c["unchanged"] < found["rows"]["released"] * 0.999
        and n in truth["columns"]
    ]
    told.append(f"changed {gone}")
    asked = found["question"]
    if isinstance(asked["before"], dict):
        told.append(
            f"question {asked['before'].get('accuracy', 0):.3f} -> {asked['after'].get('accuracy', 0):.3f}"
        )
    else:
        told.append(f"question {asked['before'][0]} -> {asked['after']}")
    return ", ".join(told)


def left(
    found: dict[str, Any],
    truth: dict[str, Any],
    original: list[dict[str, str]],
    released: list[dict[str, str]],
) -> Iterator[str]:
    """What is left, with its surroundings, and what of the things that must survive did not."""
    marks = {row["row"]: row["places"] for row in truth["rows"]}
    for number, source, column, kind, whose, value in found["shown"]:
        at = next(
            m["start"]
            for m in marks[source]
            if m["column"] == column and original[source - 1][column][m["start"] : m["end"]] == value
        )
        text = original[source - 1][column]
        around = text[max(0, at - 40) : at + len(value) + 30]
        now = released[number - 1].get(column, "")[:160]
        yield f"  LEFT {kind} of {whose} {value!r} in {around!r} -> {now!r}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drafts")
    parser.add_argument("--kind", default=",".join(KINDS))
    parser.add_argument("--persons", default="300")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--for", dest="purpose", default="research")
    parser.add_argument("--flat", action="store_true", help="tickets without nested objects")
    parser.add_argument("--show", action="store_true", help="also what is left")
    parser.add_argument("--keep", type=Path, help="a folder for data, plans and releases")
    args = parser.parse_args()
    for kind in args.kind.split(","):
        for persons in map(int, args.persons.split(",")):
            for seed in map(int, args.seed.split(",")):
                with tempfile.TemporaryDirectory() as scratch:
                    folder = Path(scratch) if args.keep is None else args.keep / f"{kind}-{persons}-{seed}"
                    folder.mkdir(parents=True, exist_ok=True)
                    for text in line(
                        folder, kind, persons, seed, args.purpose, show=args.show, flat=args.flat
                    ):
                        print(text, flush=True)


if __name__ == "__main__":
    main()
