"""Is tum-bound ever worse than the first state of its path that keeps the bound, or refused wrongly?

    python -m benchmarks.studies.items_paths [--cases 400] [--write PAGE]

Random small tables (12 to 40 persons, two columns, up to eight items, k 2 or 3, m 1 or 2), every merge, and a
bound drawn between the least and the largest loss of the items along the whole path of merges. The path is
walked to its end without any bound; tum-bound is then asked for the bound, and compared.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.figures import show
from heteronym.encode import encode
from heteronym.errors import PromiseError
from heteronym.itemsets.blocks import Transactions
from heteronym.model.dataset import Dataset
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.promise import ItemPromise
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition._clusters import (
    Clusters,
    covers_of,
    join_equal,
    k_member_clusters,
    state_after,
)
from heteronym.partition._leave_out import loss_of
from heteronym.partition._merge import Budget, TumCache, TumWalk, merge_clusters
from heteronym.partition.tum_bound import TumBound
from heteronym.privacy.kkm_anonymity import KkmAnonymity

Merge = Literal["r", "t", "rt"]


def random_view(rng: random.Random) -> PersonView:
    persons = rng.randint(12, 40)
    letters = "ABCDEFGH"[: rng.randint(3, 8)]
    frame = pl.DataFrame(
        {
            "age": [rng.randint(0, 60) for _ in range(persons)],
            "city": [rng.choice("NESW") for _ in range(persons)],
            "codes": [" ".join(sorted({rng.choice(letters) for _ in range(3)})) for _ in range(persons)],
        }
    )
    roles = {"age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC), "city": Attribute(role=Role.QUASI)}
    return encode(Dataset(Schema({**roles, "codes": Attribute(role=Role.ITEMS, separator=" ")}), frame))


def path_of(view: PersonView, k: int, m: int, merge: Merge) -> list[tuple[float, float]]:
    """Loss of the items and of the columns in the first state and after every merge."""
    covers = covers_of(view)
    start = k_member_clusters(view, covers, [KkmAnonymity(k, m)], np.random.default_rng(0), greedy=False)
    transactions = Transactions(view, ItemPromise(k, m))
    clusters = Clusters(covers, start, None if merge == "r" else transactions)
    walk = TumWalk(clusters, TumCache(transactions, "ul", 1.0))

    def columns(group: NDArray[np.int64]) -> float:
        joined = join_equal(covers, group).astype(np.int32)
        return loss_of(Partition(joined), covers) / view.persons

    found = [(walk.value, columns(start))]

    def note() -> bool:
        found.append((walk.follow(), columns(state_after(start, clusters.joins))))
        return False

    merge_clusters(clusters, Budget(clusters, "ncp", np.inf, k), merge, after_join=note)
    return found


def case(number: int) -> tuple[Merge, str]:
    """What became of one case: as good, better, worse, or refused."""
    rng = random.Random(number)
    view, k, m = random_view(rng), rng.choice((2, 3)), rng.choice((1, 2))
    merge: Merge = rng.choice(get_args(Merge))
    path = path_of(view, k, m, merge)
    least, most = min(ul for ul, _ in path), max(ul for ul, _ in path)
    delta = least + rng.random() * (most - least)
    first = next(columns for ul, columns in path if ul <= delta + 1e-12)
    try:
        found = TumBound(delta=delta, merge=merge).partition(
            view, models=[KkmAnonymity(k, m)], rng=np.random.default_rng(0)
        )
    except PromiseError:
        return merge, "refused"
    loss = loss_of(found, covers_of(view)) / view.persons
    return merge, "worse" if loss > first + 1e-9 else "better" if loss < first - 1e-9 else "equal"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    outcomes = [case(number) for number in range(args.cases)]
    rows: list[dict[str, object]] = []
    for merge in (*get_args(Merge), "all"):
        mine = [outcome for one, outcome in outcomes if merge in ("all", one)]
        counts = {word: mine.count(word) for word in ("equal", "better", "worse", "refused")}
        rows.append({"merge": merge, "cases": len(mine), **counts})
    show(rows, name="paths", page=args.write)
    assert not any(outcome in ("worse", "refused") for _, outcome in outcomes), "worse than its own path"


if __name__ == "__main__":
    main()
