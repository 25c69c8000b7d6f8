"""Paper 002 (Poulis et al. 2013) again: loss of items against what the columns may lose, and UL per merge.

    python -m benchmarks.studies.rt_paper [--size 4000] [--data informs_rt.csv] [--k 25] [--steps 4]
        [--write PAGE]

Patients-like records, or the first `--size` rows of the real INFORMS. delta runs in equal steps from the NCP
of the first clusters to 1. For each method: what was spent (NCP), UL, ARE of (2,0)-, (0,2)- and (1,2)-queries
(values, items), the largest group and CPU seconds; the same with `lm-diversity`; UL after every merge until
one cluster is left; CPU seconds over the number of records and over k; and what the paper says, beside what
was found. `top-down` is not in the paper.
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
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
from heteronym.partition._clusters import Clusters, covers_of, k_member_clusters
from heteronym.partition._leave_out import loss_of
from heteronym.partition._merge import Budget, TumCache, TumWalk, merge_clusters
from heteronym.partition.rum_bound import RumBound
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.lm_diversity import LmDiversity
from heteronym.recode.item_sets import ItemSets
from heteronym.report.plots import Axis, lines

PLOTS = Path(__file__).with_name("plots")
MERGES = ("r", "t", "rt", "top-down")
ARES = {"2,0": "relational", "0,2": "items", "1,2": "both"}
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
    errors = QueryError(queries=300, kinds=("2,0", "0,2", "1,2")).measure(data, partition, recoding)
    spent = loss_of(partition, covers_of(data)) / data.persons
    return {
        "NCP spent": spent,
        "UL": lost["ul"],
        **{f"ARE ({kind})": errors[name]["mean"] for kind, name in ARES.items() if name in errors},
        "groups": partition.count,
        "largest": int(partition.sizes().max()),
    }


def over_delta(data: PersonView, models: list[PrivacyModel], steps: int) -> list[Row]:
    covers = covers_of(data)
    start = k_member_clusters(data, covers, models, np.random.default_rng(0), greedy=False)
    first = loss_of(Partition(start.astype(np.int32)), covers) / data.persons
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

        def note(walk: TumWalk = walk, losses: list[float] = losses) -> bool:
            losses.append(walk.follow())
            return False

        budget = Budget(clusters, "ncp", np.inf, k)
        merge_clusters(clusters, budget, merge, after_join=note)
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


def over_sizes(args: argparse.Namespace) -> list[Row]:
    """CPU seconds of the three merges of the paper, delta .65 (Figures 7 a and b)."""
    cases = [(size, args.k) for size in (args.size // 4, args.size // 2, args.size)]
    cases += [(args.size, k) for k in (2 * args.k, 4 * args.k)]
    rows: list[Row] = []
    for size, k in cases:
        data = read(args.data, size)
        told = {m: run(data, [KkmAnonymity(k, 2)], m, 0.65) for m in ("r", "t", "rt")}
        rows.append({"records": size, "k": k} | {f"{m}, CPU s": row["CPU s"] for m, row in told.items()})
    return rows


def claims(rows: list[Row], paths: dict[str, list[tuple[float, float]]], times: list[Row]) -> list[Row]:
    """What the paper says in words (its numbers are in pictures), and what was found here."""
    of = {m: [row for row in rows if row["merge"] == m] for m in MERGES}
    inner = {m: of[m][1:-1] or of[m] for m in ("r", "t", "rt")}  # where delta lets methods differ

    def mean(merge: str, key: str) -> float:
        return float(np.mean([_number(row, key) for row in inner[merge]]))

    def three(key: str) -> str:
        return ", ".join(f"{m} {mean(m, key):.3g}" for m in ("r", "t", "rt"))

    first, last = ([of[m][at] for m in inner] for at in (0, -1))
    rises = ", ".join(f"{m} {sum(b > a + 1e-9 for (_, a), (_, b) in pairwise(p))}" for m, p in paths.items())
    spent = max(_number(row, "NCP spent") - _number(row, "delta") for row in rows)
    large = [row for row in times if row["records"] == times[-1]["records"]]
    return [
        _claim("NCP is at most delta (text)", f"largest NCP - delta {spent:.3f}", spent <= 1e-3),
        _claim(
            "a large delta favours items: ARE (0,2) falls (Figs. 4 a, c)",
            _from_to(first, last, "ARE (0,2)"),
            _all_lower(first, last, "ARE (0,2)"),
        ),
        _claim(
            "a small one favours columns: ARE (2,0) rises",
            _from_to(first, last, "ARE (2,0)"),
            _all_lower(last, first, "ARE (2,0)"),
        ),
        _claim("r has the lowest UL (Fig. 6 c)", three("UL"), mean("r", "UL") <= mean("t", "UL")),
        _claim("rt has a lower UL than t (Fig. 6 c)", three("UL"), mean("rt", "UL") <= mean("t", "UL")),
        _claim(
            "r makes the largest clusters (Fig. 6 a)",
            three("largest"),
            mean("r", "largest") >= max(mean("t", "largest"), mean("rt", "largest")),
        ),
        _claim(
            "t is fastest, rt slowest (Fig. 7 a)",
            three("CPU s"),
            mean("t", "CPU s") <= mean("r", "CPU s") <= mean("rt", "CPU s"),
        ),
        _claim(
            "time falls with k (Fig. 7 b)",
            "; ".join(f"k {row['k']}: r {row['r, CPU s']}" for row in large),
            _number(large[-1], "r, CPU s") <= _number(large[0], "r, CPU s"),
        ),
        _claim("UL never rises along merges (Figs. 7 g, h)", f"rises: {rises}", set(rises) <= set("rt 0,")),
    ]


def _claim(said: str, found: str, holds: bool) -> Row:
    return {"the paper": said, "here": found, "holds": "yes" if holds else "no"}


def _from_to(first: list[Row], last: list[Row], key: str) -> str:
    pairs = zip(first, last, strict=True)
    return ", ".join(f"{a['merge']} {_number(a, key):.3f} to {_number(b, key):.3f}" for a, b in pairs)


def _all_lower(first: list[Row], last: list[Row], key: str) -> bool:
    return all(_number(b, key) < _number(a, key) for a, b in zip(first, last, strict=True))


def _number(row: Row, key: str) -> float:
    return float(str(row[key]))


def check_trends(rows: list[Row], paths: dict[str, list[tuple[float, float]]]) -> None:
    """As far as delta is spent alike: what may be lost of columns buys items."""
    for merge in MERGES:
        mine = [row for row in rows if row["merge"] == merge]
        assert _all_lower(mine[:1], mine[-1:], "UL"), f"{merge}: UL falls as columns may lose all"
        fewer = merge == "top-down" or _all_lower(mine[:1], mine[-1:], "ARE (0,2)")
        assert fewer, f"{merge}: so does the error of items"
        assert _all_lower(mine[-1:], mine[:1], "ARE (2,0)"), f"{merge}: the error of columns rises"
        assert all(_number(row, "NCP spent") <= _number(row, "delta") + 1e-3 for row in mine), merge
        assert _number(mine[-1], "largest") >= _number(mine[0], "largest"), f"{merge}: clusters grow"
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
    data = read(args.data, args.size)
    rows = over_delta(data, [KkmAnonymity(args.k, 2)], args.steps)
    show(rows, name="rt delta", page=args.write)
    diverse = over_delta(secret(data), [LmDiversity(args.k, 3, 2)], max(args.steps // 2, 1))
    show(diverse, name="rt diversity", page=args.write)
    paths = along_merges(data, args.k)
    show(summary(paths), name="rt merges", page=args.write)
    times = over_sizes(args)
    show(times, name="rt times", page=args.write)
    show(claims(rows, paths, times), name="rt claims", page=args.write)
    if args.write:
        for key, name in (("UL", "ul"), *((f"ARE ({kind})", f"are_{kind[0]}{kind[2]}") for kind in ARES)):
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
