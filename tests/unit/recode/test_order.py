"""Rows come out sorted by what they show, however the columns are held."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heteronym.io.repeated import REPEATED
from heteronym.recode.order import sort_by_released_content

WORDS = [None, "", "é", "a", "B", "{a,b}", "zz", "[1-2]", *(f"x{n}" for n in range(40))]


def naive_order(frame: pl.DataFrame) -> list[int]:
    """By Python's own comparison of cells, missing ones last; rows that show the same keep their order."""
    rows = frame.rows()
    return sorted(range(len(rows)), key=lambda row: [(cell is None, cell or "") for cell in rows[row]])


def random_frame(rng: np.random.Generator, group: np.ndarray) -> pl.DataFrame:
    """Columns that agree within groups beside others, held as texts or each text once."""
    columns = []
    for number in range(int(rng.integers(1, 7))):
        words = WORDS[: int(rng.integers(2, len(WORDS)))]
        by_row = rng.integers(0, len(words), len(group))
        by_group = rng.integers(0, len(words), int(group.max()) + 1)[group]
        which = by_group if rng.random() < 0.6 else by_row
        cells = pl.Series(str(number), [words[i] for i in which.tolist()], pl.String)
        columns.append(cells.cast(REPEATED) if rng.random() < 0.5 else cells)
    return pl.DataFrame(columns)


@pytest.mark.parametrize("seed", range(60))
def test_rows_are_sorted_by_what_they_show_and_nothing_else(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 120))
    group = np.unique(rng.integers(0, max(size // 4, 1), size), return_inverse=True)[1].astype(np.int32)
    frame = random_frame(rng, group)
    for hint in (group, None):
        ordered, order = sort_by_released_content(frame, hint)
        assert order.tolist() == naive_order(frame)
        assert ordered.rows() == [frame.row(row) for row in order.tolist()]


def test_groups_that_are_not_labelled_alike_change_nothing() -> None:
    frame = pl.DataFrame({"a": ["b", "a", "b", "a"], "b": ["y", "y", "x", "x"]})
    wrong = np.array([0, 0, 1, 1], np.int32)
    assert sort_by_released_content(frame, wrong)[1].tolist() == [3, 1, 2, 0]


def test_more_labels_than_one_number_can_hold_are_sorted_as_well() -> None:
    rng = np.random.default_rng(1)
    cells = {str(n): [f"{v:06}" for v in rng.integers(0, 900, 4000)] for n in range(9)}
    frame = pl.DataFrame(cells).with_columns(pl.all().cast(REPEATED))
    assert sort_by_released_content(frame)[1].tolist() == naive_order(frame)
