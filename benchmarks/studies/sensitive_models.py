"""What do models about sensitive values cost on Adult, and do other tools see them hold?

    python -m benchmarks.studies.sensitive_models --data adult.csv [--peers PYTHON]

Adult, occupation sensitive, the other seven quasi, k = 10. With --peers, PYTHON is an interpreter that has
`pycanon` and `anonypy`: pycanon recomputes k, l and t of our releases, anonypy makes its own for l = 3.
NCP is ours for all: numeric range / domain range, categorical 0 for one value, else values / domain values.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import polars as pl

import heteronym as hn

QUASI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
MODELS: dict[str, list[dict[str, Any]]] = {
    "k = 10": [],
    "l = 3 distinct": [{"model": "l-diversity", "l": 3, "attribute": "occupation"}],
    "l = 3 entropy": [{"model": "l-diversity", "l": 3, "kind": "entropy", "attribute": "occupation"}],
    "c = 2, l = 3 recursive": [
        {"model": "l-diversity", "l": 3, "kind": "recursive", "c": 2.0, "attribute": "occupation"}
    ],
    "t = .2 equal": [{"model": "t-closeness", "t": 0.2, "attribute": "occupation"}],
    "alpha = .4": [{"model": "alpha-k-anonymity", "alpha": 0.4, "k": 10, "attribute": "occupation"}],
    "beta = 2": [{"model": "beta-likeness", "beta": 2.0, "attribute": "occupation"}],
}
CHECK = """
import json, sys
import pandas as pd
from pycanon import anonymity
frame = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
quasi, sensitive = json.loads(sys.argv[2]), ["occupation"]
print(json.dumps({
    "k": int(anonymity.k_anonymity(frame, quasi)),
    "l": int(anonymity.l_diversity(frame, quasi, sensitive)),
    "t": float(anonymity.t_closeness(frame, quasi, sensitive)),
}))
"""
ANONYPY = """
import sys, time
import anonypy
import pandas as pd
frame = pd.read_csv(sys.argv[1], sep=";")
quasi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
for name in frame.columns:
    if name != "age":
        frame[name] = frame[name].astype("category")
began = time.process_time()
rows = anonypy.Preserver(frame, quasi, "occupation").anonymize_l_diversity(k=10, l=3)
spent = time.process_time() - began
sizes = {name: frame[name].nunique() for name in quasi}
span = frame["age"].max() - frame["age"].min()
loss = people = 0
for row in rows:
    count = row["count"]
    people += count
    for name in quasi:
        cell = str(row[name][0] if isinstance(row[name], list) else row[name])
        if name == "age":
            low, _, high = cell.partition("-")
            loss += count * ((float(high) - float(low)) / span if high else 0)
        else:
            values = len(cell.split(","))
            loss += count * (values / sizes[name] if values > 1 else 0)
print(f"anonypy l = 3: NCP {loss / people / len(quasi):.4f}, {spent:.0f} CPU s")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="Adult; docs/data.md says where it is")
    parser.add_argument("--peers")
    options = parser.parse_args()
    peers, data = options.peers, options.data
    frame = pl.read_csv(data, separator=";", infer_schema=False)
    attributes: dict[str, Any] = {name: {"role": "quasi"} for name in QUASI}
    attributes["age"]["scale"] = "numeric"
    attributes |= {"occupation": {"role": "sensitive"}, "salary-class": {"role": "plain"}}
    hn.anonymize(frame.head(100), {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 10}]})
    print("| models | NCP | groups | CPU s | pycanon k, l, t |\n|---|---|---|---|---|")
    for name, models in MODELS.items():
        began = time.process_time()
        plan = {"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 10}, *models]}
        release = hn.anonymize(frame, plan)
        spent = time.process_time() - began
        seen = ""
        if peers:
            with tempfile.TemporaryDirectory() as folder:
                release.data.write_csv(Path(folder) / "release.csv")
                command = [peers, "-c", CHECK, str(Path(folder) / "release.csv"), json.dumps(QUASI)]
                found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
                seen = f"{found['k']}, {found['l']}, {found['t']:.3f}"
        loss, groups = release.measures["ncp"]["relational"], release.measures["groups"]["count"]
        print(f"| {name} | {loss:.4f} | {groups} | {spent:.1f} | {seen} |", flush=True)
    if peers:
        subprocess.run([peers, "-c", ANONYPY, str(data)], check=True)


if __name__ == "__main__":
    main()
