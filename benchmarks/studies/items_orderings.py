"""Does BTD order clusters as well as the loss itself, how much faster, and does UL fall along merges?

    python -m benchmarks.studies.items_orderings [--data informs_rt.csv] [--rows 4000] [--write PAGE]

First 4,000 rows of INFORMS (or patients-like records), k = 25, m = 2, as in the paper's Figures 7c to 7h.
TMERGE chooses clusters as RMERGE does, so one path of merges answers for Figures 7g and 7h.
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
from heteronym.partition._clusters import Clusters, covers_of, k_member_clusters
from heteronym.partition._leave_out import loss_of
from heteronym.partition._merge import Budget, TumCache, TumWalk, merge_clusters
from heteronym.partition.rum_bound import RumBound
from heteronym.partition.tum_bound import TumBound
from heteronym.privacy.kkm_anonymity import KkmAnonymity

K, M = 25, 2
MODELS = [KkmAnonymity(K, M)]
PARTS = {"rum-bound, .65": (RumBound, 0.65), "tum-bound, .4": (TumBound, 0.4)}


def view(data: Path | None, rows: int) -> PersonView:
    frame = patients_like(rows) if data is None else pl.read_csv(data, infer_schema=False).head(rows)
    attributes = {name: Attribute(role=Role.QUASI, scale=scale) for name, scale in QUASI.items()}
    attributes["diagnosis_codes"] = Attribute(role=Role.ITEMS, separator=" ")
    return encode(Dataset(Schema(attributes), frame.select(list(attributes))))


def orderings(data: PersonView) -> list[dict[str, object]]:
    transactions, covers = Transactions(data, ItemPromise(K, M)), covers_of(data)
    rows: list[dict[str, object]] = []
    for name, (part, delta) in PARTS.items():
        for merge in ("t", "rt"):
            for order in ("btd", "exact"):
                begin = time.process_time()
                method = part(merge=merge, order=order, delta=delta)  # type: ignore[operator]
                found = method.partition(data, models=MODELS, rng=np.random.default_rng(0))
                seconds = time.process_time() - begin
                cluster = found.group.astype(np.int64)
                rows.append(
                    {
                        "method": name,
                        "merge": merge,
                        "order": order,
                        "groups": found.count,
                        "NCP": loss_of(found, covers) / data.persons,
                        "UL": TumCache(transactions, "ul", 1.0).of(cluster),
                        "TNCP": TumCache(transactions, "tncp", 1.0).of(cluster),
                        "CPU s": f"{seconds:.1f}",
                    }
                )
    return rows


def along_merges(data: PersonView) -> list[dict[str, object]]:
    """UL after every merge until one cluster is left: where it starts and ends, and how often it rises."""
    covers = covers_of(data)
    start = k_member_clusters(data, covers, MODELS, np.random.default_rng(0), greedy=False)
    rows: list[dict[str, object]] = []
    for objective in ("tncp", "ul"):
        transactions = Transactions(data, ItemPromise(K, M), objective=objective)  # type: ignore[arg-type]
        for merge in ("r", "t", "rt"):
            clusters = Clusters(covers, start, None if merge == "r" else transactions)
            walk = TumWalk(clusters, TumCache(transactions, "ul", 1.0))
            losses = [walk.value]

            def note(walk: TumWalk = walk, losses: list[float] = losses) -> bool:
                losses.append(walk.follow())
                return False

            budget = Budget(clusters, "ncp", np.inf, K)
            merge_clusters(clusters, budget, merge, after_join=note)
            steps = np.diff(losses)
            rows.append(
                {
                    "blocks by": objective,
                    "merge": merge,
                    "first": losses[0],
                    "half of the merges": losses[len(losses) // 2],
                    "least": min(losses),
                    "last": losses[-1],
                    "merges": len(steps),
                    "rises": int((steps > 1e-9).sum()),
                    "largest rise": float(max(steps.max(initial=0.0), 0.0)),
                }
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, help="the real INFORMS; left out: records like it")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    data = view(args.data, args.rows)
    show(along_merges(data), name="along merges", page=args.write)
    show(orderings(data), name="orderings", page=args.write)


if __name__ == "__main__":
    main()
