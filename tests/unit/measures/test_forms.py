"""Every figure about items and groups, counted again from the released table by its definition."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import cache
from typing import Any

import polars as pl
import pytest
from tests.naive.queries import Label, relative_errors
from tests.naive.transactions import coat_loss, tncp, utility_loss, utility_loss_as_printed

import heteronym as hn

ITEMS = "ABCDEFGHIJ"
SECRET = "J"


@cache
def rows(seed: int) -> list[tuple[dict[str, Any], frozenset[str]]]:
    rng = random.Random(seed)
    return [
        (
            {"age": rng.randint(20, 60), "city": rng.choice(["Ulm", "Rom", "Oslo", "Bern", "Graz"])},
            frozenset(rng.choices(ITEMS, [1 / (n + 1) for n in range(len(ITEMS))], k=rng.randint(1, 5))),
        )
        for _ in range(80)
    ]


@cache
def release(seed: int) -> hn.Release:
    frame = pl.DataFrame(
        {
            "number": [str(n) for n in range(len(rows(seed)))],
            "age": [cells["age"] for cells, _ in rows(seed)],
            "city": [cells["city"] for cells, _ in rows(seed)],
            "codes": [" ".join(sorted(items)) for _, items in rows(seed)],
        }
    )
    plan = {
        "attributes": {
            "number": {"role": "plain"},
            "age": {"role": "quasi", "scale": "numeric"},
            "city": {"role": "quasi"},
            "codes": {"role": "items", "separator": " ", "sensitive": [SECRET]},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 4, "m": 2}],
        "partition": {"method": "rum-bound", "delta": 0.5, "merge": "rt"},
    }
    return hn.anonymize(frame, plan)


def labels(cell: str | None) -> list[frozenset[str]]:
    return [frozenset(label.strip("()").split(",")) for label in (cell or "").split(" ") if label]


def released_rows(seed: int) -> list[tuple[dict[str, Label], list[frozenset[str]]]]:
    found = []
    for age, city, codes in release(seed).data.drop("number").iter_rows():
        low, _, high = age.strip("[]").partition("-")
        found.append(
            (
                {"age": (int(low), int(high or low)), "city": frozenset(city.strip("{}").split(","))},
                [label for label in labels(codes) if label != {SECRET}],
            )
        )
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_forms_of_utility_loss_are_what_their_definitions_say(seed: int) -> None:
    found = release(seed).measures["transaction"]
    sizes = [[len(label) for label in shown] for _, shown in released_rows(seed)]
    assert found["ul"] == pytest.approx(utility_loss(sizes))
    assert found["ul_unweighted"] == pytest.approx(utility_loss_as_printed(sizes))
    assert found["ul"] < found["ul_unweighted"]
    holders = Counter(
        (tuple(sorted(map(str, cells.items()))), label)
        for cells, shown in released_rows(seed)
        for label in shown
    )
    expected = coat_loss([(len(label), n) for (_, label), n in holders.items()], 80, len(ITEMS) - 1)
    assert found["coat_ul"] == pytest.approx(expected)
    assert found["coat_ul_log2"] == pytest.approx(math.log2(expected))


@pytest.mark.parametrize("seed", range(3))
def test_tncp_and_the_share_of_items_kept_are_counted_per_occurrence(seed: int) -> None:
    shown = {int(n): labels(codes) for n, codes in release(seed).data.select("number", "codes").iter_rows()}
    sets: list[list[str]] = []
    size: dict[str, int] = {}
    for number, (_, held) in enumerate(rows(seed)):
        of_item = {item: len(label) for label in shown[number] for item in label}
        sets.append([f"{number}/{item}" for item in sorted(held - {SECRET})])
        size |= {f"{number}/{item}": of_item[item] for item in held}
    found = release(seed).measures["transaction"]
    assert found["tncp"] == pytest.approx(tncp(sets, size, len(ITEMS) - 1))
    kept = [size[name] == 1 for held in sets for name in held]
    assert found["items_kept"] == pytest.approx(sum(kept) / len(kept))


@pytest.mark.parametrize("seed", range(3))
def test_sizes_of_groups_are_those_of_the_released_table(seed: int) -> None:
    found = release(seed).measures["groups"]
    sizes = list(Counter(str(cells) for cells, _ in released_rows(seed)).values())
    mean = sum(sizes) / len(sizes)
    assert found["count"] == len(sizes) > 1
    assert (found["min"], found["max"]) == (min(sizes), max(sizes))
    assert found["mean"] == pytest.approx(mean)
    assert found["std"] == pytest.approx((sum((s - mean) ** 2 for s in sizes) / len(sizes)) ** 0.5)
    assert found["histogram"] == {str(s): n for s, n in Counter(sizes).items()}


@pytest.mark.parametrize("kind", ["relational", "items", "both"])
def test_the_mean_error_of_queries_is_that_of_a_plain_workload(kind: str) -> None:
    """Other queries from the same persons: means agree within their spread."""
    values, items = {"relational": (2, 0), "items": (0, 2), "both": (1, 2)}[kind]
    open_rows = [(cells, held - {SECRET}) for cells, held in rows(0)]
    errors = relative_errors(open_rows, released_rows(0), values=values, items=items, queries=4000, seed=5)
    mean = sum(errors) / len(errors)
    found = release(0).measures["query_error"][kind]
    assert found["low"] - 0.02 <= mean <= found["high"] + 0.02
