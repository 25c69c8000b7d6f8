"""Order and pseudonyms of released rows tell nothing of the source's order."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.io.row_order import pseudonym_numbers, row_order


def released(rows: list[tuple[int, str | None, int]]) -> list[tuple[object, ...]]:
    """Rows of (person, a, b) as they would be released: sorted, with pseudonyms."""
    frame = pl.DataFrame([row[1:] for row in rows], schema={"a": pl.String, "b": pl.Int64}, orient="row")
    number = pseudonym_numbers(frame, np.array([row[0] for row in rows], np.int64))
    numbered = frame.insert_column(0, pl.Series("key", number))
    return numbered[row_order(numbered.select("a", "b", "key")).tolist()].rows()


@pytest.mark.parametrize("seed", range(40))
def test_a_shuffled_source_with_other_keys_gives_the_same_release(seed: int) -> None:
    rng = random.Random(seed)
    rows = [
        (rng.randrange(6), rng.choice(["x", "y", None]), rng.randrange(2))
        for _ in range(rng.randrange(1, 20))
    ]
    keys = rng.sample(range(100), 6)
    other = [(keys[person], a, b) for person, a, b in rows]
    rng.shuffle(other)
    assert released(rows) == released(other)


def test_rows_are_sorted_from_left_to_right_with_missing_ones_last() -> None:
    frame = pl.DataFrame({"a": ["y", None, "x", "x"], "b": [1, 2, 9, 3]})
    assert frame[row_order(frame).tolist()].rows() == [("x", 3), ("x", 9), ("y", 1), (None, 2)]


def test_lists_and_numbers_sort_too() -> None:
    frame = pl.DataFrame({"a": [["q"], ["p", "q"], ["p"]], "b": [1.5, None, 0.5]})
    assert row_order(frame).tolist() == [1, 2, 0]
    assert pseudonym_numbers(frame, np.array([7, 7, 3])).tolist() == [1, 1, 2]


def test_pseudonyms_of_a_release_do_not_follow_the_source() -> None:
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "n": {"role": "plain"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "release": {"person_key": "pseudonym"},
    }
    rows = [("a", 30, 1), ("a", 30, 2), ("b", 30, 1), ("b", 30, 1), ("c", 50, 1), ("d", 50, 1)]
    schema = {"id": pl.String, "age": pl.Int64, "n": pl.Int64}
    outcomes = []
    for order in ([0, 1, 2, 3, 4, 5], [5, 3, 2, 1, 0, 4], [2, 0, 3, 1, 4, 5]):
        frame = pl.DataFrame([rows[n] for n in order], schema=schema, orient="row")
        outcomes.append(hn.anonymize(frame, plan).data.rows())
    assert outcomes[0] == outcomes[1] == outcomes[2]
