"""Does BTD order clusters as well as the loss itself, how much faster, and does UL fall along merges?

    python -m benchmarks.studies.items_orderings [--data informs_rt.csv] [--rows 4000] [--write PAGE]

First 4,000 rows of INFORMS (or patients-like records), k = 25, m = 2, as in the paper's Figures 7c to 7h.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.figures import show
from benchmarks.generators.baskets_like import patients_like
from benchmarks.studies.items_informs import QUASI
from heteronym.encode import encode
from heteronym.itemsets.blocks import Transactions
from heteronym.model.dataset import Dataset
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.schema import Attribute, Role, Schema
from heteronym.partition._clusters import compile_kernels, covers_of, join_equal, k_member_clusters
from heteronym.partition._merge import Budget, Clusters, merge_clusters, state_after, table_tum
from heteronym.partition.rum_bound import RumBound
from heteronym.privacy.kkm_anonymity import KkmAnonymity

MODELS = [KkmAnonymity(25, 2)]


def view(data: Path | None, rows: int) -> PersonView:
    frame = patients_like(rows) if data is None else pl.read_csv(data, infer_schema=False).head(rows)
    attributes = {name: Attribute(role=Role.QUASI, scale=scale) for name, scale in QUASI.items()}
    attributes["diagnosis_codes"] = Attribute(role=Role.ITEMS, separator=" ")
    return encode(Dataset(Schema(attributes), frame.select(list(attributes))))


def orderings(data: PersonView) -> list[dict[str, object]]:
    transactions = Transactions(data, ItemPromise(25, 2))
    rows: list[dict[str, object]] = []
    for merge in ("t", "rt"):
        for order in ("btd", "exact"):
            begin = time.process_time()
            part = RumBound(merge=merge, order=order, delta=0.65)  # type: ignore[arg-type]
            found = part.partition(data, models=MODELS, rng=np.random.default_rng(0))
            seconds = time.process_time() - begin
            cluster = found.group.astype(np.int64)
            rows.append(
                {
                    "merge": merge,
                    "order": order,
                    "groups": found.count,
                    "UL": round(table_tum(cluster, transactions, "ul", effort=1.0), 4),
                    "TNCP": round(table_tum(cluster, transactions, "tncp", effort=1.0), 4),
                    "CPU s": round(seconds, 2),
                }
            )
    return rows


def along_merges(data: PersonView) -> list[dict[str, object]]:
    """UL and TNCP after shares of all merges, and the best so far, which is what is kept."""
    transactions = Transactions(data, ItemPromise(25, 2))
    covers = covers_of(data)
    start = k_member_clusters(data, covers, MODELS, np.random.default_rng(0), greedy=False)
    rows: list[dict[str, object]] = []
    for merge in ("r", "t", "rt"):
        clusters = Clusters(covers, start, None if merge == "r" else transactions)
        budget = Budget(clusters, "ncp", 1.0, 25)
        merge_clusters(clusters, budget, merge, bounded=True)  # type: ignore[arg-type]
        best = np.inf
        for share in (0.0, 0.25, 0.5, 0.75, 0.9, 1.0):
            state = join_equal(
                covers, state_after(start, clusters.joins[: round(share * len(clusters.joins))])
            )
            loss = table_tum(state, transactions, "ul", effort=1.0)
            best = min(best, loss)
            tncp = table_tum(state, transactions, "tncp", effort=1.0)
            rows.append(
                {
                    "merge": merge,
                    "merged": share,
                    "UL": round(loss, 4),
                    "kept": round(best, 4),
                    "TNCP": round(tncp, 4),
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, help="the real INFORMS; left out: records like it")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    compile_kernels()
    data = view(args.data, args.rows)
    show(along_merges(data), name="along merges", page=args.write)
    show(orderings(data), name="orderings", page=args.write)


if __name__ == "__main__":
    main()
