"""python -m benchmarks.generators NAME --size N [--seed 1] -o FILE"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import polars as pl

from benchmarks.generators.adult_like import adult_like
from benchmarks.generators.baskets_like import baskets_like, patients_like
from benchmarks.generators.blog_like import blog_known, blog_like
from benchmarks.generators.clinic import clinic
from benchmarks.generators.hotel_like import hotel_like
from benchmarks.generators.informs_visits import informs_visits
from benchmarks.generators.notes_like import notes_like

GENERATORS: dict[str, Callable[[int, int], pl.DataFrame]] = {
    "adult-like": adult_like,
    "baskets-like": baskets_like,
    "blog-known": blog_known,
    "blog-like": blog_like,
    "clinic": clinic,
    "hotel-like": hotel_like,
    "informs-visits": informs_visits,
    "notes-like": notes_like,
    "patients-like": patients_like,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.generators")
    parser.add_argument("name", choices=sorted(GENERATORS))
    parser.add_argument("--size", type=int, required=True, help="persons; adult-like: rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--out", type=Path, required=True, help="a CSV file")
    args = parser.parse_args()
    frame = GENERATORS[args.name](args.size, args.seed)
    frame.write_csv(args.out)
    print(f"{args.out}: {frame.height:,} rows, {frame.width} columns")


if __name__ == "__main__":
    main()
