"""The bars on tables in one go: loss, models on sensitive values, hierarchies, large tables, and other tools.

    python -m benchmarks.studies.table_bars --data adult.csv [--hierarchies FOLDER]
        [--large million.csv three_million.csv] [--pairs 5] [--peers PYTHON] [--random 100]

Adult as docs/data.md says; FOLDER holds `adult_hierarchy_<column>.csv`; large tables have Adult's columns.
`--pairs` compares k alone with k and l on the first of `--large`, in alternating pairs. PYTHON is one with
`anonypy` and `pycanon`: one makes its own releases, the other recomputes k, l and t of ours (it ignores
rows with missing cells; Adult as used here has none). `--random` has it do so for releases of that many
random tables, and asks our auditor: it must pass pycanon's k, l and t, and fail whatever is a little
stricter. Losses do not depend on the machine; seconds do.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import polars as pl

import heteronym as hn
from benchmarks.figures import show
from heteronym.io.plans import make_plan
from heteronym.verify.audit import audit

QUASI = "age workclass education marital-status occupation race sex native-country".split()
SEVEN = [name for name in QUASI if name != "occupation"]
L3 = {"model": "l-diversity", "l": 3, "attribute": "occupation"}
T2 = {"model": "t-closeness", "t": 0.2, "attribute": "occupation"}
CHECK = """
import json, sys
import pandas as pd
from pycanon import anonymity
quasi, sensitive = json.loads(sys.argv[1]), ["occupation"]
for path in sys.argv[3:]:
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    found = {"k": int(anonymity.k_anonymity(frame, quasi))}
    if sys.argv[2] == "sensitive":
        found["l"] = int(anonymity.l_diversity(frame, quasi, sensitive))
        found["t"] = float(anonymity.t_closeness(frame, quasi, sensitive))
    print(json.dumps(found))
"""
ANONYPY = """
import json, sys, time
import anonypy
import pandas as pd
frame = pd.read_csv(sys.argv[1])
quasi, l = json.loads(sys.argv[2]), int(sys.argv[3])
for name in frame.columns:
    if name != "age":
        frame[name] = frame[name].astype("category")
sizes = {name: frame[name].nunique() for name in quasi}
width = frame["age"].max() - frame["age"].min()
preserver = anonypy.Preserver(frame, quasi, "occupation" if l else "salary-class")
k, start = int(sys.argv[4]), time.process_time()
rows = preserver.anonymize_l_diversity(k=k, l=l) if l else preserver.anonymize_k_anonymity(k=k)
seconds = time.process_time() - start
lost = persons = 0.0
groups = {}
for row in rows:
    # a label is a list of one text: "19-30", or values behind commas
    labels = (row[name] for name in quasi)
    key = tuple(",".join(map(str, one)) if isinstance(one, list) else str(one) for one in labels)
    groups[key] = groups.get(key, 0) + row["count"]
for key, count in groups.items():
    for name, label in zip(quasi, key):
        if name == "age":
            ends = [float(end) for end in label.split("-")]
            lost += count * (ends[-1] - ends[0]) / width
        else:
            names = label.split(",")
            lost += count * (len(names) / sizes[name] if len(names) > 1 else 0)
    persons += count
