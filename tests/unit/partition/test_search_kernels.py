"""The walk over nodes, with cuts that are asked for in Python."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.naive.tables import random_dataset

from heteronym.encode import encode
from heteronym.errors import CancelledError
from heteronym.partition._search import Search
from heteronym.partition._search_kernels import AskedCuts, grow
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.run import Run


class EveryThird:
    """Cuts every third member off while there are more than `least`, and remembers what was at work."""

    def __init__(self, least: int) -> None:
        self.least = least
        self.opened: list[tuple[list[int], int]] = []
        self.asked: list[list[int]] = []

    def open(self, members: NDArray[np.int64], done: int) -> None:
        self.opened.append((members.tolist(), done))

    def left(self, members: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        self.asked.append(members.tolist())
        return np.arange(len(members)) % 3 == 0 if len(members) > self.least else None


def walk(ask: object, ends: list[int]) -> list[list[int]]:
    order, begins, behind = grow(
        AskedCuts(ask), np.arange(ends[-1]), np.array(ends), np.zeros(1, np.int64), np.zeros(1, np.uint8)
    )
    return [order[a:b].tolist() for a, b in zip(begins, behind, strict=True)]


def test_the_larger_half_stays_at_work_and_the_smaller_waits() -> None:
    ask = EveryThird(4)
    groups = walk(ask, [9])
    assert ask.asked == [list(range(9)), [1, 2, 4, 5, 7, 8], [2, 4, 7, 8], [1, 5], [0, 3, 6]]
    assert ask.opened == [(list(range(9)), 0), ([1, 5], 4), ([0, 3, 6], 6)]
    assert groups == [[2, 4, 7, 8], [1, 5], [0, 3, 6]]


def test_the_nodes_given_are_never_mixed() -> None:
    assert sorted(map(sorted, walk(EveryThird(100), [2, 5, 6]))) == [[0, 1], [2, 3, 4], [5]]


def test_every_record_is_in_one_group() -> None:
    assert sorted(np.concatenate(walk(EveryThird(1), [50]))) == list(range(50))


def test_what_goes_wrong_while_cuts_are_chosen_is_raised() -> None:
    class Broken(EveryThird):
        def left(self, members: NDArray[np.int64]) -> NDArray[np.bool_] | None:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        walk(Broken(1), [5])


def test_a_search_that_asks_models_ends_when_it_is_cancelled() -> None:
    view = encode(random_dataset(1, persons=60))
    search = Search(view, [KAnonymity(2)])
    with Run().active() as run:
        search.statistics.start = lambda members=None: run.cancel() or []  # type: ignore[method-assign,func-returns-value]
        with pytest.raises(CancelledError):
            search.run_asking()
