"""Is a release the same whatever the order of the source's rows and the keys of its persons?

    python -m benchmarks.permuted [--cases 200] [--first 0]

Every dataset of `benchmarks.fuzz` is anonymized twice: as it is, and with its rows shuffled and its persons
renamed. The released tables must be equal; what differs follows the source, and is told with its seed.
"""

from __future__ import annotations

import argparse
import random
import time

import polars as pl

from benchmarks.fuzz import case_of


def permuted(frame: pl.DataFrame, chance: random.Random) -> pl.DataFrame:
    """The rows shuffled, the persons renamed."""
    order = chance.sample(range(frame.height), frame.height)
    keys = frame["id"].unique().sort().to_list()
    names = [f"N{number:05}" for number in chance.sample(range(10**5), len(keys))]
    return frame[order].with_columns(pl.col("id").replace_strict(keys, names))


def released(frame: pl.DataFrame, plan: dict[str, object]) -> pl.DataFrame | str:
    """The released table, or which error there was."""
    import heteronym as hn

    try:
        table: pl.DataFrame = hn.anonymize(frame, plan).data
    except hn.HeteronymError as error:
        return type(error).__name__
    return table


def differing(seed: int) -> list[str]:
    """The columns in which the two releases differ; nothing, if they are equal."""
    case = case_of(seed)
    one = released(case.frame, case.plan)
    two = released(permuted(case.frame, random.Random(seed)), case.plan)
    if isinstance(one, str) or isinstance(two, str):
        is_same = isinstance(one, str) and isinstance(two, str) and one == two
        return [] if is_same else ["only one of both was released"]
    if one.height != two.height:
        return ["rows"]
    return [name for name in one.columns if one[name].to_list() != two[name].to_list()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.permuted")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    begin, found = time.process_time(), 0
    for seed in range(args.first, args.first + args.cases):
        columns = differing(seed)
        found += bool(columns)
        if columns:
            plan = case_of(seed).plan
            models = [model["model"] for model in plan["privacy"]]
            print(f"seed {seed}: {plan['partition']['method']}, {models}: {', '.join(columns)}", flush=True)
    print(
        f"{args.cases} datasets, {time.process_time() - begin:.0f} CPU s: {found} follow the source's order"
    )


if __name__ == "__main__":
    main()