print(json.dumps({"loss": lost / persons / len(quasi), "persons": persons, "seconds": seconds}))
"""


def plan(quasi: list[str], k: int, *models: dict[str, Any], trees: Path | None = None) -> dict[str, Any]:
    attributes: dict[str, dict[str, Any]] = {name: {"role": "quasi"} for name in quasi}
    for name in quasi:
        if trees is not None:
            attributes[name]["hierarchy"] = str(trees / f"adult_hierarchy_{name}.csv")
        elif name == "age":
            attributes[name]["scale"] = "numeric"
    for name in ("occupation", "salary-class"):
        attributes.setdefault(name, {"role": "sensitive"})
    return {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": k}, *models]}


class Bars:
    """Runs, and one row of the table for each."""

    def __init__(self, folder: Path, peers: str | None) -> None:
        self.folder, self.peers, self.rows = folder, peers, list[dict[str, Any]]()

    def add(self, **figures: Any) -> None:
        names = ("what", "loss", "bar", "met", "holds", "search s", "pycanon")
        self.rows.append({name: figures.get(name.replace(" ", "_"), "") for name in names})
        print(json.dumps(self.rows[-1]), flush=True)

    def run(
        self, what: str, data: pl.DataFrame, told: dict[str, Any], bar: float, key: str = "relational"
    ) -> None:
        release = hn.anonymize(data, told)
        loss = release.measures["ncp"][key]
        self.add(
            what=what,
            loss=loss,
            bar=bar,
            met=loss <= bar,
            holds=release.verdict.holds,
            search_s=release.facts["timing"]["partition"],
            pycanon=self._recomputed(release, told),
        )

    def _recomputed(self, release: Any, told: dict[str, Any]) -> str:
        """What pycanon says of k, l and t, and whether that agrees with the auditor and the promise."""
        data = release.data
        if self.peers is None or data.height > 100_000:
            return ""
        if sum(data.null_count().row(0)):
            return "not asked: it ignores rows with missing cells"
        path = self.folder / "release.csv"
        data.write_csv(path)
        quasi = [name for name, said in told["attributes"].items() if said["role"] == "quasi"]
        kind = "sensitive" if len(told["privacy"]) > 1 else "size"
        [found] = asked(self.peers, quasi, kind, [path])
        by_model = {model.model: model for model in release.verdict.models}
        agrees = found["k"] == by_model["k-anonymity"].smallest_group
        for name, model in by_model.items():
            if name == "l-diversity":
                agrees &= found["l"] >= model.parameters["l"]
            if name == "t-closeness":
                agrees &= found["t"] <= model.parameters["t"] + 1e-9
        said = ", ".join(f"{name} = {value:.4g}" for name, value in found.items())
        return f"{said}: {'agrees' if agrees else 'DISAGREES'}"

    def peer(self, what: str, data: pl.DataFrame, quasi: list[str], *, diverse: int, k: int) -> None:
        if self.peers is None:
            return
        path = self.folder / "data.csv"
        data.write_csv(path)
        command = [self.peers, "-c", ANONYPY, str(path), json.dumps(quasi), str(diverse), str(k)]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = json.loads(out)
        self.add(what=f"anonypy: {what}", loss=found["loss"], search_s=found["seconds"])


def asked(peers: str, quasi: list[str], kind: str, paths: list[Path]) -> list[dict[str, Any]]:
    """What pycanon says of these releases."""
    command = [peers, "-c", CHECK, json.dumps(quasi), kind, *map(str, paths)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def agreements(folder: Path, peers: str, count: int) -> dict[str, object]:
    """Of so many random releases, for how many our auditor draws the lines where pycanon does."""
    quasi, releases, paths = ["age", "sex", "race"], [], []
    for seed in range(count):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(20, 300))
        columns = {"age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows)}
        columns |= {"race": rng.choice(["a", "b", "c"], rows), "occupation": rng.choice(list("vwxyz"), rows)}
        told = random_plan(quasi, int(rng.integers(2, 6)))
        told["privacy"] += [[], [{**L3, "l": 2}], [{**T2, "t": 0.4}]][seed % 3]
        releases.append(hn.anonymize(pl.DataFrame(columns), told).data)
        paths.append(folder / f"random{seed}.csv")
        releases[-1].write_csv(paths[-1])
    agreed = 0
    for data, found in zip(releases, asked(peers, quasi, "sensitive", paths), strict=True):
        lines = [("k-anonymity", "k", found["k"], 1), ("l-diversity", "l", found["l"], 1)]
        lines += [("t-closeness", "t", found["t"], -1e-6)]
        agreed += all(
            _holds(data, quasi, *line[:3]) for line in lines if line[2] > 1 or line[1] == "t"
        ) and not any(
            _holds(data, quasi, model, key, value + more) for model, key, value, more in lines if value > 0
        )
    return {"random releases": count, "pycanon and the auditor agree on k, l and t": agreed}


def random_plan(quasi: list[str], k: int) -> dict[str, Any]:
    attributes: dict[str, Any] = {name: {"role": "quasi"} for name in quasi}
    attributes["age"] = {"role": "quasi", "scale": "numeric"}
    attributes["occupation"] = {"role": "sensitive"}
    return {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": k}]}


def _holds(data: pl.DataFrame, quasi: list[str], model: str, key: str, value: float) -> bool:
    told = random_plan(quasi, 2)
    about = {} if model == "k-anonymity" else {"attribute": "occupation"}
    told["privacy"] = [{"model": model, key: value, **about}]
    return audit(data, make_plan(told)).models[0].holds is True


def read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, separator=";").select([*QUASI, "salary-class"])


def ratio(data: pl.DataFrame, pairs: int) -> float:
    """CPU seconds of the search for k and l by those for k alone: median over alternating pairs."""
    plans = plan(SEVEN, 10), plan(SEVEN, 10, L3)
    for told in plans:  # compiles
        hn.anonymize(data.head(2000), told)
    found = []
    for _ in range(pairs):
        alone, both = (hn.anonymize(data, told).facts["timing"]["partition"] for told in plans)
        found.append(both / alone)
        print(json.dumps({"k alone": alone, "k and l": both}), flush=True)
    return median(found)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path)
    options.add_argument("--hierarchies", type=Path)
    options.add_argument("--large", type=Path, nargs="*", default=[], help="a million rows, three million")
    options.add_argument("--pairs", type=int, default=0)
    options.add_argument("--peers", help="an interpreter with anonypy and pycanon")
    options.add_argument("--random", type=int, default=0, help="random releases that pycanon recomputes")
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    if given.data is None and not (given.random and given.peers):
        options.error("--data is required, or --random with --peers")
    if given.random and given.peers:
        with tempfile.TemporaryDirectory() as name:
            row = agreements(Path(name), given.peers, given.random)
        show([row], name="pycanon", page=given.write)
    if given.data is not None:
        run_bars(given)


def run_bars(given: argparse.Namespace) -> None:
    adult = read(given.data)
    with tempfile.TemporaryDirectory() as name:
        bars = Bars(Path(name), given.peers)
        for k, bar in ((5, 0.0266), (10, 0.0475), (50, 0.121)):
            bars.run(f"Adult, k = {k}", adult, plan(QUASI, k), bar)
            bars.peer(f"k = {k}", adult, QUASI, diverse=0, k=k)
        if given.hierarchies is not None:
            for k, bar in ((5, 0.064), (10, 0.088), (50, 0.165)):
                told = plan(QUASI, k, trees=given.hierarchies.resolve())
                bars.run(f"eight hierarchies, k = {k}", adult, told, bar, "relational_published")
        bars.run("k = 10, l = 3", adult, plan(SEVEN, 10, L3), 0.030)
        bars.peer("k = 10, l = 3", adult, SEVEN, diverse=3, k=10)
        bars.run("k = 10, t = .2", adult, plan(SEVEN, 10, T2), 0.39)
        for path, bar in zip(given.large, (0.0103, 0.006), strict=False):
            large = read(path)
            bars.run(f"{large.height} rows, k = 10", large, plan(QUASI, 10), bar)
        if given.pairs and given.large:
            value = ratio(read(given.large[0]), given.pairs)
            bars.add(what="seconds for k and l by those for k", loss=value, bar=2.0, met=value <= 2)
        show(bars.rows, name="table-bars", page=given.write)


if __name__ == "__main__":
    main()
