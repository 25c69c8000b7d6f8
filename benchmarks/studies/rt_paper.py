"""Paper 002 (Poulis et al. 2013) again: loss of items against what the columns may lose, and UL per merge.

    python -m benchmarks.studies.rt_paper [--size 4000] [--data informs_rt.csv] [--k 25] [--steps 4]
        [--write PAGE]

Patients-like records, or the first `--size` rows of the real INFORMS. delta runs in equal steps from the NCP
of the first clusters to 1. For each method: what was spent (NCP), UL, ARE of (1,2)-queries, the largest
group and CPU seconds; the same with `lm-diversity`; and UL after every merge until one cluster is left.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from benchmarks.drawing import save
from benchmarks.figures import show
from benchmarks.studies.items_orderings import view as read
from heteronym.contracts import PrivacyModel
from heteronym.itemsets.blocks import Transactions
from heteronym.measures.query_error import QueryError
from heteronym.measures.transaction import TransactionLoss
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.recoding import Recoding
from heteronym.partition._clusters import compile_kernels, covers_of, k_member_clusters, loss_of
from heteronym.partition._merge import Budget, Clusters, TumCache, TumWalk, merge_clusters
from heteronym.partition.rum_bound import RumBound
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.lm_diversity import LmDiversity
from heteronym.recode.item_sets import ItemSets
from heteronym.report.plots import Axis, lines

PLOTS = Path(__file__).with_name("plots")
MERGES = ("r", "t", "rt", "top-down")
Row = dict[str, object]


def run(data: PersonView, models: list[PrivacyModel], merge: str, delta: float) -> Row:
    begin = time.process_time()
    method = RumBound(delta=delta, merge=merge)  # type: ignore[arg-type]
    partition = method.partition(data, models=models, rng=np.random.default_rng(0))
    seconds = time.process_time() - begin
    return {
        "merge": merge,
        "delta": round(delta, 3),
        **figures(data, models, partition),
        "CPU s": f"{seconds:.1f}",
    }


def figures(data: PersonView, models: list[PrivacyModel], partition: Partition) -> Row:
    labels = ItemSets().recode(data, partition, models=models, rng=np.random.default_rng(0))
    recoding = Recoding({}, labels)
    lost = TransactionLoss().measure(data, partition, recoding)
    errors = QueryError(queries=300, kinds=("1,2",)).measure(data, partition, recoding)
    spent = loss_of(covers_of(data), partition.group.astype(np.int64))
    return {
        "NCP spent": spent,
        "UL": lost["ul"],
        "ARE (1,2)": errors["both"]["mean"] if "both" in errors else 0.0,
        "groups": partition.count,
        "largest": int(partition.sizes().max()),
    }


def over_delta(data: PersonView, models: list[PrivacyModel], steps: int) -> list[Row]:
    covers = covers_of(data)
    start = k_member_clusters(data, covers, models, np.random.default_rng(0), greedy=False)
    first = loss_of(covers, start)
    deltas = [first + 1e-6 + (1 - first) * n / steps for n in range(steps + 1)]
    return [run(data, models, merge, delta) for merge in MERGES for delta in deltas]


def along_merges(data: PersonView, k: int) -> dict[str, list[tuple[float, float]]]:
    """UL after every merge, over the share of the merges."""
    covers = covers_of(data)
    models: list[PrivacyModel] = [KkmAnonymity(k, 2)]
    start = k_member_clusters(data, covers, models, np.random.default_rng(0), greedy=False)
    found = {}
    for merge in ("r", "t", "rt"):
        transactions = Transactions(data, ItemPromise(k, 2))
        clusters = Clusters(covers, start, None if merge == "r" else transactions)
        walk = TumWalk(clusters, TumCache(transactions, "ul", 1.0))
        losses = [walk.value]

        def note(seed: int, walk: TumWalk = walk, losses: list[float] = losses) -> bool:
            losses.append(walk.follow())
            return False

        budget = Budget(clusters, "ncp", np.inf, k)
        merge_clusters(clusters, budget, merge, bounded=False, after_join=note)  # type: ignore[arg-type]
        found[merge] = [(n / max(len(losses) - 1, 1), loss) for n, loss in enumerate(losses)]
    return found


def summary(paths: dict[str, list[tuple[float, float]]]) -> list[Row]:
    rows: list[Row] = []
    for merge, path in paths.items():
        losses = [loss for _, loss in path]
        steps = np.diff(losses)
        row: Row = {"merge": merge, "merges": len(steps), "first": losses[0], "least": min(losses)}
        rows.append(row | {"last": losses[-1], "rises": int((steps > 1e-9).sum())})
    return rows


def check_trends(rows: list[Row], paths: dict[str, list[tuple[float, float]]]) -> None:
    """As far as delta is spent alike: what may be lost of columns buys items."""
    for merge in MERGES:
        mine = [row for row in rows if row["merge"] == merge]
        uls, spent = [float(str(r["UL"])) for r in mine], [float(str(r["NCP spent"])) for r in mine]
        assert uls[-1] < uls[0], f"{merge}: UL falls as columns may lose all"
        assert all(s <= float(str(r["delta"])) + 1e-3 for s, r in zip(spent, mine, strict=True)), merge
        assert int(str(mine[-1]["largest"])) >= int(str(mine[0]["largest"])), f"{merge}: clusters grow"
    for merge, path in paths.items():
        assert path[-1][1] < path[0][1], f"{merge}: all merges together lower UL"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, help="the real INFORMS; left out: records like it")
    parser.add_argument("--size", type=int, default=4_000)
    parser.add_argument("--k", type=int, default=25)
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    compile_kernels()
    data = read(args.data, args.size)
    rows = over_delta(data, [KkmAnonymity(args.k, 2)], args.steps)
    show(rows, name="rt delta", page=args.write)
    show(over_delta(secret(data), [LmDiversity(args.k, 3, 2)], 1), name="rt diversity", page=args.write)
    paths = along_merges(data, args.k)
    show(summary(paths), name="rt merges", page=args.write)
    if args.write:
        for key, name in (("UL", "ul"), ("ARE (1,2)", "are")):
            series = {
                m: sorted((float(str(r["NCP spent"])), float(str(r[key]))) for r in rows if r["merge"] == m)
                for m in MERGES
            }
            plot = lines(f"{key} over the NCP spent", series, x=Axis("NCP spent"), y=Axis(key))
            save(plot, PLOTS / f"rt_{name}.svg")
        thin = {merge: path[:: max(len(path) // 40, 1)] for merge, path in paths.items()}
        plot = lines("UL along merges", thin, x=Axis("share of the merges", percent=True), y=Axis("UL"))
        save(plot, PLOTS / "rt_merges.svg")
    check_trends(rows, paths)
    print("\nall trends hold")


def secret(data: PersonView) -> PersonView:
    """The same persons, with every tenth item sensitive."""
    from dataclasses import replace

    sensitive = np.arange(len(data.elements)) % 10 == 3
    return replace(data, elements=replace(data.elements, sensitive=sensitive))


if __name__ == "__main__":
    main()
